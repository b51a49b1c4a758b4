-- Functions of recurring expenses.

create function private.next_due(rhythm text, due_day integer, due_on date) returns date
  language sql immutable
  set search_path = ''
  return case rhythm
    when 'weekly' then due_on + 7
    when 'biweekly' then due_on + 14
    else (
      -- Advances the month first and then limits the day to its length, so that 31 January is followed by 28 February and then by 31 March.
      select m.first_day::date - 1 + least(due_day, extract(day from m.first_day + interval '1 month - 1 day')::integer)
      from (
        select date_trunc('month', due_on::timestamp)
          + case rhythm when 'monthly' then interval '1 month' else interval '1 year' end as first_day
      ) m
    )
  end;
comment on function private.next_due(text, integer, date) is 'Returns the due day after due_on.';

create function private.due_days(rhythm text, due_day integer, due_on date, since date, until date) returns setof date
  language sql immutable
  set search_path = ''
as $$
  select day::date
  from generate_series(0, until - since) place
  cross join lateral (select since + place as day) d
  where case rhythm
    when 'weekly' then (day - due_on) % 7 = 0
    when 'biweekly' then (day - due_on) % 14 = 0
    else
      extract(day from day) = least(
        due_day, extract(day from date_trunc('month', day::timestamp) + interval '1 month - 1 day')
      )
      and (rhythm = 'monthly' or extract(month from day) = extract(month from due_on))
  end
$$;
comment on function private.due_days(text, integer, date, date, date) is
  'Returns the due days in the period whose first day is `since` and whose last day is `until`. due_on may be any due day of the expense, inside or outside this period. The caller must limit the length of the period.';
grant execute on function private.due_days(text, integer, date, date, date) to authenticated;

create type public.expected_payment as (
  recurring_id uuid,
  due_on date,
  amount numeric,
  transaction_id uuid,
  paid_on date,
  is_overdue boolean
);
comment on type public.expected_payment is 'A due payment of a recurring expense, with the transaction that settles the payment.';
comment on column public.expected_payment.recurring_id is 'The recurring expense.';
comment on column public.expected_payment.due_on is 'The due day in Bogotá.';
comment on column public.expected_payment.amount is 'The expected amount, in units of currency.';
comment on column public.expected_payment.transaction_id is 'The transaction that settles the payment; null if no transaction does.';
comment on column public.expected_payment.paid_on is 'Day of that transaction in Bogotá; null if no transaction settles the payment.';
comment on column public.expected_payment.is_overdue is 'Whether the due day is more than three days in the past and the payment has not been settled.';

create function private.payments_due(customer uuid, since date, until date) returns table (
  place integer, recurring_id uuid, name text, amount numeric, amounts numrange, due_on date
)
  language plpgsql stable
  set search_path = ''
as $$
begin
  return query
    select
      row_number() over (order by d.due_on, l.created_at, l.id)::integer, l.id, l.name, l.amount,
      numrange(0.9 * l.amount, 1.1 * l.amount, '[]'), d.due_on
    from (
      select r.*, private.normalize_payee(r.description) as name
      from public.recurring_expenses r
      where r.user_id = customer and r.status = 'active' offset 0
    ) l
    cross join lateral private.due_days(l.rhythm, l.due_day, l.next_due_on, since, until) as d (due_on);
end
$$;
comment on function private.payments_due(uuid, date, date) is
  'Returns the payments of a customer''s active recurring expenses that are due between two days, numbered by day, with the amounts that can settle them. Runs with the caller''s own rights.';
grant execute on function private.payments_due(uuid, date, date) to authenticated;

create function private.expenses_like(
  customer uuid, since date, until date, names text[], amounts nummultirange
) returns table (transaction_id uuid, day date, amount numeric, name text)
  language plpgsql stable
  set search_path = ''
as $$
declare
  rows_max constant integer := 5000;
  octets_max constant integer := 200000;
  alike_max constant integer := 500;
