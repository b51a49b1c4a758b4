-- Lists and searches.

-- The customer list and the bank-wide search, both for staff only. The list and the search show balances and
-- transactions of many customers. Each use therefore requires an audit entry (docs/decisions/0056).

create function private.record_listing(action text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  session constant text := (select auth.jwt()) ->> 'session_id';
begin
  if session is null or private.is_first_use('listing shown', session || ' ' || action) then
    perform private.record_audit(action, null, null, null);
  end if;
end
$$;
comment on function private.record_listing(text) is
  'Adds an audit entry with the given action, unless the session has added an entry with this action within the last 59 minutes. An entry is at most an hour old while the list is read. Call this function last, like private.record_audit.';

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
  total bigint, overdrawn bigint, blocked bigint, unconfirmed bigint, customers public.listed_customer[], end_key text,
  end_id uuid
);
comment on type public.customer_list is 'A page of the customer list. Each number is at most 10,001, which means more than 10,000.';
comment on column public.customer_list.total is 'Number of users who match both the search and the state; null if the search did not read all of them, and on a further page.';
comment on column public.customer_list.overdrawn is 'Number of users who match the search and whose balance is negative according to the bank, without their own notes; null like the total.';
comment on column public.customer_list.blocked is 'Number of users who match the search and are blocked; null like the total.';
comment on column public.customer_list.unconfirmed is 'Number of users who match the search and have not confirmed their e-mail address; null like the total.';
comment on column public.customer_list.customers is 'The users of this page.';
comment on column public.customer_list.end_key is 'The argument after_key for the next page; null on the last page.';
comment on column public.customer_list.end_id is 'The argument after_id for the next page; null on the last page.';

create function private.listed_customers(ids uuid[], has_newest boolean default true) returns public.listed_customer[]
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(array_agg(row(
    p.id, p.full_name, s.email, p.role, s.last_sign_in_at, l.is_confirmed, coalesce(l.banned_until > now(), false), b.balance,
    t.date, t.description
  )::public.listed_customer order by i.place), '{}')
  from unnest(ids) with ordinality i (id, place)
  join public.profiles p on p.id = i.id
  join public.user_safe s on s.id = i.id
  join private.listed_people l on l.user_id = i.id
  join public.budgets b on b.user_id = i.id
  left join lateral (
    select t.date, t.description from public.transactions t where has_newest and t.user_id = i.id order by t.date desc, t.id desc limit 1
  ) t on true
$$;
comment on function private.listed_customers(uuid[], boolean) is
  'Returns users as rows of the customer list, in the given order, with their newest transactions if has_newest is true.';

create function private.count_people(state text) returns public.customer_list
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  list public.customer_list;
begin
  list.overdrawn := private.counted('select from private.listed_accounts l where l.is_overdrawn');
  list.blocked := private.counted('select from private.listed_people l where l.banned_until > now()');
  list.unconfirmed := private.counted('select from private.listed_people l where not l.is_confirmed');
  list.total := case state
    when 'overdrawn' then list.overdrawn
    when 'blocked' then list.blocked
    when 'unconfirmed' then list.unconfirmed
    when 'admin' then private.counted($q$select from public.profiles p where p.role = 'admin'$q$)
    when 'user' then private.counted($q$select from private.listed_people l where l.role = 'user'$q$)
    else private.counted('select from private.listed_people l')
  end;
  return list;
end
$$;
comment on function private.count_people(text) is 'Counts the users of the whole bank. The total is the number of users in the state.';

create function public.list_customers(
  search text default '', state text default '', sort text default 'name', is_descending boolean default false,
  after_key text default null, after_id uuid default null, rows_max integer default 50
) returns public.customer_list
  language plpgsql security definer
  set search_path = ''
as $$
declare
  page_max constant integer := greatest(least(coalesce(rows_max, 100), 100), 0);
  found private.found_people;
  list public.customer_list;
