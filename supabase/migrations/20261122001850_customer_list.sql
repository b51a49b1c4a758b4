-- The list of customers and the search of the whole bank, both for staff. They show balances and transactions of many
-- customers, so each read requires an entry in the audit (docs/decisions/0056).

create index audit_listings on ledger.audit (session_id, action, recorded_at) where action in ('list_customers', 'search_transactions');
comment on index ledger.audit_listings is 'Finds out whether a session has listed customers (private.record_listing), and finds its searches of the last ten minutes (public.search_bank).';

-- This index is on an expression, so that the planner does not choose it for a customer's own list, which should use
-- transactions_newest_first.
create index transactions_by_amount on public.transactions (trunc(amount * 100), date desc);
comment on index public.transactions_by_amount is 'Finds the newest transactions of an amount, in hundredths, in the whole bank (public.search_bank).';
-- Only built-in functions: every posting and every line of an import pays for them, and private.folded takes 1.3 ms.
create index transactions_by_description on public.transactions (
  (translate(lower(left(description, 40)), 'áéíóúüñ', 'aeiouun')) text_pattern_ops, date desc
);
comment on index public.transactions_by_description is 'Finds transactions of the whole bank by the first 40 characters of their description, without case and Spanish accents (public.search_bank).';

create function private.record_listing() returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not exists (
    select from ledger.audit a
    where a.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and a.action = 'list_customers'
      and a.recorded_at > now() - interval '1 hour'
  ) then
    perform private.record_audit('list_customers', null, null, null);
  end if;
end
$$;
comment on function private.record_listing() is
  'Adds an entry to the audit when the session has not listed customers within the last hour. Call it last, like private.record_audit.';

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
    where patterns = '{%%}'
      or private.folded(concat_ws(' ', p.full_name, s.email, case p.role when 'admin' then 'admin' else 'cliente' end)) like all (patterns)
      or (cardinality(words) = 1 and char_length(words[1]) >= 8 and starts_with(p.id::text, words[1]));
end
$$;
comment on function private.find_people(text) is
  'Returns every user whose name, e-mail and role contain each of the first eight words of a search, in any order and without case and accents. A word of eight characters or more may also be the beginning of the id. An empty search returns every user.';

-- The list ------------------------------------------------------------------------------------------------------

create type public.listed_customer as (
  id uuid, full_name text, email text, role text, last_sign_in_at timestamptz, is_confirmed boolean, is_blocked boolean,
  balance numeric, last_date timestamptz, last_description text
);
comment on type public.listed_customer is 'A user in the list of customers.';
comment on column public.listed_customer.id is 'Id of the user.';
comment on column public.listed_customer.full_name is 'The name; null without one.';
comment on column public.listed_customer.email is 'The e-mail address.';
comment on column public.listed_customer.role is '"user" (a customer) or "admin".';
comment on column public.listed_customer.last_sign_in_at is 'Time of the last sign-in; null before the first.';
comment on column public.listed_customer.is_confirmed is 'Whether the person has confirmed the e-mail address.';
comment on column public.listed_customer.is_blocked is 'Whether the account is blocked now.';
comment on column public.listed_customer.balance is 'Units of currency.';
comment on column public.listed_customer.last_date is 'Date of the newest transaction; null without one.';
comment on column public.listed_customer.last_description is 'Description of the newest transaction; null without one.';

create type public.customer_list as (
  total bigint, overdrawn bigint, blocked bigint, unconfirmed bigint, customers public.listed_customer[]
);
comment on type public.customer_list is 'A page of the list of customers.';
comment on column public.customer_list.total is 'Number of users that the search and the filter match.';
comment on column public.customer_list.overdrawn is 'Number of users that the search matches and whose balance is negative.';
comment on column public.customer_list.blocked is 'Number of users that the search matches and that are blocked.';
comment on column public.customer_list.unconfirmed is 'Number of users that the search matches and that have not confirmed their e-mail address.';
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
        -- Probes transactions_newest_first once for each user.
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
  perform private.record_listing();
  return list;
end
$$;
comment on function public.list_customers(text, text, text, boolean, integer, integer) is
  'Returns up to 100 of the users that a search (private.find_people) and a state match: "user", "admin", "overdrawn", "blocked", "unconfirmed", or any other text for all. Sorted by "name", "email", "role", "balance", "last_sign_in" or "last_transaction". For administrators only. Adds at most one audit entry per session and hour.';
revoke execute on function public.list_customers(text, text, text, boolean, integer, integer) from public, anon, service_role;
grant execute on function public.list_customers(text, text, text, boolean, integer, integer) to authenticated;

-- The search ----------------------------------------------------------------------------------------------------

create type public.found_transaction as (
  user_id uuid, full_name text, email text, id uuid, type text, description text, amount numeric, date timestamptz
);
comment on type public.found_transaction is 'A transaction that a search of the bank found.';
comment on column public.found_transaction.user_id is 'The customer.';
comment on column public.found_transaction.full_name is 'Name of the customer; null without one.';
comment on column public.found_transaction.email is 'E-mail address of the customer.';
comment on column public.found_transaction.id is 'Unique for each customer.';
comment on column public.found_transaction.type is '"deposit" or "expense".';
comment on column public.found_transaction.description is 'One line of up to 200 characters.';
comment on column public.found_transaction.amount is 'Units of currency, positive.';
comment on column public.found_transaction.date is 'Date of the transaction.';

create type public.search_results as (customers public.listed_customer[], transactions public.found_transaction[]);
comment on type public.search_results is 'The answer to a search of the bank.';
comment on column public.search_results.customers is 'Up to 8 users, by name. Without their newest transaction.';
comment on column public.search_results.transactions is 'Up to 8 transactions, newest first.';

create function public.search_bank(search text, amount numeric default null) returns public.search_results
  language plpgsql security definer
  set search_path = ''
  -- Without statistics, the planner would scan every transaction.
  set enable_seqscan = off
as $$
declare
  results_max constant integer := 8;
  -- Bounds the sort by date, because many descriptions can begin with the text.
  candidates_max constant integer := 1000;
  beginning constant text := translate(lower(left(btrim(search), 40)), 'áéíóúüñ', 'aeiouun');
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
          -- LIKE with a parameter would not use the index.
          and translate(lower(left(m.description, 40)), 'áéíóúüñ', 'aeiouun') operator(pg_catalog.~>=~) beginning
          and translate(lower(left(m.description, 40)), 'áéíóúüñ', 'aeiouun') operator(pg_catalog.~<~) (beginning || U&'\+10FFFF')
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
    perform private.record_listing();
  else
    entry := private.record_audit('search_transactions', null, null, null);
    insert into ledger.audit_targets (entry, target, lines)
    select entry, t.user_id, count(*) from unnest(results.transactions) t group by t.user_id;
  end if;
  return results;
end
$$;
comment on function public.search_bank(text, numeric) is
  'Searches the whole bank: users as private.find_people does, and transactions of the given amount or with a description that begins with the text. The text needs 3 characters; of more than 1,000 matches, only 1,000 are read. For administrators only. A search that finds transactions adds an entry to the audit that names their customers. Other searches are recorded like calls of public.list_customers. Raises PT429 after 600 entries of a session in ten minutes.';
revoke execute on function public.search_bank(text, numeric) from public, anon, service_role;
grant execute on function public.search_bank(text, numeric) to authenticated;

-- Revokes the EXECUTE privilege that PUBLIC has by default: only the roles granted it above may call these functions.
revoke execute on all functions in schema private from public;
