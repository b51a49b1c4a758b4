-- Functions of the monthly limits by category.

create function public.set_category_budget(category text, monthly_limit numeric, carries_over boolean default false)
  returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  this_month constant date := date_trunc('month', now() at time zone 'America/Bogota')::date;
begin
  perform private.lock_open_account();
  perform private.consume('rows written', me::text);
  update public.category_budgets b
  set monthly_limit = set_category_budget.monthly_limit, carries_over = set_category_budget.carries_over
  where b.user_id = me and b.category = set_category_budget.category and b.month = this_month;
  if not found then
    perform private.require_room(
      'category budgets', (select count(*) from public.category_budgets b where b.user_id = me), true
    );
    insert into public.category_budgets (user_id, category, month, monthly_limit, carries_over)
    values (
      me, set_category_budget.category, this_month, set_category_budget.monthly_limit, set_category_budget.carries_over
    );
  end if;
end
$$;
comment on function public.set_category_budget(text, numeric, boolean) is
  'Sets the caller''s limit for a category from the current month on; null removes the limit. Raises 23514 for an invalid value and beyond the cap of limits, and PT429 beyond the limit "rows written".';
grant execute on function public.set_category_budget(text, numeric, boolean) to authenticated;

create type public.category_limit as (
  category text,
  monthly_limit numeric,
  carries_over boolean,
  since text,
  carried numeric,
  spent numeric
);
comment on type public.category_limit is 'A category''s limit and spending in the current month in Bogotá, in units of currency.';
comment on column public.category_limit.category is 'Name of the category, as stored in public.transactions.';
comment on column public.category_limit.monthly_limit is 'The limit without the amount carried over.';
comment on column public.category_limit.carries_over is 'Whether the unspent rest of the limit, or the amount spent above the limit, is carried over to the next month.';
comment on column public.category_limit.since is 'The month from which the limit has been carried over without interruption, for example 2026-11.';
comment on column public.category_limit.carried is 'Amount carried over into this month; negative after overspending.';
comment on column public.category_limit.spent is 'Spending in the current month.';

create type public.category_spending as (category text, spent numeric);
comment on type public.category_spending is 'The current month''s spending in a category that has no limit, in units of currency.';
comment on column public.category_spending.category is 'Name of the category; null for expenses without a category.';
comment on column public.category_spending.spent is 'Spending in the current month.';

create type public.category_sums as (month text, limits public.category_limit[], others public.category_spending[]);
comment on type public.category_sums is 'The current month''s limits and spending by category.';
comment on column public.category_sums.month is 'The month in Bogotá, for example 2026-11.';
comment on column public.category_sums.limits is 'The limits, ordered by category.';
comment on column public.category_sums.others is 'Spending in categories that have no limit, largest first.';

create function private.present_limits(customer uuid, this_month date) returns table (
  category text, monthly_limit numeric, is_carried boolean, since date, allotted numeric
)
  language plpgsql stable rows 20
  set search_path = ''
as $$
#variable_conflict use_column
begin
  return query
    with spans as (
      select
        l.*,
        lead(l.month) over (partition by l.category order by l.month) as until,
        max(l.month) filter (where not l.is_carried) over (partition by l.category) as broken_at
      from (
        select b.category, b.month, b.monthly_limit, b.carries_over and b.monthly_limit is not null as is_carried
        from public.category_budgets b
        where b.user_id = customer and b.month <= this_month
      ) l
    )
    select
      s.category,
      max(s.monthly_limit) filter (where s.until is null) as monthly_limit,
      bool_or(s.is_carried) filter (where s.until is null) as is_carried,
      coalesce(min(s.month) filter (where s.month > coalesce(s.broken_at, '-infinity')), this_month) as since,
      coalesce(sum(s.monthly_limit * (
        extract(year from age(coalesce(s.until, this_month), s.month)) * 12
        + extract(month from age(coalesce(s.until, this_month), s.month))
      )) filter (where s.month > coalesce(s.broken_at, '-infinity')), 0) as allotted
    from spans s
    group by s.category
    having max(s.monthly_limit) filter (where s.until is null) is not null;
end
$$;
comment on function private.present_limits(uuid, date) is
  'Returns the current limit of each category, the month from which it has been carried over without interruption, and the sum of the limits from that month up to the previous month. Runs with the caller''s own rights.';
grant execute on function private.present_limits(uuid, date) to authenticated;

create function private.category_sums_of(customer uuid, this_month date) returns table (
  category text, monthly_limit numeric, is_carried boolean, limited_since date, carried numeric, spent numeric
)
  language plpgsql stable rows 20
  set search_path = ''
as $$
#variable_conflict use_column
declare
  begins_at constant timestamptz := this_month::timestamp at time zone 'America/Bogota';
  ends_at constant timestamptz := (this_month + interval '1 month') at time zone 'America/Bogota';
