-- Requests are orders that wait for a decision, for a certain day, or for both. Customers request transfers, and
-- administrators request the acts that need a second administrator. Money moves only when a request is carried out.
-- Both postings of a transfer have the id of its request (docs/decisions/0067). A transfer to an account at another
-- bank has only the posting of the payer (docs/decisions/0070).

create table private.transfer_rules (
  is_only boolean primary key default true,
  automatic_max numeric not null,
  transfer_max numeric not null,
  day_max numeric not null,
  expires_hours integer not null,
  constraint transfer_rules_is_only_one check (is_only),
  constraint transfer_rules_amounts check (automatic_max >= 0 and transfer_max > 0 and day_max > 0),
  constraint transfer_rules_expires_in_a_month check (expires_hours between 1 and 720)
);
comment on table private.transfer_rules is 'A single row with the limits of this bank for transfers. Our own server writes the row at each start. On a hosted project, the operator calls private.set_transfer_rules.';
comment on column private.transfer_rules.is_only is 'Always true, so that the table cannot have a second row.';
comment on column private.transfer_rules.automatic_max is 'The largest sum, in units of currency, of the transfers that one customer may make on one day in Bogotá without the decision of an administrator.';
comment on column private.transfer_rules.transfer_max is 'The largest amount of a single transfer, in units of currency.';
comment on column private.transfer_rules.day_max is 'The largest sum, in units of currency, of the transfers that one customer may request on one day in Bogotá.';
comment on column private.transfer_rules.expires_hours is 'Hours after which an undecided request expires.';
alter table private.transfer_rules enable row level security, force row level security;
insert into private.transfer_rules (automatic_max, transfer_max, day_max, expires_hours) values (125, 1250, 2500, 72);

create function private.set_transfer_rules(
  automatic_max numeric, transfer_max numeric, day_max numeric, expires_hours integer
) returns void
  language sql security definer
  set search_path = ''
as $$
  -- Updates the row only if a rule changed, so that servers that start with the same rules do not wait for each other.
  update private.transfer_rules r
  set automatic_max = set_transfer_rules.automatic_max, transfer_max = set_transfer_rules.transfer_max,
    day_max = set_transfer_rules.day_max, expires_hours = set_transfer_rules.expires_hours
  where (r.automatic_max, r.transfer_max, r.day_max, r.expires_hours) is distinct from (
    set_transfer_rules.automatic_max, set_transfer_rules.transfer_max, set_transfer_rules.day_max,
    set_transfer_rules.expires_hours
  )
$$;
comment on function private.set_transfer_rules(numeric, numeric, numeric, integer) is
  'Sets the bank''s limits for transfers, in units of currency, and the hours after which an undecided request expires.';
grant execute on function private.set_transfer_rules(numeric, numeric, numeric, integer) to supabase_auth_admin;

