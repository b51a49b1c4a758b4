-- Staff: the lists, searches and pages in which administrators read about customers, requests and the audit.
-- Uses: acts, papers.
-- Promises: staff have no table. Every read of a customer or of a list requires an audit entry.

-- Staff access to a customer's transactions: an administrator opens the customer's page, reads it, and corrects
-- transactions that the bank recorded by mistake. Every read requires an audit entry, which serves as the permission
-- (docs/decisions/0056).

create function private.sessions_of(person uuid) returns json
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(json_agg(json_build_object(
    'begun_at', s.created_at, 'used_at', coalesce(s.refreshed_at, s.created_at), 'user_agent', s.user_agent
  ) order by coalesce(s.refreshed_at, s.created_at) desc), '[]')
  from auth.sessions s where s.user_id = person and (s.not_after is null or s.not_after > now())
$$;
comment on function private.sessions_of(uuid) is 'Returns the sessions of a person that have not ended, the last used first.';

create function private.month_spent_of(customer uuid) returns numeric
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(sum(t.amount), 0)
  from date_trunc('month', now() at time zone 'America/Bogota') as m (month), public.transactions t
  where t.user_id = customer and t.type = 'expense'
    and not t.is_void
    and t.date >= m.month at time zone 'America/Bogota'
    and t.date < (m.month + interval '1 month') at time zone 'America/Bogota'
$$;
comment on function private.month_spent_of(uuid) is 'Returns the sum of a customer''s expenses in the current month in Bogotá, in units of currency.';

create function private.largest_of(customer uuid) returns json
  language sql stable security definer
  set search_path = ''
as $$
  select json_build_object(
    'deposit', max(n.amount) filter (where n.type = 'deposit'),
    'expense', max(n.amount) filter (where n.type = 'expense')
  )
  -- The limit bounds the running time for customers with a long history.
  from (
    select t.type, t.amount, t.is_void from public.transactions t
    where t.user_id = customer order by t.date desc, t.id desc limit 10000
  ) n
  where not n.is_void
$$;
comment on function private.largest_of(uuid) is 'Returns the largest deposit and the largest expense among the last 10,000 transactions of a customer.';

-- Returns json, because the authentication service returns a pending change of address as json.
create function public.open_customer(user_id uuid) returns json
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, because a hosted project stores some of them in UTC without a time zone.
  set timezone = 'UTC'
as $$
declare
  customer json;
begin
  perform private.require_admin();
  select json_build_object(
    'id', u.id,
    'full_name', p.full_name,
    'email', u.email,
    'role', p.role,
    'account_number', h.account_number,
    'document_kind', h.document_kind,
    'document_number', h.document_number,
    'phone', h.phone,
    'created_at', u.created_at,
    'confirmed_at', u.email_confirmed_at,
    'banned_until', u.banned_until,
    'block_reason', case when u.banned_until > now() then private.block_reason_of(u.id) end,
    'last_sign_in_at', u.last_sign_in_at,
    'email_change', private.waiting_email_change(u.id),
    'has_second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', private.sessions_of(u.id),
    'balance', b.balance,
    'booked', b.balance - b.noted,
    'noted', b.noted,
    'monthly_limit', b.monthly_limit,
    'month_spent', private.month_spent_of(u.id),
    'largest', private.largest_of(u.id),
    'corrections', (
      select coalesce(json_agg(c order by c.corrected_at desc), '[]')
      from (
        select k.id, k.corrected_id, k.replacement_id, k.reason, k.corrected_by, k.corrected_at from public.corrections k
        where k.user_id = u.id order by k.corrected_at desc limit 1000
      ) c
    )
  ) into customer
  from auth.users u
  join public.profiles p on p.id = u.id
  join public.budgets b on b.user_id = u.id
  join public.account_holders h on h.user_id = u.id
  where u.id = open_customer.user_id;
  if not found then
    raise exception 'El usuario no existe.' using errcode = 'PT404';
  end if;
  perform private.record_audit('read_customer', user_id, null, null);
  return customer;
end
$$;
comment on function public.open_customer(uuid) is
  'Returns the summary at the top of a customer''s page in the administration. For administrators only. Adds an audit entry that lets this session read the customer''s other data for an hour. Amounts are units of currency. Raises PT404 for an unknown user. Reads at most one person.';
grant execute on function public.open_customer(uuid) to authenticated;

