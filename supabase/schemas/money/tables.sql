-- Money: the balance, the transactions and their edits, deletions and corrections, and the journal that proves them.
-- Uses: people, notices.
-- Promises: a balance is the sum of its journal, entries are never changed or deleted, and each entry contains the
-- hash of the one before it.

-- Each customer's balance and monthly limit.

create table public.budgets (
  user_id uuid primary key references auth.users (id) on delete cascade,
  balance numeric not null default 0,
  monthly_limit numeric,
  noted numeric not null default 0,
  -- A JavaScript number is exact only up to 2^53 hundredths. A browser would show a balance above 2^53 hundredths
  -- incorrectly.
  constraint budgets_balance_exact check (
    balance between -90071992547409.91 and 90071992547409.91 and scale(trim_scale(balance)) <= 2
  ),
  -- A transfer checks only the balance. The customer's notes must therefore never make the balance larger than the
  -- balance according to the bank.
  constraint budgets_notes_only_lower check (noted <= 0),
  constraint budgets_monthly_limit_is_money check (
    monthly_limit > 0 and monthly_limit <= 999999999999.99 and scale(trim_scale(monthly_limit)) <= 2
  )
);

comment on table public.budgets is 'One row for each customer: the balance that the bank holds, and the monthly limit that the customer set.';
comment on column public.budgets.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.budgets.balance is 'The balance in units of the account''s currency, with at most two decimals; may be negative. Only postings to the ledger change it.';
comment on column public.budgets.noted is 'The sum, in units of currency, of the customer''s notes, which are the expenses that the customer recorded; never positive. The balance minus this sum is the balance according to the bank. Only postings to the ledger change it.';
comment on column public.budgets.monthly_limit is 'The limit for each calendar month in Bogotá, in units of currency with at most two decimals; null until the customer sets a limit.';

-- If a row violates a constraint, the table API answers with the comment on that constraint.
comment on constraint budgets_balance_exact on public.budgets is 'El saldo quedaría fuera de lo que el banco puede registrar.';
comment on constraint budgets_notes_only_lower on public.budgets is 'Las anotaciones del cliente no pueden aumentar el saldo.';
comment on constraint budgets_monthly_limit_is_money on public.budgets is 'El límite mensual debe ser mayor que cero, con dos decimales como máximo.';

alter table public.budgets replica identity full;
grant select, update (monthly_limit) on public.budgets to authenticated;
grant select on public.budgets to service_role;

create policy "customers read their own budget" on public.budgets
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own budget" on public.budgets is 'The table API shows customers only their own balance.';

create policy "customers set their own monthly limit" on public.budgets
  for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers set their own monthly limit" on public.budgets is 'The column grant covers only the limit. Customers therefore cannot change their balance.';

create policy "the service reads every budget" on public.budgets for select to service_role using (true);
comment on policy "the service reads every budget" on public.budgets is 'Lets the operator''s tools read the table.';

alter publication supabase_realtime add table public.budgets;

-- The amounts and the time by which staff order and filter the accounts. The amounts stand beside the budgets and not in
-- them, because an index on the balance would make each posting write all indexes of the budget, and because the table API
-- shows the budgets to the customers (docs/decisions/0119).

create table private.listed_accounts (
  user_id uuid primary key references public.budgets (user_id) on delete cascade,
  balance numeric not null default 0,
  is_overdrawn boolean not null default false,
  last_at timestamptz not null default '-infinity'
);
comment on table private.listed_accounts is 'One row for each budget, by which staff order and filter the accounts. Each posting keeps it (ledger.post_all), and the verification of the ledger compares it (ledger.check_balances).';
comment on column private.listed_accounts.user_id is 'The customer. The row is deleted together with the account.';
comment on column private.listed_accounts.balance is 'As in public.budgets.';
comment on column private.listed_accounts.is_overdrawn is 'Whether the balance is negative according to the bank, without the customer''s own notes.';
comment on column private.listed_accounts.last_at is 'Date of the newest transaction in the customer''s list; -infinity without transactions.';
create index listed_accounts_by_balance on private.listed_accounts (balance, user_id);
comment on index private.listed_accounts_by_balance is 'The order by balance (public.list_customers).';
create index listed_accounts_by_last on private.listed_accounts (last_at, user_id);
comment on index private.listed_accounts_by_last is 'The order by newest transaction (public.list_customers).';
create index listed_accounts_overdrawn on private.listed_accounts (balance, user_id) where is_overdrawn;
comment on index private.listed_accounts_overdrawn is 'Finds and counts the accounts with a negative balance according to the bank, in the order by balance.';

