-- Triggers on the tables of planning.

-- Triggers of public.categories, in the order in which they fire:
--   Before the statement: lock_account_first, refuse_more_rows.
--   After each row: forget_category, rename_category.
--   After the statement: limit_rows_per_customer, zy_count_rows_delete, zy_count_rows_insert, zy_count_rows_update.

-- The rows are counted under the account's lock, so that concurrent inserts are counted one after another.
create trigger lock_account_first before insert or update or delete on public.categories
  for each statement when (current_user = 'authenticated') execute function private.lock_account_first();

create trigger forget_category after delete on public.categories
  for each row execute function private.forget_category();

create trigger rename_category after update on public.categories
  for each row when (old.name <> new.name) execute function private.rename_category();

create trigger limit_rows_per_customer after insert on public.categories
  referencing new table as added for each statement execute function private.limit_rows_per_customer('categories');

select private.limit_written_rows('public.categories');

-- Triggers of public.category_rules, in the order in which they fire:
--   Before the statement: lock_account_first, refuse_more_rows.
--   Before each row: place_rule.
--   After the statement: limit_rows_per_customer, zy_count_rows_delete, zy_count_rows_insert, zy_count_rows_update.

create trigger lock_account_first before insert or update or delete on public.category_rules
  for each statement when (current_user = 'authenticated') execute function private.lock_account_first();

create trigger place_rule before insert or update of contains on public.category_rules
  for each row execute function private.place_rule();

create trigger limit_rows_per_customer after insert on public.category_rules
  referencing new table as added for each statement execute function private.limit_rows_per_customer('category rules');

select private.limit_written_rows('public.category_rules');

-- Triggers of public.category_budgets, in the order in which they fire:
--   Before the statement: lock_account_first, refuse_more_rows.
--   After the statement: limit_rows_per_customer, zy_count_rows_delete, zy_count_rows_insert, zy_count_rows_update.

create trigger lock_account_first before insert or update or delete on public.category_budgets
  for each statement when (current_user = 'authenticated') execute function private.lock_account_first();

create trigger limit_rows_per_customer after insert on public.category_budgets
  referencing new table as added for each statement execute function private.limit_rows_per_customer('category budgets');

select private.limit_written_rows('public.category_budgets');

-- Triggers of public.recurring_expenses, in the order in which they fire:
--   Before the statement: refuse_more_rows.
--   After the statement: zy_count_rows_delete, zy_count_rows_insert, zy_count_rows_update.

select private.limit_written_rows('public.recurring_expenses');
