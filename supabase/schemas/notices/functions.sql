-- Functions of notices: events become notifications and mails.

create function public.set_notifications(
  kinds text[], expense_above numeric default null, balance_below numeric default null
) returns setof public.notification_preferences
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kinds_max constant integer := 7;
  me constant uuid := (select auth.uid());
begin
  perform private.require_feature('notificaciones');
  perform private.require_second_factor();
  perform private.lock_open_account();
  if coalesce(cardinality(kinds), 0) > kinds_max then
    raise exception 'Se eligen hasta % avisos.', kinds_max using errcode = 'PT422';
  end if;
  -- Without re-authentication, a thief with a stolen session could first stop the mails that would report the thief's
  -- transfers.
  if exists (
    select from public.notification_preferences p
    where p.user_id = me and (
      p.kind <> all (coalesce(kinds, '{}'))
      or (p.kind = 'large_expense' and expense_above > p.amount)
      or (p.kind = 'low_balance' and balance_below < p.amount)
    )
  ) then
    perform private.require_own_proof();
  end if;
  perform private.consume('rows written', me::text, (
    select count(*)::integer from (
      select p.kind from public.notification_preferences p where p.user_id = me union select unnest(kinds)
    ) written
  ));
  delete from private.notification_mails m
  where m.user_id = me and m.kind <> 'new_device' and m.kind <> all (coalesce(kinds, '{}'));
  delete from public.notification_preferences p where p.user_id = me and p.kind <> all (coalesce(kinds, '{}'));
  begin
    return query
      insert into public.notification_preferences as p (user_id, kind, amount)
      select distinct me, k, case k when 'large_expense' then expense_above when 'low_balance' then balance_below end
      from unnest(kinds) k
      on conflict on constraint notification_preferences_pkey do update set amount = excluded.amount
      returning p.*;
  exception when check_violation or not_null_violation then
    raise exception 'Elige avisos que existan, con un monto mayor que cero y dos decimales como máximo donde haga falta.'
      using errcode = 'PT422';
  end;
end
$$;
comment on function public.set_notifications(text[], numeric, numeric) is
  'Chooses exactly the given kinds of events for the caller, and returns the preferences. `large_expense` requires expense_above, and `low_balance` requires balance_below. To remove a kind, raise expense_above or lower balance_below, the caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). Raises PT404 while the bank has not enabled notifications, and PT422 for an unknown kind or an amount that is missing or not money.';
revoke execute on function public.set_notifications(text[], numeric, numeric) from public, anon, service_role;
grant execute on function public.set_notifications(text[], numeric, numeric) to authenticated;

create function public.read_notifications() returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_feature('notificaciones');
  perform private.consume('rows written', me::text, (
    select count(*)::integer from public.notifications n where n.user_id = me and n.read_at is null
  ));
  update public.notifications n set read_at = now() where n.user_id = me and n.read_at is null;
end
$$;
comment on function public.read_notifications() is
  'Marks the caller''s notifications as read. Raises PT404 while the bank has not enabled notifications.';
revoke execute on function public.read_notifications() from public, anon, service_role;
grant execute on function public.read_notifications() to authenticated;

create function private.stop_notices(seed uuid) returns private.notification_mails
  language plpgsql security definer
  set search_path = ''
as $$
declare
  stopped private.notification_mails;
begin
  -- Stops an administrator's mails for 30 days only, because every reader of such a mail can use the link in it.
  update private.request_mails m set stopped_until = now() + interval '30 days', seed = gen_random_uuid()
  where m.seed = stop_notices.seed
  returning m.user_id into stopped.user_id;
  if found then
    stopped.kind := 'request';
    return stopped;
  end if;
  if not private.is_on('notificaciones') then
    return stopped;
  end if;
  -- Locks the account first, as every other change of a customer's rows does.
  perform from auth.users u
  where u.id = (select m.user_id from private.notification_mails m where m.seed = stop_notices.seed) for key share;
  delete from private.notification_mails m
  where m.seed = stop_notices.seed and m.kind <> 'new_device'
  returning m.* into stopped;
  delete from public.notification_preferences p where p.user_id = stopped.user_id and p.kind = stopped.kind;
  -- Every reader of a mail can follow its link. The customer therefore learns that the notices have stopped.
  if found then
    insert into public.notifications (user_id, kind, detail, events, happened_at)
    values (stopped.user_id, 'stopped', stopped.kind, 1, clock_timestamp());
    if not private.is_hosted() then
      perform auth.enqueue_notice(stopped.user_id, 'tell_customer', jsonb_build_object(
        'kind', 'stopped', 'detail', stopped.kind, 'events', '1', 'happened_at', clock_timestamp()
      ));
    end if;
  end if;
  return stopped;