-- The kind alone decides whether an entry is a note, because the hash of an entry covers the kind and the kind never
-- changes. The actor does not identify notes: a transfer and a recurring expense have no actor.
create function ledger.is_note(kind text) returns boolean
  language sql immutable
  return kind not in ('deposit', 'expense', 'closing');
comment on function ledger.is_note(text) is
  'Returns whether entries of this kind are notes, which record the customer''s own changes to their list. All other entries are postings of the bank.';

-- The journal stores every posting, reversal and removal in one hash chain for each customer. No role can change or
-- delete an entry. Entries remain after a customer is deleted; therefore the table has no foreign key to auth.users.

create table ledger.journal (
  user_id uuid not null,
  seq bigint not null,
  kind text not null,
  origin text,
  origin_id uuid,
  transaction_id uuid,
  delta numeric not null,
  balance_after numeric not null,
  actor uuid,
  dated_at timestamptz,
  recorded_at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  -- The column is stored, because statements and explanations of a balance add up the notes of the whole history.
  is_note boolean not null generated always as (ledger.is_note(kind)) stored,
  primary key (user_id, seq),
  constraint journal_kind_known check (kind in ('deposit', 'expense', 'note', 'amendment', 'edit', 'reversal', 'removal', 'restoration', 'closing')),
  constraint journal_origin_is_of_a_transaction check (
    (origin is null) = (kind = 'closing') and (origin_id is null) = (coalesce(origin, 'own') = 'own')
  )
);

create unique index journal_posts_once on ledger.journal (user_id, transaction_id)
  where kind in ('deposit', 'expense', 'note');
comment on index ledger.journal_posts_once is 'Ensures that a transaction is posted once, even if the customer has deleted it since.';

-- This index is not unique, because a transaction's posting, edits, reversal and restoration all have the same
-- transaction_id. The last column is seq, so that a transaction's latest entry can be found without scanning the
-- customer's history.
create index journal_by_transaction on ledger.journal (user_id, transaction_id, seq);
comment on index ledger.journal_by_transaction is 'Finds the entries of a transaction, and its latest entry.';

comment on table ledger.journal is 'Append-only. A row is added when a customer''s balance changes, when a customer edits a transaction, and when a customer removes a bank transaction from their list or restores it.';
comment on column ledger.journal.user_id is 'The customer, who may have been deleted since.';
comment on column ledger.journal.seq is 'Numbers each customer''s entries 1, 2, 3, … without gaps.';
comment on column ledger.journal.kind is
  '`deposit`, `expense`: a new transaction of the bank. `note`: a new expense that the customer recorded. `edit`: a new value of a column of private.editable, which public.transaction_edits stores. `reversal`: the customer deleted an expense that they had recorded, or changed its amount or date. `amendment`: the expense with its new amount and date, right after its reversal. `removal`: the customer removed a bank transaction from their list. `restoration`: the customer undid a reversal or removal. `closing`: the account was closed.';
comment on column ledger.journal.origin is 'Origin of the transaction, as in public.transactions.origin; null for a closing.';
comment on column ledger.journal.origin_id is 'As in public.transactions.origin_id.';
comment on column ledger.journal.transaction_id is
  'The transaction that the entry posts, amends, edits, reverses, removes or restores. The transaction may have been deleted since. Null for a closing.';
comment on column ledger.journal.delta is
  'Signed change of the balance in units of currency; 0 for an edit, for a removal, and for a restoration after a removal.';