create function public.read_customer_balance(user_id uuid) returns public.balance_explanation
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_balance.user_id);
  return (select e from private.explain_balance_of(user_id) e);
end
$$;
comment on function public.read_customer_balance(uuid) is
  'Explains a customer''s balance to staff, as public.explain_balance does for the customer. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most one customer.';
grant execute on function public.read_customer_balance(uuid) to authenticated;

create function public.read_customer_transactions(
  user_id uuid, before_date timestamptz default 'infinity', before_id uuid default null, rows_max integer default 1000
) returns setof public.transactions
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_transactions.user_id);
  return query
    select t.* from public.transactions t
    where t.user_id = read_customer_transactions.user_id
      and (t.date, t.id) < (before_date, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by t.date desc, t.id desc
    limit greatest(least(rows_max, 1000), 0);
end
$$;
comment on function public.read_customer_transactions(uuid, timestamptz, uuid, integer) is
  'Returns up to 1,000 of a customer''s transactions that are older than the given transaction, newest first. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most 1,000 transactions of one customer.';
grant execute on function public.read_customer_transactions(uuid, timestamptz, uuid, integer) to authenticated;

create function public.read_customer_journal(
  user_id uuid, after_seq bigint default 0, rows_max integer default 1000
) returns setof public.journal_entries
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_journal.user_id);
  return query
    select j.* from public.journal_entries j
    where j.user_id = read_customer_journal.user_id and j.seq > after_seq
    order by j.seq
    limit greatest(least(rows_max, 1000), 0);
end
$$;
comment on function public.read_customer_journal(uuid, bigint, integer) is
  'Returns up to 1,000 entries of a customer''s chain (public.journal_entries) whose seq is greater than after_seq. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most 1,000 entries of one customer.';
grant execute on function public.read_customer_journal(uuid, bigint, integer) to authenticated;

create type public.bank_day as (day date, came_in numeric, went_out numeric, owed numeric);
comment on type public.bank_day is 'The bank''s debt at the end of a day, and the money that came in and went out on the day. The amounts do not include the customers'' own notes.';
comment on column public.bank_day.day is 'The day in Bogotá.';
comment on column public.bank_day.came_in is 'Sum of the day''s postings that raise a balance, in units of currency. A transfer between two customers counts neither here nor in went_out.';
comment on column public.bank_day.went_out is 'Sum of the day''s postings that lower a balance, in units of currency; positive.';
comment on column public.bank_day.owed is 'Sum of the positive balances according to the bank at the end of the day, in units of currency.';

create function private.list_bank_days(first_day timestamp, last_day timestamp) returns setof public.bank_day
  language sql stable
  set search_path = ''
as $$
  with days as (
    select
      day, day at time zone 'America/Bogota' as begins_at, (day + interval '1 day') at time zone 'America/Bogota' as ends_at
    from generate_series(first_day, last_day, interval '1 day') day
  ),
  -- Each day is queried as a range of the index, so that no row's time has to be converted.
  posted as materialized (
    select d.day, p.user_id, p.transfer, p.came_in, p.went_out
    from days d
    cross join lateral (
      select
        j.user_id,
        case when j.origin in ('transfer', 'return') then j.origin_id end as transfer,
        coalesce(sum(m.delta) filter (where m.delta > 0), 0) as came_in,
        coalesce(-sum(m.delta) filter (where m.delta < 0), 0) as went_out
      from ledger.journal j
      cross join lateral (
        -- A closing writes off the balance with the customer's own notes, which the bank does not owe.
        select j.delta + case j.kind when 'closing' then (
          select coalesce(sum(n.delta), 0) from ledger.journal n where n.user_id = j.user_id and n.is_note
        ) else 0 end as delta
      ) m
      where not j.is_note and j.recorded_at >= d.begins_at and j.recorded_at < d.ends_at
      group by 1, 2
    ) p
  ),
  flows as (
    select f.day, sum(f.came_in) as came_in, sum(f.went_out) as went_out
    from (
      select p.day, p.came_in, p.went_out from posted p where p.transfer is null
      union all
      select p.day, greatest(sum(p.came_in - p.went_out), 0), greatest(sum(p.went_out - p.came_in), 0)
      from posted p where p.transfer is not null
      group by p.day, p.transfer
    ) f
    group by f.day
  ),
  held as (
    select
      c.day, c.delta,
      coalesce(b.balance - b.noted, 0) - coalesce(sum(c.delta) over (
        partition by c.user_id order by c.day desc rows between unbounded preceding and 1 preceding
      ), 0) as at_end
    from (select p.day, p.user_id, sum(p.came_in - p.went_out) as delta from posted p group by p.day, p.user_id) c
    left join public.budgets b on b.user_id = c.user_id
  ),
  changes as (
    select h.day, sum(greatest(h.at_end, 0) - greatest(h.at_end - h.delta, 0)) as change from held h group by h.day
  )
  select row(
    d.day, coalesce(f.came_in, 0), coalesce(f.went_out, 0),
    (select coalesce(sum(b.balance - b.noted) filter (where b.balance > b.noted), 0) from public.budgets b)
      - coalesce(sum(c.change) over (order by d.day desc rows between unbounded preceding and 1 preceding), 0)
  )::public.bank_day
  from days d
  left join flows f on f.day = d.day
  left join changes c on c.day = d.day
  order by d.day