end
$$;
comment on function private.stop_notices(uuid) is
  'Removes the preference to which a link in a mail belongs, tells the customer by mail and in the list, and returns the deleted row. For a link in a mail about requests, stops the mails about requests for 30 days instead, and returns a row with the kind `request`. Returns a row of nulls for an unknown seed, for a sign-in from a new device, and for the link of a customer while the bank has not enabled notifications. The server verifies the link''s token first.';
grant execute on function private.stop_notices(uuid) to supabase_auth_admin;

-- The triggers in this file store events that a customer might want to know, and private.tell_customers reports the
-- events later. While notifications are disabled, a trigger costs one lookup. Each trigger catches its own errors, so
-- that the SQL statement that fired the trigger still succeeds.

create function private.note_added_transactions() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.is_on('notificaciones') then
    return null;
  end if;
  begin
    insert into private.notification_events (user_id, kind, detail, events, amount)
    select
      a.user_id, p.kind, case p.kind when 'category_limit' then a.category end, count(*),
      case p.kind when 'category_limit' then sum(a.amount) end
    from (select distinct d.user_id from added d) w
    -- The limit makes the planner look up each customer in the key. A join could read all preferences.
    cross join lateral (
      select o.kind, o.amount from public.notification_preferences o where o.user_id = w.user_id limit 10
    ) p
    join added a on a.user_id = w.user_id
    where case
        when p.kind = 'category_limit' then
          not a.is_void and a.type = 'expense' and private.is_limited_now(a.user_id, a.category, a.date)
        -- Transfers and their returns are reported as the kind `transfer` instead.
        when a.recorded_by = 'customer' or a.origin in ('transfer', 'return')
          or p.kind <> case
            when a.is_void then 'correction' when a.type = 'deposit' then 'deposit' else 'large_expense'
          end
          then false
        when p.kind = 'large_expense' and a.amount <= p.amount then false
        -- A restored transaction is not new.
        else not exists (
          select from ledger.deleted_transactions d
          where d.user_id = a.user_id and d.id = a.id and d.restored_in is not null
        )
      end
    group by 1, 2, 3;
  exception when others then
    raise warning 'notifications: % (%)', sqlerrm, sqlstate;
  end;
  return null;
end
$$;
comment on function private.note_added_transactions() is
  'Adds events for deposits, large expenses and corrections that the bank recorded, and for expenses in categories that have a limit. Groups the events of each SQL statement. Adds only events of the kinds that a customer chose.';

create function private.is_limited_now(customer uuid, category text, date timestamptz) returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return date >= date_trunc('month', now() at time zone 'America/Bogota') at time zone 'America/Bogota' and exists (
    select from public.category_budgets b where b.user_id = customer and b.category = is_limited_now.category
  );
end
$$;
comment on function private.is_limited_now(uuid, text, timestamptz) is
  'Returns true if a date is not before the current month in Bogotá and the customer has ever set a limit for the category.';

create function private.note_changed_transactions() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.is_on('notificaciones')
    -- Renaming a category moves its limit and its expenses together, and must not report the limit again.
    or current_setting('notifications.skip_limits', true) = 'on'
  then
    return null;
  end if;
  begin
    -- Groups the rows instead of joining them. For a join of 10,000 rows, PostgreSQL could use a plan for one row, and
    -- compare every row with every other row.
    insert into private.notification_events (user_id, kind, detail, events, amount)
    select
      c.user_id, 'category_limit', c.category, count(*),
      sum(c.amount - case when c.category_before = c.category then c.amount_before else 0 end)
    from (
      select
        d.user_id, d.id,
        max(d.category) filter (where d.is_new) as category,
        max(d.category) filter (where not d.is_new) as category_before,
        max(d.amount) filter (where d.is_new) as amount,
        max(d.amount) filter (where not d.is_new) as amount_before,
        max(d.date) filter (where d.is_new) as date
      from (
        select n.user_id, n.id, n.category, n.amount, n.date, true as is_new
        from changed n where n.type = 'expense' and not n.is_void
        union all
        select o.user_id, o.id, o.category, o.amount, o.date, false from before o
      ) d
      group by d.user_id, d.id
    ) c
    where c.amount is not null and (c.category_before is distinct from c.category or c.amount > c.amount_before)
      and exists (
        select from public.notification_preferences p where p.user_id = c.user_id and p.kind = 'category_limit'
      )
      and private.is_limited_now(c.user_id, c.category, c.date)
    group by 1, 3;
  exception when others then
    raise warning 'notifications: % (%)', sqlerrm, sqlstate;
  end;
  return null;