begin
  return query
    -- Reads a range of the index transactions_newest_first.
    with spent as (
      select t.id, t.date, t.amount, t.description
      from public.transactions t
      where t.user_id = customer and t.type = 'expense' and not t.is_void
        and t.date >= since::timestamp at time zone 'America/Bogota'
        and t.date < (until + 1)::timestamp at time zone 'America/Bogota'
      order by t.date desc, t.id desc
      limit rows_max
    ),
    fitting as (
      select
        s.*, sum(octet_length(s.description)) over (order by s.date desc, s.id desc rows unbounded preceding) as octets
      from spent s
      where s.amount <@ amounts
    ),
    -- Normalizes only the descriptions of expenses whose amount could settle a payment, because normalizing long
    -- descriptions is slow.
    named as (
      select
        f.id, f.date, f.amount, private.normalize_payee(f.description) as name
      from fitting f
      where f.octets <= octets_max
      offset 0
    )
    select n.id, (n.date at time zone 'America/Bogota')::date, n.amount, n.name
    from named n where n.name = any (names)
    order by n.date desc, n.id desc
    limit alike_max;
end
$$;
comment on function private.expenses_like(uuid, date, date, text[], nummultirange) is
  'Returns a customer''s newest 500 expenses between two days that have one of the normalized descriptions and one of the amounts. Reads the newest 5,000 expenses of the period. For expenses with one of the amounts, reads at most 200,000 bytes of descriptions. Runs with the caller''s own rights.';
grant execute on function private.expenses_like(uuid, date, date, text[], nummultirange) to authenticated;

create function private.settle_due_days(customer uuid, since date, until date) returns setof public.expected_payment
  language plpgsql stable
  set search_path = ''
as $$
declare
  days_apart constant integer := 3;
  rivals_max constant integer := 10;
  pair record;
  done integer[] := '{}';
  taken uuid[] := '{}';
begin
  if not exists (select from public.recurring_expenses r where r.user_id = customer and r.status = 'active') then
    return;
  end if;
  for pair in
    -- Also includes the due days shortly before and after the period, because their payments compete for the same
    -- transactions.
    with expected as materialized (
      select * from private.payments_due(customer, since - 2 * days_apart, until + 2 * days_apart)
    ),
    nearest as (
      select
        e.place, s.transaction_id, s.day, abs(s.day - e.due_on) as distance, abs(s.amount - e.amount) as difference,
        row_number() over (
          partition by e.place order by abs(s.day - e.due_on), abs(s.amount - e.amount), s.day, s.transaction_id
        ) as rank
      from expected e
      join private.expenses_like(
        customer, since - 3 * days_apart, until + 3 * days_apart,
        (select array_agg(n.name) from expected n), (select range_agg(n.amounts) from expected n)
      ) s on s.name = e.name and s.amount <@ e.amounts and abs(s.day - e.due_on) <= days_apart
    ),
    pairs as (
      -- A transaction that the database recorded for a due day settles that day's payment, even if its description,
      -- date or amount was changed.
      select e.place, t.id as transaction_id, (t.date at time zone 'America/Bogota')::date as day, -1 as distance, 0.0 as difference
      from expected e
      join public.recurring_occurrences o on o.user_id = customer and o.recurring_id = e.recurring_id and o.due_on = e.due_on
      join public.transactions t on t.user_id = customer and t.id = o.transaction_id
      union all
      select n.place, n.transaction_id, n.day, n.distance, n.difference from nearest n where n.rank <= rivals_max
      union all
      select e.place, null, null, days_apart + 1, 0 from expected e
    )
    select p.place, p.transaction_id, p.day, e.recurring_id, e.due_on, e.amount
    from pairs p join expected e on e.place = p.place
    order by p.distance, p.difference, p.place, p.day, p.transaction_id
  loop
    continue when pair.place = any (done) or pair.transaction_id = any (taken);
    done := done || pair.place;
    taken := taken || pair.transaction_id;
    if pair.due_on between since and until then
      return next (
        pair.recurring_id, pair.due_on, pair.amount, pair.transaction_id, pair.day,
        pair.transaction_id is null and pair.due_on + days_apart < (now() at time zone 'America/Bogota')::date
      )::public.expected_payment;
    end if;
  end loop;
