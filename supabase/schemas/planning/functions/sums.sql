-- Sums over time: spending by day, income and spending by month and category, and the balance at the end of each month.

-- These functions are written in PL/pgSQL, because it caches the query plan: for most customers, planning takes longer than
-- computing the sums. Each month and each day is read as a range of the index transactions_newest_first, so that no
-- row's date has to be converted. The dates of the first and last transaction limit the number of ranges.

create function private.sum_months(since date, until date, first_at timestamp, last_at timestamp) returns table (
  month timestamp, ends_at timestamptz, net numeric, parts json
)
  language plpgsql stable rows 24
  set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  return query
    with months as (
      select
        month,
        greatest(month, sum_months.since::timestamp) at time zone 'America/Bogota' as begins_at,
        least(month + interval '1 month', sum_months.until + interval '1 day') at time zone 'America/Bogota' as ends_at
      from generate_series(
        date_trunc('month', greatest(sum_months.first_at, sum_months.since::timestamp)),
        least(sum_months.last_at, sum_months.until::timestamp),
        interval '1 month'
      ) month
    )
    select m.month, m.ends_at, s.net, s.parts
    from months m
    cross join lateral (
      select
        coalesce(sum(case p.type when 'deposit' then p.amount else -p.amount end), 0) as net,
        coalesce(json_agg(p order by p.amount desc, p.type, p.category, p.recorded_by), '[]') as parts
      from (
        select t.type, t.category, t.recorded_by, sum(t.amount) as amount, count(*) as transactions
        from public.transactions t
        where t.user_id = me and not t.is_void and t.date >= m.begins_at and t.date < m.ends_at
        group by t.type, t.category, t.recorded_by
      ) p
    ) s;
end
$$;
comment on function private.sum_months(date, date, timestamp, timestamp) is
  'Sums the transactions in the caller''s list for each month in Bogotá, or for the part of the month in the period: all by type, category and recorded_by, and the net amount. The arguments `first_at` and `last_at` are the times of the first and of the last transaction in Bogotá. Runs with the caller''s own rights.';
grant execute on function private.sum_months(date, date, timestamp, timestamp) to authenticated;

create function private.sum_days(since date, until date, first_at timestamp, last_at timestamp)
  returns table (day timestamp, amount numeric)
  language plpgsql stable rows 31
  set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  return query
    select day, s.amount
    from generate_series(
      date_trunc('day', greatest(sum_days.first_at, sum_days.since::timestamp)),
      least(sum_days.last_at, sum_days.until::timestamp),
      interval '1 day'
    ) day
    cross join lateral (
      select sum(t.amount) as amount from public.transactions t
      where t.user_id = me and t.type = 'expense'
        and not t.is_void
        and t.date >= day at time zone 'America/Bogota'
        and t.date < (day + interval '1 day') at time zone 'America/Bogota'
    ) s
    where sum_days.since is not null and s.amount is not null;
end
$$;
comment on function private.sum_days(date, date, timestamp, timestamp) is
  'Sums the expenses in the caller''s list for each day in Bogotá that has any. Returns no row if `since` is null. The arguments `first_at` and `last_at` are as for private.sum_months. Runs with the caller''s own rights.';
grant execute on function private.sum_days(date, date, timestamp, timestamp) to authenticated;

create function private.removed_postings() returns table (dated_at timestamptz, delta numeric)
  language plpgsql stable rows 10
  set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  return query
    select j.dated_at, j.delta
    from public.journal_entries j
    where j.user_id = me and j.kind in ('deposit', 'expense') and j.transaction_id in (
      select r.transaction_id from public.journal_entries r
      where r.user_id = me and r.kind = 'removal' and not exists (
        select from public.transactions t where t.user_id = r.user_id and t.id = r.transaction_id
      )
    )
      -- The row that had the column is_void was deleted.
      and j.transaction_id not in (select v.transaction_id from private.void_at(me) v);
end
$$;
comment on function private.removed_postings() is
  'Returns the postings of the transactions that the caller removed from their list. These transactions still count in all balances from their date on. Runs with the caller''s own rights.';
