-- The state of the bank for its operator and its administrators: the servers, the alarms and the last backup
-- (docs/decisions/0072). Our own servers write these tables. On a hosted project, the tables stay empty.

create table private.servers (
  process uuid primary key,
  name text not null,
  version text not null,
  engine text not null,
  started_at timestamptz not null,
  known_since timestamptz not null,
  serving_since timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  disk_free_bytes bigint,
  backup_interval_minutes integer,
  last_backup_at timestamptz,
  constraint servers_name_length check (char_length(name) between 1 and 300)
);
comment on table private.servers is 'The bank''s servers. Each server updates its row once a minute and when it shuts down.';
comment on column private.servers.process is 'Random id of the process.';
comment on column private.servers.name is 'Machine name and port of the server.';
comment on column private.servers.version is 'Release of this software.';
comment on column private.servers.engine is 'Engine of the database, as the server names it: "pglite" or "postgres".';
comment on column private.servers.started_at is 'Time at which the process started.';
comment on column private.servers.known_since is 'Start of the first process with this name. Remains the same when the server restarts within a week.';
comment on column private.servers.serving_since is 'Time since which at least one server has been running, apart from gaps of less than three minutes.';
comment on column private.servers.seen_at is 'Time of the last report.';
comment on column private.servers.ended_at is 'Time at which the server shut down regularly; null while the server is running, and after a crash.';
comment on column private.servers.disk_free_bytes is 'Free space on the disk of DATA_DIR; null if the server cannot measure it.';
comment on column private.servers.backup_interval_minutes is 'Interval of the regular backups; 0 if the server makes no backups, and null if BACKUP_INTERVAL_MINUTES is unset on PostgreSQL.';
comment on column private.servers.last_backup_at is 'Time of the last backup, as recorded in the server''s DATA_DIR; null before the first backup.';
alter table private.servers enable row level security, force row level security;

create table private.alarms (
  id uuid primary key default gen_random_uuid(),
  code text not null,
  process uuid,
  begun_at timestamptz not null,
  open_until timestamptz not null,
  constraint alarms_code_is_a_word check (code ~ '^[a-z-]{1,40}$')
);
comment on table private.alarms is 'The alarms of the last 30 days. The details of an alarm are only in the log.';
comment on column private.alarms.id is 'Random id of the alarm.';
comment on column private.alarms.code is 'A code from contract/status/alarms.ts.';
comment on column private.alarms.process is 'The server that the alarm is about; null for an alarm of the whole bank.';
comment on column private.alarms.begun_at is 'Time at which the alarm began.';
comment on column private.alarms.open_until is 'Time at which the alarm ended, or at which it will count as over unless a server reports it again.';
create index alarms_by_end on private.alarms (open_until);
comment on index private.alarms_by_end is 'Finds the alarms of the last day.';
alter table private.alarms enable row level security, force row level security;

create table private.mailed_alarms (
  code text primary key,
  is_open boolean not null,
  mailed_at timestamptz not null
);
comment on table private.mailed_alarms is 'The last mail to the operator about each alarm.';
comment on column private.mailed_alarms.code is 'The value of the same column in private.alarms.';
comment on column private.mailed_alarms.is_open is 'Whether the last mail said that the alarm began.';
comment on column private.mailed_alarms.mailed_at is 'Time at which the last mail about the beginning of this alarm was stored or sent.';
alter table private.mailed_alarms enable row level security, force row level security;

-- Reports of the servers --------------------------------------------------------------------------------------------

create function private.report_server(report jsonb) returns timestamptz
  language plpgsql security definer
  set search_path = ''
