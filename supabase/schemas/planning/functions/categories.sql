-- Functions of categories and of the rules that categorize expenses.

create function private.count_added_rows() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  own constant integer := (select count(*)::integer from added a where a.user_id = me);
  most bigint;
begin
  if own > 0 then
    perform private.consume('rows written', me::text, own);
  end if;
  execute format(
    'select max(n.rows) from (
      select count(*) as rows from %s t where t.user_id in (select a.user_id from added a) group by t.user_id
    ) n', tg_relid::regclass
  ) into most;
  perform private.require_room(tg_argv[0], coalesce(most - 1, 0), true);
  return null;
end
$$;
comment on function private.count_added_rows() is 'Counts the rows that the caller added toward the limit "rows written". Refuses an insert (23514) if one customer would then have more rows in the table than the cap that the trigger names.';

create function private.place_rule() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  line constant text := private.folded(left(new.contains, 100));
begin
  new.position := coalesce((
    select max(r.position) + 0.5 from public.category_rules r
    where r.user_id = new.user_id and position(line in r.folded) > 0
  ), 0);
  return new;
end
$$;
comment on function private.place_rule() is 'Sets the position of a new rule. A new rule is tried first, except that it comes after all rules whose text contains the new text. If these rules came after the new rule, they would never match.';

-- Existing transactions ------------------------------------------------------------------------------------

create function private.rule_matches(rule public.category_rules) returns setof uuid
  language sql stable
  set search_path = ''
as $$
  with earlier as materialized (
    select e.folded
    from public.category_rules e
    where e.user_id = (select auth.uid())
      and (e.position < rule.position or e.position = rule.position and e.created_at > rule.created_at)
  ),
  -- Limits the number of descriptions, because comparing many years of descriptions would delay all other customers of
  -- an embedded engine.
  newest as (
    select t.id, t.date, t.description,
      sum(octet_length(t.description)) over (order by t.date desc, t.id desc rows unbounded preceding) as octets
    from public.transactions t
    where t.user_id = (select auth.uid()) and t.type = 'expense' and not t.is_void
      and (rule.category is null or t.category is distinct from rule.category)
    order by t.date desc, t.id desc limit 20000
  ),
  -- Each matching expense must be compared with every earlier rule. Therefore, the more earlier rules there are, the
  -- fewer expenses are examined.
  fitting as materialized (
    select l.*, row_number() over (order by l.date desc, l.id desc) as place
    from (
      select n.id, n.date, private.folded(n.description) as line from newest n where n.octets <= 1000000 offset 0
    ) l
    where position(rule.folded in l.line) > 0
  )
  select f.id from fitting f
  where f.place <= 200000 / (1 + (select count(*) from earlier))
    and not exists (select from earlier e where position(e.folded in f.line) > 0)
  order by f.date desc, f.id desc
$$;
comment on function private.rule_matches(public.category_rules) is 'Returns the caller''s expenses whose category the rule would change and that no earlier rule matches, newest first. If the rule''s category is null, it matches expenses in any category. Examines at most the newest 20,000 expenses that are not yet in the rule''s category, and at most a million bytes of descriptions. Compares at most 200,000 / (1 + number of earlier rules) matching expenses with the earlier rules. Runs with the caller''s own rights.';
grant execute on function private.rule_matches(public.category_rules) to authenticated;

create function public.count_rule_matches(contains text, category text default null) returns bigint
  language plpgsql stable
  set search_path = ''
as $$
declare
  line constant text := private.folded(left(contains, 100));
  rule public.category_rules;
begin
  select r.* into rule from public.category_rules r where r.user_id = (select auth.uid()) and r.folded = line;
  if not found then
    rule.folded := line;
    rule.created_at := now();
    -- The position that private.place_rule would assign to this rule.
    rule.position := coalesce((
      select max(r.position) + 0.5 from public.category_rules r
      where r.user_id = (select auth.uid()) and position(line in r.folded) > 0
    ), 0);
  end if;
  rule.category := count_rule_matches.category;
  return (select count(*) from private.rule_matches(rule));
