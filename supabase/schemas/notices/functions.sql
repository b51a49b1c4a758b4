-- Functions of notices: private.tell is the one way to tell people. Notices then become notifications and mails.

create function private.mail(addresses text[], topic text, facts jsonb) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- On a hosted project, the platform sends all mails, but none about these topics.
  if not private.is_hosted() then
    perform auth.enqueue_notices(addresses, jsonb_build_object('topic', mail.topic, 'facts', mail.facts));
  end if;
end
$$;
comment on function private.mail(text[], text, jsonb) is
  'Queues a mail about a topic to each of these addresses, in the database transaction of the event. Every mail that the product sends by itself passes here.';

create function private.tell(
  recipients uuid[], topic text, facts jsonb default '{}', happened_at timestamptz default clock_timestamp(), dedupe text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
#variable_conflict use_variable
declare
  told private.topics;
  recipient uuid;
  stop_seed uuid;
begin
  select t.* into strict told from private.topics t where t.name = topic;
  if told.is_listed then
    if not private.is_on('notificaciones') then
      return;
    end if;
    if told.is_chosen then
      recipients := array(
        select r.id from unnest(recipients) r (id)
        where exists (select from public.notification_preferences p where p.user_id = r.id and p.kind = topic)
      );
    end if;
  end if;
  if cardinality(recipients) = 0 then
    return;
  elsif told.is_listed and told.pace is not null then
    -- A notice must never make a posting or a sign-in fail.
    begin
      insert into private.notices (recipient, topic, facts, happened_at, dedupe)
      select r.id, topic, facts, happened_at, dedupe from unnest(recipients) r (id)
      on conflict do nothing;
    exception when others then
      raise warning 'notices: % (%)', sqlerrm, sqlstate;
    end;
  elsif told.pace is not null then
    foreach recipient in array recipients loop
      insert into private.notice_marks as m (recipient, topic, mailed_at) values (recipient, topic, happened_at)
      on conflict on constraint notice_marks_pkey do update set mailed_at = excluded.mailed_at
      where m.mailed_at <= happened_at - told.pace and coalesce(m.stopped_until <= now(), true)
      returning m.seed into stop_seed;
      if found then
        perform private.mail(
          array(select u.email::text from auth.users u where u.id = recipient), topic,
          facts || jsonb_build_object('seed', stop_seed)
        );
      end if;
    end loop;
  else
    if told.is_listed then
      insert into public.notifications (user_id, kind, detail, events, happened_at)
      select r.id, topic, facts ->> 'detail', 1, happened_at from unnest(recipients) r (id);
      facts := facts || jsonb_build_object('events', 1, 'happened_at', happened_at);
    end if;
    perform private.mail(
      array(select u.email::text from auth.users u where u.id = any (recipients) order by u.id), topic, facts
    );
  end if;
end
$$;
comment on function private.tell(uuid[], text, jsonb, timestamptz, text) is
  'Tells people about an event of a topic. Call this function in the database transaction of the event. The notice of a listed topic with a pace waits in private.notices. All other notices are mailed with the transaction: those of a topic with a pace at most once in this time. Leaves out customers who did not choose the topic, and people who got a notice with the same `dedupe`. Does nothing for a listed topic while the setting `notificaciones` is off.';

create function private.forget_topics(customer uuid, topics text[]) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from private.notice_marks m where m.recipient = customer and m.topic = any (topics);
  update private.notices n set mailed_at = now()
  where n.recipient = customer and n.topic = any (topics) and n.listed_at is not null and n.mailed_at is null;
end
$$;
comment on function private.forget_topics(uuid, text[]) is
  'Drops the waiting mails about topics that a customer no longer chooses, and makes the links in earlier mails invalid.';

create function private.choose_first_topics(customer uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into public.notification_preferences (user_id, kind)
  select customer, k from unnest('{transfer,deposit,correction,statement}'::text[]) k
  on conflict do nothing
$$;
comment on function private.choose_first_topics(uuid) is
  'Chooses the topics about money for a new person, whether or not the bank has enabled notifications. The person can remove them (public.set_notifications).';

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
  -- With this lock, concurrent calls of one customer wait for each other.
  perform from auth.users u where u.id = me for no key update;
  if not found then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;
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
  perform private.forget_topics(me, array(
    select t.name from private.topics t where t.is_chosen and t.name <> all (coalesce(kinds, '{}'))
  ));
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
grant execute on function public.read_notifications() to authenticated;

create function private.stop_notices(seed uuid, out person uuid, out topic text) returns record
  language plpgsql security definer
  set search_path = ''
as $$
declare
  found_mark private.notice_marks;
  stopped private.topics;
begin
  select m.* into found_mark from private.notice_marks m where m.seed = stop_notices.seed;
  select t.* into stopped from private.topics t where t.name = found_mark.topic;
  if stopped.is_chosen and private.is_on('notificaciones') then
    -- Locks the account first, as every other change of a customer's rows does.
    perform from auth.users u where u.id = found_mark.recipient for key share;
    delete from private.notice_marks m where m.seed = stop_notices.seed;
    if not found then
      return;
    end if;
    perform private.forget_topics(found_mark.recipient, array[found_mark.topic]);
    delete from public.notification_preferences p where p.user_id = found_mark.recipient and p.kind = found_mark.topic;
    -- Every reader of a mail can follow its link. The customer therefore learns that the notices have stopped.
    perform private.tell(array[found_mark.recipient], 'stopped', jsonb_build_object('detail', found_mark.topic));
  elsif not stopped.is_listed then
    -- Stops an administrator's mails for 30 days only, because every reader of such a mail can use the link in it.
    update private.notice_marks m set stopped_until = now() + interval '30 days', seed = gen_random_uuid()
    where m.seed = stop_notices.seed;
    if not found then
      return;
    end if;
  else
    return;
  end if;
  person := found_mark.recipient;
  topic := found_mark.topic;
end
$$;
comment on function private.stop_notices(uuid) is
  'Removes the preference to which a link in a mail belongs, tells the customer by mail and in the list, and returns the person and the topic. For a link in a mail about requests, stops the mails about requests for 30 days instead. Returns nulls for an unknown seed, for a sign-in from a new device, and for the link of a customer while the bank has not enabled notifications. The server verifies the link''s token first.';
grant execute on function private.stop_notices(uuid) to supabase_auth_admin;

-- Money: the functions that post new or changed rows call private.tell_money. The sums of a month are compared with the
-- limits later, by private.judge_limits, so that a posting computes no sums.

create function private.chosen_topics(customer uuid) returns text[]
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return case when private.is_on('notificaciones') then array(
    select p.kind from public.notification_preferences p where p.user_id = customer
  ) else '{}' end;
end
$$;
comment on function private.chosen_topics(uuid) is
  'Returns the topics that a customer chose; none while the bank has not enabled notifications. One lookup in such a bank.';

create type private.money_news as (topic text, category text, amount numeric, dated_at timestamptz);
comment on type private.money_news is 'A posting of which a customer might want to know.';
comment on column private.money_news.topic is '`deposit`, `correction` or `large_expense` for a transaction that the bank recorded; null if only the category counts.';
comment on column private.money_news.category is 'The category of an expense that is valid; otherwise null.';
comment on column private.money_news.amount is 'Units of currency: the amount, or for a changed expense the amount that it added to its category.';
comment on column private.money_news.dated_at is 'The date of the transaction.';

create function private.tell_money(
  customer uuid, news private.money_news[], balance_before numeric, balance_after numeric
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  month_begins_at constant timestamptz :=
    date_trunc('month', now() at time zone 'America/Bogota') at time zone 'America/Bogota';
begin
  insert into private.notices (recipient, topic, facts, events)
  select customer, p.kind, '{}', 1 from public.notification_preferences p
  where p.user_id = customer and p.kind = 'low_balance' and balance_before >= p.amount and balance_after < p.amount
  union all
  select
    customer, case p.kind when 'category_limit' then 'spending' else p.kind end,
    case p.kind
      when 'category_limit' then jsonb_build_object('detail', n.detail, 'amount', sum(n.amount)) else '{}'
    end,
    count(*)
  from public.notification_preferences p
  cross join lateral (
    select e.*, case p.kind when 'category_limit' then e.category end as detail from unnest(news) e
  ) n
  where p.user_id = customer and case p.kind
    when 'category_limit' then n.category is not null and n.dated_at >= month_begins_at
    when 'large_expense' then n.topic = p.kind and n.amount > p.amount
    else n.topic = p.kind
  end
  group by p.kind, n.detail;
exception when others then
  -- A notice must never make a posting fail.
  raise warning 'notices: % (%)', sqlerrm, sqlstate;
end
$$;
comment on function private.tell_money(uuid, private.money_news[], numeric, numeric) is
  'Tells a customer about the postings of one SQL statement, and about a balance that fell below a chosen amount. Groups the events of each topic. Stores the sums of the expenses by category for private.judge_limits. Call this function last, and only for a customer who chose topics (private.chosen_topics).';

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
    perform private.tell(array[person], 'new_device', jsonb_build_object('detail', left(user_agent, 256)));
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
  'Stores the device of a new session, and keeps the newest 100 devices of a person. Tells the person if they had not used the device in 90 days.';

create function private.warn_of_many_sessions(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The service keeps the newest fifty sessions (auth.bound_sessions). A thief who knows only the password could end the owner's
  -- sessions by signing in many times. A mail warns the owner before that happens. Sessions at aal1 and at aal2 are
  -- counted separately, as there.
  if not private.is_hosted()
    and exists (select from auth.sessions s where s.user_id = person group by s.aal having count(*) >= 20)
    and private.is_first_use('many sessions', person::text)
  then
    perform private.tell(array[person], 'many_sessions');
  end if;
end
$$;
comment on function private.warn_of_many_sessions(uuid) is 'Mails a warning, at most once a day, to a user who has twenty or more sessions of one level.';

create function private.note_session() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.is_on('notificaciones') then
    begin
      perform private.note_device(new.user_id, new.id, new.user_agent, new.ip::text);
    exception when others then
      -- A notice must never make a sign-in fail.
      raise warning 'notices: % (%)', sqlerrm, sqlstate;
    end;
  end if;
  perform private.warn_of_many_sessions(new.user_id);
  return null;
end
$$;
comment on function private.note_session() is 'Tells a person about a sign-in from a new device, and about many sessions of one level.';

create function private.tell_statements(people_max integer, at timestamptz) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  days_max constant integer := 7;
  today constant date := (at at time zone 'America/Bogota')::date;
  ready constant date := date_trunc('month', today - interval '1 month')::date;
  month constant text := to_char(ready, 'YYYY-MM');
  people uuid[];
begin
  if extract(day from today) > days_max then
    return;
  end if;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  people := array(
    select o.id from auth.users o
    -- An account that was opened later has no statement of that month.
    where o.created_at < (ready + interval '1 month') at time zone 'America/Bogota' and o.id in (
      select p.user_id from public.notification_preferences p
      where p.kind = 'statement' and not exists (
        select from private.notices n where n.recipient = p.user_id and n.topic = p.kind and n.dedupe = month
      )
    )
    order by o.id limit people_max for key share
  );
  perform private.tell(people, 'statement', jsonb_build_object('detail', month), dedupe => month);
end
$$;
comment on function private.tell_statements(integer, timestamptz) is
  'Tells up to people_max customers who chose it that the statement of the last month is ready. Does nothing after the seventh day of a month in Bogotá. Each customer gets one notice for a month.';

create function private.list_notices(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kept_max constant integer := 100;
  people uuid[];
  ids uuid[];
begin
  if not private.is_on('notificaciones') then
    return 0;
  end if;
  select array_agg(n.recipient), array_agg(n.id) into people, ids
  from (
    select o.recipient, o.id from private.notices o
    where o.listed_at is null and o.topic <> 'spending' order by o.happened_at limit rows_max
  ) n;
  if ids is null then
    return 0;
  end if;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  perform from auth.users u where u.id = any (people) order by u.id for key share;
  with taken as (
    update private.notices n set
      listed_at = now(),
      -- A hosted project cannot send these mails. The customer may have removed the preference in the meantime.
      mailed_at = case when private.is_hosted() or not w.is_wanted then now() end
    from (
      select k.recipient, k.id, not t.is_chosen or exists (
        select from public.notification_preferences p where p.user_id = k.recipient and p.kind = k.topic
      ) as is_wanted
      from unnest(people, ids) i (recipient, id)
      join private.notices k on k.recipient = i.recipient and k.id = i.id
      join private.topics t on t.name = k.topic
    ) w
    where n.recipient = w.recipient and n.id = w.id
    returning n.*, w.is_wanted
  )
  insert into public.notifications (user_id, kind, detail, events, happened_at)
  select t.recipient, t.topic, t.facts ->> 'detail', sum(t.events), max(t.happened_at)
  from taken t where t.is_wanted
  group by t.recipient, t.topic, t.facts ->> 'detail';
  delete from public.notifications n where (n.user_id, n.id) in (
    select o.user_id, o.id from (select distinct p.id from unnest(people) p (id)) person cross join lateral (
      select k.user_id, k.id from public.notifications k join private.topics t on t.name = k.kind
      -- Otherwise, the notifications of small expenses in a hundred categories would push the notification of a
      -- stranger's sign-in out of the list.
      where k.user_id = person.id
      order by t.place = 0 desc, k.happened_at desc, k.id offset kept_max
    ) o
  );
  return cardinality(ids);
end
$$;
comment on function private.list_notices(integer) is
  'Adds up to rows_max notices, oldest first, to the lists of their recipients, and returns the number of notices. Does nothing while the bank has not enabled notifications.';

create function private.mail_notices(mails_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- A bank that enables notifications again does not mail old events.
  mailed_for constant interval := interval '24 hours';
  people uuid[];
  names text[];
  due record;
  mails integer := 0;
begin
  if private.is_hosted() or not private.is_on('notificaciones') then
    return 0;
  end if;
  select array_agg(d.recipient), array_agg(d.topic) into people, names
  from (
    select w.recipient, w.topic
    from (
      select n.recipient, n.topic, max(n.happened_at) as happened_at from private.notices n
      where n.listed_at is not null and n.mailed_at is null and n.happened_at > now() - mailed_for
      group by n.recipient, n.topic
    ) w
    join private.topics t on t.name = w.topic
    left join private.notice_marks m on m.recipient = w.recipient and m.topic = w.topic
    where coalesce(m.mailed_at <= now() - t.pace, true)
    order by t.place, w.happened_at limit mails_max
  ) d;
  -- Locks the accounts before their rows, in the same order as the deletion of an account.
  perform from auth.users u where u.id = any (people) order by u.id for key share;
  for due in
    with due as (
      select * from unnest(people, names) with ordinality as d (recipient, topic, place)
    ),
    mailed as (
      update private.notices n set mailed_at = now()
      from due d
      where n.recipient = d.recipient and n.topic = d.topic and n.listed_at is not null and n.mailed_at is null
      returning n.*
    ),
    news as (
      select
        n.recipient, n.topic, sum(n.events) as events, max(n.happened_at) as happened_at,
        -- If money was both sent and received, the mail must report the sent transfer, even if the received transfer is
        -- later.
        (array_agg(n.facts ->> 'detail' order by n.facts ->> 'detail' is not distinct from 'sent' desc, n.happened_at desc))[1]
          as detail
      from mailed n where n.happened_at > now() - mailed_for
      group by n.recipient, n.topic
    ),
    marks as (
      insert into private.notice_marks as m (recipient, topic, mailed_at)
      select n.recipient, n.topic, now() from news n
      on conflict on constraint notice_marks_pkey do update set mailed_at = excluded.mailed_at
      returning m.recipient, m.topic, m.seed
    )
    select u.email::text as address, n.topic, jsonb_build_object(
      'events', n.events, 'happened_at', n.happened_at,
      'detail', case when t.shows_detail then n.detail end, 'seed', case when t.is_chosen then m.seed end
    ) as facts
    from news n
    join due d on d.recipient = n.recipient and d.topic = n.topic
    join marks m on m.recipient = n.recipient and m.topic = n.topic
    join private.topics t on t.name = n.topic
    join auth.users u on u.id = n.recipient and u.email_confirmed_at is not null and u.deleted_at is null
    -- The customer may have removed the preference in the meantime.
    where not t.is_chosen or exists (
      select from public.notification_preferences p where p.user_id = n.recipient and p.kind = n.topic
    )
    order by d.place
  loop
    perform private.mail(array[due.address], due.topic, due.facts);
    mails := mails + 1;
  end loop;
  delete from private.notices n using unnest(people, names) as d (recipient, topic)
  where n.recipient = d.recipient and n.topic = d.topic and n.mailed_at is not null and n.dedupe is null;
  return mails;
end
$$;
comment on function private.mail_notices(integer) is
  'Enqueues up to mails_max mails about listed notices: those about transfers and new devices first, and those about statements last. A person gets at most one mail about a topic within its pace. Later events are counted in the next mail. Events older than 24 hours are not mailed. A mail contains no amount, no balance, no description and no name. Returns the number of mails. Does nothing while the bank has not enabled notifications.';
grant execute on function private.mail_notices(integer) to supabase_auth_admin;