comment on column ledger.journal.balance_after is 'The balance after this entry, in units of currency: the sum of all deltas up to and including this entry.';
comment on column ledger.journal.actor is 'Id of the user who made the change; null if the system made it, and for a transfer.';
comment on column ledger.journal.dated_at is 'Date of the transaction, used in statements and in balances over time. A correction has the same date as the mistake that it corrects. Null for an edit and for a closing.';
comment on column ledger.journal.recorded_at is 'Time at which the entry was written, to the microsecond.';
comment on column ledger.journal.previous_hash is 'The hash of the previous entry; 32 zero bytes in the first entry.';
comment on column ledger.journal.hash is 'SHA-256 of all other columns except is_note, which the kind determines (ledger.entry_hash).';
comment on column ledger.journal.is_note is 'Whether the entry is a note of the customer (ledger.is_note).';

grant select on ledger.journal to authenticated;

create policy "customers read their own journal" on ledger.journal
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own journal" on ledger.journal is
  'Customers read their entries only through public.journal_entries, because requests cannot address this schema. Administrators, like customers, can read only their own entries.';
create index journal_by_time on ledger.journal (recorded_at);
comment on index ledger.journal_by_time is 'Finds the entries of a day, from which public.sum_bank computes how much the bank''s debt changed.';
create index journal_by_date on ledger.journal (user_id, dated_at, seq) include (delta, is_note);
comment on index ledger.journal_by_date is 'Finds the entries of a month, and sums the entries before that month (public.statement). With 100,000 entries, a statement took 120 ms without this index and 45 ms with it.';

-- This index is small, because it contains only the bank transactions that customers removed from their lists.
create index journal_removals on ledger.journal (user_id, transaction_id) where kind = 'removal';
comment on index ledger.journal_removals is 'Finds transactions that the customer removed from their list but that still count in the balance (public.sum_transactions).';

-- This index is small, because few transfers are returned.
create index journal_returns on ledger.journal (user_id, origin_id) where origin = 'return';
comment on index ledger.journal_returns is 'Finds the posting that returned a transfer (ledger.check_transfers).';

-- Transactions of customers. Customers record their own expenses, and the bank records all other transactions.

create table public.transactions (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  type text not null,
  description text not null,
  amount numeric not null,
  date timestamptz not null default now(),
  category text,
  recorded_by text not null default 'customer',
  is_void boolean not null default false,
  origin text not null default 'own',
  origin_id uuid,
  -- The key begins with user_id, so that the table can be sharded by customer. The key must include the owner, because
  -- the announcement of a deletion contains only the key.
  primary key (user_id, id),
  constraint transactions_type_known check (type in ('deposit', 'expense')),
  -- The type is not numeric(14,2), which would accept NaN and would round amounts that must be refused.
  constraint transactions_amount_is_money check (
    amount > 0 and amount <= 999999999999.99 and scale(trim_scale(amount)) <= 2
  ),
  -- The two character classes are the same as in contract/format/plain-line.ts. Characters of the first class are not allowed:
  -- controls, line separators and changes of text direction. At least one character must be outside the second class,
  -- which lists invisible characters: blanks, joiners, fillers, selectors and tags. The two character classes are
  -- literals, because PostgreSQL would inline a function again for each INSERT.
  constraint transactions_description_is_a_line check (
    char_length(description) <= 200
    and description is nfc normalized
    and description !~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]'
    and description ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  ),
  constraint transactions_category_is_a_word check (
    char_length(category) <= 50
    and category is nfc normalized
    and category !~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]'
    and category ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  ),
  constraint transactions_recorder_known check (recorded_by in ('customer', 'bank')),
  constraint transactions_origin_known check (
    origin in ('own', 'import', 'recurring', 'clerk', 'batch', 'transfer', 'return', 'correction')
  ),
  constraint transactions_origin_has_its_id check ((origin_id is null) = (origin = 'own')),
  constraint transactions_recorder_is_of_the_origin check (
    recorded_by = case when origin in ('own', 'import', 'recurring') then 'customer' else 'bank' end
  )
);
create index transactions_newest_first on public.transactions (user_id, date desc, id desc);
comment on table public.transactions is 'One row for each deposit or expense of a customer. Rows can be added and deleted. The category of every row can change. The other columns that can change do so only if the customer recorded the transaction.';
comment on column public.transactions.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.transactions.id is 'Unique for each customer. The client may choose the id, so that a retry cannot record the transaction twice.';
comment on column public.transactions.type is '"deposit" increases the balance, and "expense" decreases it.';
comment on column public.transactions.description is 'One line of up to 200 characters.';
comment on column public.transactions.amount is 'Amount in units of currency, with at most two decimals. Always positive, because the column type says whether the balance increases or decreases.';
comment on column public.transactions.date is 'Time of the deposit or expense. When the transaction is recorded, the date must be at most ten years in the past and at most one day in the future.';
comment on column public.transactions.category is 'One of the product''s categories or any other text of up to 50 characters; may be null for deposits.';
comment on column public.transactions.recorded_by is '"bank" for transactions that the bank recorded, "customer" for the customer''s own expenses. No client can write this column.';
comment on column public.transactions.is_void is 'Whether the transaction is void: a corrected mistake of the bank, or a correction (private.void_at). Void transactions cancel each other out, and are excluded from income, spending and balances over time. Only private.correct changes this column; clients cannot write it.';
comment on column public.transactions.origin is
  'The way in which the transaction was recorded, which never changes. `own`: the customer entered it. `import`: from a file. `recurring`: by a recurring expense. `clerk`: an administrator registered it. `batch`: a line of a batch. `transfer` and `return`: one side of a transfer or of its return. `correction`: the reversal or the replacement of a mistake. No client can write this column.';