begin
  return query
    -- Uses grouping and window functions, because joining limits with categories could cost time proportional to the
    -- product of their numbers.
    with present as materialized (select * from private.present_limits(customer, this_month)),
    -- A new period begins with each month in which a limit was set, and the last period ends with the current month. The
    -- periods make it possible to read each transaction only once, and not once for each limit.
    stretches as (
      select b.starts_at, lead(b.starts_at, 1, ends_at) over (order by b.starts_at) as stops_at
      from (select begins_at as starts_at union select p.since::timestamp at time zone 'America/Bogota' from present p) b
    ),
    -- Adds to each row of a category the month from which its limit has been carried over.
    by_category as (
      select v.*, max(v.since) over (partition by v.category) as limited_since
      from (
        select p.*, null::timestamptz as starts_at, null::numeric as amount from present p
        union all
        select c.category, null, null, null, null, s.starts_at, c.amount
        from stretches s
        cross join lateral (
          select t.category, sum(t.amount) as amount
          from public.transactions t
          where t.user_id = customer and t.date >= s.starts_at and t.date < s.stops_at and t.type = 'expense'
            and not t.is_void
          group by t.category
        ) c
      ) v
    )
    select
      v.category, max(v.monthly_limit), bool_or(v.is_carried), v.limited_since,
      max(v.allotted) - coalesce(sum(v.amount) filter (
        where v.starts_at < begins_at and v.starts_at >= v.limited_since::timestamp at time zone 'America/Bogota'
      ), 0),
      sum(v.amount) filter (where v.starts_at = begins_at)
    from by_category v
    group by v.category, v.limited_since;
end
$$;
comment on function private.category_sums_of(uuid, date) is
  'Returns the categories of a customer in the current month in Bogotá, each with its spending and, if it has a limit, the limit and the amount carried over. Runs with the caller''s own rights. The function is stable, so that the sums contain only the expenses that the calling SQL statement can see.';
grant execute on function private.category_sums_of(uuid, date) to authenticated;

create function public.sum_category_budgets() returns public.category_sums
  language plpgsql stable
  set search_path = ''
as $$
declare
  this_month constant date := date_trunc('month', now() at time zone 'America/Bogota')::date;
begin
  return (
    select row(
      to_char(this_month, 'YYYY-MM'),
      coalesce(array_agg(row(
        u.category, u.monthly_limit, u.is_carried, to_char(u.limited_since, 'YYYY-MM'), u.carried, coalesce(u.spent, 0)
      )::public.category_limit order by u.category) filter (where u.limited_since is not null), '{}'),
      coalesce(array_agg(row(u.category, u.spent)::public.category_spending order by u.spent desc, u.category)
        filter (where u.limited_since is null and u.spent is not null), '{}')
    )::public.category_sums
    from private.category_sums_of((select auth.uid()), this_month) u
  );
end
$$;
comment on function public.sum_category_budgets() is
  'Returns the caller''s limits in the current month in Bogotá, each with the spending and the amount carried over. Also returns the spending in other categories. The amount carried over is the sum of the limits of the earlier months minus the spending dated in those months. The amount carried over is negative after overspending. Runs with the caller''s own rights.';
grant execute on function public.sum_category_budgets() to authenticated;

-- Telling a customer that a limit is reached, and the other notices of customers. Postings store only the amounts that
-- they added to a category (private.tell_money).

create function private.judge_limits(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  people uuid[];
  ids uuid[];
  reached record;
begin
  select array_agg(n.recipient), array_agg(n.id) into people, ids
  from (
    select o.recipient, o.id from private.notices o
    where o.listed_at is null and o.topic = 'spending' order by o.happened_at limit rows_max
  ) n;
  if ids is null then
    return 0;
  end if;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  perform from auth.users u where u.id = any (people) order by u.id for key share;
  for reached in
    with taken as (
      delete from private.notices n using unnest(people, ids) as i (recipient, id)
      where n.recipient = i.recipient and n.id = i.id
      returning n.recipient, n.facts ->> 'detail' as category, (n.facts ->> 'amount')::numeric as amount, n.happened_at
    ),
    spending as (
      select
        t.recipient, t.category, sum(t.amount) as amount, max(t.happened_at) as happened_at,
        -- The sums already contain the expenses of notices that a later run reads.
        coalesce((
          select sum((w.facts ->> 'amount')::numeric) from private.notices w
          where w.recipient = t.recipient and w.topic = 'spending' and w.facts ->> 'detail' = t.category
            and w.id <> all (ids)
        ), 0) as later
      from taken t
      where exists (select from public.category_budgets b where b.user_id = t.recipient and b.category = t.category)
      group by t.recipient, t.category
    ),
    limits as materialized (
      select c.recipient, l.category, coalesce(l.spent, 0) as spent, l.monthly_limit + l.carried as allowed
      from (select distinct s.recipient from spending s) c
      cross join lateral private.category_sums_of(
        c.recipient, date_trunc('month', now() at time zone 'America/Bogota')::date
      ) l
    )
    select s.* from spending s join limits l on l.recipient = s.recipient and l.category = s.category
    -- Reports a limit only if the expenses of this run reached the limit.
    where l.spent - s.later >= l.allowed and l.spent - s.later - s.amount < l.allowed
    order by s.happened_at
  loop
    perform private.tell(
      array[reached.recipient], 'category_limit', jsonb_build_object('detail', reached.category), reached.happened_at
    );
  end loop;
  return cardinality(ids);
end
$$;
comment on function private.judge_limits(integer) is
  'Tells the customers whose expenses reached the limit of a category. Reads up to rows_max notices of the topic `spending`, oldest first, and returns their number.';

create function private.tell_customers(rows_max integer, at timestamptz default now()) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  judged integer;
begin
  if not private.is_on('notificaciones') then
    return 0;
  end if;
  perform private.tell_statements(rows_max, at);
  judged := private.judge_limits(rows_max);
  return greatest(judged, private.list_notices(rows_max));
end
$$;
comment on function private.tell_customers(integer, timestamptz) is
  'Lists what customers chose to know: statements that are ready (private.tell_statements), limits that are reached (private.judge_limits), and all other notices (private.list_notices). Handles up to rows_max notices of each kind, and returns the larger number. Does nothing while the bank has not enabled notifications.';
grant execute on function private.tell_customers(integer, timestamptz) to supabase_auth_admin;
