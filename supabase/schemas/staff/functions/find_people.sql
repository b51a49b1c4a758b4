-- Finding people: the users that staff list and search for, page by page.

-- A list reads its pages in the order of an index. A search reads the first users in the order of the list, and if too few
-- of them match, it reads the users that the index of the words finds (docs/decisions/0119).

create type private.people_search as (
  patterns text[], customer_patterns text[], grams text[], exact uuid[], is_empty boolean
);
comment on type private.people_search is 'A search for people, read from a typed text (private.read_search).';
comment on column private.people_search.patterns is 'Patterns that the words of every user must match.';
comment on column private.people_search.customer_patterns is 'Patterns that the words of an administrator must match, and that every customer matches, because they are parts of the word *cliente*.';
comment on column private.people_search.grams is 'The parts of the searched words (private.grams); empty if the index cannot find the words.';
comment on column private.people_search.exact is 'Users that the text names by their id, account number, document or telephone, whether or not their words match.';
comment on column private.people_search.is_empty is 'Whether the text is empty, so that every user matches.';

create function private.read_search(search text) returns private.people_search
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  typed constant text[] := (regexp_split_to_array(btrim(private.folded(left(coalesce(search, ''), 100))), '\s+'))[1:8];
  -- People write an account number in groups of digits, and a document number with points.
  compact constant text := regexp_replace(lower(left(coalesce(search, ''), 100)), '[\s.]', '', 'g');
  telephone constant text := case when compact ~ '^[+(]?[0-9()-]+$' then regexp_replace(compact, '[^0-9]', '', 'g') end;
  id_form constant text := '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
  first_id constant text := typed[1] || substr('00000000-0000-0000-0000-000000000000', char_length(typed[1]) + 1);
  last_id constant text := typed[1] || substr('ffffffff-ffff-ffff-ffff-ffffffffffff', char_length(typed[1]) + 1);
  found private.people_search;
begin
  found.is_empty := typed = '{""}';
  select
    coalesce(array_agg(t.pattern) filter (where not t.is_of_customers), '{}'),
    coalesce(array_agg(t.pattern) filter (where t.is_of_customers), '{}')
  into found.patterns, found.customer_patterns
  from (
    select
      '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%' as pattern, position(word in 'cliente') > 0 as is_of_customers
    from unnest(typed) word
  ) t;
  found.grams := array(
    -- The longer parts of a word contain its shorter parts.
    select distinct g.gram
    from unnest(typed) word cross join lateral unnest(private.grams(word)) g (gram)
    where position(word in 'cliente') = 0 and char_length(g.gram) = least(char_length(word), 3)
  );
  found.exact := array(
    select p.id from public.profiles p
    where cardinality(typed) = 1 and char_length(typed[1]) between 8 and 36
      and p.id between case when first_id ~ id_form then first_id::uuid end and case when last_id ~ id_form then last_id::uuid end
    union
    select h.user_id from public.account_holders h where char_length(compact) >= 5 and h.account_number = compact
    union
    select h.user_id from public.account_holders h
    where char_length(compact) >= 5
      and h.document_kind = any ('{CC,CE,NIT,PA,PPT,RC,TI}') and h.document_number = upper(compact)
    union
    -- A tax number without its check digit.
    select h.user_id from public.account_holders h
    where compact ~ '^[0-9]{5,15}$' and h.document_kind = 'NIT'
      and h.document_number = compact || '-' || private.nit_check_digit(case when compact ~ '^[0-9]{5,15}$' then compact end)
    union
    select h.user_id from public.account_holders h
    where char_length(telephone) >= 7 and h.phone in ('+' || telephone, '+57' || telephone)
    limit 100
  );
  return found;
end
$$;
comment on function private.read_search(text) is
  'Reads a search for people. Each of the first eight words must occur in the name, the e-mail address or the role of a user, in any order and ignoring case and accents. A search of a single word with at least eight characters also names the users whose id begins with it. A whole account number or document number, with or without spaces and points, names its holder. So does a whole telephone number, with or without the code of Colombia.';

create type private.found_people as (
  ids uuid[], keys text[], total bigint, overdrawn bigint, blocked bigint, unconfirmed bigint
);
comment on type private.found_people is 'A page of the users that a search found. A number is at most 10,001.';
comment on column private.found_people.ids is 'The users, in the order of the list.';
comment on column private.found_people.keys is 'The value by which each of them is ordered.';
comment on column private.found_people.total is 'Number of users who match the search and the state; null if the search did not read all of them.';
comment on column private.found_people.overdrawn is 'Number of users who match the search and whose balance is negative according to the bank; null like the total.';
comment on column private.found_people.blocked is 'Number of users who match the search and are blocked; null like the total.';
comment on column private.found_people.unconfirmed is 'Number of users who match the search and have not confirmed their address; null like the total.';

create function private.find_people(
  search text, state text, sort text, is_descending boolean, after_key text, after_id uuid, rows_max integer,
  read_max integer default 5000
) returns private.found_people
  language plpgsql stable security definer
  set search_path = ''
  -- Without this setting, the planner would scan every user while the tables have no statistics.
  set enable_seqscan = off