$$;
comment on function private.list_bank_days(timestamp, timestamp) is
  'Returns the bank''s debt and its changes for each day in Bogotá from first_day to last_day, oldest first. Reads the budget of each customer, the postings of the days, and all notes of the accounts that were closed on these days.';

create type public.bank_sums as (customers bigint, total numeric, owed numeric, overdrawn numeric, noted numeric, days public.bank_day[]);
comment on type public.bank_sums is 'The bank''s debt to its customers, in units of currency.';
comment on column public.bank_sums.customers is 'Number of customers.';
comment on column public.bank_sums.total is 'Sum of all balances.';
comment on column public.bank_sums.owed is 'Sum of the positive balances according to the bank, which do not include the customers'' own notes.';
comment on column public.bank_sums.overdrawn is 'Sum of the negative balances according to the bank. The sum of owed and overdrawn is the total of all balances without the customers'' own notes.';
comment on column public.bank_sums.noted is 'Sum of all customers'' own notes; zero or negative. The total of all balances minus this sum is the total according to the bank.';
comment on column public.bank_sums.days is 'The last days, including today, oldest first (private.list_bank_days).';

create function public.sum_bank(days integer default 30) returns public.bank_sums
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  today constant timestamp := date_trunc('day', now() at time zone 'America/Bogota');
begin
  perform private.require_admin();
  return (
    with held as (
      select
        -- Counts an administrator as a customer while their own account holds money.
        count(*) filter (where b.balance <> 0 or p.role is distinct from 'admin') as customers,
        coalesce(sum(b.balance), 0) as total,
        -- Customers can record any expense. These expenses must not reduce the sum that the bank owes to its customers.
        coalesce(sum(b.balance - b.noted) filter (where b.balance > b.noted), 0) as owed,
        coalesce(sum(b.balance - b.noted) filter (where b.balance < b.noted), 0) as overdrawn,
        coalesce(sum(b.noted), 0) as noted
      from public.budgets b left join public.profiles p on p.id = b.user_id
    )
    select row(
      h.customers, h.total, h.owed, h.overdrawn, h.noted,
      array(select private.list_bank_days(today - make_interval(days => greatest(least(days, 366), 1) - 1), today))
    )::public.bank_sums
    from held h
  );
end
$$;
comment on function public.sum_bank(integer) is
  'Returns the number of customers, including administrators who hold money. Returns the sum of all balances and the sum of the customers'' own notes, in units of currency. Returns the sums of the positive and of the negative balances according to the bank. Also returns what the bank owed at the end of each of the last days (at most 366) in Bogotá, including today, and what came in and went out. For administrators only. Reads at most the budget of each customer, the postings of the requested days, and the notes of the accounts that were closed on these days.';
grant execute on function public.sum_bank(integer) to authenticated;

create function public.read_holder_corrections(user_id uuid) returns setof public.holder_corrections
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_holder_corrections.user_id);
  return query
    select c.* from public.holder_corrections c
    where c.user_id = read_holder_corrections.user_id order by c.corrected_at desc limit 100;
end
$$;
comment on function public.read_holder_corrections(uuid) is
  'Returns the last 100 corrections of a person''s data, newest first. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most 100 corrections of one person.';
grant execute on function public.read_holder_corrections(uuid) to authenticated;
