-- Triggers on the tables of planning. Customers write only categories and rules themselves. The functions that write the
-- other tables count their rows toward the limit "rows written".

-- Triggers of public.categories, in the order in which they fire:
--   Before the statement: begin_write.
--   After each row: forget_category, rename_category.
--   After the statement: count_added_rows.

-- The rows are counted under the account's lock, so that concurrent inserts are counted one after another.
create trigger begin_write before insert or update or delete on public.categories
  for each statement when (current_user = 'authenticated') execute function private.begin_write();

create trigger forget_category after delete on public.categories
  for each row execute function private.forget_category();

create trigger rename_category after update on public.categories
  for each row execute function private.rename_category();

create trigger count_added_rows after insert on public.categories
  referencing new table as added for each statement execute function private.count_added_rows('categories');

-- Triggers of public.category_rules, in the order in which they fire:
--   Before the statement: begin_write.
--   Before each row: place_rule.
--   After the statement: count_added_rows, count_updated_rows.

create trigger begin_write before insert or update or delete on public.category_rules
  for each statement when (current_user = 'authenticated') execute function private.begin_write();

create trigger place_rule before insert on public.category_rules
  for each row execute function private.place_rule();

create trigger count_added_rows after insert on public.category_rules
  referencing new table as added for each statement execute function private.count_added_rows('category rules');

-- Deleted rules are not counted, because a customer can delete only the few rules that exist.
create trigger count_updated_rows after update on public.category_rules
  referencing new table as written
  for each statement when (current_user = 'authenticated') execute function private.count_written_rows();
