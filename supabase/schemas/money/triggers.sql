-- Triggers on the tables of money.

-- Triggers of public.budgets, in the order in which they fire:
--   Before the statement: refuse_more_rows.
--   After each row: tell_low_balance.
--   After the statement: zy_count_rows_delete, zy_count_rows_insert, zy_count_rows_update.

-- Deposits never run this trigger.
create trigger tell_low_balance after update of balance on public.budgets
  for each row when (new.balance < old.balance) execute function private.note_event();

-- The balance changes with each posting, which has limits of its own.
select private.limit_written_rows('public.budgets', $$current_user = 'authenticated'$$);

-- Triggers of ledger.journal, in the order in which they fire:
--   Before the statement: journal_is_append_only.

create trigger journal_is_append_only
  before update or delete or truncate on ledger.journal
  for each statement execute function ledger.refuse_change();

-- Triggers of public.transactions, in the order in which they fire:
--   Before the statement: lock_account_first, refuse_more_rows, transactions_are_not_emptied.
--   Before each row: transactions_do_not_change.
--   After each row: post_amendment.
--   After the statement: post_added_transactions, post_edits, post_removed_transactions, purge_deleted_transactions,
--     remove_import_descriptions, tell_added_transactions, tell_changed_transactions.
--   At commit: audit_bank_transaction.

create trigger lock_account_first before update or delete on public.transactions
  for each statement when (current_user = 'authenticated') execute function private.lock_account_first();

create trigger refuse_more_rows before update on public.transactions
  for each statement when (current_user = 'authenticated') execute function private.refuse_more_rows();

create trigger transactions_are_not_emptied before truncate on public.transactions
  for each statement execute function private.refuse_transaction_change();

create trigger transactions_do_not_change before update on public.transactions
  for each row execute function private.refuse_transaction_change();

-- This is a row trigger, because public.amend_expense changes only one row. A statement trigger would compare all rows
-- of every edit.
create trigger post_amendment after update of amount, date on public.transactions
  for each row when (old.amount <> new.amount or old.date <> new.date) execute function private.post_amendment();

create trigger post_added_transactions after insert on public.transactions
  referencing new table as added
  for each statement execute function private.post_added_transactions();

create trigger post_edits after update on public.transactions
  referencing old table as before new table as after
  for each statement execute function private.post_edits();

create trigger post_removed_transactions after delete on public.transactions
  referencing old table as removed
  for each statement execute function private.post_removed_transactions();

create trigger purge_deleted_transactions after delete on public.transactions
  for each statement execute function private.purge_deleted_transactions();

-- PostgreSQL runs triggers in alphabetical order. This trigger must run after post_removed_transactions, which locks
-- the account first.
create trigger remove_import_descriptions after delete on public.transactions
  referencing old table as removed
  for each statement execute function private.remove_import_descriptions();

create trigger tell_added_transactions after insert on public.transactions
  referencing new table as added
  for each statement execute function private.note_added_transactions();

create trigger tell_changed_transactions after update on public.transactions
  referencing old table as before new table as changed
  for each statement execute function private.note_changed_transactions();

create constraint trigger audit_bank_transaction
  after insert on public.transactions
  deferrable initially deferred
  for each row when (new.origin in ('clerk', 'correction'))
  execute function private.audit_transaction();

-- Triggers of ledger.deleted_transactions, in the order in which they fire:
--   After the statement: forget_edits.

create trigger forget_edits after delete on ledger.deleted_transactions
  referencing old table as removed
  for each statement execute function ledger.forget_edits();

-- Triggers of public.transaction_edits, in the order in which they fire:
--   Before the statement: transaction_edits_are_append_only.
--   After the statement: transaction_edits_stay.

create trigger transaction_edits_are_append_only before update or truncate on public.transaction_edits
  for each statement execute function ledger.refuse_change();

-- This is a statement trigger, because closing an account can delete years of edits at once.
create trigger transaction_edits_stay after delete on public.transaction_edits
  referencing old table as removed
  for each statement execute function ledger.refuse_to_forget_edits();

-- Triggers of public.corrections, in the order in which they fire:
--   Before the statement: corrections_are_append_only.
--   Before each row: corrections_stay.

create trigger corrections_are_append_only before update or truncate on public.corrections
  for each statement execute function ledger.refuse_change();

create trigger corrections_stay before delete on public.corrections
  for each row execute function private.keep_correction();