begin
  perform private.require_admin();
  if page_max > 0 or search is distinct from '' then
    found := private.find_people(search, state, sort, is_descending, after_key, after_id, page_max + 1);
  end if;
  if after_id is null and search is distinct from '' then
    list.total := found.total;
    list.overdrawn := found.overdrawn;
    list.blocked := found.blocked;
    list.unconfirmed := found.unconfirmed;
  elsif after_id is null then
    list := private.count_people(state);
  end if;
  list.customers := private.listed_customers(found.ids[:page_max]);
  if cardinality(found.ids) > page_max then
    list.end_key := found.keys[page_max];
    list.end_id := found.ids[page_max];
  end if;
  -- The counts of the whole bank show nothing about one customer. With a search, they would.
  if search is distinct from '' or page_max > 0 then
    perform private.record_listing('list_customers');
  end if;
  return list;
end
$$;
comment on function public.list_customers(text, text, text, boolean, text, uuid, integer) is
  'Returns up to 100 of the users who match both a search (private.read_search) and a state. The state is "user", "admin", "overdrawn", "blocked" or "unconfirmed"; any other text matches all users. Sorts by "name", "email", "role", "balance", "last_sign_in" or "last_transaction". A user without a sign-in or a transaction comes before all others in these orders, or after them if the order is descending. The next page begins after the user that end_key and end_id of a page name. "overdrawn" means a negative balance according to the bank. For administrators only. Adds at most one audit entry per session and hour; a call without a search and without rows (rows_max 0) only counts, and adds none. Reads at most 10,000 entries of each index that it counts, 5,000 users in the order of the list, and the users that the index of the words or of the state finds.';
grant execute on function public.list_customers(text, text, text, boolean, text, uuid, integer) to authenticated;

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

create function private.find_transactions(beginning text, amount numeric, results_max integer)
  returns setof public.transactions
  language plpgsql stable
  set search_path = ''
  -- Without this setting, the planner would scan every transaction while the table has no statistics.
  set enable_seqscan = off
as $$
declare
  -- Limits the rows to be sorted by date, because many descriptions can begin with the same text.
  candidates_max constant integer := 1000;
