-- Recurring expenses: payments that customers make every week, month or year. The database records them on the days on
-- which they are due, by its own clock in Bogotá's calendar. Customers confirm, change, pause and end them.

create table public.recurring_expenses (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  description text not null,
  amount numeric not null,
  category text,
  rhythm text not null,
  due_day smallint,
  next_due_on date not null,
  status text not null default 'active',
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, id),
  constraint recurring_expenses_rhythm_known check (rhythm in ('weekly', 'biweekly', 'monthly', 'yearly')),
  constraint recurring_expenses_status_known check (status in ('active', 'paused', 'ended', 'dismissed')),
  constraint recurring_expenses_due_day_fits check (
    case
      when rhythm in ('weekly', 'biweekly') then due_day is null
      else due_day between 1 and 31 and extract(day from next_due_on) = least(
        due_day, extract(day from date_trunc('month', next_due_on::timestamp) + interval '1 month - 1 day')
      )
    end is true
  )
);
create index recurring_expenses_due on public.recurring_expenses (next_due_on, user_id, id) where status = 'active';

comment on table public.recurring_expenses is 'One row for each recurring expense of a customer, including expenses that ended and proposals that were dismissed.';
comment on column public.recurring_expenses.user_id is 'The customer. The row is deleted with the account.';
comment on column public.recurring_expenses.id is 'Unique for each customer. The client chooses it, so that a retry cannot add a second one.';
comment on column public.recurring_expenses.description is 'The description that its transactions get.';
comment on column public.recurring_expenses.amount is 'Units of currency of each transaction: positive, at most two decimals.';
comment on column public.recurring_expenses.category is 'The category that its transactions get; may be null.';
comment on column public.recurring_expenses.rhythm is 'weekly, biweekly (every 14 days), monthly or yearly.';
comment on column public.recurring_expenses.due_day is 'Day of the month for monthly and yearly expenses, replaced by the last day in a shorter month. Null for weekly and biweekly ones.';
comment on column public.recurring_expenses.next_due_on is 'The next day in Bogotá on which the expense is recorded.';
comment on column public.recurring_expenses.status is 'active; paused: nothing is recorded; ended: it cannot become active again; dismissed: a proposal that the customer declined.';
comment on column public.recurring_expenses.created_at is 'When the row was first saved.';
comment on constraint recurring_expenses_rhythm_known on public.recurring_expenses is 'Elige cada semana, cada dos semanas, cada mes o cada año.';
comment on constraint recurring_expenses_due_day_fits on public.recurring_expenses is 'La fecha no cae en el día del mes que elegiste.';

-- Copies the checks of the transactions table, so that an expense which that table would refuse on the due day is
-- refused when it is saved.
do $$
declare
  of_movements record;
begin
  for of_movements in
    select
      replace(c.conname, 'transactions_', 'recurring_expenses_') as name,
      pg_get_constraintdef(c.oid) as definition,
      obj_description(c.oid, 'pg_constraint') as message
    from pg_catalog.pg_constraint c
    where c.conrelid = 'public.transactions'::regclass
      and c.conname in ('transactions_amount_is_money', 'transactions_description_is_a_line', 'transactions_category_is_a_word')
  loop
    execute format('alter table public.recurring_expenses add constraint %I %s', of_movements.name, of_movements.definition);
    execute format('comment on constraint %I on public.recurring_expenses is %L', of_movements.name, of_movements.message);
  end loop;
end
$$;

create table public.recurring_occurrences (
  user_id uuid not null,
  recurring_id uuid not null,
  due_on date not null,
  amount numeric not null,
  transaction_id uuid,
  recorded_at timestamptz not null default clock_timestamp(),
  -- Concurrent calls can record a due day only once.
  primary key (user_id, recurring_id, due_on),
  foreign key (user_id, recurring_id) references public.recurring_expenses (user_id, id) on delete cascade
);

comment on table public.recurring_occurrences is 'One row for each past due day of a recurring expense, with its transaction, or without one if it was refused.';
comment on column public.recurring_occurrences.user_id is 'The customer. The row is deleted with the account.';
comment on column public.recurring_occurrences.recurring_id is 'The recurring expense.';
comment on column public.recurring_occurrences.due_on is 'The due day in Bogotá.';
comment on column public.recurring_occurrences.amount is 'The amount on that day, in units of currency.';
comment on column public.recurring_occurrences.transaction_id is 'The transaction, which may have been deleted since; null if the limits of the balance refused it.';
comment on column public.recurring_occurrences.recorded_at is 'When the expense was recorded or refused: on the due day, or after an outage.';