comment on column public.transactions.origin_id is
  'Id of the import, of the recurring expense, of the administrator''s order, of the batch, of the transfer, or of the order that corrected the mistake: a correction or a batch that was reversed. Never the id of a person. Null for the origin `own`.';

-- If a row violates a constraint, the table API answers with the comment on that constraint.
comment on constraint transactions_user_id_fkey on public.transactions is 'El cliente no tiene una cuenta abierta.';
comment on constraint transactions_type_known on public.transactions is 'El tipo debe ser depósito o gasto.';
comment on constraint transactions_amount_is_money on public.transactions is 'El monto debe ser mayor que cero, con dos decimales como máximo.';
comment on constraint transactions_description_is_a_line on public.transactions is 'Escribe una descripción de 200 caracteres como máximo.';
comment on constraint transactions_category_is_a_word on public.transactions is 'La categoría no es válida.';
comment on constraint transactions_origin_known on public.transactions is 'El origen del movimiento no existe.';
comment on constraint transactions_origin_has_its_id on public.transactions is 'El origen del movimiento no dice de dónde viene.';
comment on constraint transactions_recorder_is_of_the_origin on public.transactions is 'El origen del movimiento no es de quien lo registró.';

alter table public.transactions replica identity full;
grant select, delete, insert (user_id, id, type, description, amount, date, category) on public.transactions to authenticated;
grant select on public.transactions to service_role;

create policy "customers read their own transactions" on public.transactions
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own transactions" on public.transactions is 'Administrators, like customers, can read only their own transactions.';

create policy "customers record their own expenses" on public.transactions
  for insert to authenticated with check (user_id = (select auth.uid()) and type = 'expense' and origin = 'own');
comment on policy "customers record their own expenses" on public.transactions is 'Only the bank records deposits, and only the database records the other origins.';

create policy "customers delete their own transactions" on public.transactions
  for delete to authenticated using (user_id = (select auth.uid()));
comment on policy "customers delete their own transactions" on public.transactions is
  'The trigger post_removed_transactions decides whether a deletion changes the balance.';

create policy "the service reads every transaction" on public.transactions for select to service_role using (true);
comment on policy "the service reads every transaction" on public.transactions is 'Lets the operator''s tools read the table.';

alter publication supabase_realtime add table public.transactions;
grant update (description, category) on public.transactions to authenticated;

