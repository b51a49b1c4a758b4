-- Functions of operations.

-- Exporting and erasing a customer's own data, and purging expired data (Ley 1581 de 2012).

create function private.rows_about(relation text, column_name text, person uuid, secrets text[]) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the reading session uses.
  set timezone = 'UTC'
as $$
declare
  found_rows jsonb;
begin
  -- A hosted project does not have some of our authentication service's tables.
  if to_regclass(relation) is null then
    return '[]';
  end if;
  execute format(
    'select coalesce(jsonb_agg(to_jsonb(t) - $2), ''[]'') from %s t where t.%I = $1', to_regclass(relation), column_name
  ) into found_rows using person, secrets;
  return found_rows;
end
$$;
comment on function private.rows_about(text, text, uuid, text[]) is
  'Returns a table''s rows about a person as JSON, without the columns that the argument `secrets` lists. Only public.export_my_data calls this function, with constant table names.';

create function public.export_my_data() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  set timezone = 'UTC'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null then
    raise exception 'Inicia sesión para continuar.' using errcode = '42501';
  end if;
  -- The object's field names are table names, because tests/database/own-data.test.ts compares these names with the
  -- catalogue. Omits only hashes and cryptographic keys, because they reveal nothing about a person.
  return jsonb_build_object('exported_at', now()) || (
    select jsonb_object_agg(t.relation, private.rows_about(t.relation, t.owner, me, t.secrets))
    from (
      values
        ('auth.users', 'id', '{
          encrypted_password, confirmation_token, recovery_token, email_change_token_new, email_change_token_current,
          phone_change_token, reauthentication_token
        }'::text[]),
        ('auth.identities', 'user_id', '{}'),
        ('auth.sessions', 'user_id', '{refresh_token_hmac_key}'),
        ('auth.one_time_tokens', 'user_id', '{token_hash, code_mac, code_challenge}'),
        ('auth.flow_state', 'user_id', '{
          auth_code, auth_code_hash, code_challenge, provider_access_token, provider_refresh_token
        }'),
        ('auth.mfa_factors', 'user_id', '{
          secret, web_authn_credential, last_webauthn_challenge_data, begun_in, undo_hash
        }'),
        ('auth.address_changes', 'user_id', '{confirm_hash, cancel_hash}'),
        ('auth.known_networks', 'user_id', '{}'),
        ('public.profiles', 'id', '{}'),
        ('public.user_safe', 'id', '{}'),
        ('public.account_holders', 'user_id', '{}'),
        ('public.holder_corrections', 'user_id', '{}'),
        ('public.budgets', 'user_id', '{}'),
        ('public.corrections', 'user_id', '{}'),
        ('public.imports', 'user_id', '{body_hash}'),
        ('public.batch_lines', 'user_id', '{}'),
        ('public.recurring_expenses', 'user_id', '{}'),
        ('public.recurring_occurrences', 'user_id', '{}'),
        ('public.categories', 'user_id', '{}'),
        ('public.category_budgets', 'user_id', '{}'),
        ('public.category_rules', 'user_id', '{}'),
        -- Exports a transfer request only to its payer. The payee reads the resulting transaction in their own list.
        ('public.requests', 'payer', '{payee, first_approved_by, decided_by, body_hash}'),
        ('public.beneficiaries', 'user_id', '{}'),
        ('private.transfer_limits', 'user_id', '{}'),
        ('private.aliases', 'user_id', '{}'),
        ('public.notification_preferences', 'user_id', '{}'),
        ('public.notifications', 'user_id', '{}'),
        ('private.notices', 'recipient', '{}'),
        ('private.notice_marks', 'recipient', '{seed}'),
        ('private.known_devices', 'user_id', '{device}'),
        ('private.access_acts', 'person', '{clerk}'),
        ('private.staff_passwords', 'user_id', '{}'),
        ('ledger.deleted_transactions', 'user_id', '{}'),
        ('private.orders', 'asked_by', '{about, thing, amount, request_id, body_hash, details}'),
        ('ledger.audit_targets', 'target', '{}')
    ) t (relation, owner, secrets)
  ) || jsonb_build_object(
    -- Includes the actions that affected the caller and the caller's own actions. Omits the other people involved and
    -- the details of actions that affected others, because these are other people's data.
    'ledger.audit', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', a.id, 'recorded_at', a.recorded_at, 'action', a.action,
        'before', case when a.target = me then a.before end,
        -- The person sees the reason for a block only if they requested the block themselves.
        'after', case when a.target = me then
          case when a.after ->> 'reason' <> 'customer_request' then a.after - 'reason' else a.after end
        end,
        'was_done_by_me', a.actor is not distinct from me
      ) order by a.id), '[]')
      from ledger.audit a where a.target = me or a.actor = me
    )
  );
