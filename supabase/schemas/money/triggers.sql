-- Triggers on the tables of money.

-- Triggers of public.budgets, in the order in which they fire:
--   Before the statement: begin_write.

-- A customer can change only the limit in their own row. The balance changes with each posting, which has limits of its
-- own.
create trigger begin_write before update on public.budgets
  for each statement when (current_user = 'authenticated') execute function private.begin_change_of_limit();

-- Triggers of ledger.journal, in the order in which they fire:
--   Before the statement: journal_is_append_only.

create trigger journal_is_append_only
  before update or delete or truncate on ledger.journal
  for each statement execute function ledger.refuse_change();

-- Triggers of public.transactions, in the order in which they fire:
--   Before the statement: lock_account_first, transactions_are_not_emptied.
--   Before each row: transactions_do_not_change.
--   After the statement: post_added_transactions, post_changed_transactions, post_removed_transactions.

create trigger lock_account_first before update or delete on public.transactions
  for each statement when (current_user = 'authenticated') execute function private.lock_account_first();

create trigger transactions_are_not_emptied before truncate on public.transactions
  for each statement execute function ledger.refuse_change();

create trigger transactions_do_not_change before update on public.transactions
  for each row execute function private.refuse_transaction_change();

create trigger post_added_transactions after insert on public.transactions
  referencing new table as added
  for each statement execute function private.post_added_transactions();

create trigger post_changed_transactions after update on public.transactions
  referencing old table as before new table as after
  for each statement execute function private.post_changed_transactions();

create trigger post_removed_transactions after delete on public.transactions
  referencing old table as removed
  for each statement execute function private.post_removed_transactions();

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