grant execute on function private.removed_postings() to authenticated;

create function private.coming_payments(until date) returns json
  language sql stable
  set search_path = ''
as $$
  select json_build_object(
    'payments', count(*), 'amount', coalesce(sum(p.amount), 0),
    'recurs', exists (
      select from public.recurring_expenses e
      where e.user_id = (select auth.uid()) and e.status in ('active', 'paused')
    )
  )
  from public.expected_payments() p
  where p.transaction_id is null and p.due_on <= until
$$;
comment on function private.coming_payments(date) is
  'Returns the number and sum of the caller''s unsettled payments that are due by a day, and whether the caller has recurring expenses. Runs with the caller''s own rights.';
grant execute on function private.coming_payments(date) to authenticated;

-- Returns json, because the generated types could not limit attributes of a composite type to the values of the columns
-- `type` and `recorded_by`.
create function public.sum_transactions(
  since date default null, until date default null, daily_since date default null
) returns json
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  last_day constant date := '9999-12-31';
  first_at timestamp;
  last_at timestamp;
begin
  -- Replaces days that cannot be converted to a timestamp, such as infinity, with the last day that can be converted.
  since := case when since > last_day then last_day else since end;
  until := case when until > last_day then last_day else until end;
  daily_since := case when daily_since > last_day then last_day else daily_since end;
  select min(t.date) at time zone 'America/Bogota', max(t.date) at time zone 'America/Bogota' into first_at, last_at
  from public.transactions t where t.user_id = me;
  return (
    with removed as materialized (select * from private.removed_postings()),
    now_held as (
      select b.monthly_limit, b.balance as held, b.noted, b.balance - coalesce((
        select sum(case t.type when 'deposit' then t.amount else -t.amount end)
        from public.transactions t
        where t.user_id = me
          and not t.is_void and t.date >= (until + interval '1 day') at time zone 'America/Bogota'
      ), 0) as balance
      from public.budgets b where b.user_id = me
    ),
    held as (
      select
        m.month, m.parts,
        n.balance - coalesce(sum(m.net) over (
          order by m.month desc rows between unbounded preceding and 1 preceding
        ), 0) - coalesce((select sum(r.delta) from removed r where r.dated_at >= m.ends_at), 0) as balance
      from private.sum_months(since, until, first_at, last_at) m, now_held n
    )
    select json_build_object(
      'balance', n.balance - coalesce((
        select sum(r.delta) from removed r
        where r.dated_at >= (until + interval '1 day') at time zone 'America/Bogota'
      ), 0),
      'held', n.held,
      'noted', n.noted,
      'monthly_limit', n.monthly_limit,
      'months', (
        select coalesce(json_agg(json_build_object(
          'month', to_char(h.month, 'YYYY-MM'), 'balance', h.balance, 'sums', h.parts
        ) order by h.month), '[]') from held h
      ),
      'days', (
        select coalesce(json_agg(json_build_object('day', to_char(d.day, 'YYYY-MM-DD'), 'spent', d.amount) order by d.day), '[]')
        from private.sum_days(daily_since, until, first_at, last_at) d
      ),
      'coming', private.coming_payments(until),
      'news', public.count_news()
    )
    from now_held n
  );
end
$$;
comment on function public.sum_transactions(date, date, date) is
  'Sums the transactions in the caller''s list for a period of days in Bogotá, whose first day is `since` and whose last day is `until`. If `since` or `until` is null, the period is open at that end. For each month, returns the sums by type, category and recorded_by, and the balance at the end of the month or period. For each day from daily_since on, returns the sum of the expenses. Void transactions are excluded from all sums. Balances are computed by the dates of the transactions. Separately returns the number and sum of the unsettled payments in public.expected_payments that are due by the end of the period, and whether the caller has recurring expenses. Also returns the caller''s balance now (`held`), the sum of their own notes (`noted`), their monthly limit, and the counts of public.count_news, so that the page needs no request of its own for them. Runs with the caller''s own rights.';
grant execute on function public.sum_transactions(date, date, date) to authenticated;
