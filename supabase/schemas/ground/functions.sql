-- Functions of ground: the checks of a caller and of their proof, words, features and limits. They know no table of
-- another subject.

create function private.is_hosted() returns boolean
  language sql stable
  set search_path = ''
as $$
  select to_regprocedure('auth.enqueue_notice(uuid,text,jsonb)') is null
$$;
comment on function private.is_hosted() is
  'Returns whether the database belongs to a hosted project, whose schema auth does not have the functions of our own authentication service (docs/hosted.md).';

-- Does not set search_path, so that PostgreSQL can inline the function into a scan of all users.
create function private.is_working_admin(person auth.users) returns boolean
  language sql stable
  return person.raw_app_meta_data ->> 'role' = 'admin'
    and (person.banned_until is null or person.banned_until <= now()) and person.deleted_at is null;
comment on function private.is_working_admin(auth.users) is
  'Returns whether a person is an administrator who is neither banned nor deleted. For a customer, may return null instead of false.';

create function private.may_administer(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (select from auth.users u where u.id = person and private.is_working_admin(u))
$$;
comment on function private.may_administer(uuid) is
  'Returns whether a person is an administrator and is not blocked, whether or not the person is signed in.';

create function private.guard_last_admin(leaving uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Without this lock, two administrators could demote each other at the same time, because each check would still see
  -- the other administrator.
  perform pg_advisory_xact_lock(hashtext('finanzas.administrators'));
  if not exists (select from auth.users u where u.id <> leaving and private.is_working_admin(u)) then
    raise exception 'El banco necesita al menos un administrador.' using errcode = 'PT403';
  end if;
end
$$;
comment on function private.guard_last_admin(uuid) is 'Refuses a change that would leave the bank without an administrator who can sign in. Concurrent calls run one after another.';

-- The small functions of the limiter do not set search_path, so that PostgreSQL can inline them. A call of an SQL function
-- that is not inlined plans its body again.

create function private.moved_slots(used integer[], steps bigint) returns integer[]
  language sql immutable
  return case
    when steps <= 0 then used
    else array_fill(0, array[least(steps, cardinality(used))::integer])
      || used[:(cardinality(used) - least(steps, cardinality(used)))::integer]
  end;
comment on function private.moved_slots(integer[], bigint) is 'Moves the uses to older parts of the window, and drops the uses that leave the window.';

create function private.total_uses(used integer[]) returns bigint
  language sql immutable
  return (select sum(u) from unnest(used) u);
comment on function private.total_uses(integer[]) is 'Returns the number of uses in all parts of the window.';

create function private.limit_of(name text) returns integer
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  uses_max integer;
begin
  select l.uses_max into strict uses_max from private.limits l where l.name = limit_of.name;
  return uses_max;
end
$$;
comment on function private.limit_of(text) is 'Returns the number of a limit, for code that cannot call private.consume or private.require_room. Fails (P0002) if the limit does not exist.';

create function private.require_room(limit_name text, present bigint, is_of_table boolean default false) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  rule private.limits;
begin
  select l.* into strict rule from private.limits l where l.name = limit_name;
  if present < rule.uses_max then
    return;
  end if;
  if is_of_table then
    raise exception using message = format(rule.sentence, rule.uses_max), errcode = '23514';
  end if;
  raise exception using message = format(rule.sentence, rule.uses_max), errcode = 'PT409';
end
$$;
comment on function private.require_room(text, bigint, boolean) is
  'Refuses a new row (PT409; 23514 for a write through the table API) if the caller already has as many rows as the cap allows. Must be called after a lock that makes the caller''s calls run one after another.';

create function private.slot_at(rule private.limits, moment timestamptz) returns bigint
  language sql stable
  return floor(extract(epoch from moment) * rule.slots / rule.window_seconds)::bigint;
comment on function private.slot_at(private.limits, timestamptz) is 'Returns the number of the part of the window at a moment, counted from 1970.';

create function private.earlier_max(rule private.limits, uses integer, allowed integer) returns integer
  language sql immutable
  return allowed - case when rule.is_counted_afterwards then 1 else uses end;
comment on function private.earlier_max(private.limits, integer, integer) is
  'Returns the number of earlier uses in the window at which a limit still admits a call.';

create function private.admits(
  rule private.limits, subject text, uses integer, allowed integer, only_checks boolean, moment timestamptz default clock_timestamp()
) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  present constant bigint := private.slot_at(rule, moment);
  most constant integer := private.earlier_max(rule, uses, allowed);
begin
  if most < 0 then
    return false;
  end if;
  if only_checks then
    return not exists (
      select from private.counters c
      where c.subject = admits.subject and c.limit_name = rule.name
        and (select sum(u) from unnest(private.moved_slots(c.used, present - c.slot)) u) > most
        and (not rule.is_counted_afterwards or c.counted_in is distinct from pg_current_xact_id_if_assigned())
    );
  end if;
  insert into private.counters as c (subject, limit_name, slot, used)
  values (admits.subject, rule.name, present, array[uses] || array_fill(0, array[rule.slots]))
  on conflict (subject, limit_name) do update set
    slot = greatest(c.slot, present),
    used = array[(private.moved_slots(c.used, present - c.slot))[1] + uses]
      || (private.moved_slots(c.used, present - c.slot))[2:],
    counted_in = pg_current_xact_id()
  where (select sum(u) from unnest(private.moved_slots(c.used, present - c.slot)) u) <= most
    or rule.is_counted_afterwards and c.counted_in = pg_current_xact_id();
  return found;
end
$$;
comment on function private.admits(private.limits, text, integer, integer, boolean, timestamptz) is
  'Counts the uses and returns true, or counts nothing and returns false if the window would then contain more uses than allowed.';

create function private.seconds_to_wait(
  rule private.limits, subject text, uses integer, allowed integer, moment timestamptz default clock_timestamp()
) returns double precision
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  present constant bigint := private.slot_at(rule, moment);
  most constant integer := private.earlier_max(rule, uses, allowed);
  counted private.counters;
  total bigint;
begin
  select c.* into counted from private.counters c
  where c.subject = seconds_to_wait.subject and c.limit_name = rule.name;
  counted.used := private.moved_slots(coalesce(counted.used, '{0}'), present - coalesce(counted.slot, present));
  total := private.total_uses(counted.used);
  -- Finds the time at which enough of the oldest uses have left the window.
  for place in reverse cardinality(counted.used) .. 1 loop
    total := total - counted.used[place];
    if total <= most then
      return (greatest(counted.slot, present) - place + 1 + rule.slots + 1) * rule.window_seconds::double precision
        / rule.slots - extract(epoch from moment);
    end if;
  end loop;
  return rule.window_seconds::double precision;
end
$$;
comment on function private.seconds_to_wait(private.limits, text, integer, integer, timestamptz) is
  'Returns the seconds after which a limit admits the refused uses; the length of the window if it can never admit so many.';

create function private.consume(
  limit_name text, subject text, uses integer default 1, times integer default 1, only_checks boolean default false
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  rule private.limits;
  allowed integer;
  grows_at timestamptz;
begin
  select l.* into rule from private.limits l
  join private.settings s on s.name = 'auth_rate_limits' and s.value = 'on'
  where l.name = consume.limit_name;
  if not found then
    -- The limits are off, or the name is unknown.
    perform private.limit_of(limit_name);
    return;
  end if;
  only_checks := only_checks or uses = 0;
  -- For most calls, the number of a new account is enough. The age of the account is then not read.
  allowed := times * coalesce(rule.new_account_max, rule.uses_max);
  if private.admits(rule, subject, uses, allowed, only_checks) then
    return;
  end if;
  if rule.new_account_max is not null then
    grows_at := (
      select u.created_at + make_interval(secs => rule.window_seconds) from auth.users u where u.id = consume.subject::uuid
    );
    if grows_at <= clock_timestamp() then
      grows_at := null;
      allowed := times * rule.uses_max;
      if private.admits(rule, subject, uses, allowed, only_checks) then
        return;
      end if;
    end if;
  end if;
  raise exception using message = format(rule.sentence, allowed), errcode = 'PT429',
    detail = 'Retry-After: ' || greatest(1, ceil(least(
      private.seconds_to_wait(rule, subject, uses, allowed), extract(epoch from grows_at - clock_timestamp())
    )))::integer;
end
$$;
comment on function private.consume(text, text, integer, integer, boolean) is
  'Counts the uses of a limit by a subject. Refuses the call (PT429, whose detail states the seconds to wait) and counts nothing if the window would then contain more uses than the limit allows, multiplied by `times`. With 0 uses or with only_checks, only checks the limit, without a lock. Call this function after the lock that makes the subject''s calls run one after another, and before the first row is written if the number of uses is known. Does nothing while the setting auth_rate_limits is off.';

create function private.is_first_use(limit_name text, subject text) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  rule private.limits;
begin
  select l.* into strict rule from private.limits l where l.name = is_first_use.limit_name;
  return private.admits(rule, subject, 1, rule.uses_max, false);
end
$$;
comment on function private.is_first_use(text, text) is 'Counts one use and returns true, or returns false if the limit is used up. For limits that refuse no call.';

create function private.attempt(limit_name text, key text, moment timestamptz default clock_timestamp()) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
#variable_conflict use_column
-- A window begins with its first attempt. If the limit has a back-off, used-up attempts allow one attempt after each
-- wait. Each wait is twice as long as the previous wait, up to the maximum. After an hour without an attempt after a
-- wait, the limit starts again with its full number.
declare
  rule private.limits;
  wait interval;
begin
  select l.* into strict rule from private.limits l where l.name = attempt.limit_name;
  insert into private.attempts as b (key, used, strikes, ends_at)
  values (attempt.key, 1, 0, moment + make_interval(secs => rule.window_seconds))
  on conflict (key) do update
  set (used, strikes, ends_at) = (
    select case when b.ends_at > moment then b.used + 1 else 1 end, next.strikes,
      case
        when b.ends_at > moment then b.ends_at
        when next.strikes = 0 then moment + make_interval(secs => rule.window_seconds)
        else moment + make_interval(
          secs => least(rule.window_seconds * 2 ^ least(next.strikes - 1, 20), rule.wait_seconds_max)
        )
      end
    from (
      select case
        when b.ends_at > moment then b.strikes
        when rule.wait_seconds_max is null or moment >= b.ends_at + interval '1 hour' then 0
        when b.strikes > 0 or b.used >= rule.uses_max then b.strikes + 1
        else 0
      end as strikes
    ) as next
  )
  where b.ends_at <= moment or (b.strikes = 0 and b.used < rule.uses_max);
  if found then
    return 0;
  end if;
  select b.ends_at - moment into wait from private.attempts b where b.key = attempt.key;
  return greatest(1, ceil(extract(epoch from wait))::integer);
end
$$;
comment on function private.attempt(text, text, timestamptz) is
  'Counts one attempt and returns 0. If the limit is used up, counts nothing and returns the number of seconds until the next attempt is possible. Unlike private.consume, this function is called in a database transaction of its own, so that a refusal does not undo the count.';

create function private.refund_attempt(key text) returns void
  language sql security definer
  set search_path = ''
begin atomic
  update private.attempts b
  set used = case when b.strikes = 0 then b.used - 1 else b.used end,
      -- During a back-off, a refund ends the current wait at once. The next wait is as long as the wait that the refund
      -- ended.
      strikes = case when b.strikes > 1 then b.strikes - 1 else b.strikes end,
      ends_at = case when b.strikes = 0 then b.ends_at else least(b.ends_at, clock_timestamp()) end
  where b.key = refund_attempt.key and b.used > 0;
end;
comment on function private.refund_attempt(text) is 'Gives one counted attempt back. Does not shorten the next wait of a back-off.';

create function private.end_attempts(limit_name text, key text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if (select l.wait_seconds_max from private.limits l where l.name = limit_name) is null then
    perform private.refund_attempt(key);
  else
    delete from private.attempts b where b.key = end_attempts.key;
  end if;
end
$$;
comment on function private.end_attempts(text, text) is 'Gives one attempt back after a success, and ends the back-off.';

create function private.attempt_all(attempts jsonb) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  wanted record;
  wait_seconds integer;
  counted text[] := '{}';
begin
  for wanted in select * from jsonb_to_recordset(attempts) as a (limit_name text, key text) loop
    wait_seconds := private.attempt(wanted.limit_name, wanted.key);
    if wait_seconds > 0 then
      -- A request that exceeds the limit per minute must not also count toward the limit per hour. Otherwise an
      -- attacker could use up a customer's hourly limit.
      perform private.refund_attempt(k.key) from unnest(counted) as k (key);
      return wait_seconds;
    end if;
    counted := counted || wanted.key::text;
  end loop;
  return 0;
end
$$;
comment on function private.attempt_all(jsonb) is
  'Counts one attempt of every given limit and returns 0. If a limit is used up, counts nothing and returns the number of seconds until the first such limit allows an attempt again.';

create function private.limit_refused_writes(limit_name text, key text) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  rule private.limits;
  wait interval;
begin
  select l.* into strict rule from private.limits l where l.name = limit_refused_writes.limit_name;
  select b.ends_at - clock_timestamp() into wait
  from private.attempts b where b.key = limit_refused_writes.key and b.used >= rule.uses_max;
  if wait > interval '0' then
    raise exception using message = rule.sentence, errcode = 'FZ429', detail = ceil(extract(epoch from wait));
  end if;
end
$$;
comment on function private.limit_refused_writes(text, text) is
  'Refuses with FZ429 if the limit counts too many refused writes; the error''s detail is the number of seconds to wait. Runs before each write of a customer.';

grant execute on function private.attempt(text, text, timestamptz) to supabase_auth_admin;
grant execute on function private.refund_attempt(text) to supabase_auth_admin;
grant execute on function private.end_attempts(text, text) to supabase_auth_admin;
grant execute on function private.attempt_all(jsonb) to supabase_auth_admin;

create function private.count_written_rows() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.consume('rows written', auth.uid()::text, (select count(*)::integer from written));
  return null;
end
$$;
comment on function private.count_written_rows() is 'Counts the rows that a statement of the caller wrote toward the limit "rows written". private.begin_write has checked the limit before the statement.';

create function private.purge_rows(relation regclass, condition text, rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  removed integer;
begin
  execute format(
    'delete from %1$s where ctid = any (array(select due.ctid from %1$s due where %2$s limit $1 for update skip locked))',
    relation, condition
  ) using rows_max;
  get diagnostics removed = row_count;
  return removed;
end
$$;
comment on function private.purge_rows(regclass, text, integer) is
  'Deletes up to rows_max rows of a table that meet a condition, and returns their number. The condition is SQL text in which `due` is the alias of the row. It may end with an ORDER BY clause, without which the planner can read the whole table if it expects many such rows. Skips rows that another call has locked.';

create function private.setting(name text) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  found_value text;
begin
  select s.value into strict found_value from private.settings s where s.name = setting.name;
  return found_value;
end
$$;
comment on function private.setting(text) is 'Returns the value of a setting of the bank; null if the setting is optional and not set. Fails (P0002) if the setting does not exist.';

-- These two functions do not set search_path, so that PostgreSQL can inline them.

create function private.number(name text) returns numeric
  language sql stable
  return private.setting(name)::numeric;
comment on function private.number(text) is 'Returns the value of a setting as a number; null if the setting is optional and not set.';

create function private.is_on(name text) returns boolean
  language sql stable
  return private.setting(name) = 'on';
comment on function private.is_on(text) is 'Returns whether a setting is on.';

create function private.set_settings(given jsonb) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  unknown constant text := (
    select string_agg(g.name, ', ' order by g.name) from jsonb_object_keys(given) g (name)
    where not exists (select from private.settings s where s.name = g.name)
  );
begin
  if unknown is not null then
    raise exception 'Unknown settings: %', unknown using errcode = '22023';
  end if;
  -- Writes only the differences, so that servers that start with the same settings do not wait for each other. The
  -- order lets servers that start with different settings wait without a deadlock.
  perform from private.settings s join jsonb_each_text(given) g on g.key = s.name
  where s.value is distinct from g.value order by s.name for no key update of s;
  update private.settings s set value = g.value
  from jsonb_each_text(given) g where g.key = s.name and s.value is distinct from g.value;
end
$$;
comment on function private.set_settings(jsonb) is
  'Writes the given settings of the bank and leaves all others as they are. The argument is an object with the names and values; the value null removes an optional setting. Refuses an unknown name (22023) and a value that is not allowed (23514), and then writes nothing.';
grant execute on function private.set_settings(jsonb) to supabase_auth_admin;

create function private.proof_ends_at() returns timestamptz
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- A hosted project does not record when the password or a mailed code was entered.
  if private.is_hosted() then
    return 'infinity';
  end if;
  return coalesce(auth.proof_ends_at(((select auth.jwt()) ->> 'session_id')::uuid), '-infinity');
end
$$;
comment on function private.proof_ends_at() is
  'Returns the time until which the last entry of the password or a mailed code in the caller''s session counts as recent. Returns -infinity if neither was entered in this session, and infinity on a hosted project.';

create function private.requires_proof(is_specified boolean) returns boolean
  language sql stable security definer
  set search_path = ''
  return not is_specified or private.is_on('staff_proof');
comment on function private.requires_proof(boolean) is
  'Returns false if the bank''s rules ask for no proof and the specification names the action. Every other action requires a proof.';

create function private.require_proof(is_specified boolean default false) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  if private.requires_proof(is_specified) and not private.is_hosted() then
    perform auth.require_proof(((select auth.jwt()) ->> 'session_id')::uuid);
  end if;
end
$$;
comment on function private.require_proof(boolean) is
  'Guards the actions that must remain impossible for a person who has stolen an administrator''s session. Raises 42501 for a caller who is not an administrator. Raises 42501 with the hint reauthentication_needed unless the password or a mailed code was entered in this session within the last ten minutes. If is_specified is true, asks for no proof where the bank''s rules ask for none (private.requires_proof).';
grant execute on function private.require_proof(boolean) to authenticated;

-- On a hosted project the functions reach the database through the table API, with the service key. The functions pass
-- the id of the administrator whose token they have verified. The database then makes the same checks as in that
-- administrator's own request.

create function private.act_for(actor uuid, session_id uuid) returns void
  language sql
  set search_path = ''
as $$
  select set_config(
    'request.jwt.claims', jsonb_build_object('sub', actor, 'session_id', session_id, 'role', 'authenticated')::text, true
  )
$$;
comment on function private.act_for(uuid, uuid) is
  'For the rest of this database transaction, treats the given person and session as the caller, instead of the service key. The function grants no rights: an unknown or ended session is refused, exactly as in the person''s own request.';

create function private.require_feature(name text) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not private.is_on(name) then
    raise exception 'Función no implementada.' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.require_feature(text) is 'Refuses (PT404) a call of a feature that the bank has not enabled.';

create function private.require_same_upload(is_same boolean, message text) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if is_same is not true then
    raise exception using message = message, errcode = 'PT409';
  end if;
end
$$;
comment on function private.require_same_upload(boolean, text) is
  'Refuses (PT409) an id that was already used for a different upload.';

create function private.is_email(written text) returns boolean
  language sql immutable
  set search_path = ''
  return char_length(written) <= 254
    and written ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$'
    and written !~ '(^\.|\.\.|\.@)';
comment on function private.is_email(text) is
  'Returns whether a text is an e-mail address in the form that the authentication service accepts and stores.';

-- Proofs ------------------------------------------------------------------------------------------------------------

create function private.require_second_factor() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- Needed on a hosted project, which also serves sessions that have not passed their second factor. Our own server
  -- refuses such sessions earlier.
  if exists (
    select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status = 'verified'
  ) and not exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid and s.user_id = (select auth.uid()) and s.aal = 'aal2'
  ) then
    raise exception 'Confirma el segundo factor para continuar.' using errcode = '42501', hint = 'insufficient_aal';
  end if;
end
$$;
comment on function private.require_second_factor() is
  'Refuses (42501 with the hint insufficient_aal) a session of a person with a second factor, if the session has not passed this factor.';

create function private.require_own_proof() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_second_factor();
  if not private.is_hosted() then
    perform auth.require_proof(((select auth.jwt()) ->> 'session_id')::uuid);
    return;
  end if;
  -- On a hosted project, only the claims of the token show when the customer entered the password or a code. A second
  -- factor is accepted instead.
  if (select auth.jwt()) ->> 'aal' is distinct from 'aal2' and not exists (
    select from jsonb_array_elements(
      case jsonb_typeof((select auth.jwt()) -> 'amr') when 'array' then (select auth.jwt()) -> 'amr' else '[]' end
    ) e
    where e ->> 'method' not in ('token_refresh', 'anonymous')
      and to_timestamp((e ->> 'timestamp')::double precision) > now() - interval '10 minutes'
  ) then
    raise exception 'Confirma tu contraseña para continuar.' using errcode = '42501', hint = 'reauthentication_needed';
  end if;
end
$$;
comment on function private.require_own_proof() is
  'Guards the actions of a customer that must remain impossible with a stolen session. Raises 42501 with the hint reauthentication_needed unless the password or a mailed code was entered in this session within the last ten minutes. On a hosted project, a session that has passed its second factor is accepted without a password or code.';

-- Periodic work. Each function that ends a turn or finds no turn to begin returns the number of seconds after which the
-- caller asks again.

create function private.run_job(job text) returns double precision
  language plpgsql security definer
  set search_path = ''
as $$
declare
  due private.jobs;
  handled integer;
  is_full boolean;
begin
  select j.* into strict due from private.jobs j where j.name = job and j.call is not null;
  if due.is_exclusive then
    -- A locked row means that another server carries out this turn.
    perform from private.jobs j where j.name = job and j.next_at <= now() for no key update skip locked;
    if not found then
      return extract(epoch from case when due.next_at > now() then due.next_at - now() else due.every end)::float8;
    end if;
  end if;
  execute format('select (%s)::integer', due.call) into handled;
  is_full := coalesce(handled >= due.full_at, false);
  if due.is_exclusive and not is_full then
    update private.jobs j set next_at = now() + j.every, ended_at = now() where j.name = job;
  end if;
  return case when is_full then 0 else extract(epoch from due.every) end::float8;
end
$$;
comment on function private.run_job(text) is
  'Carries out one portion of a job that has a call, if the job is due and no other server carries it out. Returns 0 if another portion may follow.';
grant execute on function private.run_job(text) to supabase_auth_admin;

create function private.lease_job(
  job text, server uuid, out is_ours boolean, out wait_seconds double precision
)
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update private.jobs j set leased_by = server, leased_until = now() + j.lease
  where j.name = job
    and (j.leased_by = server or (j.next_at <= now() and (j.leased_until is null or j.leased_until <= now())));
  is_ours := found;
  select extract(epoch from greatest(j.next_at, j.leased_until, now() + interval '1 second') - now())::float8
  into strict wait_seconds from private.jobs j where j.name = job;
end
$$;
comment on function private.lease_job(text, uuid) is
  'Acquires or renews the server''s lease of a job. Returns false if the job is not due or if another server holds the lease.';
grant execute on function private.lease_job(text, uuid) to supabase_auth_admin;

create function private.release_job(job text, server uuid, is_done boolean) returns double precision
  language plpgsql security definer
  set search_path = ''
as $$
declare
  wait double precision;
begin
  update private.jobs j set
    leased_by = null, leased_until = null,
    next_at = case when is_done then now() + j.every else j.next_at end,
    ended_at = case when is_done then now() else j.ended_at end
  where j.name = job and j.leased_by = server
  returning extract(epoch from j.next_at - now())::float8 into wait;
  return greatest(wait, 0);
end
$$;
comment on function private.release_job(text, uuid, boolean) is
  'Ends the server''s lease of a job. A turn that was not done stays due, so that another server carries it out. Does nothing if another server has taken over the lease.';
grant execute on function private.release_job(text, uuid, boolean) to supabase_auth_admin;

create function private.hasten_job(job text, pause interval) returns void
  language sql security definer
  set search_path = ''
as $$
  update private.jobs j set next_at = least(j.next_at, coalesce(j.ended_at + pause, now())) where j.name = job
$$;
comment on function private.hasten_job(text, interval) is
  'Lets the next turn of a job begin after a shorter pause than usual.';
grant execute on function private.hasten_job(text, interval) to supabase_auth_admin;