begin
  return query
    select * from (
      (
        select m.* from public.transactions m
        where trunc(m.amount * 100) = find_transactions.amount * 100
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
    order by m.date desc limit results_max;
end
$$;
comment on function private.find_transactions(text, numeric, integer) is
  'Returns the newest transactions of the whole bank with an amount, and those whose folded description begins with a text of at least three characters.';

create function public.search_bank(search text, amount numeric default null) returns public.search_results
  language plpgsql security definer
  set search_path = ''
as $$
declare
  results_max constant integer := 8;
  beginning constant text := translate(lower(left(btrim(search), 40)), 'áéíóúüñ‘’“”«»–—', 'aeiouun''''""""--');
  session constant text := coalesce((select auth.jwt()) ->> 'session_id', (select auth.uid())::text);
  results public.search_results;
  entry bigint;
begin
  perform private.require_admin();
  perform private.consume('search', session, only_checks => true);
  if beginning <> '' then
    results.customers := private.listed_customers(
      (private.find_people(search, '', 'name', false, null, null, results_max)).ids, has_newest => false
    );
  end if;

  select array_agg(row(
    t.user_id, p.full_name, s.email, t.id, t.type, t.description, t.amount, t.date
  )::public.found_transaction order by t.date desc, t.id)
  into results.transactions
  from private.find_transactions(beginning, amount, results_max) t
  join public.profiles p on p.id = t.user_id
  join public.user_safe s on s.id = t.user_id;

  results.customers := coalesce(results.customers, '{}');
  results.transactions := coalesce(results.transactions, '{}');
  if results.transactions = '{}' then
    perform private.record_listing('list_customers');
  else
    perform private.consume('search', session);
    entry := private.record_audit('search_transactions', null, null, null);
    insert into ledger.audit_targets (entry, target, lines)
    select entry, t.user_id, count(*) from unnest(results.transactions) t group by t.user_id;
  end if;
  return results;
end
$$;
comment on function public.search_bank(text, numeric) is
  'Searches the whole bank for users, as public.list_customers does, and for transactions. A transaction matches if it has the given amount, or if its description begins with the search text, which must have at least 3 characters. If more than 1,000 descriptions match, only 1,000 are read. For administrators only. A search that finds transactions adds an audit entry that names their customers. Other searches are recorded like calls of public.list_customers. Raises PT429 if the session''s searches have added 600 audit entries within ten minutes. Reads at most 5,000 users in the order of their names, the users that the index of the words finds, and 1,000 transactions in the order of two indexes.';
grant execute on function public.search_bank(text, numeric) to authenticated;

-- The lists of requests, for staff only. The lists show transfers of many customers and the acts of other
-- administrators. Reading a list therefore requires an audit entry, as for the customer list (docs/decisions/0056).

create type public.recent_access_act as (act text, acted_at timestamptz);
comment on type public.recent_access_act is 'An act on a person''s access in the last 14 days.';
comment on column public.recent_access_act.act is 'The kind of the order in private.orders: block_user, unblock_user, reset_factor, reset_access, begin_email_change, send_link or correct_holder.';
comment on column public.recent_access_act.acted_at is 'Time of the last act of this kind.';

create type public.request_facts as (
  balance numeric, held numeric, available_after numeric, has_sent boolean, usual_max numeric, sent_recently bigint,
  transfers_today bigint, payee_since timestamptz, access_acts public.recent_access_act[]
);
comment on type public.request_facts is 'The facts on which the decision of a request rests. All amounts are in units of currency.';
comment on column public.request_facts.balance is 'Balance of the person that an administrator''s act affects; null for a transfer, for a batch, and once the account is deleted.';
comment on column public.request_facts.held is 'The same balance according to the bank, without the person''s own notes; null for a transfer, for a batch, and once the account is deleted.';
comment on column public.request_facts.available_after is 'The amount that the payer of a transfer can still transfer when this transfer and the payer''s other open transfers are done; null for an act, and once the account is deleted.';
comment on column public.request_facts.has_sent is 'Whether the payer has ever made a transfer; null for an act.';
comment on column public.request_facts.usual_max is 'The payer''s largest transfer of the last 90 days; null for an act, and if the payer made none in these days.';
comment on column public.request_facts.sent_recently is 'Number of the payer''s transfers of the last 90 days; null for an act.';
comment on column public.request_facts.transfers_today is 'Number of transfers that the payer requested today in Bogotá, with this one if it is of today; null for an act.';
comment on column public.request_facts.payee_since is 'Time at which the payer confirmed the beneficiary; null for an act, and if the payer has removed the beneficiary.';
comment on column public.request_facts.access_acts is 'The recent changes of access of the payer of a transfer, or of the person that an administrator''s act affects. The newest comes first.';

create type public.listed_request as (
  id uuid, kind text, status text, asked_by uuid, asked_by_name text, asked_at timestamptz, payer uuid, payer_name text,
  payer_document text, payee uuid, payee_name text, payee_document text, about uuid, about_name text, amount numeric, description text, due_on date,
  expires_at timestamptz, risk smallint, decided_by uuid, decided_by_name text, reason text, details jsonb,
  clearing_file integer, obstacle text, is_stuck boolean, first_approved_by_name text,
  facts public.request_facts
);
comment on type public.listed_request is 'A request in a list for administrators.';
comment on column public.listed_request.id is 'The value of the same column in public.requests.';
comment on column public.listed_request.kind is 'The value of the same column in public.requests.';
comment on column public.listed_request.status is 'The value of the same column in public.requests.';
comment on column public.listed_request.asked_by is 'The value of the same column in public.requests.';
comment on column public.listed_request.asked_by_name is 'The name of the person who made the request, or the e-mail address if they have no name; null once the account is deleted.';
comment on column public.listed_request.asked_at is 'The value of the same column in public.requests.';
comment on column public.listed_request.payer is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.payer_name is 'The payer''s verified name, or the name that the payer had typed at the time of the request, which is also shown to the payee. If the payer had no name, the column contains the payer''s present name or e-mail address. It is null once the account is deleted.';
comment on column public.listed_request.payer_document is 'The payer''s identity document, such as "CC 1020304050"; null if the bank does not know it, and then the payer typed the name or staff corrected it.';
comment on column public.listed_request.payee is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.payee_name is 'The payee''s own name, or the e-mail address if the payee has no name; null once the account is deleted. For an account at another bank, the column contains the holder''s name that the payer entered.';
comment on column public.listed_request.payee_document is 'The payee''s identity document, as for the payer; null for an account at another bank.';
comment on column public.listed_request.about is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.about_name is 'The name of the person affected by an administrator''s act, or the e-mail address if they have no name. For a promotion, a demotion, a block and the removal of second factors, the column contains both the name and the e-mail address. It is null for a transfer, for a batch, and once the account is deleted.';
comment on column public.listed_request.amount is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.description is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.due_on is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.expires_at is 'The value of the same column in public.requests.';
comment on column public.listed_request.risk is 'The value of the same column in public.requests.';
comment on column public.listed_request.decided_by is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.decided_by_name is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.reason is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.details is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.clearing_file is 'Number of the clearing file that contains the transfer; null if the request is not in a clearing file.';

comment on column public.listed_request.obstacle is 'Why the caller cannot decide the request: "own", "keys" or "first" (private.obstacle_to); null if the caller can decide it.';
comment on column public.listed_request.is_stuck is 'Whether the request waits although no administrator can decide it at present (private.is_stuck).';
comment on column public.listed_request.first_approved_by_name is 'The name of the administrator who approved the transfer first, or the e-mail address if they have no name; null without a first approval.';
comment on column public.listed_request.facts is 'The facts on which the decision rests; null if the request does not wait for a decision.';

create type public.request_queue as (
  total bigint, amount numeric, first_expires_at timestamptz, requests public.listed_request[]
);
comment on type public.request_queue is 'The requests that wait for a decision.';
comment on column public.request_queue.total is 'Number of all waiting requests. Transfers do not count while the bank has not enabled them.';
comment on column public.request_queue.amount is 'Sum of the amounts of all waiting requests, in units of currency. Requests without an amount add nothing.';
comment on column public.request_queue.first_expires_at is 'Time at which the first of all waiting requests expires; null if none waits.';
comment on column public.request_queue.requests is 'The waiting requests: first the acts of administrators, then the transfers with the highest risk. Of several requests with the same risk, the oldest comes first.';

create function private.recent_access_acts(request public.requests) returns public.recent_access_act[]
  language sql stable security definer
  set search_path = ''
  return array(
    select row(o.kind, max(o.done_at))::public.recent_access_act
    from private.done_orders(
      coalesce(request.payer, request.about),
      '{block_user,unblock_user,reset_factor,reset_access,begin_email_change,send_link,correct_holder}'
    ) o
    where o.done_at > now() - interval '14 days'
      -- A correction without details changed nothing.
      and (o.kind <> 'correct_holder' or o.details is not null)
    group by o.kind order by max(o.done_at) desc, o.kind
  );
comment on function private.recent_access_acts(public.requests) is
  'Returns the acts of the last 14 days on the access of the person who pays, or of the person affected. The access of the payer may have passed to another person. Reads at most the person''s rows in the index orders_about_a_person.';

create function private.facts_of(request public.requests) returns public.request_facts
  language sql stable security definer
  set search_path = ''
  return case
    when request.status <> 'waiting' then null
    when request.kind <> 'transfer' then row(
      (select b.balance from public.budgets b where b.user_id = request.about),
      (select b.balance - b.noted from public.budgets b where b.user_id = request.about),
      null, null, null, null, null, null, private.recent_access_acts(request)
    )::public.request_facts
    else (
      select row(
        null, null,
        (select a.balance - a.reserved from private.transfer_account_of(request.payer) a),
        exists (select from public.requests r where r.payer = request.payer and r.status = 'done'),
        sent.largest, sent.transfers,
        (
          select count(*) from public.requests r
          where r.payer = request.payer and r.status in ('waiting', 'scheduled', 'done')
            and r.asked_at >= date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota'
        ),
        (
          select max(b.confirmed_at)
          from public.beneficiaries b left join private.payees p on p.user_id = b.user_id and p.beneficiary_id = b.id
          where b.user_id = request.payer and b.removed_at is null
            and case when request.payee is null then b.destination = request.details else p.payee = request.payee end
        ),
        private.recent_access_acts(request)
      )::public.request_facts
      from (
        select max(r.amount) as largest, count(*) as transfers from public.requests r
        where r.payer = request.payer and r.status = 'done' and r.asked_at > now() - interval '90 days'
      ) sent
    )
  end;
comment on function private.facts_of(public.requests) is
  'Returns the facts on which the decision of a waiting request rests; null for every other request. Reads at most the payer''s beneficiaries, open transfers and transfers of the last 90 days, one row of the index of the payer''s largest transfers, and the person''s recent changes of access.';

create function private.listed(request public.requests) returns public.listed_request
  language sql stable security definer
  set search_path = ''
  return row(
    request.id, request.kind, request.status, request.asked_by, private.name_of(request.asked_by), request.asked_at,
    request.payer, coalesce(private.verified_name_of(request.payer), request.payer_name, private.name_of(request.payer)),
    private.document_of(request.payer), request.payee,
    case when request.payee is null then request.payee_name else private.name_of(request.payee) end,
    private.document_of(request.payee),
    request.about, private.name_of(request.about) || coalesce(' · ' || (
      select s.email from public.user_safe s where s.id = request.about and request.kind in ('promotion', 'demotion', 'block', 'factor')
    ), ''), request.amount, request.description, request.due_on, request.expires_at, request.risk,
    request.decided_by, request.decided_by_name, request.reason, request.details,
    private.clearing_file_with(request.id), private.obstacle_to(request, (select auth.uid())), private.is_stuck(request),
    private.name_of(request.first_approved_by), private.facts_of(request)
  )::public.listed_request;
comment on function private.listed(public.requests) is 'Returns a request and the names of the users that it mentions.';

create function private.require_request_reader() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not private.requires_approvals() then
    perform private.require_feature('transferencias');
  end if;
  perform private.require_second_factor();
  perform private.require_admin();
end
$$;
comment on function private.require_request_reader() is
  'Refuses callers who are not administrators, and administrators who have a second factor but have not passed it. Raises PT404 if the bank has neither enabled transfers nor required a second administrator.';

create function public.list_waiting_requests(rows_max integer default 100) returns public.request_queue
  language plpgsql security definer
  set search_path = ''
as $$
declare
  has_transfers constant boolean := private.is_on('transferencias');
  queue public.request_queue;
begin
  perform private.require_request_reader();
  select count(*), coalesce(sum(r.amount), 0), min(r.expires_at)
  into queue.total, queue.amount, queue.first_expires_at
  from public.requests r where r.status = 'waiting' and (has_transfers or r.kind <> 'transfer');
  queue.requests := array(
    select private.listed(w.request)
    from (
      select r as request, r.risk, r.asked_at from public.requests r
      where r.status = 'waiting' and (has_transfers or r.kind <> 'transfer')
      order by (r.kind = 'transfer'), r.risk desc, r.asked_at limit greatest(least(rows_max, 100), 0)
    ) w
    order by ((w.request).kind = 'transfer'), w.risk desc, w.asked_at
  );
  perform private.record_listing('list_requests');
  return queue;
end
$$;
comment on function public.list_waiting_requests(integer) is
  'Returns up to 100 of the requests that wait for a decision, and the number, the sum and the first expiry of all waiting requests. For administrators only, with their second factor if they have one. Adds at most one audit entry per session and hour. Raises PT404 if the bank has neither enabled transfers nor required a second administrator. Reads at most all waiting requests, and one page of the index with the names and recent transfers of at most 200 people.';
grant execute on function public.list_waiting_requests(integer) to authenticated;

create function public.list_decided_requests(
  state text default '', before_asked_at timestamptz default 'infinity', before_id uuid default null,
  rows_max integer default 50
) returns setof public.listed_request
  language plpgsql security definer
  set search_path = ''
  -- A generic plan could not use the index of a single state.
  set plan_cache_mode = force_custom_plan
as $$
declare
  page_max constant integer := greatest(least(rows_max, 100), 0);
  last_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  perform private.require_request_reader();
  return query
    select l.*
    from (
      select r as request, r.asked_at, r.id from public.requests r
      where (state = '' or r.status = state) and r.status <> 'waiting' and (r.asked_at, r.id) < (before_asked_at, last_id)
      order by r.asked_at desc, r.id desc limit page_max
    ) d
    cross join lateral private.listed(d.request) l
    order by d.asked_at desc, d.id desc;
  perform private.record_listing('list_decided_requests');
end
$$;
comment on function public.list_decided_requests(text, timestamptz, uuid, integer) is
  'Returns up to 100 of the requests that no longer wait for a decision and are older than the given request, with the newest first. If a state is given, returns only the requests in this state. For administrators only, with their second factor if they have one. Adds at most one audit entry per session and hour. Raises PT404 if the bank has neither enabled transfers nor required a second administrator. Reads at most one page of the index, with the names of at most 200 people.';
grant execute on function public.list_decided_requests(text, timestamptz, uuid, integer) to authenticated;