-- Every rule about the columns that a customer may change calls this function. A test compares it with the grant above.
create function private.editable(t public.transactions) returns jsonb
  language sql stable
  return jsonb_build_object('description', t.description, 'category', t.category);
comment on function private.editable(public.transactions) is
  'Returns the columns of a transaction that the customer may change without a new posting. public.transaction_edits stores them before and after each edit. In a transaction of the bank, only the category may change.';

create policy "customers edit their own transactions" on public.transactions
  for update to authenticated using (user_id = (select auth.uid()) and (select private.has_rows_left()));
comment on policy "customers edit their own transactions" on public.transactions is
  'Refuses a customer who has used up the limit "rows written", once for each statement and before it writes a row. The column grants cover the columns of private.editable. A trigger refuses to change any of them except the category in a bank transaction.';

-- This index is on an expression, so that the planner does not choose it for a customer's own list. A customer's own
-- list should use the index transactions_newest_first.
create index transactions_by_amount on public.transactions (trunc(amount * 100), date desc);
comment on index public.transactions_by_amount is 'Finds the newest transactions with a given amount, in hundredths, in the whole bank (public.search_bank).';
-- Uses only built-in functions, because they run for every posting and every imported line. private.folded takes 1.3
-- ms.
create index transactions_by_description on public.transactions (
  (translate(lower(left(description, 40)), 'áéíóúüñ‘’“”«»–—', 'aeiouun''''""""--')) text_pattern_ops, date desc
);
comment on index public.transactions_by_description is 'Finds transactions in the whole bank by the first 40 characters of their description, ignoring case and Spanish accents (public.search_bank).';

-- Undo: a deleted transaction can be restored for 24 hours, exactly as it was -----------------------

create table ledger.deleted_transactions (
  -- References the budget and not the user, because closing an account deletes the budget before the user.
  user_id uuid not null references public.budgets (user_id) on delete cascade,
  id uuid not null,
  "row" jsonb not null,
  delta numeric not null,
  deleted_at timestamptz not null default clock_timestamp(),
  restored_in xid8,
  primary key (user_id, id)
);
create index deleted_transactions_oldest_first on ledger.deleted_transactions (deleted_at);

comment on table ledger.deleted_transactions is 'Transactions that customers deleted in the last 24 hours and can restore. The rows are deleted with the account.';
comment on column ledger.deleted_transactions.user_id is 'The customer. The row is deleted together with the account.';
comment on column ledger.deleted_transactions.id is 'Id of the transaction. The transaction keeps this id when it is restored.';
comment on column ledger.deleted_transactions."row" is 'The whole row of public.transactions at the time of the deletion, including all edits. A restoration preserves it, even if its date is more than ten years old. Only is_void may have changed since.';
comment on column ledger.deleted_transactions.delta is 'Signed change of the balance that the deletion caused, in units of currency; 0 for a bank transaction. The restoration reverses this change.';
comment on column ledger.deleted_transactions.deleted_at is 'Time at which the transaction was deleted. The transaction can be restored for 24 hours.';
comment on column ledger.deleted_transactions.restored_in is 'The database transaction that is restoring the row, so that its triggers can recognize the restoration. Null in committed rows.';

-- Edits: customers change the texts of their transactions. The journal records only that an edit happened. The old and
-- new texts are stored in the table below instead. The journal outlives the customer and must therefore not contain
-- free text. A change of amount or date appears in the journal itself, as a reversal and an amendment.

create table public.transaction_edits (
  -- References the budget and not the user, because closing an account deletes the budget before the user.
  user_id uuid not null references public.budgets (user_id) on delete cascade,
  seq bigint not null,
  transaction_id uuid not null,
  -- A copy of the journal entry's time, so that a page of edits needs no lookups in the journal.
  recorded_at timestamptz not null,
  before jsonb not null,
  after jsonb not null,
  primary key (user_id, seq)
);
create index transaction_edits_by_transaction on public.transaction_edits (user_id, transaction_id, seq);

comment on table public.transaction_edits is 'Append-only. One row for each journal entry of kind "edit", with the texts of the transaction before and after the edit. Clients read the rows in pages, ordered by seq. Rows are deleted with the account, or when the transaction can no longer be restored.';
comment on column public.transaction_edits.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.transaction_edits.seq is 'Number of the journal entry.';
comment on column public.transaction_edits.transaction_id is 'The transaction, which may have been deleted in the last 24 hours.';
comment on column public.transaction_edits.recorded_at is 'Time of the edit, equal to the time of the journal entry.';
comment on column public.transaction_edits.before is 'The columns of private.editable before the edit.';
comment on column public.transaction_edits.after is 'The same columns after the edit, also those that did not change.';

grant select on public.transaction_edits to authenticated;

create policy "customers read their own edits" on public.transaction_edits
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own edits" on public.transaction_edits is 'Administrators, like customers, can read only their own edits.';

-- Corrections: bank transactions that reverse an earlier bank transaction. Staff order a correction with
-- public.correct_transaction or public.reverse_batch.

create table public.corrections (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  corrected_id uuid not null,
  mistake_id uuid not null,
  makes_void boolean not null,
  dated_at timestamptz not null,
  replacement_id uuid,
  reason text not null,
  corrected_by text,
  corrected_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint corrections_correct_once unique (user_id, corrected_id),
  constraint corrections_reason_is_a_line check (private.is_word(reason, 200))
);
create index corrections_by_mistake on public.corrections (user_id, mistake_id);

comment on table public.corrections is 'One row for each bank transaction that reverses an earlier bank transaction, with the reason and the administrator''s name. Append-only while the account is open. The customer may have removed the correction, the corrected transaction or both from their list.';
comment on column public.corrections.user_id is 'Owner of the correction and of the corrected transaction.';
comment on column public.corrections.id is 'Id of the correcting transaction. A later correction may reverse this transaction in turn.';
comment on column public.corrections.corrected_id is 'Id of the transaction that was a mistake. A transaction can be corrected only once.';
comment on column public.corrections.mistake_id is 'Id of the first wrong transaction. If the corrected transaction is itself a correction, this column equals the mistake_id of that correction; otherwise, this column equals corrected_id.';
comment on column public.corrections.makes_void is 'Whether the mistake is void after this correction. False for the correction of a correction that made it void: the mistake is valid again.';
comment on column public.corrections.dated_at is 'Date of the mistake, with which the journal posts the correction.';
comment on column public.corrections.replacement_id is 'Id of the transaction with the right amount, which the same call recorded; null if the correction only cancels the mistake.';
comment on column public.corrections.reason is 'One line of up to 200 characters, which the customer can read.';
comment on column public.corrections.corrected_by is 'The administrator''s name at the time of the correction; null if the administrator had no name.';
comment on column public.corrections.corrected_at is 'Time of the correction.';
comment on constraint corrections_correct_once on public.corrections is 'Este movimiento ya se corrigió.';
comment on constraint corrections_reason_is_a_line on public.corrections is 'Escribe un motivo de 200 caracteres como máximo.';

grant select on public.corrections to authenticated, service_role;

create policy "customers read their own corrections" on public.corrections
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own corrections" on public.corrections is 'Customers see who made each correction and why.';
create policy "the service reads every correction" on public.corrections for select to service_role using (true);
comment on policy "the service reads every correction" on public.corrections is 'Lets the operator''s tools read the table.';

-- The result of the ledger's last verification. One server verifies the ledger on behalf of all servers of a bank.

create table ledger.daily_check (
  is_only boolean primary key default true,
  ended_at timestamptz not null,
  is_broken boolean not null,
  constraint daily_check_is_one_row check (is_only)
);
comment on table ledger.daily_check is 'The result of the last verification. The table has at most one row, and is empty before the first verification.';
comment on column ledger.daily_check.is_only is 'Always true, so that the table cannot have a second row.';
comment on column ledger.daily_check.ended_at is 'Time at which the last complete verification ended.';
comment on column ledger.daily_check.is_broken is 'Whether the last verification found an invalid entry.';
