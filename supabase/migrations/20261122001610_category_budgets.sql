-- What a customer means to spend in a month under one category, and what of it is carried over.

create table public.category_budgets (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  category text not null,
  month date not null default date_trunc('month', now() at time zone 'America/Bogota')::date,
  monthly_limit numeric,
  carries_over boolean not null default false,
  primary key (user_id, category, month),
  constraint category_budgets_category_is_a_word check (private.is_word(category, 50)),
  constraint category_budgets_limit_is_money check (
    monthly_limit > 0 and monthly_limit <= 999999999999.99 and scale(trim_scale(monthly_limit)) <= 2
  )
);

comment on table public.category_budgets is 'One row for each month in which a customer changed the limit of a category: it holds until the next one. What is carried over follows from them.';
comment on column public.category_budgets.user_id is 'The owner.';
comment on column public.category_budgets.category is 'The word of the movements.';
comment on column public.category_budgets.month is 'The first day of the month, in Bogotá, from which it holds. No client can write it.';
comment on column public.category_budgets.monthly_limit is 'Units of currency with at most two decimals, per calendar month in Bogotá; null for no limit from then on.';
comment on column public.category_budgets.carries_over is 'Whether what is left of the limit, or missing, belongs to the next month.';
comment on constraint category_budgets_category_is_a_word on public.category_budgets is 'La categoría no es válida.';
comment on constraint category_budgets_limit_is_money on public.category_budgets is 'El límite debe ser mayor que cero, con dos decimales como máximo.';

alter table public.category_budgets enable row level security, force row level security;
revoke all on public.category_budgets from anon, authenticated, service_role;
grant select, insert (user_id, category, monthly_limit, carries_over), update (monthly_limit, carries_over)
  on public.category_budgets to authenticated;

create policy "customers keep limits of their own" on public.category_budgets
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers keep limits of their own" on public.category_budgets is 'The column grants keep the month to the clock of the database.';

create trigger lock_account_first before insert or update or delete on public.category_budgets
  for each statement when (current_user = 'authenticated') execute function private.lock_account_first();
create trigger require_room after insert on public.category_budgets
  referencing new table as added for each statement execute function private.require_room('2000');

create function public.set_category_budget(category text, monthly_limit numeric, carries_over boolean default false)
  returns void
  language sql
  set search_path = ''
as $$
  insert into public.category_budgets as b (category, monthly_limit, carries_over)
  values (set_category_budget.category, set_category_budget.monthly_limit, set_category_budget.carries_over)
  on conflict (user_id, category, month) do update
  set monthly_limit = excluded.monthly_limit, carries_over = excluded.carries_over
$$;
comment on function public.set_category_budget(text, numeric, boolean) is
  'Sets the caller''s limit for a category from this month on, null for none. With the caller''s own rights.';
revoke execute on function public.set_category_budget(text, numeric, boolean) from public, anon, service_role;
grant execute on function public.set_category_budget(text, numeric, boolean) to authenticated;

create function public.sum_category_budgets() returns json
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  this_month constant date := date_trunc('month', now() at time zone 'America/Bogota')::date;
  begins_at constant timestamptz := this_month::timestamp at time zone 'America/Bogota';
  ends_at constant timestamptz := (this_month + interval '1 month') at time zone 'America/Bogota';
begin
  return (
    with spans as materialized (
      select
        b.category, b.month, b.monthly_limit, b.carries_over and b.monthly_limit is not null as is_carried,
        lead(b.month) over (partition by b.category order by b.month) as until
      from public.category_budgets b
      where b.user_id = me and b.month <= this_month
    ),
    -- The months before this one since which it is carried over without a break, each with the limit that it had. Grouped,
    -- as all below: looked up for each limit it took the square of their number.
    breaks as (
      select s.category, max(s.month) filter (where not s.is_carried) as latest from spans s group by s.category
    ),
    carried as (
      select
        r.category,
        min(r.month) as since,
        sum(r.monthly_limit * (
          extract(year from age(coalesce(r.until, this_month), r.month)) * 12
          + extract(month from age(coalesce(r.until, this_month), r.month))
        )) as allotted
      from spans r join breaks b on b.category = r.category
      where b.latest is null or r.month > b.latest
      group by r.category
    ),
    present as materialized (
      select s.category, s.monthly_limit, s.is_carried, coalesce(c.since, this_month) as since,
        coalesce(c.since::timestamp at time zone 'America/Bogota', begins_at) as since_at, coalesce(c.allotted, 0) as allotted
      from spans s
      left join carried c on c.category = s.category and s.is_carried
      where s.until is null and s.monthly_limit is not null
    ),
    -- From one beginning to the next, the last one this month's: each row is read once, and compared with no limit.
    stretches as (
      select b.starts_at, lead(b.starts_at, 1, ends_at) over (order by b.starts_at) as stops_at
      from (select begins_at as starts_at union select p.since_at from present p) b
    ),
    spent as materialized (
      select s.starts_at, c.category, c.amount
      from stretches s
      cross join lateral (
        select t.category, sum(t.amount) as amount
        from public.transactions t
        where t.user_id = me and t.date >= s.starts_at and t.date < s.stops_at and t.type = 'expense'
          and (t.recorded_by = 'customer' or t.id not in (select private.voided_transactions(me)))
        group by t.category
      ) c
    ),
    used as (
      select
        p.category,
        sum(s.amount) filter (where s.starts_at < begins_at) as earlier,
        sum(s.amount) filter (where s.starts_at = begins_at) as now
      from present p join spent s on s.category = p.category and s.starts_at >= p.since_at
      group by p.category
    )
    select json_build_object(
      'month', to_char(this_month, 'YYYY-MM'),
      'limits', (
        select coalesce(json_agg(json_build_object(
          'category', p.category, 'monthly_limit', p.monthly_limit, 'carries_over', p.is_carried,
          'since', to_char(p.since, 'YYYY-MM'),
          'carried', p.allotted - coalesce(u.earlier, 0),
          'spent', coalesce(u.now, 0)
        ) order by p.category), '[]')
        from present p left join used u on u.category = p.category
      ),
      'others', (
        select coalesce(json_agg(json_build_object('category', s.category, 'spent', s.amount) order by s.amount desc, s.category), '[]')
        from spent s
        where s.starts_at = begins_at and not exists (select from present p where p.category = s.category)
      )
    )
  );
end
$$;
comment on function public.sum_category_budgets() is
  'The caller''s limits of this month in Bogotá, each with what was spent, and with what is carried over from the months since which it is, below zero where more was spent; and what was spent elsewhere. Carried over is what the limits of these months were, less what the listed transactions'' dates say was spent in them. With the caller''s own rights.';
revoke execute on function public.sum_category_budgets() from public, anon, service_role;
grant execute on function public.sum_category_budgets() to authenticated;