create table public.requests (
  id uuid primary key,
  kind text not null default 'transfer',
  status text not null,
  asked_by uuid not null,
  asked_at timestamptz not null default clock_timestamp(),
  payer uuid,
  payer_name text,
  payee uuid,
  payee_name text,
  payee_masked text,
  about uuid,
  amount numeric,
  description text,
  due_on date,
  expires_at timestamptz not null,
  risk smallint not null default 0,
  first_approved_by uuid,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamptz,
  reason text,
  ended_at timestamptz,
  body_hash bytea not null,
  details jsonb,
  constraint requests_kind_known check (
    kind in (
      'transfer', 'transaction', 'correction', 'batch', 'deletion', 'promotion', 'demotion', 'block', 'return', 'file_return'
    )
  ),
  constraint requests_have_their_people check (
    case kind when 'transfer' then payer is not null and about is null
      else num_nonnulls(payer, payee) = 0 and (about is null) = (kind in ('batch', 'file_return')) end
  ),
  -- The account of an administrator may hold no money.
  constraint requests_have_an_amount check (
    kind = 'deletion' or (amount is null) = (kind in ('promotion', 'demotion', 'block'))
  ),
  -- A transfer to a customer has a payee and no details. A transfer to an account at another bank has details and no
  -- payee. Every other request has details.
  constraint requests_have_details check ((details is null) = (kind = 'transfer' and payee is not null)),
  constraint requests_status_known check (
    status in ('waiting', 'scheduled', 'done', 'declined', 'cancelled', 'expired', 'failed', 'returned')
  ),
  constraint requests_are_between_two check (payer <> payee),
  constraint requests_end_once check ((ended_at is null) = (status in ('waiting', 'scheduled'))),
  constraint requests_amount_is_money check (
    amount > 0 and (amount <= 999999999999.99 or kind <> 'transfer') and scale(trim_scale(amount)) <= 2
  ),
  constraint requests_description_is_a_line check (description is null or private.is_word(description, 140)),
  constraint requests_reason_is_a_line check (reason is null or private.is_word(reason, 200))
);
create index requests_newest_first on public.requests (payer, asked_at desc);
create index requests_latest on public.requests (asked_at desc, id desc);
create index requests_by_status on public.requests (status, asked_at desc, id desc);
create index requests_of_asker on public.requests (asked_by) where status = 'waiting' and kind <> 'transfer';
create index requests_about on public.requests (about) where about is not null;
create index requests_open on public.requests (payer) where status in ('waiting', 'scheduled');
create index requests_of_payee on public.requests (payee);
create index requests_riskiest_first on public.requests ((kind = 'transfer'), risk desc, asked_at) where status = 'waiting';
create index requests_undecided on public.requests (expires_at) where status = 'waiting';
create index requests_scheduled on public.requests (due_on) where status = 'scheduled';
create index requests_largest on public.requests (payer, amount) where status = 'done';
comment on index public.requests_largest is 'Finds the largest earlier transfer of a payer (private.risk_of).';

comment on table public.requests is 'One row for each transfer that a customer requested, and for each act of an administrator that needs a second administrator. The row contains the state of the request and the decision. Rows are never deleted.';
comment on column public.requests.id is 'The client chooses the id, so that a retry cannot request the transfer twice. All postings of the transfer have the same id. A transaction, a correction and a batch have the id of their request.';
comment on column public.requests.kind is '`transfer` is a request of a customer. All other kinds are acts of an administrator: `transaction` (a deposit or an expense), `correction`, `batch`, and `deletion` of an administrator or of an account with money. Also `promotion` to administrator, `demotion` or `block` of an administrator, `return` of a transfer that another bank sent back, `file_return` of all transfers in a clearing file.';
comment on column public.requests.status is '`waiting` for a decision; `scheduled` for the day `due_on`; `done`; `declined` by an administrator; `cancelled`; `expired` without a decision; `failed` for the given reason; `returned` by an administrator. The person who made the request can cancel it; deleting the account of this person also cancels the request.';
comment on column public.requests.asked_by is 'The customer or administrator who made the request, who may have been deleted since.';
comment on column public.requests.asked_at is 'Time at which the request was made.';
comment on column public.requests.payer is 'The customer who pays a transfer. This customer may have been deleted since; null unless kind is transfer.';
comment on column public.requests.payer_name is 'The payer''s name at the time of the request, as the deposit shows it to the payee; null unless kind is transfer, if the payer had no name, or if the payer''s account has been deleted.';
comment on column public.requests.payee is 'The customer who receives a transfer. This customer may have been deleted since; null unless kind is transfer, and null for a transfer to an account at another bank.';
comment on column public.requests.payee_name is 'The name that the payer gave to the beneficiary; null unless kind is transfer, or if the payer''s account has been deleted.';
comment on column public.requests.about is 'The person that an administrator''s act affects. This person may have been deleted since; null for a transfer, for a batch and for the return of a clearing file.';
comment on column public.requests.payee_masked is 'The masked name of the payee''s account, as the confirmation of the beneficiary showed it. For an account at another bank, the name of the bank and the last digits of the number; null for acts of administrators, or if the account of the payer or of the payee has been deleted.';
comment on column public.requests.amount is 'Amount in units of currency: positive, with at most two decimals. For a deletion, the amount is the absolute balance, or the balance according to the bank if that balance is larger; null without money. Null for a promotion, a demotion and a block.';
comment on column public.requests.description is 'One line of up to 140 characters, which the payer and the payee can read; null unless kind is transfer, if the payer wrote no description, or if the payer''s account has been deleted.';
comment on column public.requests.due_on is 'The day in Bogotá on which the transfer is carried out; null unless kind is transfer. Also null for a transfer without a day, which is carried out at once, or as soon as it has been approved.';
comment on column public.requests.expires_at is 'Time at which the request expires unless an administrator has decided it.';
comment on column public.requests.risk is 'Sum of the signs of risk at the time of the request. A beneficiary who was confirmed within 24 hours counts 4. An amount of at least three times the payer''s largest earlier transfer counts 2. The hours from 22:00 to 06:00 in Bogotá count 1. The risk is 0 for requests other than transfers.';
comment on column public.requests.first_approved_by is 'The administrator who approved the transfer first, if the approval exceeded their limit of the day; a second administrator then decides the transfer. Null for every other request.';
comment on column public.requests.decided_by is 'The administrator who approved or declined the request, who may have been deleted since; null without a decision.';
comment on column public.requests.decided_by_name is 'Name of the administrator who decided the request, at the time of the decision; null if the administrator had no name or if the request is not decided.';
comment on column public.requests.decided_at is 'Time at which the request was approved or declined; null without a decision.';
comment on column public.requests.reason is 'The reason for the decision, the return or the failure. The person who made the request can read this reason; null without a reason or if the payer''s account has been deleted.';
comment on column public.requests.ended_at is 'Time at which the request reached its present state; null while the request is waiting or scheduled.';
comment on column public.requests.body_hash is 'SHA-256 of the arguments of the call. A call that reuses the id with other arguments is refused.';
comment on column public.requests.details is 'The account at another bank to which a transfer pays, as in public.beneficiaries.destination; null for a transfer to a customer. For an act of an administrator, the arguments that have no column of their own. A transaction has type, description, date and category. A correction has transaction_id, reason and right_amount. A batch has title and lines. A block has reason and, unless it is permanent, hours. A return has transfer_id and reason. The return of a clearing file has file, transfers and reason. Empty after the account of the payer or of the affected person has been deleted.';
comment on constraint requests_description_is_a_line on public.requests is 'Escribe un concepto de 140 caracteres como máximo.';
comment on constraint requests_amount_is_money on public.requests is 'El monto debe ser mayor que cero, con dos decimales como máximo.';
comment on constraint requests_reason_is_a_line on public.requests is 'Escribe un motivo de 200 caracteres como máximo.';