end
$$;
comment on function private.note_changed_transactions() is
  'Adds events for expenses that became larger or got a category that has a limit. Groups the events of each SQL statement. Adds nothing while private.rename_category moves the limits of a category.';

create function private.note_event() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.is_on('notificaciones') then
    return null;
  end if;
  begin
    case tg_relid
      when 'public.budgets'::regclass then
        insert into private.notification_events (user_id, kind)
        select p.user_id, p.kind from public.notification_preferences p
        where p.user_id = new.user_id and p.kind = 'low_balance' and old.balance >= p.amount and new.balance < p.amount;
      when 'public.requests'::regclass then
        insert into private.notification_events (user_id, kind, detail)
        select p.user_id, p.kind, case
          when new.status = 'done' and p.user_id = new.payer then 'sent' when new.status = 'done' then 'received' else new.status
        end
        from public.notification_preferences p
        where p.user_id in (new.payer, new.payee) and p.kind = 'transfer'
          and (p.user_id = new.payer or new.status in ('done', 'returned'));
      else
        perform private.note_device(new.user_id, new.id, new.user_agent, new.ip::text);
    end case;
  exception when others then
    raise warning 'notifications: % (%)', sqlerrm, sqlstate;
  end;
  return null;
end
$$;
comment on function private.note_event() is
  'Adds an event for a balance that falls below a chosen amount, for a new state of a transfer, or for a sign-in from a new device.';

create function private.device_of(user_agent text, ip text) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
declare
  network text := coalesce(ip, '');
begin
  begin
    network := case family(ip::inet) when 6 then host(network(set_masklen(ip::inet, 64))) else host(ip::inet) end;
  exception when invalid_text_representation then
    -- Some proxies add a port to the address. The address together with the port then counts as a separate network. An
    -- error must not be raised here, because it would prevent every later report.
    null;
  end;
  -- Browsers change their version every month, and one IPv6 connection has many addresses.
  return sha256(convert_to(
    regexp_replace(coalesce(user_agent, ''), '[0-9._]+', '', 'g') || ' ' || coalesce(network, ''), 'UTF8'
  ));
end
$$;
comment on function private.device_of(text, text) is 'Returns a hash of the browser without its version, and of the network: an IPv4 address, the first half of an IPv6 address, or a text that is not an address.';

