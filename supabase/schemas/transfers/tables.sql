-- Transfers: beneficiaries, aliases, limits, and the clearing with other banks.
-- Uses: money, orders.
-- Promises: a beneficiary shows nothing about its owner, an alias never changes its owner, and a handed-over transfer
-- is in at most one file.

-- The limits that customers set for their own transfers, and the amounts that the page of transfers shows.

create table private.transfer_limits (
  user_id uuid primary key references auth.users (id) on delete cascade,
  transfer_max numeric,
  day_max numeric,
  receive_min numeric,
  receives_from_known boolean not null default false,
  constraint transfer_limits_are_money check (
    receive_min between 0.01 and 999999999999.99 and scale(trim_scale(receive_min)) <= 2 and
    transfer_max between 0 and 999999999999.99 and scale(trim_scale(transfer_max)) <= 2
    and day_max between 0 and 999999999999.99 and scale(trim_scale(day_max)) <= 2
  )
);
comment on table private.transfer_limits is 'Limits that customers set for the transfers that they send and receive. The bank''s limits apply in addition.';
comment on column private.transfer_limits.transfer_max is 'The largest amount of a single transfer, in units of currency; null if the customer set no limit.';
comment on column private.transfer_limits.day_max is 'The largest sum, in units of currency, of the transfers requested on one day in Bogotá; null if the customer set no limit.';
comment on column private.transfer_limits.receive_min is 'The smallest transfer that the customer receives, in units of currency; null if the customer receives every amount.';
comment on column private.transfer_limits.receives_from_known is 'Whether the customer receives transfers only from people that they have paid or named as a beneficiary.';

-- The clearing: the transfers to accounts at other banks whose amounts have left the payers' accounts, and the files
-- with which the bank hands over these transfers (docs/decisions/0070). The bank owes the amounts of the transfers that
-- are not in a file yet.

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

create function private.is_alias(alias text) returns boolean
  language sql immutable
  set search_path = ''
  return char_length(alias) between 3 and 30 and alias ~ '^[a-z][a-z0-9]*([.-][a-z0-9]+)*$';
comment on function private.is_alias(text) is
  'Returns whether a text has the form of an alias: 3 to 30 letters from a to z, digits, and single dots and hyphens between them. The first character is a letter, so that an alias does not look like the number of an account or of a telephone.';

-- Aliases: short names such as @anita.p, by which other customers name a beneficiary instead of an e-mail address. An
-- alias that a customer has chosen never belongs to another person (docs/decisions/0067).

create table private.aliases (
  alias text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  chosen_at timestamptz not null default clock_timestamp(),
  released_at timestamptz,
  constraint aliases_are_aliases check (private.is_alias(alias))
);
create unique index aliases_one_at_a_time on private.aliases (user_id) where released_at is null;
create index aliases_of_owner on private.aliases (user_id, chosen_at desc);
comment on table private.aliases is 'The alias of each customer, and the aliases that the customer had before.';
comment on column private.aliases.alias is 'In lower case, without the @.';
comment on column private.aliases.chosen_at is 'Time at which the customer first chose the alias.';
comment on column private.aliases.released_at is 'Time at which the customer replaced or removed the alias; null for the present alias.';

create table private.taken_aliases (
  digest bytea primary key,
  constraint taken_aliases_are_digests check (octet_length(digest) = 32)
);
comment on table private.taken_aliases is 'One row for each alias that a customer has ever chosen. Rows are never deleted. Money for an earlier owner would otherwise reach a stranger.';
comment on column private.taken_aliases.digest is 'SHA-256 of the alias without dots, hyphens and similar characters (private.alias_skeleton). The hash does not identify a person, and is therefore kept after the account is deleted.';

-- Beneficiaries: the people that a customer pays. A beneficiary is identified by an e-mail address, by an alias or by
-- an account at another bank. Adding a beneficiary reveals nothing about the address. Confirming the beneficiary
-- reveals whether the address belongs to a customer, and is therefore limited.

create table public.beneficiaries (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  name text not null,
  address text,
  destination jsonb,
  created_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  payee_name text,
  removed_at timestamptz,
  primary key (user_id, id),
  constraint beneficiaries_have_one_destination check (num_nonnulls(address, destination) = 1),
  constraint beneficiaries_name_is_a_line check (private.is_word(name, 80)),
  constraint beneficiaries_address_is_one check (
    char_length(address) <= 320 and address ~ '^[^@[:space:][:cntrl:]]+@[^@[:space:][:cntrl:]]+$' and address = lower(address)
    or address like '@%' and private.is_alias(substr(address, 2))
  )
);
create unique index beneficiaries_have_one_address on public.beneficiaries (user_id, address) where removed_at is null;
create index beneficiaries_removed on public.beneficiaries (removed_at) where removed_at is not null;
comment on index public.beneficiaries_removed is 'Finds the removed beneficiaries to purge (private.purge_expired).';