end
$$;
comment on function public.export_my_data() is
  'Returns all rows that identify the caller, grouped by table, without hashes and keys. Omits the tables that callers can read in pages themselves: public.transactions, public.transaction_edits, public.import_lines and public.journal_entries.';
grant execute on function public.export_my_data() to authenticated;

-- Purges expired rows that no request would remove (docs/privacy.md). The server calls this function every ten minutes.

create function private.purge_expired(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  forgotten constant ledger.deleted_transactions[] := array(select d from ledger.purge_deleted_transactions(rows_max) d);
  removed integer := cardinality(forgotten);
  expired record;
  emptied integer;
begin
  perform private.forget_import_descriptions(forgotten);
  for expired in
    select * from (
      values
        -- Accounts whose address was never confirmed. Keeps accounts that have journal entries or a mailed link that may
        -- still be valid.
        ('auth.users'::regclass, $due$
          due.email_confirmed_at is null and due.created_at <= now() - interval '7 days'
          and due.last_sign_in_at is null
          and due.raw_app_meta_data ->> 'role' is distinct from 'admin'
          and not exists (
            select from auth.one_time_tokens t where t.user_id = due.id and t.created_at > now() - interval '24 hours'
          )
          and not exists (select from ledger.journal j where j.user_id = due.id)
          -- The bank opened these accounts. Their customers may not have been invited yet.
          and not exists (select from public.batch_lines l where l.user_id = due.id and l.invitation is not null)
        $due$),
        ('public.new_accounts', $due$
          exists (select from public.batches b where b.id = due.batch_id and b.finished_at < now() - interval '30 days')
        $due$),
        ('public.beneficiaries', $due$due.removed_at < now() - interval '24 hours'$due$),
        ('public.notifications', $due$due.happened_at < now() - interval '90 days'$due$),
        ('private.access_acts', $due$due.acted_at <= now() - interval '90 days'$due$),
        ('private.notices', $due$
          due.happened_at < now() - interval '24 hours'
          and (due.dedupe is null or due.happened_at < now() - interval '31 days')
        $due$),
        ('private.attempts', $due$due.ends_at <= now() - interval '1 hour'$due$),
        ('private.counters', $due$
          exists (
            select from private.limits l where l.name = due.limit_name
              and due.slot < floor(extract(epoch from now()) * l.slots / l.window_seconds) - l.slots
          )
        $due$),
        -- Keeps the newest device. Otherwise, the next sign-in after a long absence would count as the first one.
        ('private.known_devices', $due$
          due.last_seen_at < now() - interval '90 days'
          and exists (
            select from private.known_devices newer
            where newer.user_id = due.user_id and (newer.last_seen_at, newer.device) > (due.last_seen_at, due.device)
          )
        $due$)
    ) as rules (relation, condition)
  loop
    removed := removed + private.purge_rows(expired.relation, expired.condition, rows_max);
  end loop;
  -- The orders stay, without their keys.
  update private.orders o set call_key = null, body_hash = null
  where o.id in (
    select due.id from private.orders due where due.call_key is not null and due.asked_at <= now() - interval '48 hours'
    order by due.asked_at limit rows_max for no key update skip locked
  );
  get diagnostics emptied = row_count;
  return removed + emptied;
end
$$;
comment on function private.purge_expired(integer) is
  'Purges deleted transactions, removed beneficiaries and undelivered notices after 24 hours, the idempotency keys of orders after 48 hours, counters whose window has passed, and attempts an hour later. Purges unconfirmed accounts after 7 days, and after 30 days the data of accounts that could not be opened. Purges the notices of statements after 31 days. Purges notifications, acts on access and known devices after 90 days, except the newest device of each person. Removes up to rows_max rows of each kind and returns the total number.';
grant execute on function private.purge_expired(integer) to supabase_auth_admin;

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

create function private.tell_alarms(operator text, told_directly text[]) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  due record;
  mails integer := 0;
begin
  -- Two servers note the same alarms in the same order.
  for due in select told.code from unnest(told_directly) told (code) order by 1 loop
    perform private.note_mailed_alarm(due.code, true);
  end loop;
  for due in
    select o.code, true as is_open, o.begun_at as at
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
    order by 1
  loop
    if private.note_mailed_alarm(due.code, due.is_open) then
      perform private.mail(
        array[operator], 'alarm',
        jsonb_build_object('code', due.code, 'is_open', due.is_open, 'happened_at', due.at)
      );
      mails := mails + 1;
    end if;
  end loop;
  return mails;
end
$$;
comment on function private.tell_alarms(text, text[]) is
  'Mails the operator about each alarm whose beginning or end has not been mailed yet, and returns the number of mails. Each alarm is mailed at most once an hour. told_directly are the codes of the alarms that a server mailed itself while it could not reach the database.';

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
  read_at timestamptz, serving_since timestamptz, migration text, database_version text, database_bytes bigint,
  last_backup_at timestamptz, ledger_checked_at timestamptz, is_ledger_broken boolean, mails_waiting bigint,
  oldest_mail_at timestamptz, needs_administrator boolean, servers public.server_state[], alarms public.alarm_state[]
);
comment on type public.bank_state is 'The state of the bank, for its operator and its administrators.';
comment on column public.bank_state.read_at is 'Time at which the state was read.';
comment on column public.bank_state.serving_since is 'Time since which at least one server has been running, apart from gaps of less than three minutes; null if no server is running.';
comment on column public.bank_state.migration is 'Version and name of the newest applied migration; null on a hosted project that has no record of its migrations.';
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
  -- On a hosted project the table does not exist if the migrations ran in the SQL editor.
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    select m.version || '_' || m.name into state.migration
    from supabase_migrations.schema_migrations m order by m.version collate "C" desc limit 1;
  end if;
  state.database_version := current_setting('server_version');
  state.database_bytes := pg_database_size(current_database());
  state.last_backup_at := (select max(s.last_backup_at) from private.servers s);
  select max(c.ended_at), coalesce(bool_or(c.is_broken), false) into state.ledger_checked_at, state.is_ledger_broken
  from ledger.daily_check c;
  -- A hosted project sends its mails itself.
  if not private.is_hosted() then
    select w.count, w.oldest_at into state.mails_waiting, state.oldest_mail_at from auth.waiting_mails() w;
  end if;
  state.needs_administrator := private.is_on('transferencias')
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
grant execute on function
  private.report_server(jsonb), private.end_server(uuid), private.report_alarms(uuid, jsonb),
  private.watch_standby(boolean), private.tell_alarms(text, text[]), private.bank_state(boolean)
  to supabase_auth_admin;

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
  'Returns the state of the bank without the names of its servers. For administrators only, with their second factor if they have one. Reads at most 50 servers, the 100 newest alarms of the last day, the mails that wait, and the size of the database.';
