-- Uploads: files with many lines, which are the imports of customers, and the batches and new customers of staff.
-- Uses: money, orders.
-- Promises: an upload is stored as a whole or not at all, and each of its lines takes effect once.

-- The list of each customer's imports. The quota for single transactions reads this list, because imported expenses do
-- not count toward that quota. public.import_transactions records an import.

create table public.imports (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  entries integer not null,
  amount numeric not null,
  first_seq bigint not null,
  body_hash bytea not null,
  undone_at timestamptz,
  primary key (user_id, id)
);

comment on table public.imports is 'One row for each import of a customer. The entries of an import are consecutive in the customer''s journal, and identify the imported transactions.';
comment on column public.imports.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.imports.id is 'Unique for each customer. The client chooses the id, so that a retry cannot record the import twice.';
comment on column public.imports.created_at is 'Time of the import.';
comment on column public.imports.entries is 'Number of imported expenses. Each expense has one journal entry.';
comment on column public.imports.amount is 'Sum of the imported expenses in units of currency.';
comment on column public.imports.first_seq is 'Number (seq) of the import''s first entry in the customer''s journal.';
comment on column public.imports.body_hash is 'SHA-256 of the expenses in the form in which the client sent them. A call that reuses the id with different expenses is refused.';
comment on column public.imports.undone_at is 'Time at which the customer undid the import; null if the import was not undone.';

alter table public.imports replica identity full;
grant select on public.imports to authenticated, service_role;

create policy "customers read their own imports" on public.imports
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own imports" on public.imports is 'Administrators, like customers, can read only their own imports.';

create policy "the service reads every import" on public.imports for select to service_role using (true);
comment on policy "the service reads every import" on public.imports is 'Lets the operator''s tools read the table.';

-- Announces an import once, instead of announcing each imported expense. After the announcement, open pages reload
-- their lists.
alter publication supabase_realtime add table public.imports;

-- Imports: a customer records many expenses at once, from a file that their browser has read. Each import is recorded
-- completely or not at all, takes effect once, and can be undone as a whole.

-- Stores the original data of each imported transaction. The customer may rename the transaction, but the next file
-- from the other bank will contain it again under its original name.

create table public.import_lines (
  user_id uuid not null references auth.users (id) on delete cascade,
  transaction_id uuid not null,
  date date not null,
  amount numeric not null,
  description text,
  reference text,
  primary key (user_id, transaction_id),
  constraint import_lines_reference_is_a_line check (private.is_word(reference, 100))
);

comment on table public.import_lines is 'The original data of each imported transaction, for comparison with the next file. The rows are deleted with the account and when the import is undone.';
comment on column public.import_lines.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.import_lines.transaction_id is 'The imported transaction, which the customer may have deleted since.';
comment on column public.import_lines.date is 'Day of the transaction in Bogotá.';
comment on column public.import_lines.amount is 'Units of currency, positive.';
comment on column public.import_lines.description is 'The description in the file; null after the transaction was deleted and can no longer be restored.';
comment on column public.import_lines.reference is 'The other bank''s reference for the transaction (FITID in OFX; AcctSvcrRef or EndToEndId in camt); null if the file has no reference.';
comment on constraint import_lines_reference_is_a_line on public.import_lines is 'La referencia debe ser una línea visible de 100 caracteres como máximo.';

grant select on public.import_lines to authenticated;

create policy "customers read the lines of their own imports" on public.import_lines
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read the lines of their own imports" on public.import_lines is 'Administrators, like customers, can read only the lines of their own imports.';

-- Batches: deposits for many customers at once, for example a payroll. An order is stored first, either completely or
-- not at all. The database then posts the lines of the order in pieces of several lines, and posts each line only once.
-- If a line cannot be posted, the reason is stored in the column fault, and the other lines are still posted. A batch
-- can be reversed as a whole: its deposits are then also corrected in pieces.