end
$$;
comment on function public.count_rule_matches(text, text) is 'Counts the caller''s expenses whose category a rule with this text would change to the given category. If the category is null, counts all expenses that the rule matches. The rule need not exist. The limits of private.rule_matches apply. Runs with the caller''s own rights.';
grant execute on function public.count_rule_matches(text, text) to authenticated;

create function public.apply_category_rule(id uuid) returns public.category_rules
  language plpgsql
  set search_path = ''
  -- A plan that was made for customers with few transactions compares each transaction with ten thousand ids
  -- (docs/decisions/0096).
  set plan_cache_mode = force_custom_plan
as $$
declare
  me constant uuid := (select auth.uid());
  rows_max constant integer := 10000;
  rule public.category_rules;
  chosen uuid[];
  last_seq bigint;
  changed integer;
begin
  perform private.lock_account();
  select r.* into rule from public.category_rules r where r.user_id = me and r.id = apply_category_rule.id for update;
  if not found then
    raise exception 'Esta regla no existe.' using errcode = 'PT404';
  end if;
  chosen := array(select m from private.rule_matches(rule) m limit rows_max);
  perform private.require_edits(cardinality(chosen));
  perform set_config('realtime.skip_table', 'transactions', true);
  update public.transactions t set category = rule.category where t.user_id = me and t.id = any (chosen);
  get diagnostics changed = row_count;
  perform set_config('realtime.skip_table', '', true);
  -- If no transaction changed, the customer can still undo the rule's previous application.
  if changed > 0 then
    -- The account is locked, so the rule's edits are the latest entries in the journal.
    select j.seq into last_seq from public.journal_entries j where j.user_id = me order by j.seq desc limit 1;
    update public.category_rules r
    set first_seq = last_seq - changed + 1, entries = changed, undone_at = null
    where r.user_id = me and r.id = apply_category_rule.id
    returning * into rule;
  end if;
  return rule;
end
$$;
comment on function public.apply_category_rule(uuid) is
  'Applies one of the caller''s rules to their newest 10,000 matching expenses. Each changed expense gets an edit in the journal. Returns the rule, whose columns first_seq and entries now describe these edits. Raises PT404 for an unknown rule, and PT429 if the edits would exceed the daily limit. Runs with the caller''s own rights.';
grant execute on function public.apply_category_rule(uuid) to authenticated;

create function public.undo_category_rule(id uuid) returns public.category_rules
  language plpgsql
  set search_path = ''
  -- A plan that was made for a small table could compare each of ten thousand edits with every transaction
  -- (docs/decisions/0096).
  set enable_nestloop = off
as $$
declare
  me constant uuid := (select auth.uid());
  rule public.category_rules;
begin
  perform private.lock_account();
  select r.* into rule from public.category_rules r where r.user_id = me and r.id = undo_category_rule.id for update;
  if not found then
    raise exception 'Esta regla no existe.' using errcode = 'PT404';
  end if;
  if rule.entries is null or rule.undone_at is not null then
    return rule;
  end if;
  perform private.require_edits((
    select count(*)::integer
    from public.transaction_edits e
    join public.transactions t on t.id = e.transaction_id and t.category = e.after ->> 'category'
    where t.user_id = me and e.user_id = me and e.seq >= rule.first_seq and e.seq < rule.first_seq + rule.entries
  ));
  perform set_config('realtime.skip_table', 'transactions', true);
  -- Skips transactions whose category was changed after the rule was applied.
  update public.transactions t set category = e.before ->> 'category'
  from public.transaction_edits e
  where e.user_id = me and e.seq >= rule.first_seq and e.seq < rule.first_seq + rule.entries
    and t.user_id = me and t.id = e.transaction_id and t.category = e.after ->> 'category';
  perform set_config('realtime.skip_table', '', true);
  update public.category_rules r set undone_at = clock_timestamp() where r.user_id = me and r.id = undo_category_rule.id
  returning * into rule;
  return rule;
end
$$;
comment on function public.undo_category_rule(uuid) is
  'Undoes the last application of one of the caller''s rules and returns the rule. A repeated call changes nothing. Raises PT404 for an unknown rule. Runs with the caller''s own rights.';