create function private.note_device(person uuid, session uuid, user_agent text, ip text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kept_max constant integer := 100;
  current constant bytea := private.device_of(user_agent, ip);
begin
  if not exists (select from private.known_devices d where d.user_id = person and d.device = current)
    -- The first session of an account, and the devices that were signed in when the bank enabled notifications, are
    -- not reported.
    and (
      exists (select from private.known_devices d where d.user_id = person)
      or exists (select from auth.sessions s where s.user_id = person and s.id <> session)
    )
    and not exists (
      select from auth.sessions s
      where s.user_id = person and s.id <> session and private.device_of(s.user_agent, s.ip::text) = current
    )
  then
    insert into private.notification_events (user_id, kind, detail)
    values (person, 'new_device', left(user_agent, 256));
  end if;
  insert into private.known_devices as d (user_id, device) values (person, current)
  on conflict on constraint known_devices_pkey do update set last_seen_at = now()
  where d.last_seen_at < now() - interval '1 day';
  delete from private.known_devices d where d.user_id = person and d.device in (
    select o.device from private.known_devices o
    where o.user_id = person order by o.device = current desc, o.last_seen_at desc offset kept_max
  );
end
$$;
comment on function private.note_device(uuid, uuid, text, text) is
  'Stores the device of a new session, and keeps the newest 100 devices of a person. Adds an event if the person had not used the device in 90 days.';

create function private.note_statements(people_max integer, at timestamptz) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  days_max constant integer := 7;
  today constant date := (at at time zone 'America/Bogota')::date;
  ready constant date := date_trunc('month', today - interval '1 month')::date;
  people uuid[];
begin
  if extract(day from today) > days_max then
    return;
  end if;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  select array_agg(u.id) into people
  from (
    select o.id from auth.users o
    -- An account that was opened later has no statement of that month.
    where o.created_at < (ready + interval '1 month') at time zone 'America/Bogota' and o.id in (
      select p.user_id from public.notification_preferences p
      where p.kind = 'statement' and not exists (
        select from private.statement_notices s where s.user_id = p.user_id and s.month >= ready
      )
    )
    order by o.id limit people_max for key share
  ) u;
  insert into private.statement_notices as s (user_id, month)
  select person, ready from unnest(people) person
  on conflict on constraint statement_notices_pkey do update set month = excluded.month;
  insert into private.notification_events (user_id, kind, detail)
  select person, 'statement', to_char(ready, 'YYYY-MM') from unnest(people) person;
end
$$;
comment on function private.note_statements(integer, timestamptz) is
  'Adds the event that the statement of the last month is ready, for up to people_max customers who chose this kind. Does nothing after the seventh day of a month in Bogotá. Each customer gets one event for a month. Called only by private.tell_customers, which never runs twice at the same time.';

create function private.tell_customers(
  events_max integer, mails_max integer, at timestamptz default now()
) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kept_max constant integer := 100;
  -- A thief may have caused events of these kinds. The mails about these events are sent first, and at most every five
  -- minutes.
  urgent constant text[] := array['new_device', 'transfer'];
  -- A bank that enables notifications again does not mail old events.
  mailed_for constant interval := interval '24 hours';
  ids uuid[];
  people uuid[];
  due private.notification_mails;
begin
  if not private.is_on('notificaciones') then
    return 0;
  end if;
  perform private.note_statements(events_max, at);
  select array_agg(e.id), array_agg(distinct e.user_id) into ids, people
  from (select o.id, o.user_id from private.notification_events o order by o.happened_at limit events_max) e;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  perform from auth.users u where u.id = any (people) order by u.id for key share;
  with taken as (
    delete from private.notification_events e where e.id = any (ids) returning e.*
  ), facts as (
    select
      t.user_id, t.kind, t.detail, sum(t.events) as events, sum(t.amount) as amount, max(t.happened_at) as happened_at,
      -- The sums already contain the expenses of events that a later run reports.
      coalesce((
        select sum(w.amount) from private.notification_events w
        where w.user_id = t.user_id and w.kind = t.kind and w.detail = t.detail and w.id <> all (ids)
      ), 0) as later
    from taken t
    where t.kind = 'new_device' or exists (
      select from public.notification_preferences p where p.user_id = t.user_id and p.kind = t.kind
    )
    group by t.user_id, t.kind, t.detail
  ), limits as materialized (
    select c.user_id, l.category, l.spent, l.monthly_limit + l.carried as allowed
    from (select distinct f.user_id from facts f where f.kind = 'category_limit') c
    cross join lateral private.limits_of(c.user_id) l
  ), told as (
    insert into public.notifications (user_id, kind, detail, events, happened_at)
    select f.user_id, f.kind, f.detail, case f.kind when 'category_limit' then 1 else f.events end, f.happened_at
    from facts f
    left join limits l on f.kind = 'category_limit' and l.user_id = f.user_id and l.category = f.detail
    -- Reports a limit only if the expenses of this run reached the limit.
    where f.kind <> 'category_limit' or (l.spent - f.later >= l.allowed and l.spent - f.later - f.amount < l.allowed)
    returning user_id, kind, detail, events, happened_at
  )
  insert into private.notification_mails as m (user_id, kind, waiting, detail, happened_at)
  select
    t.user_id, t.kind, sum(t.events),
    -- If money was both sent and received, the mail must report the sent transfer, even if the received transfer is
    -- later.
    (array_agg(t.detail order by t.detail is not distinct from 'sent' desc, t.happened_at desc))[1], max(t.happened_at)
  from told t group by t.user_id, t.kind
  on conflict on constraint notification_mails_pkey do update
  set
    waiting = case when m.happened_at > now() - mailed_for then m.waiting else 0 end + excluded.waiting,
    detail = case
      when m.waiting > 0 and m.happened_at > now() - mailed_for and m.detail = 'sent' then m.detail else excluded.detail
    end,
    happened_at = excluded.happened_at;
  delete from public.notifications n where (n.user_id, n.id) in (
    select o.user_id, o.id from unnest(people) as person cross join lateral (
      select k.user_id, k.id from public.notifications k
      -- Otherwise, the notifications of small expenses in a hundred categories would push the notification of a
      -- stranger's sign-in out of the list.
      where k.user_id = person order by k.kind = any (urgent) desc, k.happened_at desc, k.id offset kept_max
    ) o
  );
  for due in
    update private.notification_mails m set waiting = 0, mailed_at = now()
    from (
      select w.user_id, w.kind, w.waiting from private.notification_mails w
      where w.waiting > 0 and w.happened_at > now() - mailed_for and (
        w.mailed_at is null
        or w.mailed_at <= now() - case when w.kind = any (urgent) then interval '5 minutes' else interval '1 hour' end
      )
      -- At the beginning of a month, many statements are ready at once, and none of them is urgent.
      order by w.kind <> all (urgent), w.kind = 'statement', w.happened_at limit mails_max
    ) w
    where m.user_id = w.user_id and m.kind = w.kind
    returning m.user_id, m.kind, m.seed, w.waiting, m.detail, m.happened_at, m.mailed_at
  loop
    perform private.enqueue_customer_notice(due);
  end loop;
  return coalesce(cardinality(ids), 0);
end
$$;
comment on function private.tell_customers(integer, integer, timestamptz) is
  'Adds the events about statements that are ready (private.note_statements). Adds up to events_max events, oldest first, to the lists of the customers who chose them. Then enqueues up to mails_max mails: those about transfers and new devices first, and those about statements last. A customer gets at most one mail about transfers and one about new devices in 5 minutes, and at most one mail of each other kind in an hour. Later events are counted in the next mail. Events older than 24 hours are not mailed. Returns the number of events. Does nothing while the bank has not enabled notifications.';
grant execute on function private.tell_customers(integer, integer, timestamptz) to supabase_auth_admin;

create function private.enqueue_customer_notice(due private.notification_mails) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- A hosted project cannot send these mails. The customer may have removed the preference in the meantime.
  if private.is_hosted()
    or not exists (
      select from auth.users u where u.id = due.user_id and u.email_confirmed_at is not null and u.deleted_at is null
    )
    or (due.kind <> 'new_device' and not exists (
      select from public.notification_preferences p where p.user_id = due.user_id and p.kind = due.kind
    ))
  then
    return;
  end if;
  perform auth.enqueue_notice(due.user_id, 'tell_customer', jsonb_build_object(
    'kind', due.kind, 'events', due.waiting::text, 'happened_at', due.happened_at,
    -- The name of a category can reveal more than the mail needs.
    'detail', case when due.kind in ('transfer', 'statement', 'new_device') then due.detail end,
    'seed', case when due.kind <> 'new_device' then due.seed end
  ));
end
$$;
comment on function private.enqueue_customer_notice(private.notification_mails) is
  'Queues the mail about a customer''s events. The mail contains no amount, no balance, no description and no name.';

create function private.warn_of_many_sessions() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The service keeps the newest fifty sessions (auth.bound_sessions). A thief who knows only the password could end the owner's
  -- sessions by signing in many times. A mail warns the owner before that happens. Sessions at aal1 and at aal2 are
  -- counted separately, as there.
  if not private.is_hosted()
    and (select count(*) from auth.sessions s where s.user_id = new.user_id and s.aal = new.aal) >= 20
    and private.is_first_use('many sessions', new.user_id::text)
  then
    perform auth.enqueue_notice(new.user_id, 'many_sessions', null);
  end if;
  return null;
end
$$;
comment on function private.warn_of_many_sessions() is 'Mails a warning, at most once a day, to a user who has twenty or more sessions of one level.';

revoke execute on all functions in schema private from public;