create table public.batches (
  id uuid primary key,
  title text not null,
  created_at timestamptz not null default clock_timestamp(),
  sent_by uuid not null,
  sent_by_name text,
  posted_by uuid not null,
  lines integer not null,
  amount numeric not null,
  posted integer not null default 0,
  posted_amount numeric not null default 0,
  failed integer not null default 0,
  reversed_at timestamptz,
  reversed_by uuid,
  reversed_by_name text,
  reason text,
  reversed integer not null default 0,
  reversed_amount numeric not null default 0,
  kept integer not null default 0,
  is_held boolean not null default false,
  opens_accounts boolean not null default false,
  invites_since timestamptz,
  invited_by uuid,
  stopped_at timestamptz,
  finished_at timestamptz,
  body_hash bytea not null,
  constraint batches_title_is_a_line check (private.is_word(title, 200)),
  constraint batches_reason_is_a_line check (
    (reason is null) = (reversed_at is null) and (reason is null or private.is_word(reason, 200))
  )
);
create index batches_newest_first on public.batches (created_at desc);
create index batches_by_sender on public.batches (sent_by, created_at);
create index batches_to_post on public.batches (
  (case when reversed_at is null then posted + failed else reversed + kept end), created_at
) where finished_at is null and stopped_at is null and not is_held;
comment on index public.batches_to_post is 'Finds the next batch to post or to reverse (private.post_batch_piece).';

comment on table public.batches is 'One row for each batch of deposits that an administrator ordered, with its progress. Rows are never deleted.';
comment on column public.batches.id is 'The client chooses the id, so that a retry cannot order the batch twice.';
comment on column public.batches.title is 'The title that the administrator entered, or the name of their file; one line of up to 200 characters.';
comment on constraint batches_title_is_a_line on public.batches is 'Escribe un nombre de 200 caracteres como máximo.';
comment on column public.batches.created_at is 'Time at which the batch was ordered.';
comment on column public.batches.sent_by is 'The administrator who ordered the batch, who may have been deleted since.';
comment on column public.batches.sent_by_name is 'Name of the administrator who ordered the batch, at the time of the order; null if the administrator had no name.';
comment on column public.batches.posted_by is 'The administrator on whose behalf the batch is posted or reversed: the last administrator who ordered, continued or reversed it. The batch stops if this person is no longer an administrator.';
comment on constraint batches_reason_is_a_line on public.batches is 'Escribe un motivo de 200 caracteres como máximo.';
comment on column public.batches.lines is 'Number of ordered deposits.';
comment on column public.batches.amount is 'Sum of the ordered deposits in units of currency.';
comment on column public.batches.posted is 'Number of lines that have been posted so far.';
comment on column public.batches.posted_amount is 'Sum of the posted lines in units of currency.';
comment on column public.batches.failed is 'Number of lines that could not be posted. The fault of each of these lines states the reason.';
comment on column public.batches.reversed_at is 'Time at which the reversal was ordered; null if the batch was not reversed.';
comment on column public.batches.reversed_by is 'The administrator who ordered the reversal, who may have been deleted since; null if the batch was not reversed.';
comment on column public.batches.reversed_by_name is 'Name of the administrator who ordered the reversal, at the time of the reversal; null if the administrator had no name or if the batch was not reversed.';
comment on column public.batches.reason is 'Reason for the reversal, in one line of up to 200 characters that the customers can read; null if the batch was not reversed.';
comment on column public.batches.reversed is 'Number of posted lines that have been reversed so far.';
comment on column public.batches.reversed_amount is 'Sum of the reversed lines in units of currency.';
comment on column public.batches.kept is 'Number of posted lines that the reversal skipped. The fault of each of these lines states the reason.';
comment on column public.batches.is_held is 'Whether the batch waits for the decision of another administrator on the request with the same id.';
comment on column public.batches.opens_accounts is 'Whether the batch opens an account for each line. The amount of the line is then the opening balance (public.create_customers).';
comment on column public.batches.invites_since is 'Time from which the new customers of the batch are invited; null while no customer is invited.';
comment on column public.batches.invited_by is 'The administrator who started the invitations last, who may have been deleted since; null while no customer is invited. Customers are invited only while this person is an administrator.';
comment on column public.batches.stopped_at is 'Time at which the batch was stopped; null if the batch is not stopped now.';
comment on column public.batches.finished_at is 'Time at which the last line was processed; null while lines are waiting.';
comment on column public.batches.body_hash is 'SHA-256 of the lines in the form in which the client sent them. A call that reuses the id with different lines is refused.';
grant select on public.batches to authenticated;
create policy "administrators read every batch" on public.batches
  for select to authenticated using ((select private.is_admin()));
comment on policy "administrators read every batch" on public.batches is 'Customers see their own deposits, but not the batch.';
create index batches_inviting on public.batches (invites_since) where invites_since is not null;
comment on index public.batches_inviting is 'Finds the batches whose customers are invited (private.claim_invitations).';

