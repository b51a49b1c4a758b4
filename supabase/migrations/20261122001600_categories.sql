-- A customer's own categories, and rules that categorize expenses by their description. A transaction stores the name
-- of its category as text. These tables determine only which names the page offers and proposes.

create function private.folded(line text) returns text
  language plpgsql immutable
  set search_path = ''
as $$
begin
  -- Most descriptions are pure ASCII, for which this branch takes only a tenth of the time.
  if octet_length(line) = char_length(line) then
    return lower(line);
  end if;
  return translate(
    lower(regexp_replace(normalize(line, nfd), '[\u0300-\u036F]+', '', 'g')),
    E'\u2018\u2019\u201A\u201B\u2032\u02BC\u00B4\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00A0\u2009\u202F',
    repeat('''', 7) || repeat('"', 7) || repeat('-', 7) || repeat(' ', 3)
  );
end
$$;
comment on function private.folded(text) is 'Returns the text in lower case, without accents and with plain quotes, dashes and spaces, exactly as contract/format/fold.ts does.';
grant execute on function private.folded(text) to authenticated;

create table public.categories (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  primary key (user_id, name),
  constraint categories_name_is_a_word check (private.is_word(name, 50))
);
create unique index categories_once on public.categories (user_id, private.folded(name));

comment on table public.categories is 'One row for each category that a customer created in addition to the product''s categories.';
comment on column public.categories.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.categories.name is 'Name of the category. Changing the name here also changes it in transactions, rules, limits and recurring expenses. Deleting the category does not change transactions.';
comment on constraint categories_name_is_a_word on public.categories is 'Escribe un nombre de 50 caracteres como máximo.';

create table public.category_rules (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  contains text not null,
  category text not null,
  position numeric not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  first_seq bigint,
  entries integer,
  undone_at timestamptz,
  -- The column `folded` is not a generated column: from PostgreSQL 18 on, a publication of deletions refuses a table
  -- whose replica identity includes a generated column.
  folded text not null,
  primary key (user_id, id),
  constraint category_rules_text_is_a_word check (private.is_word(contains, 100) and char_length(contains) >= 2),
  constraint category_rules_category_is_a_word check (private.is_word(category, 50)),
  -- Without this limit, a customer could store numbers of any length.
  constraint category_rules_position_is_short check (position between 0 and 10000 and scale(position) <= 1),
  -- Customers are allowed to write the columns `entries` and `first_seq`. This limit prevents them from making an undo
  -- change more rows than one application of a rule could.
  constraint category_rules_entries_are_few check (entries between 1 and 10000),
  constraint category_rules_first_seq_is_one check (first_seq between 1 and 1000000000000000)
);
create unique index category_rules_once on public.category_rules (user_id, folded);

comment on table public.category_rules is 'One row for each rule of a customer. A rule assigns a category to expenses whose description contains a given text. The first matching rule applies.';
comment on column public.category_rules.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.category_rules.id is 'Unique for each customer.';
comment on column public.category_rules.contains is 'Text to find in descriptions, ignoring case and accents; from 2 to 100 characters.';
comment on column public.category_rules.category is 'The category that the rule assigns to matching expenses.';
comment on column public.category_rules.position is 'Rules are tried in ascending order of position. Among equal positions, the newest rule is tried first.';
comment on column public.category_rules.created_at is 'Time at which the rule was created.';
comment on column public.category_rules.first_seq is 'Number (seq) of the journal entry of the first edit that the rule''s last application made; null if the rule was never applied.';
comment on column public.category_rules.entries is 'Number of edits that the last application made. The journal entries of these edits are consecutive and start at first_seq.';
comment on column public.category_rules.undone_at is 'Time at which the customer undid the last application; null if the application was not undone.';
comment on column public.category_rules.folded is 'The text of the column `contains` in lower case and without accents (private.folded), for comparison with descriptions.';
comment on constraint category_rules_text_is_a_word on public.category_rules is 'Escribe entre 2 y 100 caracteres de la descripción.';
comment on constraint category_rules_category_is_a_word on public.category_rules is 'La categoría no es válida.';
comment on constraint category_rules_entries_are_few on public.category_rules is 'Una regla archiva hasta 10.000 movimientos.';
comment on constraint category_rules_first_seq_is_one on public.category_rules is 'El primer registro de la regla no es válido.';
comment on constraint category_rules_position_is_short on public.category_rules is 'El orden de las reglas no es válido.';

alter table public.categories replica identity full;
alter table public.categories enable row level security, force row level security;
alter table public.category_rules replica identity full;
alter table public.category_rules enable row level security, force row level security;
revoke all on public.categories, public.category_rules from anon, authenticated, service_role;
grant select, delete, insert, update (name) on public.categories to authenticated;
grant select, delete, insert (user_id, id, contains, category),
  update (contains, category, position, first_seq, entries, undone_at) on public.category_rules to authenticated;

create policy "customers keep categories of their own" on public.categories
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers keep categories of their own" on public.categories is 'The column grants allow customers to change only the name.';

create policy "customers keep rules of their own" on public.category_rules
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers keep rules of their own" on public.category_rules is 'A rule gives customers no additional rights: they could make the same changes by editing their transactions one by one.';

alter publication supabase_realtime add table public.categories, public.category_rules;

create function private.limit_rows_per_customer() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  rows_max constant integer := tg_argv[0];
  is_crowded boolean;
begin
  execute format(
    'select exists (
      select from %s t where t.user_id in (select a.user_id from added a) group by t.user_id having count(*) > $1
    )', tg_relid::regclass
  ) into is_crowded using rows_max;
  if is_crowded then
    raise exception 'Caben % como máximo.', rows_max using errcode = '23514';
  end if;
  return null;
end
$$;
comment on function private.limit_rows_per_customer() is 'Refuses an insert (23514) if one customer would then have more rows in the table than the trigger''s argument allows.';

-- The rows are counted under the account's lock, so that concurrent inserts are counted one after another.
create trigger lock_account_first before insert or update or delete on public.categories
  for each statement when (current_user = 'authenticated') execute function private.lock_account_first();
create trigger lock_account_first before insert or update or delete on public.category_rules
  for each statement when (current_user = 'authenticated') execute function private.lock_account_first();

create trigger limit_rows_per_customer after insert on public.categories
  referencing new table as added for each statement execute function private.limit_rows_per_customer('100');
create trigger limit_rows_per_customer after insert on public.category_rules
  referencing new table as added for each statement execute function private.limit_rows_per_customer('200');
select private.limit_written_rows('public.categories'), private.limit_written_rows('public.category_rules');

create function private.place_rule() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Truncates the text, because constraints are checked only after this trigger, and folding takes quadratic time in
  -- the length of the text.
  new.folded := private.folded(left(new.contains, 100));
  if tg_op = 'INSERT' then
    new.position := coalesce((
      select max(r.position) + 0.5 from public.category_rules r
      where r.user_id = new.user_id and position(new.folded in r.folded) > 0
    ), 0);
  end if;
  return new;
end
$$;
comment on function private.place_rule() is 'Folds a rule''s text and sets the position of a new rule. A new rule is tried first, except that it comes after all rules whose text contains the new text. If these rules came after the new rule, they would never match.';

create trigger place_rule before insert or update of contains on public.category_rules
  for each row execute function private.place_rule();

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
revoke execute on function public.count_rule_matches(text, text) from public, anon, service_role;
grant execute on function public.count_rule_matches(text, text) to authenticated;

create function public.apply_category_rule(id uuid) returns public.category_rules
  language plpgsql
  set search_path = ''
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
revoke execute on function public.apply_category_rule(uuid) from public, anon, service_role;
grant execute on function public.apply_category_rule(uuid) to authenticated;

create function public.undo_category_rule(id uuid) returns public.category_rules
  language plpgsql
  set search_path = ''
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
    join public.transactions t on t.id = e.transaction_id and t.category = e.category_after
    where t.user_id = me and e.user_id = me and e.seq >= rule.first_seq and e.seq < rule.first_seq + rule.entries
  ));
  perform set_config('realtime.skip_table', 'transactions', true);
  -- Skips transactions whose category was changed after the rule was applied.
  update public.transactions t set category = e.category_before
  from public.transaction_edits e
  where e.user_id = me and e.seq >= rule.first_seq and e.seq < rule.first_seq + rule.entries
    and t.user_id = me and t.id = e.transaction_id and t.category = e.category_after;
  perform set_config('realtime.skip_table', '', true);
  update public.category_rules r set undone_at = clock_timestamp() where r.user_id = me and r.id = undo_category_rule.id
  returning * into rule;
  return rule;
end
$$;
comment on function public.undo_category_rule(uuid) is
  'Undoes the last application of one of the caller''s rules and returns the rule. A repeated call changes nothing. Raises PT404 for an unknown rule. Runs with the caller''s own rights.';
revoke execute on function public.undo_category_rule(uuid) from public, anon, service_role;
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
revoke execute on function public.order_category_rules(uuid[]) from public, anon, service_role;
grant execute on function public.order_category_rules(uuid[]) to authenticated;

revoke execute on all functions in schema private from public;