as $$
declare
  own constant private.servers := jsonb_populate_record(null::private.servers, report);
  since timestamptz;
  known timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('finanzas.servers'));
  known := least(own.started_at, (select min(s.known_since) from private.servers s where s.name = own.name));
  select min(s.serving_since) into since from private.servers s
  where s.seen_at > now() - interval '3 minutes' or s.ended_at > now() - interval '3 minutes';
  -- If an earlier process with the same name last reported before this process started, the earlier process has
  -- crashed, and its row is deleted. The time of the start comes from the server's clock, which may be 30 seconds slow.
  -- A row that is older than a week is no longer needed.
  delete from private.servers s
  where s.process <> own.process and (
    (s.name = own.name and s.seen_at <= own.started_at + interval '30 seconds') or s.seen_at < now() - interval '7 days'
  );
  insert into private.servers as s (
    process, name, version, engine, started_at, known_since, serving_since, seen_at, disk_free_bytes,
    backup_interval_minutes, last_backup_at
  ) values (
    own.process, own.name, own.version, own.engine, own.started_at, known, coalesce(since, now()), now(),
    own.disk_free_bytes, own.backup_interval_minutes, own.last_backup_at
  )
  on conflict (process) do update set
    serving_since = excluded.serving_since, seen_at = excluded.seen_at, disk_free_bytes = excluded.disk_free_bytes,
    last_backup_at = excluded.last_backup_at;
  return known;
end
$$;
comment on function private.report_server(jsonb) is
  'Stores a server''s report, and returns the start of the first process with this name. The keys of the report are the names of the columns of private.servers.';