end
$$;
comment on function private.settle_due_days(uuid, date, date) is
  'Returns each payment of a customer''s active recurring expenses that is due between two days, with the transaction that settles the payment. A payment is settled by an expense with the same normalized description (private.normalize_payee), an amount within 10 % and a date within three days of the due day. The nearest pairs are matched first, and each transaction settles only one payment. For each payment, considers only the ten nearest expenses. The limits of private.expenses_like apply. Runs with the caller''s own rights.';
grant execute on function private.settle_due_days(uuid, date, date) to authenticated;

create function public.expected_payments() returns setof public.expected_payment
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  today constant date := (now() at time zone 'America/Bogota')::date;
  first_day constant date := date_trunc('month', today)::date;
begin
  return query
    select s.*
    from private.settle_due_days(me, first_day - 31, (first_day + interval '1 month - 1 day')::date) s
    join public.recurring_expenses r on r.user_id = me and r.id = s.recurring_id
    where
      case
        when s.transaction_id is not null then s.due_on >= first_day
        -- A due day in the last three days before the month may still be settled during the month. An earlier due day
        -- stays in the list until the expense is due again.
        else s.due_on >= r.expected_from
          and (
            s.due_on >= first_day - 3
            or not exists (select from private.due_days(r.rhythm, r.due_day, s.due_on, s.due_on + 1, today))
          )
      end
    order by s.due_on, s.recurring_id;
end
$$;
comment on function public.expected_payments() is
  'Returns the due days of the caller''s active recurring expenses in the current month in Bogotá, with the transactions that settle them (private.settle_due_days). Includes unsettled due days in the three days before the month. Also includes an unsettled due day in the 31 days before the month until the expense is due again. Omits unsettled due days before expected_from. Runs with the caller''s own rights.';
grant execute on function public.expected_payments() to authenticated;

create function private.record_due_days(
  due public.recurring_expenses, at timestamptz, days_max integer, known public.expected_payment[] default null
) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- Equals the limit of ledger.require_own_balance, which does not check postings without an actor.
  own_balance_min constant numeric := -1000000000000.00;
  today constant date := (at at time zone 'America/Bogota')::date;
  movement uuid;
  handled integer := 0;
  -- Reads the settled payments of a quarter of a year at a time, because a whole year could have more transactions than
  -- private.settle_due_days reads.
  read_until date := '-infinity';
  settled date[];
