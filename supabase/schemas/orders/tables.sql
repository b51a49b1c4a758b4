-- Orders: the order book, the requests that wait for a decision or for a day, and the acts on access.
-- Uses: people.
-- Promises: each act of an administrator is a row of the book, which commits together with the effect. A key takes
-- effect once. A request ends once and its row stays.

-- The acts by which an administrator could sign in as a customer, or could pass for one. For 90 days, that administrator
-- decides no transfer of the customer (docs/decisions/0080).

create table private.access_acts (
  person uuid not null,
  clerk uuid not null,
  act text not null,
  acted_at timestamptz not null default clock_timestamp(),
  primary key (person, clerk, act),
  constraint access_acts_act_known check (act in ('open', 'invite', 'holder', 'address', 'factor', 'link', 'block'))
);
create index access_acts_of_a_clerk on private.access_acts (clerk);
comment on index private.access_acts_of_a_clerk is 'Finds the rows of a deleted administrator.';
create index access_acts_oldest_first on private.access_acts (acted_at);
comment on index private.access_acts_oldest_first is 'Finds the acts that no longer count (private.purge_expired).';
comment on table private.access_acts is 'One row for each kind of act by which an administrator gave or changed a person''s access. Rows are purged after 90 days.';
comment on column private.access_acts.person is 'The person whose access was changed. On a hosted project, this person may not exist yet. The row is deleted together with the account.';
comment on column private.access_acts.clerk is 'The administrator who acted. The row is deleted together with the account.';
comment on column private.access_acts.act is '`open`: opened the account. `invite`: invited the person. `holder`: corrected the name, document or telephone. `address`: began or cancelled a change of the e-mail address. `factor`: removed the second factors. `link`: mailed a link again. `block`: blocked or unblocked the person.';
comment on column private.access_acts.acted_at is 'Time of the last act of this kind.';

-- The order book: one row for each act of an administrator on money, on power or on a person's access, whether the act
-- took effect at once or waits for another administrator (docs/decisions/0099). Each act has a single entry point: a
-- function (supabase/functions) or a call of the table API (docs/decisions/0032). The row commits together with the
-- effect. A call that is sent twice takes effect once, because the row also has the call's idempotency key.

create table private.orders (
  id uuid primary key,
  kind text not null,
  asked_by uuid not null,
  asked_in uuid,
  asked_at timestamptz not null,
  about uuid,
  thing uuid,
  amount numeric,
  counts boolean not null,
  request_id uuid,
  done_in xid8 not null default pg_current_xact_id(),
  route text,
  call_key text,
  body_hash bytea,
  details jsonb,
  constraint orders_kind_known check (kind in (
    'register_transaction', 'correct_transaction', 'register_batch', 'reverse_batch', 'return_transfer', 'return_clearing_file',
    'approve_request', 'create_user', 'delete_user', 'promotion', 'demotion', 'block_user', 'unblock_user', 'end_sessions',
    'reset_factor', 'cancel_email_change', 'begin_email_change', 'send_link', 'correct_holder', 'reset_access'
  )),
  constraint orders_have_an_answer check (num_nonnulls(about, thing) > 0),
  constraint orders_count_once check (not counts or (amount is not null and request_id is null)),
  constraint orders_key_has_its_hash check ((call_key is null) = (body_hash is null) and (call_key is null or route is not null)),
  constraint orders_key_is_visible check (call_key ~ '^[\u0021-\u007E]{1,255}$'),
  constraint orders_body_hash_is_one check (octet_length(body_hash) = 32)
);
create unique index orders_of_a_key on private.orders (asked_by, route, call_key) where call_key is not null;
comment on index private.orders_of_a_key is 'Lets a key take effect once (private.claim).';
create index orders_oldest_key on private.orders (asked_at) where call_key is not null;
comment on index private.orders_oldest_key is 'Finds the keys that expire (private.purge_expired).';
create index orders_counted on private.orders (asked_by, asked_at) where counts;
comment on index private.orders_counted is 'Finds the amounts that an administrator moved on a day (private.moved_today).';
create index orders_of_a_session on private.orders (asked_in, asked_at) where amount is not null;
comment on index private.orders_of_a_session is 'Finds the orders in a session since the password or a mailed code was last entered (private.require_proof_of).';
create index orders_about_a_person on private.orders (about, kind, asked_at)
  where kind in (
    'create_user', 'promotion', 'demotion', 'block_user', 'unblock_user', 'reset_factor', 'reset_access',
    'begin_email_change', 'send_link', 'correct_holder'
  );
