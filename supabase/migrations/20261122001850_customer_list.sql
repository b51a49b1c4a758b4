-- The customer list and the bank-wide search, both for staff only. The list and the search show balances and
-- transactions of many customers. Each use therefore requires an audit entry (docs/decisions/0056).

create index audit_listings on ledger.audit (session_id, action, recorded_at) where action in ('list_customers', 'list_requests', 'list_decided_requests', 'search_transactions');
comment on index ledger.audit_listings is 'Finds out whether a session has listed customers or requests (private.record_listing). Also finds the searches of a session in the last ten minutes (public.search_bank).';

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

create function private.record_listing(action text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not exists (
    select from ledger.audit a
    where a.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and a.action = record_listing.action
      -- Repeats the condition of the index audit_listings, so that the planner can use this index.
      and a.action in ('list_customers', 'list_requests', 'list_decided_requests') and a.recorded_at > now() - interval '1 hour'
  ) then
    perform private.record_audit(action, null, null, null);
  end if;
end
$$;
comment on function private.record_listing(text) is
  'Adds an audit entry with the given action, unless the session has already added an entry with this action within the last hour. Call this function last, like private.record_audit.';

create function private.find_people(search text)
  returns table (
    id uuid, full_name text, email text, role text, last_sign_in_at timestamptz,
    is_confirmed boolean, is_blocked boolean, balance numeric, sorted_name text
  )
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  words constant text[] := (regexp_split_to_array(btrim(private.folded(left(search, 100))), '\s+'))[1:8];
  -- People write an account number in groups of digits, and a document number with points.
  compact constant text := regexp_replace(lower(left(search, 100)), '[\s.]', '', 'g');
  patterns constant text[] := (select array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%') from unnest(words) word);
begin
  return query
    select
      p.id, p.full_name, s.email, p.role, s.last_sign_in_at,
      u.email_confirmed_at is not null, coalesce(u.banned_until > now(), false), b.balance,
      private.folded(coalesce(p.full_name, s.email))
    from public.profiles p
    join public.user_safe s on s.id = p.id
    join auth.users u on u.id = p.id
    join public.budgets b on b.user_id = p.id
    join public.account_holders h on h.user_id = p.id
    where patterns = '{%%}'
      or private.folded(concat_ws(' ', p.full_name, s.email, case p.role when 'admin' then 'admin' else 'cliente' end)) like all (patterns)
      or (cardinality(words) = 1 and char_length(words[1]) >= 8 and starts_with(p.id::text, words[1]))
      or (char_length(compact) >= 5 and compact in (h.account_number, lower(h.document_number), split_part(h.document_number, '-', 1)));
end
$$;
comment on function private.find_people(text) is
  'Returns the users who match all of the first eight words of a search, in any order and ignoring case and accents. Each word must occur in the name, the e-mail address or the role. A search of a single word with at least eight characters also matches users whose id begins with it. A search for a whole account number or document number, with or without spaces and points, matches its holder. An empty search returns every user.';

-- The list ------------------------------------------------------------------------------------------------------

create type public.listed_customer as (
  id uuid, full_name text, email text, role text, last_sign_in_at timestamptz, is_confirmed boolean, is_blocked boolean,
  balance numeric, last_date timestamptz, last_description text
);
comment on type public.listed_customer is 'A user in the customer list.';
comment on column public.listed_customer.id is 'Id of the user.';
comment on column public.listed_customer.full_name is 'The user''s name; null if the user has no name.';
comment on column public.listed_customer.email is 'The e-mail address.';
comment on column public.listed_customer.role is '"user" (a customer) or "admin".';
comment on column public.listed_customer.last_sign_in_at is 'Time of the last sign-in; null until the user signs in for the first time.';
comment on column public.listed_customer.is_confirmed is 'Whether the person has confirmed the e-mail address.';
comment on column public.listed_customer.is_blocked is 'Whether the account is currently blocked.';
comment on column public.listed_customer.balance is 'Units of currency.';
comment on column public.listed_customer.last_date is 'Date of the newest transaction; null if the user has no transactions.';
comment on column public.listed_customer.last_description is 'Description of the newest transaction; null if the user has no transactions.';

create type public.customer_list as (
  total bigint, overdrawn bigint, blocked bigint, unconfirmed bigint, customers public.listed_customer[]
);
comment on type public.customer_list is 'A page of the customer list.';
comment on column public.customer_list.total is 'Number of users who match both the search and the state.';
comment on column public.customer_list.overdrawn is 'Number of users who match the search and have a negative balance.';
comment on column public.customer_list.blocked is 'Number of users who match the search and are blocked.';
comment on column public.customer_list.unconfirmed is 'Number of users who match the search and have not confirmed their e-mail address.';
comment on column public.customer_list.customers is 'The users of this page.';

create function public.list_customers(
  search text default '', state text default '', sort text default 'name', is_descending boolean default false,
  first_row integer default 0, rows_max integer default 50
) returns public.customer_list
  language plpgsql security definer
  set search_path = ''
as $$
declare
  list public.customer_list;
begin
  perform private.require_admin();
  with found as materialized (
    select f.*, case state
      when 'user' then f.role = 'user'
      when 'admin' then f.role = 'admin'
      when 'overdrawn' then f.balance < 0
      when 'blocked' then f.is_blocked
      when 'unconfirmed' then not f.is_confirmed
      else true
    end as is_wanted
    from private.find_people(search) f
  ), keyed as (
    select f.*,
      case sort when 'email' then f.email when 'role' then f.role end as text_key,
      case sort
        when 'balance' then f.balance
        when 'last_sign_in' then extract(epoch from f.last_sign_in_at)
        -- Reads the index transactions_newest_first once for each user.
        when 'last_transaction' then (
          select extract(epoch from t.date) from public.transactions t where t.user_id = f.id order by t.date desc, t.id desc limit 1
        )
      end as number_key
    from found f
    where f.is_wanted
  ), shown as (
    select k.*, row_number() over (
      order by
        case when not is_descending then k.text_key end,
        case when is_descending then k.text_key end desc nulls last,
        case when not is_descending then k.number_key end,
        case when is_descending then k.number_key end desc nulls last,
        case when is_descending and sort = 'name' then k.sorted_name end desc nulls last,
        k.sorted_name, k.id
    ) as place
    from keyed k
    order by place
    limit greatest(least(rows_max, 100), 0) offset greatest(first_row, 0)
  )
  select
    (select count(*) from found f where f.is_wanted),
    count(*) filter (where f.balance < 0),
    count(*) filter (where f.is_blocked),
    count(*) filter (where not f.is_confirmed),
    (
      select coalesce(array_agg(row(
        s.id, s.full_name, s.email, s.role, s.last_sign_in_at, s.is_confirmed, s.is_blocked, s.balance, t.date, t.description
      )::public.listed_customer order by s.place), '{}')
      from shown s
      left join lateral (
        select t.date, t.description from public.transactions t where t.user_id = s.id order by t.date desc, t.id desc limit 1
      ) t on true
    )
  into list
  from found f;
  perform private.record_listing('list_customers');
  return list;
end
$$;
comment on function public.list_customers(text, text, text, boolean, integer, integer) is
  'Returns up to 100 of the users who match both a search (private.find_people) and a state. The state is "user", "admin", "overdrawn", "blocked" or "unconfirmed"; any other text matches all users. Sorts by "name", "email", "role", "balance", "last_sign_in" or "last_transaction". For administrators only. Adds at most one audit entry per session and hour.';
revoke execute on function public.list_customers(text, text, text, boolean, integer, integer) from public, anon, service_role;
grant execute on function public.list_customers(text, text, text, boolean, integer, integer) to authenticated;

-- The search ----------------------------------------------------------------------------------------------------

create type public.found_transaction as (
  user_id uuid, full_name text, email text, id uuid, type text, description text, amount numeric, date timestamptz
);
comment on type public.found_transaction is 'A transaction that the bank-wide search found.';
comment on column public.found_transaction.user_id is 'The customer.';
comment on column public.found_transaction.full_name is 'The customer''s name; null if the customer has no name.';
comment on column public.found_transaction.email is 'E-mail address of the customer.';
comment on column public.found_transaction.id is 'Unique for each customer.';
comment on column public.found_transaction.type is '"deposit" or "expense".';
comment on column public.found_transaction.description is 'One line of up to 200 characters.';
comment on column public.found_transaction.amount is 'Units of currency, positive.';
comment on column public.found_transaction.date is 'Date of the transaction.';

create type public.search_results as (customers public.listed_customer[], transactions public.found_transaction[]);
comment on type public.search_results is 'The results of the bank-wide search.';
comment on column public.search_results.customers is 'Up to 8 users, sorted by name. The users'' newest transactions are not filled in.';
comment on column public.search_results.transactions is 'Up to 8 transactions, newest first.';

create function public.search_bank(search text, amount numeric default null) returns public.search_results
  language plpgsql security definer
  set search_path = ''
  -- Without this setting, the planner would scan every transaction while the table has no statistics.
  set enable_seqscan = off
as $$
declare
  results_max constant integer := 8;
  -- Limits the rows to be sorted by date, because many descriptions can begin with the same text.
  candidates_max constant integer := 1000;
  beginning constant text := translate(lower(left(btrim(search), 40)), 'áéíóúüñ‘’“”«»–—', 'aeiouun''''""""--');
  results public.search_results;
  entry bigint;
begin
  perform private.require_admin();
  if (
    select count(*) >= 600
    from ledger.audit a
    where a.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and a.action = 'search_transactions'
      and a.recorded_at > now() - interval '10 minutes'
  ) then
    raise exception 'Hiciste demasiadas solicitudes. Espera un momento e inténtalo de nuevo.'
      using errcode = 'PT429', detail = 'Retry-After: 60';
  end if;

  if beginning <> '' then
    select array_agg(row(
      f.id, f.full_name, f.email, f.role, f.last_sign_in_at, f.is_confirmed, f.is_blocked, f.balance, null, null
    )::public.listed_customer order by f.sorted_name, f.id)
    into results.customers
    from (select * from private.find_people(search) p order by p.sorted_name, p.id limit results_max) f;
  end if;

  select array_agg(row(
    t.user_id, p.full_name, s.email, t.id, t.type, t.description, t.amount, t.date
  )::public.found_transaction order by t.date desc, t.id)
  into results.transactions
  from (
    select * from (
      (
        select m.* from public.transactions m
        where trunc(m.amount * 100) = search_bank.amount * 100
        order by m.date desc limit results_max
      )
      union
      (
        select m.* from public.transactions m
        where char_length(beginning) >= 3
          -- Compares with a range, because LIKE with a parameter would not use the index.
          and translate(lower(left(m.description, 40)), 'áéíóúüñ‘’“”«»–—', 'aeiouun''''""""--') operator(pg_catalog.~>=~) beginning
          and translate(lower(left(m.description, 40)), 'áéíóúüñ‘’“”«»–—', 'aeiouun''''""""--') operator(pg_catalog.~<~) (beginning || U&'\+10FFFF')
        limit candidates_max
      )
    ) m
    order by m.date desc limit results_max
  ) t
  join public.profiles p on p.id = t.user_id
  join public.user_safe s on s.id = t.user_id;

  results.customers := coalesce(results.customers, '{}');
  results.transactions := coalesce(results.transactions, '{}');
  if results.transactions = '{}' then
    perform private.record_listing('list_customers');
  else
    entry := private.record_audit('search_transactions', null, null, null);
    insert into ledger.audit_targets (entry, target, lines)
    select entry, t.user_id, count(*) from unnest(results.transactions) t group by t.user_id;
  end if;
  return results;
end
$$;
comment on function public.search_bank(text, numeric) is
  'Searches the whole bank for users, as private.find_people does, and for transactions. A transaction matches if it has the given amount, or if its description begins with the search text, which must have at least 3 characters. If more than 1,000 descriptions match, only 1,000 are read. For administrators only. A search that finds transactions adds an audit entry that names their customers. Other searches are recorded like calls of public.list_customers. Raises PT429 if the session''s searches have added 600 audit entries within ten minutes.';
revoke execute on function public.search_bank(text, numeric) from public, anon, service_role;
grant execute on function public.search_bank(text, numeric) to authenticated;

revoke execute on all functions in schema private from public;