comment on table public.beneficiaries is 'One row for each person that a customer may pay by transfer. Removed rows are purged after 24 hours.';
comment on column public.beneficiaries.user_id is 'The customer who added the beneficiary. The row is deleted together with the account.';
comment on column public.beneficiaries.id is 'Unique for each customer. The client chooses the id, so that a retry cannot add the beneficiary twice.';
comment on column public.beneficiaries.name is 'The name that the customer chose, or the holder of an account elsewhere; one line of up to 80 characters.';
comment on column public.beneficiaries.address is 'E-mail address, or an alias that begins with @; in lower case. Null for an account elsewhere.';
comment on column public.beneficiaries.destination is 'The account at another bank: the bank''s code `bank`, `kind` (`savings`, `checking` or `deposit`), `number`, and the holder''s `document_kind` and `document`; null for a customer of this bank.';
comment on column public.beneficiaries.created_at is 'Time at which the beneficiary was added.';
comment on column public.beneficiaries.confirmed_at is 'Time at which the customer confirmed the beneficiary; null before the confirmation.';
comment on column public.beneficiaries.payee_name is 'The masked name of the account that has the address, such as "L••• G•••"; null before the confirmation, after the account is closed, or if the address did not belong to a customer when it was confirmed. For an account elsewhere, this name is the bank and the last digits of the number, such as "Bancolombia ••••6789".';
comment on column public.beneficiaries.removed_at is 'Time at which the customer removed the beneficiary; null while the beneficiary is in the customer''s list.';
comment on constraint beneficiaries_name_is_a_line on public.beneficiaries is 'Escribe un nombre de 80 caracteres como máximo.';
comment on constraint beneficiaries_address_is_one on public.beneficiaries is 'Escribe un email o una llave válida.';

alter table public.beneficiaries replica identity full;
grant select on public.beneficiaries to authenticated;

create policy "customers read their own beneficiaries" on public.beneficiaries
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own beneficiaries" on public.beneficiaries is 'Includes removed beneficiaries, because a removal would otherwise not be announced to the customer''s other pages. Administrators are also limited to their own beneficiaries.';

alter publication supabase_realtime add table public.beneficiaries;
create unique index beneficiaries_have_one_destination_each on public.beneficiaries
  (user_id, (destination ->> 'bank'), (destination ->> 'number')) where removed_at is null and destination is not null;
comment on index public.beneficiaries_have_one_destination_each is 'A customer lists an account elsewhere only once.';

create table private.payees (
  user_id uuid not null,
  beneficiary_id uuid not null,
  payee uuid not null references auth.users (id) on delete cascade,
  primary key (user_id, beneficiary_id),
  foreign key (user_id, beneficiary_id) references public.beneficiaries (user_id, id) on delete cascade
);
create index payees_by_account on private.payees (payee, user_id, beneficiary_id);
comment on table private.payees is 'The account of each confirmed beneficiary. A later owner of the same address does not receive the transfers.';
comment on column private.payees.user_id is 'The customer who added the beneficiary.';
comment on column private.payees.payee is 'The account. The row is deleted together with the account.';

-- Beneficiaries at other banks. The customer enters all data of the account, because this bank cannot look up the
-- account. The bank checks the form of the account, and the other bank checks the rest (docs/decisions/0070).

create table private.clearing_banks (
  code text primary key,
  name text not null,
  constraint clearing_banks_code_is_one check (code ~ '^[0-9]{4}$')
);
comment on table private.clearing_banks is 'The banks that a customer can pay, with their codes in the Colombian clearing. `npm run types` writes contract/transfers/banks.ts from it.';
comment on column private.clearing_banks.code is 'Code of the bank in the clearing; four digits.';
comment on column private.clearing_banks.name is 'The name that customers read.';
insert into private.clearing_banks (code, name) values
  ('1001', 'Banco de Bogotá'),
  ('1002', 'Banco Popular'),
  ('1006', 'Itaú'),
  ('1007', 'Bancolombia'),
  ('1009', 'Citibank'),
  ('1012', 'GNB Sudameris'),
  ('1013', 'BBVA Colombia'),
  ('1019', 'Scotiabank Colpatria'),
  ('1023', 'Banco de Occidente'),
  ('1032', 'Banco Caja Social'),
  ('1040', 'Banco Agrario'),
  ('1047', 'Banco Mundo Mujer'),
  ('1051', 'Davivienda'),
  ('1052', 'AV Villas'),
  ('1053', 'Banco W'),
  ('1059', 'Bancamía'),
  ('1060', 'Banco Pichincha'),
  ('1061', 'Bancoomeva'),
  ('1062', 'Banco Falabella'),
  ('1063', 'Banco Finandina'),
  ('1065', 'Banco Santander'),
  ('1066', 'Coopcentral'),
  ('1067', 'Mibanco'),
  ('1069', 'Banco Serfinanza'),
  ('1070', 'Lulo Bank'),
  ('1097', 'dale!'),
  ('1121', 'Juriscoop'),
  ('1151', 'RappiPay'),
  ('1283', 'CFA Cooperativa Financiera'),
  ('1286', 'JFK Cooperativa Financiera'),
  ('1289', 'Cotrafa'),
  ('1291', 'Coofinep'),
  ('1292', 'Confiar'),
  ('1303', 'Banco Unión'),
  ('1370', 'Coltefinanciera'),
  ('1507', 'Nequi'),
  ('1551', 'DaviPlata'),
  ('1637', 'Iris'),
  ('1801', 'Movii'),
  ('1804', 'Ualá'),
  ('1808', 'Bold'),
  ('1809', 'Nu Colombia');

-- Returns of transfers: a correction that names the transfer reverses each of its postings.

-- The return of a whole clearing file ---------------------------------------------------------------------------------

create table private.open_returns (
  file integer primary key,
  request_id uuid not null references public.requests (id),
  constraint open_returns_one_file unique (request_id)
);
comment on table private.open_returns is 'The clearing files whose return was ordered and is not finished.';
comment on column private.open_returns.request_id is 'The order, a request of the kind file_return.';

create table private.unreturned_transfers (
  transfer_id uuid primary key references public.requests (id),
  request_id uuid not null references public.requests (id),
  reason text not null
);
create index unreturned_transfers_of_order on private.unreturned_transfers (request_id);
comment on table private.unreturned_transfers is 'The transfers that the last return of their clearing file left out. A transfer that was returned later keeps its row.';
comment on column private.unreturned_transfers.request_id is 'The order, a request of the kind file_return.';
comment on column private.unreturned_transfers.reason is 'Why the transfer was left out, as the page shows it to administrators.';