comment on index private.orders_about_a_person is 'Finds the acts on a person that later acts depend on (private.done_orders).';
create index orders_of_a_request on private.orders (request_id) where request_id is not null;
comment on index private.orders_of_a_request is 'Finds the order that another administrator decided (private.order_of).';

comment on table private.orders is 'The order book. One row for each act of an administrator on money, on power or on a person''s access. The acts of the operator and of other programs on a user are rows too. Rows contain no free text. A row is deleted only if the user that it was to create does not exist (public.abort_user_creation).';
comment on column private.orders.id is 'Id of the order. Of a call with several statements, the server chooses it (private.is_ordered).';
comment on column private.orders.kind is 'The act, in the words of the audit. `approve_request`: the administrator approved a request, alone or as the first of two. `promotion` and `demotion` change a role.';
comment on column private.orders.asked_by is 'The person who gave the order, who may have been deleted since. The nil id for the operator, and for another program.';
comment on column private.orders.asked_in is 'The session of the order; null for a caller without a session.';
comment on column private.orders.asked_at is 'Time of the order.';
comment on column private.orders.about is 'Id of the affected person, who may have been deleted since; null for a batch and for a clearing file.';
comment on column private.orders.thing is 'Id of the transaction, correction, batch, transfer or request; null for an act on a person.';
comment on column private.orders.amount is 'Amount in units of currency; null for an act that moves no money.';
comment on column private.orders.counts is 'Whether the amount counts toward the limit of the administrator''s day. The return of a transfer between customers does not count, nor does an order that waits, nor the approval of another administrator''s order.';
comment on column private.orders.request_id is 'Id of the request in public.requests that another administrator decides; null for an order that took effect at once.';
comment on column private.orders.done_in is 'The database transaction of the order, or of the approval that carried it out (private.is_done_here).';
comment on column private.orders.route is 'Name of the function in its URL, or "rpc/…" for a call of the table API. The same key may be used on different routes. Null for an order that can have no key.';
comment on column private.orders.call_key is 'The idempotency key as the client sent it: 1 to 255 visible ASCII characters. Null without a key, and after 48 hours, when the key becomes free again.';
comment on column private.orders.details is 'Facts for the audit entry and for the page of a customer. A block has its reason, a new user the role, the link for a new password its type, and a change of address the HMAC of the new address. A correction of a holder has its id and fields. Null for every other act.';
comment on column private.orders.body_hash is 'For a function, HMAC-SHA-256 of the body, keyed with a secret outside the database: a body may contain a password, which could be guessed from a plain hash. For a call of the table API, SHA-256 of the arguments. Null without a key.';