grant execute on function public.undo_category_rule(uuid) to authenticated;

create function public.order_category_rules(ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform set_config('realtime.skip_table', 'category_rules', true);
  update public.category_rules r set position = o.place
  from unnest(ids) with ordinality as o (id, place)
  where r.user_id = me and r.id = o.id and r.position <> o.place;
  perform set_config('realtime.skip_table', '', true);
  if found then
    -- Open pages get a single announcement. The page reads more for the announcement of a rule that was applied.
    update public.category_rules r set position = r.position
    where r.user_id = me and r.id = (
      select o.id from public.category_rules o where o.user_id = me order by o.entries is not null, o.id limit 1
    );
  end if;
end
$$;
comment on function public.order_category_rules(uuid[]) is 'Puts the caller''s rules into the given order. If rules changed, announces only one of them. Raises PT429 beyond the limit "rows written". Runs with the caller''s own rights.';
grant execute on function public.order_category_rules(uuid[]) to authenticated;

create function private.count_category(changed public.categories, others integer) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The rows of a closed account are deleted after the user.
  if changed.user_id = auth.uid() and exists (select from auth.users u where u.id = changed.user_id) then
    perform private.consume('rows written', changed.user_id::text, 1 + others);
  end if;
end
$$;
comment on function private.count_category(public.categories, integer) is
  'Counts a category that the caller changed, and the rows of other tables that changed with it, toward the limit "rows written".';

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
  rules integer;
  limits integer;
  plans integer;
  has_moved_limits boolean := false;
begin
  if new.name = old.name then
    perform private.count_category(new, 0);
    return null;
  end if;
  if renamed > rows_max then
    raise exception 'La categoría tiene más movimientos de los que se pueden cambiar a la vez (%).', rows_max
      using errcode = 'PT409';
  end if;
  perform private.require_edits(renamed);
  -- Open pages get a single announcement, for the category's own row.
  perform set_config('realtime.skip_table', 'category_rules', true);
  update public.category_rules r set category = new.name where r.user_id = new.user_id and r.category = old.name;
  get diagnostics rules = row_count;
  -- If the new name already has limits, these limits are kept.
  if exists (select from public.category_budgets b where b.user_id = new.user_id and b.category = new.name) then
    delete from public.category_budgets b where b.user_id = new.user_id and b.category = old.name;
    get diagnostics limits = row_count;
  else
    update public.category_budgets b set category = new.name where b.user_id = new.user_id and b.category = old.name;
    get diagnostics limits = row_count;
    has_moved_limits := true;
  end if;
  perform set_config('realtime.skip_table', 'transactions', true);
  update public.transactions t set category = new.name where t.user_id = new.user_id and t.category = old.name;
  perform set_config('realtime.skip_table', '', true);
  -- The limits and the expenses move together, so that no limit is reached. The new name had
  -- no limits before, and its earlier expenses therefore did not reach a limit.
  if has_moved_limits then
    delete from private.notices n
    where n.recipient = new.user_id and n.topic = 'spending' and n.facts ->> 'detail' = new.name;
  end if;
  update public.recurring_expenses e set category = new.name where e.user_id = new.user_id and e.category = old.name;
  get diagnostics plans = row_count;
  perform private.count_category(new, rules + limits + plans);
  return null;
end
$$;
comment on function private.rename_category() is 'Renames a category in the customer''s transactions, rules, limits and recurring expenses. Each changed transaction gets an edit in the journal. If the new name already has limits, deletes the limits of the old name. Raises PT409 if the category has more than 10,000 transactions.';

create function private.forget_category() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  rules integer;
  limits integer;
begin
  delete from public.category_rules r where r.user_id = old.user_id and r.category = old.name;
  get diagnostics rules = row_count;
  delete from public.category_budgets b where b.user_id = old.user_id and b.category = old.name;
  get diagnostics limits = row_count;
  perform private.count_category(old, rules + limits);
  return null;
end
$$;
comment on function private.forget_category() is 'Deletes the rules and limits of a deleted category, because the page would otherwise still offer the category.';