create function private.end_server(ended uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  update private.servers s set seen_at = now(), ended_at = now() where s.process = ended
$$;
comment on function private.end_server(uuid) is 'Records that a server shuts down in the regular way, so that the other servers do not report it as missing.';

create function private.report_alarms(process uuid, reports jsonb) returns text[]
  language plpgsql security definer
  set search_path = ''
as $$
declare
  report record;
  place uuid;
  until timestamptz;
  begun text[] := '{}';
begin
  -- If two servers report an alarm about the whole bank at the same time, only one of them must open the alarm.
  perform pg_advisory_xact_lock(hashtext('finanzas.alarms'));
  for report in
    select r.* from jsonb_to_recordset(reports) as r (
      code text, is_of_bank boolean, begun_seconds_ago double precision, lasts_seconds double precision
    ) limit 100
  loop
    place := case when not report.is_of_bank then report_alarms.process end;
    until := now() + make_interval(secs => report.lasts_seconds);
    -- An alarm that begins again within ten minutes counts as the same alarm. One server cannot end an alarm about the
    -- whole bank that another server still reports.
    update private.alarms a set open_until = case when place is null then greatest(a.open_until, until) else until end
    where a.id = (
      select o.id from private.alarms o
      where o.code = report.code and o.process is not distinct from place and o.open_until > now() - interval '10 minutes'
      order by o.open_until desc limit 1
    );
    if not found then
      insert into private.alarms (code, process, begun_at, open_until)
      values (report.code, place, now() - make_interval(secs => report.begun_seconds_ago), until);
      begun := begun || report.code;
    end if;
  end loop;
  if begun <> '{}' then
    delete from private.alarms a where a.open_until < now() - interval '30 days';
  end if;
  return begun;
end
$$;
comment on function private.report_alarms(uuid, jsonb) is
  'Stores a server''s alarms, and returns the codes of those that this call has opened. The alarm counts as over after lasts_seconds unless a server reports the alarm again; a negative value reports an alarm that is already over.';

create table private.synchronous_standby (
  is_only boolean primary key default true,
  gone_since timestamptz,
  constraint synchronous_standby_is_one_row check (is_only)
);
comment on table private.synchronous_standby is 'One row after PostgreSQL had a synchronous standby for the first time; otherwise empty. An operator who removes the standby for good deletes the row.';
comment on column private.synchronous_standby.is_only is 'Always true, so that the table has at most one row.';
comment on column private.synchronous_standby.gone_since is 'Time of the first report that found no synchronous standby; null while there is one.';
alter table private.synchronous_standby enable row level security, force row level security;

create function private.watch_standby(has_standby boolean) returns double precision
  language plpgsql security definer
  set search_path = ''
as $$
declare
  since timestamptz;
begin
  if has_standby then
    insert into private.synchronous_standby as s (gone_since) values (null)
    on conflict (is_only) do update set gone_since = null where s.gone_since is not null;
  else
    update private.synchronous_standby s set gone_since = now() where s.gone_since is null;
    select s.gone_since into since from private.synchronous_standby s;
  end if;
  return extract(epoch from now() - since);
end
$$;
comment on function private.watch_standby(boolean) is
  'Remembers whether PostgreSQL has a synchronous standby. Returns the seconds for which the standby has been gone; null if there is one, or if there never was one.';

-- Mails to the operator -----------------------------------------------------------------------------------------------

create function private.alarms_to_mail(out code text, out is_open boolean, out at timestamptz) returns setof record
  language sql stable security definer
  set search_path = ''
as $$
  select o.code, true, o.begun_at
  from (
    select a.code, min(a.begun_at) as begun_at from private.alarms a where a.open_until > now() group by a.code
  ) o
  left join private.mailed_alarms t on t.code = o.code
  -- An alarm that repeatedly begins and ends is mailed only once an hour.
  where t.code is null or (not t.is_open and t.mailed_at < now() - interval '1 hour')
  union all
  select t.code, false, coalesce((select max(a.open_until) from private.alarms a where a.code = t.code), now())
  from private.mailed_alarms t
  where t.is_open and not exists (select from private.alarms a where a.code = t.code and a.open_until > now())
$$;
comment on function private.alarms_to_mail() is
  'Returns the alarms about whose beginning or end the operator has not received a mail yet. For each alarm, returns the time of that beginning or end. Each alarm is mailed at most once an hour.';

create function private.note_mailed_alarm(code text, is_open boolean) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into private.mailed_alarms as t (code, is_open, mailed_at)
  values (note_mailed_alarm.code, note_mailed_alarm.is_open, now())
  on conflict on constraint mailed_alarms_pkey do update
    set is_open = excluded.is_open,
      mailed_at = case when excluded.is_open then excluded.mailed_at else t.mailed_at end
    where t.is_open <> excluded.is_open;
  return found;
end
$$;
comment on function private.note_mailed_alarm(text, boolean) is
  'Records that the operator gets a mail about the beginning or end of an alarm. Returns false if another server has already recorded this mail.';

-- The state of the bank -------------------------------------------------------------------------------------------------

create type public.server_state as (
  name text, version text, engine text, started_at timestamptz, seen_at timestamptz, is_gone boolean,
  disk_free_bytes bigint, backup_interval_minutes integer, last_backup_at timestamptz
);
comment on type public.server_state is 'One server of the bank.';
comment on column public.server_state.name is 'The value of the same column in private.servers; null for administrators.';
comment on column public.server_state.version is 'The value of the same column in private.servers.';
comment on column public.server_state.engine is 'The value of the same column in private.servers.';
comment on column public.server_state.started_at is 'The value of the same column in private.servers.';
comment on column public.server_state.seen_at is 'The value of the same column in private.servers.';
comment on column public.server_state.is_gone is 'Whether the server has not reported for three minutes.';
comment on column public.server_state.disk_free_bytes is 'The value of the same column in private.servers; may be null.';
comment on column public.server_state.backup_interval_minutes is 'The value of the same column in private.servers; may be null.';
comment on column public.server_state.last_backup_at is 'The value of the same column in private.servers; may be null.';

create type public.alarm_state as (code text, server text, begun_at timestamptz, ended_at timestamptz);
comment on type public.alarm_state is 'An alarm that is open or that ended within the last day.';
comment on column public.alarm_state.code is 'The value of the same column in private.alarms.';
comment on column public.alarm_state.server is 'Name of the server that the alarm is about; null for an alarm of the whole bank, and for administrators.';
comment on column public.alarm_state.begun_at is 'Time at which the alarm began.';
comment on column public.alarm_state.ended_at is 'Time at which the alarm ended; null while it is open.';

create type public.bank_state as (
  read_at timestamptz, serving_since timestamptz, database_version text, database_bytes bigint,
  last_backup_at timestamptz, ledger_checked_at timestamptz, is_ledger_broken boolean, mails_waiting bigint,
  oldest_mail_at timestamptz, needs_administrator boolean, servers public.server_state[], alarms public.alarm_state[]
);
comment on type public.bank_state is 'The state of the bank, for its operator and its administrators.';
comment on column public.bank_state.read_at is 'Time at which the state was read.';
comment on column public.bank_state.serving_since is 'Time since which at least one server has been running, apart from gaps of less than three minutes; null if no server is running.';
comment on column public.bank_state.database_version is 'Version of PostgreSQL.';
comment on column public.bank_state.database_bytes is 'Size of the database.';
comment on column public.bank_state.last_backup_at is 'Time of the last backup; null if no server knows of a backup.';
comment on column public.bank_state.ledger_checked_at is 'Time at which the whole ledger was last verified; null before the first verification.';
comment on column public.bank_state.is_ledger_broken is 'Whether the last verification found an invalid entry.';
comment on column public.bank_state.mails_waiting is 'Number of mails that the mail server has not accepted yet; null on a hosted project.';
comment on column public.bank_state.oldest_mail_at is 'Time at which the oldest waiting mail began to wait; null if no mail is waiting.';
comment on column public.bank_state.needs_administrator is 'Whether the bank has enabled transfers, although fewer than two administrators can sign in.';
comment on column public.bank_state.servers is 'The running servers, and the servers that stopped reporting within the last day.';
comment on column public.bank_state.alarms is 'Up to 100 alarms: the open ones first, and then the newest.';

create function private.bank_state(has_names boolean) returns public.bank_state
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  state public.bank_state;
begin
  state.read_at := now();
  state.database_version := current_setting('server_version');
  state.database_bytes := pg_database_size(current_database());
  state.last_backup_at := (select max(s.last_backup_at) from private.servers s);
  select max(c.ended_at), coalesce(bool_or(c.is_broken), false) into state.ledger_checked_at, state.is_ledger_broken
  from ledger.daily_check c;
  -- A hosted project sends its mails itself.
  if not private.is_hosted() then
    select w.count, w.oldest_at into state.mails_waiting, state.oldest_mail_at from auth.waiting_mails() w;
  end if;
  state.needs_administrator := exists (select from private.features f where f.name = 'transferencias')
    and cardinality(private.administrators()) < 2;
  select coalesce(array_agg(row(
    case when has_names then s.name end, s.version, s.engine, s.started_at, s.seen_at, s.is_gone, s.disk_free_bytes,
    s.backup_interval_minutes, s.last_backup_at
  )::public.server_state order by s.started_at), '{}'), min(s.serving_since) filter (where not s.is_gone)
  into state.servers, state.serving_since
  from (
    select r.*, r.seen_at < now() - interval '3 minutes' as is_gone from private.servers r
    where r.ended_at is null and r.seen_at > now() - interval '1 day'
    order by r.seen_at desc limit 50
  ) s;
  -- In the order of this query, the open alarms come first. The query reads at most 100 alarms; its cost therefore does
  -- not grow with the number of alarms.
  state.alarms := array(
    select row(
      a.code, case when has_names then (select s.name from private.servers s where s.process = a.process) end,
      a.begun_at, case when a.open_until <= now() then a.open_until end
    )::public.alarm_state
    from (
      select r.* from private.alarms r where r.open_until > now() - interval '1 day'
      order by r.open_until desc limit 100
    ) a
    order by (a.open_until > now()) desc, a.begun_at desc
  );
  return state;
end
$$;
comment on function private.bank_state(boolean) is
  'Returns the state of the bank, with the names of the servers if has_names is true.';

create function public.read_bank_state() returns public.bank_state
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_second_factor();
  perform private.require_admin();
  return private.bank_state(false);
end
$$;
comment on function public.read_bank_state() is
  'Returns the state of the bank without the names of its servers. For administrators only, with their second factor if they have one.';
revoke execute on function public.read_bank_state() from public, anon, service_role;
grant execute on function public.read_bank_state() to authenticated;

revoke execute on all functions in schema private from public;
grant execute on function
  private.report_server(jsonb), private.end_server(uuid), private.report_alarms(uuid, jsonb), private.alarms_to_mail(),
  private.watch_standby(boolean), private.note_mailed_alarm(text, boolean), private.bank_state(boolean)
  to supabase_auth_admin;
