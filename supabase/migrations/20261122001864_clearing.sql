-- The clearing: the transfers to accounts at other banks whose amounts have left the payers' accounts, and the files
-- with which the bank hands over these transfers (docs/decisions/0070). The bank owes the amounts of the transfers that
-- are not in a file yet.

create table private.clearing_rules (
  is_only boolean primary key default true,
  debtor_name text not null,
  debtor_account text not null,
  currency text not null,
  constraint clearing_rules_is_only_one check (is_only),
  constraint clearing_rules_account_is_one check (debtor_account ~ '^[A-Z0-9]{1,34}$'),
  constraint clearing_rules_currency_known check (currency in ('USD', 'COP'))
);
comment on table private.clearing_rules is 'A single row with the data about this bank that its clearing files contain. Our own server writes the row at each start. On a hosted project, the table is empty until the operator calls private.set_clearing_rules.';
comment on column private.clearing_rules.is_only is 'Always true, so that the table cannot have a second row.';
comment on column private.clearing_rules.debtor_name is 'Name of this bank.';
comment on column private.clearing_rules.debtor_account is 'The account from which this bank settles its clearing; the ISO 20022 value NOTPROVIDED if the files need not state the account.';
comment on column private.clearing_rules.currency is 'Currency of the bank.';
alter table private.clearing_rules enable row level security, force row level security;

create function private.set_clearing_rules(debtor_name text, debtor_account text, currency text) returns void
  language sql security definer
  set search_path = ''
as $$
  select private.set_brand(debtor_name);
  -- Updates the row only if a rule changed, so that servers that start with the same rules do not wait for each other.
  update private.clearing_rules r
  set debtor_name = set_clearing_rules.debtor_name, debtor_account = set_clearing_rules.debtor_account,
    currency = set_clearing_rules.currency
  where (r.debtor_name, r.debtor_account, r.currency) is distinct from (
    set_clearing_rules.debtor_name, set_clearing_rules.debtor_account, set_clearing_rules.currency
  );
  insert into private.clearing_rules (debtor_name, debtor_account, currency)
  select set_clearing_rules.debtor_name, set_clearing_rules.debtor_account, set_clearing_rules.currency
  where not exists (select from private.clearing_rules)
  on conflict do nothing
$$;
comment on function private.set_clearing_rules(text, text, text) is
  'Sets the name of this bank, its account at the clearing, and its currency for new clearing files. Also reserves the name, so that no customer can have it.';
grant execute on function private.set_clearing_rules(text, text, text) to supabase_auth_admin;

create table private.clearing_files (
  number integer primary key,
  closed_at timestamptz not null,
  closed_by uuid not null,
  closed_by_name text,
  transfers integer not null,
  amount numeric not null,
  csv text not null,
  xml text not null,
  constraint clearing_files_number_from_one check (number > 0),
  constraint clearing_files_have_transfers check (transfers > 0)
);
comment on table private.clearing_files is 'The files that the bank hands to its clearing. Append-only, so that a file can be downloaded again with the same bytes.';
comment on column private.clearing_files.number is 'Number of the file, without gaps.';
comment on column private.clearing_files.closed_at is 'Time at which the file was closed.';
comment on column private.clearing_files.closed_by is 'Id of the administrator who closed the file; that administrator may have been deleted since then.';
comment on column private.clearing_files.closed_by_name is 'Name of that administrator at the time of the closing; null if the administrator had no name.';
comment on column private.clearing_files.transfers is 'Number of transfers in the file.';
comment on column private.clearing_files.amount is 'Sum of the transfers, in units of currency.';
comment on column private.clearing_files.csv is 'The file as comma-separated values.';
comment on column private.clearing_files.xml is 'The file as ISO 20022 pain.001.001.09.';
alter table private.clearing_files enable row level security, force row level security;

create trigger clearing_files_are_append_only before update or delete or truncate on private.clearing_files
  for each statement execute function ledger.refuse_change();

create table private.clearing_transfers (
  transfer_id uuid primary key,
  payer_name text,
  payer_document_kind text,
  payer_document text,
  payee_name text not null,
  destination jsonb not null,
  amount numeric not null,
  concept text,
  posted_at timestamptz not null default clock_timestamp(),
  file integer references private.clearing_files (number)
);
create index clearing_transfers_not_in_a_file on private.clearing_transfers (posted_at, transfer_id) where file is null;
create index clearing_transfers_of_file on private.clearing_transfers (file);
comment on table private.clearing_transfers is 'One row for each transfer to an account at another bank whose amount has left the payer''s account. Rows are never deleted: the bank must send the amount even if the payer closes the account.';
comment on column private.clearing_transfers.transfer_id is 'The request, whose row is never deleted.';
comment on column private.clearing_transfers.payer_name is 'The payer''s verified name, or the name that the payer had typed at the time of the request; null if the payer had no name.';
comment on column private.clearing_transfers.payer_document_kind is 'Kind of the payer''s identity document; null if the bank did not know the document.';
comment on column private.clearing_transfers.payer_document is 'Number of that document without separators; null if the bank did not know the document.';
comment on column private.clearing_transfers.payee_name is 'The holder of the account elsewhere.';
comment on column private.clearing_transfers.destination is 'As in public.beneficiaries.destination.';
comment on column private.clearing_transfers.amount is 'Units of currency.';
comment on column private.clearing_transfers.concept is 'The text that the payer wrote; null if the payer wrote none.';
comment on column private.clearing_transfers.posted_at is 'Time at which the amount left the payer''s account.';
comment on column private.clearing_transfers.file is 'The file that contains the transfer; null if the transfer is not in a file yet, or if it was returned before it could be put into a file.';
alter table private.clearing_transfers enable row level security, force row level security;

create function private.keep_clearing_transfer() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and old.file is null and new.file is not null
    and to_jsonb(new) - 'file' = to_jsonb(old) - 'file'
  then
    return new;
  end if;
  raise exception 'The % table is append-only.', tg_table_name using errcode = '42501';
end
$$;
comment on function private.keep_clearing_transfer() is
  'Refuses every change of a transfer in the clearing, even for the table''s owner. The only permitted change puts the transfer into a file, once.';
create trigger clearing_transfers_stay before update or delete on private.clearing_transfers
  for each row execute function private.keep_clearing_transfer();
create trigger clearing_transfers_are_not_emptied before truncate on private.clearing_transfers
  for each statement execute function ledger.refuse_change();

create function private.hand_to_clearing(request public.requests) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into private.clearing_transfers (
    transfer_id, payer_name, payer_document_kind, payer_document, payee_name, destination, amount, concept
  )
  select
    request.id, coalesce(h.full_name, request.payer_name), h.document_kind, translate(h.document_number, '-', ''),
    request.payee_name, request.details, request.amount, request.description
  from public.account_holders h where h.user_id = request.payer
$$;
comment on function private.hand_to_clearing(public.requests) is
  'Adds a transfer to an account elsewhere to the clearing. Called only by private.carry_out.';

create function private.clearing_file_with(transfer_id uuid) returns integer
  language sql stable security definer
  set search_path = ''
as $$
  select t.file from private.clearing_transfers t where t.transfer_id = clearing_file_with.transfer_id
$$;
comment on function private.clearing_file_with(uuid) is
  'Returns the number of the clearing file that contains the given transfer; null if no file contains it.';

create function private.transfers_of_file(number integer) returns setof public.requests
  language sql stable security definer
  set search_path = ''
as $$
  select r.* from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
  where t.file = transfers_of_file.number
$$;
comment on function private.transfers_of_file(integer) is 'Returns the transfers in a clearing file.';

revoke execute on all functions in schema private from public;