alter table public.recurring_expenses enable row level security, force row level security;
alter table public.recurring_occurrences enable row level security, force row level security;
revoke all on public.recurring_expenses, public.recurring_occurrences from anon, authenticated, service_role;
grant select on public.recurring_expenses, public.recurring_occurrences to authenticated;

create policy "customers read their own recurring expenses" on public.recurring_expenses
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own recurring expenses" on public.recurring_expenses is 'Administrators, too, read only their own recurring expenses.';

create policy "customers read what was recorded of theirs" on public.recurring_occurrences
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read what was recorded of theirs" on public.recurring_occurrences is 'Administrators, too, read only their own occurrences.';

create function private.next_due(rhythm text, due_day integer, due_on date) returns date
  language sql immutable
  set search_path = ''
  return case rhythm
    when 'weekly' then due_on + 7
    when 'biweekly' then due_on + 14
    else (
      -- Computed from the first day of the month, so that 31 January is followed by 28 February and 31 March.
      select m.first_day::date - 1 + least(due_day, extract(day from m.first_day + interval '1 month - 1 day')::integer)
      from (
        select date_trunc('month', due_on::timestamp)
          + case rhythm when 'monthly' then interval '1 month' else interval '1 year' end as first_day
      ) m
    )
  end;
comment on function private.next_due(text, integer, date) is 'Returns the due day after the given one.';