begin
  while due.next_due_on <= today and handled < days_max loop
    handled := handled + 1;
    movement := gen_random_uuid();
    if due.is_automatic and due.next_due_on > read_until then
      read_until := least(today, due.next_due_on + 92);
      known := coalesce(known, array(select s from private.settle_due_days(due.user_id, due.next_due_on, read_until) s));
      settled := array(
        select s.due_on from unnest(known) s where s.recurring_id = due.id and s.transaction_id is not null
      );
      known := null;
    end if;
    insert into public.recurring_occurrences (user_id, recurring_id, due_on, amount, transaction_id)
    select due.user_id, due.id, due.next_due_on, due.amount, movement
    where due.is_automatic and due.next_due_on <> all (settled)
    on conflict do nothing;
    -- Skips the day if its payment was already recorded and the customer then moved next_due_on back to this day.
    if found then
      begin
        insert into public.transactions (user_id, id, type, description, amount, date, category, origin, origin_id)
        values (
          due.user_id, movement, 'expense', due.description, due.amount,
          least((due.next_due_on + time '12:00') at time zone 'America/Bogota', at), due.category, 'recurring', due.id
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
comment on function private.record_due_days(public.recurring_expenses, timestamptz, integer, public.expected_payment[]) is
  'Advances next_due_on of one recurring expense past today. The caller must have locked the expense''s row. If the expense is automatic, records each due payment that no transaction has settled, dated on its due day. Processes at most days_max due days and returns their number. The caller may pass the result of private.settle_due_days for the first 92 days. The transaction, the occurrence and the next due day are written in the same database transaction. If a payment is refused, stores an occurrence without a transaction.';

create function private.record_due_expenses(days_max integer, at timestamptz default now()) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  locked public.recurring_expenses[];
  due public.recurring_expenses;
  today constant date := (at at time zone 'America/Bogota')::date;
  known public.expected_payment[];
  known_user uuid;
  known_day date;
  handled integer := 0;
begin
  -- Skips accounts that their customer or another server has locked; the next call records their expenses. Locks the
  -- user and the budget in the same order as every posting. Locks all due accounts before the first posting, because a
  -- budget that this database transaction has already updated would be skipped.
  locked := array(
    select r
    from public.recurring_expenses r
    join auth.users u on u.id = r.user_id
    join public.budgets b on b.user_id = r.user_id
    where r.status = 'active' and r.next_due_on <= today
      -- A blocked customer could not see or delete the transaction, so it is recorded after the block ends.
      and (u.banned_until is null or u.banned_until <= at) and u.deleted_at is null
    order by r.next_due_on, r.user_id, r.id
    limit days_max
    for key share of u skip locked
    for no key update of b, r skip locked
  );
  foreach due in array locked loop
    -- If a customer has several expenses that are due on the same day, they are consecutive in this loop, and the
    -- settled payments are read only once for all of them.
    if due.is_automatic and (due.user_id, due.next_due_on) is distinct from (known_user, known_day) then
      known := array(
        select s from private.settle_due_days(due.user_id, due.next_due_on, least(today, due.next_due_on + 92)) s
      );
      known_user := due.user_id;
      known_day := due.next_due_on;
    end if;
    handled := handled + private.record_due_days(due, at, days_max - handled, case when due.is_automatic then known end);
    exit when handled >= days_max;
  end loop;
  return handled;
end
$$;
comment on function private.record_due_expenses(integer, timestamptz) is
  'Advances the recurring expenses of all customers past their due days. Records the payments of automatic expenses, each dated on its due day. Processes at most days_max due days and returns their number. Even with concurrent calls, each due payment is recorded only once.';
grant execute on function private.record_due_expenses(integer, timestamptz) to service_role;

create function private.refuse_recurring_expense(
  saved public.recurring_expenses, status text, next_due_on date, due_day integer, today date
) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if saved.status in ('ended', 'dismissed') then
    raise exception 'Este pago recurrente ya terminó.' using errcode = 'PT409';
  end if;
  if saved.next_due_on is distinct from next_due_on and (next_due_on between today and today + 366) is not true then
    raise exception 'La próxima fecha debe estar entre hoy y dentro de un año.' using errcode = 'PT422';
  end if;
  if due_day not between 1 and 31 then
    raise exception 'El día debe estar entre 1 y 31.' using errcode = 'PT422';
  end if;
  if saved.id is null and status not in ('active', 'dismissed') then
    raise exception 'Un pago recurrente empieza activo.' using errcode = 'PT422';
  end if;
end
$$;
comment on function private.refuse_recurring_expense(public.recurring_expenses, text, date, integer, date) is
  'Refuses a change of a recurring expense that has ended or was dismissed (PT409), and invalid values (PT422). The saved row is null for a new recurring expense.';

create function private.count_recurring_expense(customer uuid, is_new boolean) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if is_new then
    perform private.require_room('recurring expenses', (
      select count(*) from public.recurring_expenses r where r.user_id = customer and r.status in ('active', 'paused')
    ));
  end if;
  -- private.record_due_days writes the row of an active expense again.
  perform private.consume('rows written', customer::text, 2);
  if is_new then
    perform private.consume('recurring expense', customer::text);
  end if;
end
$$;
comment on function private.count_recurring_expense(uuid, boolean) is
  'Counts a recurring expense that a customer saves toward the limits, and refuses a new one beyond the cap.';

create function private.expected_from(saved public.recurring_expenses, wanted public.recurring_expenses, today date)
  returns date
  language sql immutable
  set search_path = ''
  return case
    when (saved.status, saved.next_due_on) is distinct from (wanted.status, wanted.next_due_on) then wanted.next_due_on
    when (saved.description, saved.amount, saved.rhythm) = (wanted.description, wanted.amount, wanted.rhythm)
      then saved.expected_from
    else greatest(saved.expected_from, today)
  end;
comment on function private.expected_from(public.recurring_expenses, public.recurring_expenses, date) is
  'Returns the day from which the payments of a changed recurring expense count as missing (public.recurring_expenses.expected_from). The saved row is null for a new recurring expense.';

create function public.save_recurring_expense(
  id uuid, description text, amount numeric, rhythm text, next_due_on date,
  category text default null, due_day integer default null, status text default 'active', is_automatic boolean default false
) returns public.recurring_expenses
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  today constant date := (now() at time zone 'America/Bogota')::date;
  saved public.recurring_expenses;
  given public.recurring_expenses;
begin
  perform private.lock_open_account();
  select r.* into saved from public.recurring_expenses r
  where r.user_id = customer and r.id = save_recurring_expense.id for no key update;

  -- This is a retry after the first answer was lost.
  if saved.status in ('ended', 'dismissed') and saved.status = save_recurring_expense.status then
    return saved;
  end if;
  -- Also checks the range of due_day, because the loop below would never end with a due_day outside this range.
  perform private.refuse_recurring_expense(saved, status, save_recurring_expense.next_due_on, due_day, today);
  if rhythm in ('monthly', 'yearly') then
    due_day := coalesce(due_day, extract(day from save_recurring_expense.next_due_on));
  end if;
  -- Skips due days during a pause and due days before the customer made the expense automatic, because their payments
  -- must not be recorded.
  while (saved.status = 'paused' or save_recurring_expense.is_automatic and not saved.is_automatic)
    and save_recurring_expense.status = 'active' and save_recurring_expense.next_due_on < today
  loop
    next_due_on := private.next_due(rhythm, due_day, save_recurring_expense.next_due_on);
  end loop;

  perform private.count_recurring_expense(customer, saved.id is null);
  given := row(
    customer, id, description, amount, category, rhythm, due_day, next_due_on, null, is_automatic, status, clock_timestamp()
  )::public.recurring_expenses;
  given.expected_from := private.expected_from(saved, given, today);
  insert into public.recurring_expenses as r select given.*
  on conflict on constraint recurring_expenses_pkey do update set
    description = excluded.description, amount = excluded.amount, category = excluded.category,
    rhythm = excluded.rhythm, due_day = excluded.due_day, next_due_on = excluded.next_due_on,
    expected_from = excluded.expected_from, is_automatic = excluded.is_automatic, status = excluded.status
  returning r.* into saved;
  -- Records an automatic expense at once if it is due today.
  if saved.status = 'active' and private.record_due_days(saved, now(), private.limit_of('recurring expenses')) > 0 then
    select r.* into saved from public.recurring_expenses r where r.user_id = customer and r.id = saved.id;
  end if;
  return saved;
end
$$;
comment on function public.save_recurring_expense(uuid, text, numeric, text, date, text, integer, text, boolean) is
  'Adds a recurring expense for the caller, or replaces their recurring expense with the same id, and returns it. The first due day must be today or within a year. The payment of an automatic expense that is due today is recorded at once. When an expense is resumed after a pause, the due days during the pause are skipped. Raises PT409 for an expense that has ended or was dismissed, and for more than 100 active or paused expenses. Raises PT422 for an invalid date, and PT429 for more than 100 new expenses in 24 hours.';
grant execute on function public.save_recurring_expense(uuid, text, numeric, text, date, text, integer, text, boolean) to authenticated;

create function private.normalize_payee(description text) returns text
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return btrim(regexp_replace(private.folded(description), '[0-9[:punct:][:space:]]+', ' ', 'g'));
end
$$;
comment on function private.normalize_payee(text) is 'Returns the part that a payee''s descriptions have in common: the description in lower case without accents, digits and punctuation.';
grant execute on function private.normalize_payee(text) to authenticated;

create function private.regular_expenses() returns table (
  name text, description text, amount numeric, category text, last_on date, due_day integer, gap_min integer, gap_max integer
)
  language plpgsql stable
  set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  -- Written in PL/pgSQL, because it caches the query plan.
  return query
    with recent as (
      select t.id, t.date, t.description, t.amount, t.category from public.transactions t
      where t.user_id = me and t.type = 'expense' and t.recorded_by = 'customer'
        and t.date > now() - interval '3 years' and t.date < now()
      order by t.date desc, t.id desc limit 5000
    ),
    -- This subquery is materialized, because `name` is expensive to compute and used three times.
    named as materialized (
      select
        r.*,
        private.normalize_payee(r.description) as name,
        (r.date at time zone 'America/Bogota')::date as day
      from (select e.*, sum(octet_length(e.description)) over (order by e.date desc, e.id desc rows unbounded preceding) as octets from recent e) r
      -- Limits the length of the descriptions, as private.rule_matches does.
      where r.octets <= 1000000
    ),
    numbered as (
      select
        n.*,
        row_number() over latest as place,
        n.day - lead(n.day) over latest as gap
      from named n
      window latest as (partition by n.name order by n.date desc)
    )
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
      -- Excludes the gap between the oldest of the four expenses and the expense before it.
      min(n.gap) filter (where n.place < 4 and n.gap is not null) as gap_min,
      max(n.gap) filter (where n.place < 4 and n.gap is not null) as gap_max
    from numbered n
    where n.place <= 4 and n.name <> ''
    group by n.name
    having count(*) >= 3 and max(n.amount) <= 1.15 * min(n.amount);
end
$$;
comment on function private.regular_expenses() is
  'Groups the last three or four expenses with the same normalized description, if their amounts differ by at most 15 %. Returns the latest description, amount and category, the day of the month, and the shortest and longest gap in days. Reads the latest 5,000 expenses that the caller recorded in the last three years, and at most a million bytes of their descriptions. Runs with the caller''s own rights.';
grant execute on function private.regular_expenses() to authenticated;

-- Returns json, because the generated types could not limit an attribute of a composite type to the values of the
-- column `rhythm`.
create function public.propose_recurring_expenses() returns json
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  today constant date := (now() at time zone 'America/Bogota')::date;
begin
  -- Written in PL/pgSQL, because it caches the query plan.
  return (
    with rhythmic as (
      select g.*, p.rhythm, p.days
      from private.regular_expenses() g
      join (values ('weekly', 7, 6, 8), ('biweekly', 14, 12, 16), ('monthly', 30, 26, 35), ('yearly', 365, 350, 380))
        as p (rhythm, days, gap_min, gap_max) on g.gap_min >= p.gap_min and g.gap_max <= p.gap_max
      where today - g.last_on <= 1.5 * p.days
    ),
    proposed as (
      select
        h.description, h.amount, h.category, h.rhythm,
        case when h.rhythm in ('monthly', 'yearly') then h.due_day end as due_day,
        (
          select min(d.day) from private.due_days(h.rhythm, h.due_day, h.last_on, h.since, h.since + 366) as d (day)
        ) as next_due_on,
        h.last_on
      from (
        -- Starts late enough to skip the due day that the last expense has paid, even if it was paid some days early.
        select g.*, greatest(today, g.last_on + g.days / 2 + 1) as since
        from rhythmic g
        -- PostgreSQL hashes the result of this subquery. A nested loop would normalize years of dismissed descriptions
        -- again for each candidate.
        where g.name not in (
          select private.normalize_payee(r.description)
          from (
            select k.description from public.recurring_expenses k where k.user_id = me order by k.created_at desc limit 1000
          ) r
        )
        order by g.amount desc, g.name
        limit 10
      ) h
      order by h.amount desc, h.name
    )
    select coalesce(json_agg(p), '[]') from proposed p
  );
end
$$;
comment on function public.propose_recurring_expenses() is
  'Proposes at most ten recurring expenses. Reads the latest 5,000 expenses that the caller recorded in the last three years, and at most a million bytes of their descriptions. Descriptions are compared ignoring case, accents, digits and punctuation. The last three or four expenses with the same description lead to a proposal if the gaps between them are regular and their amounts differ by at most 15 %. Gaps are regular if they all have 6 to 8 days, 12 to 16 days, 26 to 35 days or 350 to 380 days. Proposes nothing if the last expense is more than one and a half periods old. Also proposes nothing for a description that one of the latest 1,000 recurring expenses already has, even if that expense has ended or was dismissed. Runs with the caller''s own rights.';
grant execute on function public.propose_recurring_expenses() to authenticated;