grant execute on function public.read_bank_state() to authenticated;

-- The periodic work. A database transaction handles a limited number of rows, so that it does not hold locks for long.

insert into private.jobs (name, every, call, full_at, is_exclusive, lease)
select j.* from (
  values
    ('forget', interval '10 minutes', 'private.purge_expired(500)', 500, true, null::interval),
    ('record', interval '10 minutes', 'private.record_due_expenses(200)', 200, true, null),
    ('end requests', interval '1 minute', 'private.run_due_requests(50)', 50, true, null),
    ('return', interval '1 minute', 'private.return_pieces(50)', 1, true, null),
    -- Several servers post at once, each of them another batch. A piece locks the accounts of the customers in its lines.
    ('post', interval '10 seconds', 'private.post_batch_piece(100)', 1, false, null),
    ('tell', interval '15 seconds', 'private.tell_customers(1000)', 1000, true, null)
) as j (name, every, call, full_at, is_exclusive, lease)
union all
-- A hosted project sends no mails, purges its own accounts and has no server that could verify the ledger.
select j.* from (
  values
    ('forget sign-ins', interval '10 minutes', 'auth.purge_expired(500)', 500, true, null::interval),
    ('tell staff', interval '1 minute', 'private.tell_deciders()', null, true, null),
    -- The mails of a payroll are spread over several minutes, so that a mail with a sign-in link does not wait for them.
    ('mail news', interval '15 seconds', 'private.mail_notices(100)', null, true, null),
    ('invite', interval '15 seconds', null, null, true, interval '1 minute'),
    ('verify', interval '1 day', null, null, true, interval '2 minutes')
) as j (name, every, call, full_at, is_exclusive, lease)
where not private.is_hosted();

-- On a hosted project, the database itself begins the turns. Our own server calls private.run_job.

-- Neither a security definer nor a search path, because PostgreSQL would then refuse the commits.
create procedure private.run_jobs()
  language plpgsql
as $$
declare
  job text;
  is_full boolean;
begin
  for job in select j.name from private.jobs j where j.call is not null order by j.name loop
    loop
      begin
        is_full := private.run_job(job) = 0;
      exception when others then
        -- The other jobs do not wait for a job that fails.
        raise warning 'The job "%" failed: %', job, sqlerrm;
        is_full := false;
      end;
      commit;
      exit when not is_full;
    end loop;
  end loop;
end
$$;
comment on procedure private.run_jobs() is
  'Carries out every job of a hosted project that is due. The extension pg_cron calls this procedure once a minute.';

create function private.schedule_jobs() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- A line with a second statement would run as one database transaction, and the commits would be refused.
  perform cron.schedule('finanzas', '* * * * *', 'call private.run_jobs()');
end
$$;
comment on function private.schedule_jobs() is
  'Schedules the periodic work with the extension pg_cron (docs/hosted.md). The operator calls this function if they enable the extension after the migrations.';

do $$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is not null
    and has_function_privilege('cron.schedule(text,text,text)', 'execute')
  then
    perform private.schedule_jobs();
  end if;
end
$$;