create function private.record_due_days(due public.recurring_expenses, at timestamptz, days_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- The limit of ledger.require_own_balance, which is not checked for a posting without an actor.
  own_balance_min constant numeric := -1000000000000.00;
  today constant date := (at at time zone 'America/Bogota')::date;
  movement uuid;
  handled integer := 0;
begin
  while due.next_due_on <= today and handled < days_max loop
    handled := handled + 1;
    movement := gen_random_uuid();
    insert into public.recurring_occurrences (user_id, recurring_id, due_on, amount, transaction_id)
    values (due.user_id, due.id, due.next_due_on, due.amount, movement)
    on conflict do nothing;
    -- Skips a day that was recorded before: the customer moved the expense back to it.
    if found then
      begin
        insert into public.transactions (user_id, id, type, description, amount, date, category)
        values (
          due.user_id, movement, 'expense', due.description, due.amount,
          least((due.next_due_on + time '12:00') at time zone 'America/Bogota', at), due.category
        );
        if (select b.balance from public.budgets b where b.user_id = due.user_id) < own_balance_min then
          raise exception using errcode = 'FZ402';
        end if;
      exception when integrity_constraint_violation or sqlstate 'FZ402' then
        update public.recurring_occurrences o set transaction_id = null
        where o.user_id = due.user_id and o.recurring_id = due.id and o.due_on = due.next_due_on;
      end;
    end if;
    due.next_due_on := private.next_due(due.rhythm, due.due_day, due.next_due_on);
  end loop;
  update public.recurring_expenses r set next_due_on = due.next_due_on where r.user_id = due.user_id and r.id = due.id;
  return handled;
end
$$;
comment on function private.record_due_days(public.recurring_expenses, timestamptz, integer) is
  'Records the past due days of one recurring expense, whose row the caller has locked, each under its own date. Handles at most days_max days and returns how many. Transaction, occurrence and next due day commit together. A payment that the limits of the balance refuse is noted without a transaction.';

create function private.record_due_expenses(days_max integer, at timestamptz default now()) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  locked public.recurring_expenses[];
  due public.recurring_expenses;
  handled integer := 0;
begin
  -- Skips accounts that their customer or another server has locked; the next call records their expenses. Locks the
  -- user and the budget in the order of every posting. Locks all due accounts before the first posting, because a
  -- budget that this transaction has already updated would be skipped.
  locked := array(
    select r
    from public.recurring_expenses r
    join auth.users u on u.id = r.user_id
    join public.budgets b on b.user_id = r.user_id
    where r.status = 'active' and r.next_due_on <= (at at time zone 'America/Bogota')::date
      -- A blocked customer could not see or delete the transaction, so it is recorded after the block ends.
      and (u.banned_until is null or u.banned_until <= at) and u.deleted_at is null
    order by r.next_due_on, r.user_id, r.id
    limit days_max
    for key share of u skip locked
    for no key update of b, r skip locked
  );
  foreach due in array locked loop
    handled := handled + private.record_due_days(due, at, days_max - handled);
    exit when handled >= days_max;
  end loop;
  return handled;
end
$$;
comment on function private.record_due_expenses(integer, timestamptz) is
  'Records the due expenses of all customers, each missed day under its own date. Handles at most days_max days and returns how many. Concurrent calls record each day once.';
grant execute on function private.record_due_expenses(integer, timestamptz) to service_role;

create function public.save_recurring_expense(
  id uuid, description text, amount numeric, rhythm text, next_due_on date,
  category text default null, due_day integer default null, status text default 'active'
) returns public.recurring_expenses
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  today constant date := (now() at time zone 'America/Bogota')::date;
  live_max constant integer := 100;
  day_max constant integer := 100;
  saved public.recurring_expenses;
  first_of_day timestamptz;
begin
  -- Concurrent calls of one customer are counted one after the other.
  if not private.lock_account() then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;
  select r.* into saved from public.recurring_expenses r
  where r.user_id = customer and r.id = save_recurring_expense.id for no key update;

  if saved.status in ('ended', 'dismissed') then
    -- The first answer was lost, and this is a retry.
    if saved.status = save_recurring_expense.status then
      return saved;
    end if;
    raise exception 'Este pago recurrente ya terminó.' using errcode = 'PT409';
  end if;
  if saved.next_due_on is distinct from save_recurring_expense.next_due_on
    and (save_recurring_expense.next_due_on between today and today + 366) is not true
  then
    raise exception 'La próxima fecha debe estar entre hoy y dentro de un año.' using errcode = 'PT422';
  end if;
  -- Checked before the loop below, which would never end with a value outside this range.
  if due_day not between 1 and 31 then
    raise exception 'El día debe estar entre 1 y 31.' using errcode = 'PT422';
  end if;
  if rhythm in ('monthly', 'yearly') then
    due_day := coalesce(due_day, extract(day from save_recurring_expense.next_due_on));
  end if;
  -- Due days during a pause are not recorded.
  while saved.status = 'paused' and save_recurring_expense.status = 'active' and save_recurring_expense.next_due_on < today loop
    next_due_on := private.next_due(rhythm, due_day, save_recurring_expense.next_due_on);
  end loop;

  if saved.id is null then
    if save_recurring_expense.status not in ('active', 'dismissed') then
      raise exception 'Un pago recurrente empieza activo.' using errcode = 'PT422';
    end if;
    if (
      select count(*) from public.recurring_expenses r where r.user_id = customer and r.status in ('active', 'paused')
    ) >= live_max then
      raise exception 'Ya tienes el máximo de pagos recurrentes (%). Termina alguno primero.', live_max using errcode = 'PT409';
    end if;
    select r.created_at into first_of_day from public.recurring_expenses r
    where r.user_id = customer and r.created_at > now() - interval '24 hours'
    order by r.created_at desc offset day_max - 1 limit 1;
    if found then
      raise exception 'Ya guardaste el máximo de pagos recurrentes de 24 horas (%).', day_max
        using errcode = 'PT429',
          detail = 'Retry-After: ' || ceil(extract(epoch from first_of_day + interval '24 hours' - now()))::integer;
    end if;
  end if;

  insert into public.recurring_expenses as r
    (user_id, id, description, amount, category, rhythm, due_day, next_due_on, status)
  values (customer, id, description, amount, category, rhythm, due_day, next_due_on, status)
  on conflict on constraint recurring_expenses_pkey do update set
    description = excluded.description, amount = excluded.amount, category = excluded.category,
    rhythm = excluded.rhythm, due_day = excluded.due_day, next_due_on = excluded.next_due_on, status = excluded.status
  returning r.* into saved;
  -- Records the expense at once if it is due today.
  if saved.status = 'active' and private.record_due_days(saved, now(), live_max) > 0 then
    select r.* into saved from public.recurring_expenses r where r.user_id = customer and r.id = saved.id;
  end if;
  return saved;
end
$$;
comment on function public.save_recurring_expense(uuid, text, numeric, text, date, text, integer, text) is
  'Adds a recurring expense of the caller under a new id, or replaces the one with that id, and returns it. Its first due day is today, which is recorded at once, or a day within a year. An expense that is continued after a pause skips the due days of the pause. Raises PT409 for an expense that ended or was dismissed and beyond 100 live ones, PT422 for an impossible date, and PT429 beyond 100 new ones in 24 hours.';
revoke execute on function public.save_recurring_expense(uuid, text, numeric, text, date, text, integer, text) from public, anon, service_role;
grant execute on function public.save_recurring_expense(uuid, text, numeric, text, date, text, integer, text) to authenticated;

create function private.normalize_payee(description text) returns text
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return btrim(regexp_replace(private.folded(description), '[0-9[:punct:][:space:]]+', ' ', 'g'));
end
$$;
comment on function private.normalize_payee(text) is 'Returns the part that descriptions of one payee share: without case, accents, digits and punctuation.';
grant execute on function private.normalize_payee(text) to authenticated;

-- Returns json, because the generated types cannot limit an attribute of a composite type to the few values of rhythm.
create function public.propose_recurring_expenses() returns json
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  today constant date := (now() at time zone 'America/Bogota')::date;
begin
  -- In PL/pgSQL, which caches the plan.
  return (
    with recent as (
      select t.id, t.date, t.description, t.amount, t.category from public.transactions t
      where t.user_id = me and t.type = 'expense' and t.recorded_by = 'customer'
        and t.date > now() - interval '3 years' and t.date < now()
      order by t.date desc, t.id desc limit 5000
    ),
    -- Materialized, because the column `name` is used three times.
    named as materialized (
      select
        r.*,
        private.normalize_payee(r.description) as name,
        (r.date at time zone 'America/Bogota')::date as day
      from (select e.*, sum(octet_length(e.description)) over (order by e.date desc, e.id desc rows unbounded preceding) as octets from recent e) r
      -- The same limit as in private.rule_matches.
      where r.octets <= 1000000
    ),
    numbered as (
      select
        n.*,
        row_number() over latest as place,
        n.day - lead(n.day) over latest as gap
      from named n
      window latest as (partition by n.name order by n.date desc)
    ),
    regular as (
      select
        n.name,
        (array_agg(n.description order by n.place))[1] as description,
        (array_agg(n.amount order by n.place))[1] as amount,
        (array_agg(n.category order by n.place))[1] as category,
        max(n.day) as last_on,
        case
          when bool_and(n.day = (date_trunc('month', n.day::timestamp) + interval '1 month - 1 day')::date) then 31
          else mode() within group (order by extract(day from n.day)::integer)
        end as due_day,
        -- Leaves out the gap between the oldest of the four expenses and the expense before it.
        min(n.gap) filter (where n.place < 4 and n.gap is not null) as gap_min,
        max(n.gap) filter (where n.place < 4 and n.gap is not null) as gap_max
      from numbered n
      where n.place <= 4 and n.name <> ''
      group by n.name
      having count(*) >= 3 and max(n.amount) <= 1.15 * min(n.amount)
    ),
    rhythmic as (
      select g.*, p.rhythm, p.days
      from regular g
      join (values ('weekly', 7, 6, 8), ('biweekly', 14, 12, 16), ('monthly', 30, 26, 35), ('yearly', 365, 350, 380))
        as p (rhythm, days, gap_min, gap_max) on g.gap_min >= p.gap_min and g.gap_max <= p.gap_max
      where today - g.last_on <= 1.5 * p.days
    ),
    proposed as (
      select
        h.description, h.amount, h.category, h.rhythm,
        case when h.rhythm in ('monthly', 'yearly') then h.due_day end as due_day,
        coming.day as next_due_on, h.last_on
      from rhythmic h
      cross join lateral (
        select min(c.day) as day
        from generate_series(0, 3) k
        cross join lateral (
          select case
            when h.rhythm = 'weekly' then h.last_on + 7 * k
            when h.rhythm = 'biweekly' then h.last_on + 14 * k
            else m.first_day::date - 1 + least(h.due_day, extract(day from m.first_day + interval '1 month - 1 day')::integer)
          end as day
          from (
            select date_trunc('month', h.last_on::timestamp)
              + k * case h.rhythm when 'yearly' then interval '1 year' else interval '1 month' end as first_day
          ) m
        ) c
        -- The due day after the last one, even if that was paid some days early.
        where c.day > today and c.day > h.last_on + h.days / 2
      ) coming
      -- PostgreSQL hashes this list. A nested loop would normalize years of dismissed descriptions again for each
      -- candidate.
      where h.name not in (
        select private.normalize_payee(r.description)
        from (
          select k.description from public.recurring_expenses k where k.user_id = me order by k.created_at desc limit 1000
        ) r
      )
      order by h.amount desc, h.name
      limit 10
    )
    select coalesce(json_agg(p), '[]') from proposed p
  );
end
$$;
comment on function public.propose_recurring_expenses() is
  'Proposes at most ten recurring expenses, from the latest 5,000 expenses that the caller recorded in the last three years (at most a million bytes of description). A proposal needs the last three or four expenses of one description (without case, accents, digits and punctuation), with gaps of 6 to 8, 12 to 16, 26 to 35 or 350 to 380 days and amounts within 15 %. The last expense may be at most one and a half periods ago. Leaves out the descriptions of the latest 1,000 recurring expenses, including ended and dismissed ones. Runs with the caller''s own rights.';
revoke execute on function public.propose_recurring_expenses() from public, anon, service_role;
grant execute on function public.propose_recurring_expenses() to authenticated;

-- Revokes PUBLIC's default right: only the roles in the grants above may execute these functions.
revoke execute on all functions in schema private from public;