create table public.batch_lines (
  batch_id uuid not null references public.batches (id),
  line integer not null,
  user_id uuid references public.profiles (id) on delete set null,
  amount numeric not null,
  description text,
  transaction_id uuid not null default gen_random_uuid(),
  status text not null default 'waiting',
  fault text,
  invitation text,
  invited_at timestamptz,
  primary key (batch_id, line),
  -- Together with the primary key of transactions and with ledger.post_all, this constraint ensures that a line causes
  -- only one deposit.
  constraint batch_lines_post_once unique (user_id, transaction_id),
  constraint batch_lines_status_known check (status in ('waiting', 'posted', 'failed', 'reversing', 'reversed')),
  constraint batch_lines_invitation_known check (invitation in ('waiting', 'sent', 'refused'))
);
create index batch_lines_waiting on public.batch_lines (batch_id, line) where status in ('waiting', 'reversing');
comment on index public.batch_lines_waiting is 'Finds the lines of a batch to post or reverse next (private.post_batch_piece).';
create index batch_lines_to_invite on public.batch_lines (batch_id, line) where invitation = 'waiting';
comment on index public.batch_lines_to_invite is 'Finds the customers to invite next (private.claim_invitations).';
create index batch_lines_invited on public.batch_lines (invited_at) where invited_at is not null;
comment on index public.batch_lines_invited is 'Counts the invitations of the last hour (private.claim_invitations).';

comment on table public.batch_lines is 'One row for each deposit of a batch. A batch that opens accounts has one row for each account.';
comment on column public.batch_lines.batch_id is 'The batch.';
comment on column public.batch_lines.line is 'Number of the line in the file.';
comment on column public.batch_lines.user_id is 'The customer; null until the account is opened, and after the account was deleted.';
comment on column public.batch_lines.amount is 'Amount in units of currency with at most two decimals: positive, or zero for a new account without an opening balance.';
comment on column public.batch_lines.description is 'One line of up to 200 characters, which the customer can read; null after the account was deleted.';
comment on column public.batch_lines.transaction_id is 'Id of the deposit, assigned before the deposit is posted.';
comment on column public.batch_lines.status is '"waiting", "posted" or "failed". In a reversed batch, the status can also be "reversing" (a posted line that waits for its reversal) or "reversed".';
comment on column public.batch_lines.fault is 'A sentence that explains why the line failed or why the reversal skipped it; null otherwise.';
comment on column public.batch_lines.invitation is '"waiting", "sent", or "refused" if the mail server said that the address does not exist; null if the line opened no account.';
comment on column public.batch_lines.invited_at is 'Time at which the last invitation was sent or tried; null if the customer was never invited.';
grant select on public.batch_lines to authenticated;
create policy "administrators read every line of a batch" on public.batch_lines
  for select to authenticated using ((select private.is_admin()));
comment on policy "administrators read every line of a batch" on public.batch_lines is
  'The lines are orders of the bank, and contain no data that the customer entered. Administrators may also read individual deposits in the audit.';

create table public.new_accounts (
  batch_id uuid not null,
  line integer not null,
  user_id uuid not null default gen_random_uuid(),
  full_name text not null,
  email text not null,
  document_kind text,
  document_number text,
  phone text,
  primary key (batch_id, line)
);
comment on table public.new_accounts is 'One row for each account that a batch still has to open. The row is deleted when the account is opened, or 30 days after the batch has finished.';
comment on column public.new_accounts.batch_id is 'The batch.';
comment on column public.new_accounts.line is 'Number of the line in the file.';
comment on column public.new_accounts.user_id is 'Id of the future user, assigned before the account is opened.';
comment on column public.new_accounts.full_name is 'The customer''s name.';
comment on column public.new_accounts.email is 'The customer''s e-mail address in lower case.';
comment on column public.new_accounts.document_kind is 'The format is the same as in account_holders; null if the file has no document.';
comment on column public.new_accounts.document_number is 'The format is the same as in account_holders; null if the file has no document.';
comment on column public.new_accounts.phone is 'The format is the same as in account_holders; null if the file has no telephone.';
grant select (batch_id, line, user_id, full_name, email) on public.new_accounts to authenticated;
create policy "administrators read every new account" on public.new_accounts
  for select to authenticated using ((select private.is_admin()));
comment on policy "administrators read every new account" on public.new_accounts is
  'The page of a batch shows the names and addresses of these customers. Administrators read the documents and telephones through public.read_failed_accounts, which records the reading.';