alter table public.requests replica identity full;
alter table public.requests enable row level security, force row level security;
revoke all on public.requests from anon, authenticated, service_role;
-- Leaves out the columns that the payer's page does not need: the risk, the hash, and the columns about other people.
grant select (
  id, kind, status, asked_at, payer, payee_name, payee_masked, amount, description, due_on, expires_at, decided_by_name, decided_at,
  reason, ended_at
) on public.requests to authenticated;

create policy "customers read the transfers that they requested" on public.requests
  for select to authenticated using (payer = (select auth.uid()));
comment on policy "customers read the transfers that they requested" on public.requests is
  'Administrators read the requests of others only through public.list_waiting_requests and public.list_decided_requests. The payee sees only the deposit, once the transfer is done.';

create function private.shown_to_payer(request public.requests) returns public.requests
  language plpgsql immutable
  set search_path = ''
as $$
begin
  request.payee := null;
  request.risk := null;
  request.decided_by := null;
  request.first_approved_by := null;
  request.body_hash := null;
  return request;
end
$$;
comment on function private.shown_to_payer(public.requests) is
  'Returns a request without the values of the columns that the payer is not allowed to select. Otherwise, the response of a function would contain these values.';

alter publication supabase_realtime add table public.requests;

create function private.end_request(request public.requests, status text, reason text default null) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ended public.requests;
begin
  update public.requests r
  set status = end_request.status, reason = coalesce(end_request.reason, r.reason), ended_at = clock_timestamp()
  where r.id = request.id
  returning r.* into ended;
  return ended;
end
$$;
comment on function private.end_request(public.requests, text, text) is
  'Moves a request to a final state. The calling function must hold the row''s lock.';

revoke execute on all functions in schema private from public;