-- Requests are orders that wait for a decision, for a certain day, or for both. Customers request transfers, and
-- administrators request the acts that need a second administrator. Money moves only when a request is carried out.
-- Both postings of a transfer have the id of its request (docs/decisions/0067). A transfer to an account at another
-- bank has only the posting of the payer (docs/decisions/0070).

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
      'transfer', 'transaction', 'correction', 'batch', 'deletion', 'promotion', 'demotion', 'block', 'factor', 'return', 'file_return'
    )
  ),
  constraint requests_have_their_people check (
    case kind when 'transfer' then payer is not null and about is null
      else num_nonnulls(payer, payee) = 0 and (about is null) = (kind in ('batch', 'file_return')) end
  ),
  -- The account of an administrator may hold no money.
  constraint requests_have_an_amount check (
    kind = 'deletion' or (amount is null) = (kind in ('promotion', 'demotion', 'block', 'factor'))
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
comment on column public.requests.kind is '`transfer` is a request of a customer. All other kinds are acts of an administrator: `transaction` (a deposit or an expense), `correction`, `batch`, and `deletion` of an administrator or of an account with money. Also `promotion` to administrator, `demotion` or `block` of an administrator, `factor`: the removal of a customer''s second factors, `return` of a transfer that another bank sent back, `file_return` of all transfers in a clearing file.';
comment on column public.requests.status is '`waiting` for a decision; `scheduled` for the day `due_on`; `done`; `declined` by an administrator; `cancelled`; `expired` without a decision; `failed` for the given reason; `returned` by an administrator. The person who made the request can cancel it; deleting the account of this person also cancels the request.';
comment on column public.requests.asked_by is 'The customer or administrator who made the request, who may have been deleted since.';
comment on column public.requests.asked_at is 'Time at which the request was made.';
comment on column public.requests.payer is 'The customer who pays a transfer. This customer may have been deleted since; null unless kind is transfer.';
comment on column public.requests.payer_name is 'The payer''s name at the time of the request, as the deposit shows it to the payee; null unless kind is transfer, if the payer had no name, or if the payer''s account has been deleted.';
comment on column public.requests.payee is 'The customer who receives a transfer. This customer may have been deleted since; null unless kind is transfer, and null for a transfer to an account at another bank.';
comment on column public.requests.payee_name is 'The name that the payer gave to the beneficiary; null unless kind is transfer, or if the payer''s account has been deleted.';
comment on column public.requests.about is 'The person that an administrator''s act affects. This person may have been deleted since; null for a transfer, for a batch and for the return of a clearing file.';
comment on column public.requests.payee_masked is 'The masked name of the payee''s account, as the confirmation of the beneficiary showed it. For an account at another bank, the name of the bank and the last digits of the number; null for acts of administrators, or if the account of the payer or of the payee has been deleted.';
comment on column public.requests.amount is 'Amount in units of currency: positive, with at most two decimals. For a deletion, the amount is the absolute balance, or the balance according to the bank if that balance is larger; null without money. Null for a promotion, a demotion, a block and the removal of second factors.';
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
comment on column public.requests.details is 'The account at another bank to which a transfer pays, as in public.beneficiaries.destination; null for a transfer to a customer. For an act of an administrator, the arguments that have no column of their own. A transaction has type, description, date and category. A correction has transaction_id, reason and right_amount. A batch has title and lines. A block has reason and, unless it is permanent, hours. The removal of second factors has factors, their ids at the time of the request. A return has transfer_id and reason. The return of a clearing file has file, transfers and reason. Empty after the account of the payer or of the affected person has been deleted.';
comment on constraint requests_description_is_a_line on public.requests is 'Escribe un concepto de 140 caracteres como máximo.';
comment on constraint requests_amount_is_money on public.requests is 'El monto debe ser mayor que cero, con dos decimales como máximo.';
comment on constraint requests_reason_is_a_line on public.requests is 'Escribe un motivo de 200 caracteres como máximo.';

alter table public.requests replica identity full;
-- Leaves out the columns that the payer's page does not need: the risk, the hash, and the columns about other people.
grant select (
  id, kind, status, asked_at, payer, payee_name, payee_masked, amount, description, due_on, expires_at, decided_by_name, decided_at,
  reason, ended_at
) on public.requests to authenticated;

create policy "customers read the transfers that they requested" on public.requests
  for select to authenticated using (payer = (select auth.uid()));
comment on policy "customers read the transfers that they requested" on public.requests is
  'Administrators read the requests of others only through public.list_waiting_requests and public.list_decided_requests. The payee sees only the deposit, once the transfer is done.';
alter publication supabase_realtime add table public.requests;
