-- Updates every table that stores a category's name when the category is renamed or deleted.

create function private.rename_category() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- Equals the limit of public.apply_category_rule. Twice as many transactions would delay all other customers of an
  -- embedded engine for seconds.
  rows_max constant integer := 10000;
  renamed constant integer := (
    select count(*) from (
      select from public.transactions t where t.user_id = new.user_id and t.category = old.name limit rows_max + 1
    ) t
  );
begin
  if renamed > rows_max then
    raise exception 'La categoría tiene más movimientos de los que se pueden cambiar a la vez (%).', rows_max
      using errcode = 'PT409';
  end if;
  perform private.require_edits(renamed);
  -- Open pages get a single announcement, for the category's own row.
  perform set_config('realtime.skip_table', 'category_rules', true);
  update public.category_rules r set category = new.name where r.user_id = new.user_id and r.category = old.name;
  -- If the new name already has limits, these limits are kept.
  if exists (select from public.category_budgets b where b.user_id = new.user_id and b.category = new.name) then
    delete from public.category_budgets b where b.user_id = new.user_id and b.category = old.name;
  else
    update public.category_budgets b set category = new.name where b.user_id = new.user_id and b.category = old.name;
    perform set_config('notifications.skip_limits', 'on', true);
  end if;
  perform set_config('realtime.skip_table', 'transactions', true);
  update public.transactions t set category = new.name where t.user_id = new.user_id and t.category = old.name;
  perform set_config('realtime.skip_table', '', true);
  perform set_config('notifications.skip_limits', '', true);
  update public.recurring_expenses e set category = new.name where e.user_id = new.user_id and e.category = old.name;
  return null;
end
$$;
comment on function private.rename_category() is 'Renames a category in the customer''s transactions, rules, limits and recurring expenses. Each changed transaction gets an edit in the journal. If the new name already has limits, deletes the limits of the old name. Raises PT409 if the category has more than 10,000 transactions.';

create trigger rename_category after update on public.categories
  for each row when (old.name <> new.name) execute function private.rename_category();

create function private.forget_category() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from public.category_rules r where r.user_id = old.user_id and r.category = old.name;
  delete from public.category_budgets b where b.user_id = old.user_id and b.category = old.name;
  return null;
end
$$;
comment on function private.forget_category() is 'Deletes the rules and limits of a deleted category, because the page would otherwise still offer the category.';

create trigger forget_category after delete on public.categories
  for each row execute function private.forget_category();

revoke execute on all functions in schema private from public;