as $$
declare
  wanted constant private.people_search := private.read_search(search);
  is_whole boolean := wanted.is_empty and coalesce(state, '') not in ('user', 'admin', 'overdrawn', 'blocked', 'unconfirmed');
  -- The users with the key of the order. The condition of a state stands here if an index has the order of this state.
  ordered constant text := case
    when sort = 'email' then
      'select l.*, s.id as place, s.email as key from public.user_safe s join private.listed_people l on l.user_id = s.id'
    when sort = 'role' then 'select l.*, l.user_id as place, l.role_and_name as key from private.listed_people l'
    when sort in ('balance', 'last_transaction') then format(
      $q$
        select l.*, o.user_id as place, o.%I as key
        from private.listed_accounts o join private.listed_people l on l.user_id = o.user_id
        where %s
      $q$,
      case sort when 'balance' then 'balance' else 'last_at' end,
      case when sort = 'balance' and state = 'overdrawn' then 'o.is_overdrawn' else 'true' end
    )
    when sort = 'last_sign_in' then $q$
      select l.*, s.id as place, coalesce(s.last_sign_in_at, '-infinity') as key
      from public.user_safe s join private.listed_people l on l.user_id = s.id
    $q$
    else 'select l.*, l.user_id as place, l.sorted_name as key from private.listed_people l'
  end;
  key_type constant text := case
    when sort = 'balance' then 'numeric' when sort in ('last_sign_in', 'last_transaction') then 'timestamptz' else 'text'
  end;
  direction constant text := case when is_descending then 'desc' else 'asc' end;
  after constant text := case
    when after_key is null or after_id is null then 'true'
    else format('(p.key, p.place) %s ($1::%s, $2)', case when is_descending then '<' else '>' end, key_type)
  end;
  of_search constant text := case when wanted.is_empty then 'true' else $q$(
    p.words like all ($5) and (p.role = 'user' or p.words like all ($6)) or p.user_id = any ($7)
  )$q$ end;
  of_state constant text := case state
    when 'user' then $q$p.role = 'user'$q$
    when 'admin' then $q$p.role = 'admin'$q$
    when 'overdrawn' then 'exists (select from private.listed_accounts a where a.user_id = p.user_id and a.is_overdrawn)'
    when 'blocked' then 'p.banned_until > now()'
    when 'unconfirmed' then 'not p.is_confirmed'
    else 'true'
  end;
  candidates text;
  is_of_state boolean := false;
  matching uuid[];
  found private.found_people;
begin
  if not is_whole and not exists (select from private.listed_people offset read_max) then
    -- A small bank: reads everyone.
    candidates := 'select l.user_id from private.listed_people l';
  elsif is_whole or cardinality(wanted.exact) = 0 and state <> 'admin' then
    execute format(
      $q$
        select coalesce(array_agg(f.place), '{}'), array_agg(f.key::text)
        from (
          select p.place, p.key
          from (select p.* from (%1$s) p where %2$s order by p.key %3$s, p.place %3$s limit $4) p
          where %4$s and %5$s
          limit $3
        ) f
      $q$, ordered, after, direction, of_search, of_state
    )
    into found.ids, found.keys
    using after_key, after_id, rows_max, case when is_whole then rows_max else read_max end,
      wanted.patterns, wanted.customer_patterns, wanted.exact;
    if is_whole or cardinality(found.ids) >= rows_max then
      return found;
    end if;
  end if;
  if candidates is null and cardinality(wanted.grams) > 0 then
    candidates := $q$
      select l.user_id from private.listed_people l where private.grams(l.words) @> $8
      union
      select unnest($7)
    $q$;
  elsif candidates is null then
    candidates := case state
      when 'admin' then $q$select r.id from public.profiles r where r.role = 'admin'$q$
      when 'blocked' then 'select l.user_id from private.listed_people l where l.banned_until > now()'
      when 'unconfirmed' then 'select l.user_id from private.listed_people l where not l.is_confirmed'
      when 'overdrawn' then 'select o.user_id from private.listed_accounts o where o.is_overdrawn'
      else 'select l.user_id from private.listed_people l'
    end;
    is_of_state := state in ('admin', 'blocked', 'unconfirmed', 'overdrawn');
  end if;
  execute format(
    'select array(select p.user_id from private.listed_people p where p.user_id = any (array(%s)) and %s)',
    candidates, of_search
  )
  into matching
  using after_key, after_id, rows_max, read_max, wanted.patterns, wanted.customer_patterns, wanted.exact, wanted.grams;
  execute format(
    $q$
      select coalesce(array_agg(f.place), '{}'), array_agg(f.key::text)
      from (
        select p.place, p.key from (%1$s) p
        -- The subquery hides the length of the array, for which the planner would read the whole order.
        where p.place = any (array(select unnest($4))) and %2$s and %4$s
        order by p.key %3$s, p.place %3$s
        limit $3
      ) f
    $q$, ordered, after, direction, of_state
  )
  into found.ids, found.keys
  using after_key, after_id, rows_max, matching;
  if after_id is null and not wanted.is_empty and not is_of_state then
    execute format(
      $q$
        select
          least(count(*) filter (where %s), 10001), least(count(*) filter (where a.is_overdrawn), 10001),
          least(count(*) filter (where p.banned_until > now()), 10001), least(count(*) filter (where not p.is_confirmed), 10001)
        from private.listed_people p join private.listed_accounts a on a.user_id = p.user_id
        where p.user_id = any (array(select unnest($1)))
      $q$, of_state
    )
    into found.total, found.overdrawn, found.blocked, found.unconfirmed
    using matching;
  end if;
  return found;
end
$$;
comment on function private.find_people(text, text, text, boolean, text, uuid, integer, integer) is
  'Returns up to rows_max of the users who match both a search (private.read_search) and a state, as public.list_customers describes them, and who come after a user in the order of the list. Reads read_max users in this order, and if too few of them match, all users that the index finds. In a bank with at most read_max users, reads all of them and counts exactly.';

create function private.counted(people text) returns bigint
  language plpgsql stable security definer
  set search_path = ''
  set enable_seqscan = off
as $$
declare
  counted bigint;
begin
  execute format('select count(*) from (%s limit 10001) p', people) into counted;
  return counted;
end
$$;
comment on function private.counted(text) is 'Returns the number of rows of a query, or 10,001 if there are more than 10,000.';
