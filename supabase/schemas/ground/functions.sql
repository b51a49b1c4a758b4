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

create function private.moved_slots(used integer[], steps bigint) returns integer[]
  language sql immutable
  set search_path = ''
  return case
    when steps <= 0 then used
    else array_fill(0, array[least(steps, cardinality(used))::integer])
      || used[:(cardinality(used) - least(steps, cardinality(used)))::integer]
  end;
comment on function private.moved_slots(integer[], bigint) is 'Moves the uses to older parts of the window, and drops the uses that leave the window.';

create function private.total_uses(used integer[]) returns bigint
  language sql immutable
  set search_path = ''
  return (select sum(u) from unnest(used) u);
comment on function private.total_uses(integer[]) is 'Returns the number of uses in all parts of the window.';

create function private.consume(limit_name text, subject text, uses integer default 1) returns void
  language plpgsql security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  rule private.limits;
  present bigint;
  counted private.counters;
  -- The number of earlier uses at which the limit still admits this call.
  earlier_max integer;
  total bigint;
  leaves_in double precision;
begin
  if current_setting('ledger.quota', true) = 'off' then
    return;
  end if;
  select l.* into strict rule from private.limits l where l.name = consume.limit_name;
  present := floor(extract(epoch from clock_timestamp()) * rule.slots / rule.window_seconds);
  earlier_max := rule.uses_max - case when rule.is_counted_afterwards then 1 else uses end;
  if uses > 0 and earlier_max >= 0 then
    insert into private.counters as c (subject, limit_name, slot, used)
    values (consume.subject, consume.limit_name, present, array[uses] || array_fill(0, array[rule.slots]))
    on conflict (subject, limit_name) do update set
      slot = greatest(c.slot, present),
      used = array[(private.moved_slots(c.used, present - c.slot))[1] + uses]
        || (private.moved_slots(c.used, present - c.slot))[2:],
      counted_in = pg_current_xact_id()
    where private.total_uses(private.moved_slots(c.used, present - c.slot)) <= earlier_max
      or rule.is_counted_afterwards and c.counted_in = pg_current_xact_id();
    if found then
      return;
    end if;
  end if;
  select c.* into counted from private.counters c
  where c.subject = consume.subject and c.limit_name = consume.limit_name;
  if not found and earlier_max >= 0
    or rule.is_counted_afterwards and counted.counted_in = pg_current_xact_id_if_assigned()
  then
    return;
  end if;
  counted.used := private.moved_slots(coalesce(counted.used, '{0}'), present - coalesce(counted.slot, present));
  total := private.total_uses(counted.used);
  if uses = 0 and total <= earlier_max then
    return;
  end if;
  leaves_in := rule.window_seconds;
  -- Finds the time at which enough of the oldest uses have left the window.
  for place in reverse cardinality(counted.used) .. 1 loop
    total := total - counted.used[place];
    if total <= earlier_max then
      leaves_in := (greatest(counted.slot, present) - place + 1 + rule.slots + 1) * rule.window_seconds::double precision
        / rule.slots - extract(epoch from clock_timestamp());
      exit;
    end if;
  end loop;
  raise exception using message = format(rule.sentence, rule.uses_max), errcode = 'PT429',
    detail = 'Retry-After: ' || greatest(1, ceil(leaves_in))::integer;
end
$$;
comment on function private.consume(text, text, integer) is
  'Counts the uses of a limit by a subject. Refuses the call (PT429, whose detail states the seconds to wait) and counts nothing if the window would then contain more uses than the limit allows. With 0 uses, only checks the limit, without a lock. Call this function after the lock that makes the subject''s calls run one after another, and before the first row is written if the number of uses is known.';

create function private.refuse_more_rows() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The statements of a trigger belong to a statement that was checked. Closing an account is never refused.
  if (select auth.uid()) is not null and pg_trigger_depth() = 1 then
    perform private.consume('rows written', (select auth.uid())::text, 0);
  end if;
  return null;
end
$$;
comment on function private.refuse_more_rows() is 'Refuses (PT429) a statement of a person who has used up the limit "rows written". Runs before the statement, because the rows of a refused write stay in the database files until the next vacuum.';

create function private.count_written_rows() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  own constant integer := case when me is not null then (select count(*) from written w where w.user_id = me) else 0 end;
begin
  -- The rows of a closed account are deleted after the user.
  if own > 0 and exists (select from auth.users u where u.id = me) then
    perform private.consume('rows written', me::text, own);
  end if;
  return null;
end
$$;
comment on function private.count_written_rows() is 'Counts the rows of the caller that a statement wrote toward the limit "rows written".';

create function private.limit_written_rows(relation regclass, condition text default 'true') returns void
  language plpgsql
  set search_path = ''
as $$
declare
  event record;
begin
  -- Triggers run in alphabetical order, so the check runs after lock_account_first.
  execute format(
    'create trigger refuse_more_rows before insert or update or delete on %s
     for each statement when (%s) execute function private.refuse_more_rows()', relation, condition
  );
  for event in
    select * from (values ('insert', 'new'), ('update', 'new'), ('delete', 'old')) as e (name, version)
  loop
    execute format(
      'create trigger zy_count_rows_%1$s after %1$s on %2$s referencing %3$s table as written
       for each statement when (%4$s) execute function private.count_written_rows()',
      event.name, relation, event.version, condition
    );
  end loop;
end
$$;
comment on function private.limit_written_rows(regclass, text) is
  'Adds the triggers that count the rows of a table toward the limit "rows written". The table has the column user_id. The condition is SQL text; statements that do not meet it are not counted.';

create function private.forget_counters() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from private.counters c where c.subject = old.id::text;
  return null;
end
$$;
comment on function private.forget_counters() is 'Deletes the counters of a deleted user.';

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

create function private.set_staff_rules(
  proof_above numeric, self_dealing text, approval_above numeric, asks_proof boolean default true
) returns void
  language sql security definer
  set search_path = ''
as $$
  -- Updates the row only if a rule changed, so that servers that start with the same rules do not wait for each other.
  update private.staff_rules r
  set proof_above = set_staff_rules.proof_above, self_dealing = set_staff_rules.self_dealing,
    approval_above = set_staff_rules.approval_above, asks_proof = set_staff_rules.asks_proof
  where (r.proof_above, r.self_dealing, r.approval_above, r.asks_proof) is distinct from (
    set_staff_rules.proof_above, set_staff_rules.self_dealing, set_staff_rules.approval_above, set_staff_rules.asks_proof
  )
$$;
comment on function private.set_staff_rules(numeric, text, numeric, boolean) is
  'Sets the bank''s rules for its administrators. If asks_proof is false, the specified actions require no recent password, whatever their amount. Above the amount proof_above, an administrator must enter the password or a mailed code again. Administrators may record transactions in their own account unless self_dealing is "refuse". An administrator needs a second administrator to move more than approval_above; if approval_above is null, no second administrator is needed.';
grant execute on function private.set_staff_rules(numeric, text, numeric, boolean) to supabase_auth_admin;

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
  return not is_specified or exists (select from private.staff_rules r where r.asks_proof);
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

create function private.set_features(names text[]) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Writes only the differences, so that servers that start with the same settings do not wait for each other.
  delete from private.features f where f.name <> all (names);
  insert into private.features (name) select n from unnest(names) n on conflict do nothing;
end
$$;
comment on function private.set_features(text[]) is 'Enables exactly the named features.';
grant execute on function private.set_features(text[]) to supabase_auth_admin;

create function private.require_feature(name text) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not exists (select from private.features f where f.name = require_feature.name) then
    raise exception 'Función no implementada.' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.require_feature(text) is 'Refuses (PT404) a call of a feature that the bank has not enabled.';

create function private.set_transfer_rules(
  automatic_max numeric, transfer_max numeric, day_max numeric, expires_hours integer
) returns void
  language sql security definer
  set search_path = ''
as $$
  -- Updates the row only if a rule changed, so that servers that start with the same rules do not wait for each other.
  update private.transfer_rules r
  set automatic_max = set_transfer_rules.automatic_max, transfer_max = set_transfer_rules.transfer_max,
    day_max = set_transfer_rules.day_max, expires_hours = set_transfer_rules.expires_hours
  where (r.automatic_max, r.transfer_max, r.day_max, r.expires_hours) is distinct from (
    set_transfer_rules.automatic_max, set_transfer_rules.transfer_max, set_transfer_rules.day_max,
    set_transfer_rules.expires_hours
  )
$$;
comment on function private.set_transfer_rules(numeric, numeric, numeric, integer) is
  'Sets the bank''s limits for transfers, in units of currency, and the hours after which an undecided request expires.';
grant execute on function private.set_transfer_rules(numeric, numeric, numeric, integer) to supabase_auth_admin;

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

create function private.require_day_quota(
  sent_at timestamptz[], sizes integer[], added integer, allowed integer, message text, grows_at timestamptz default null
) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  leaves_at timestamptz;
begin
  if current_setting('ledger.quota', true) = 'off' then
    return;
  end if;
  select e.at into leaves_at
  from (
    select u.at, sum(u.size) over (order by u.at desc, u.place) as total
    from unnest(sent_at, sizes) with ordinality as u (at, size, place)
  ) e
  where e.total + added > allowed order by e.at desc limit 1;
  if found then
    raise exception using message = format(message, allowed), errcode = 'PT429',
      detail = 'Retry-After: '
        || ceil(extract(epoch from coalesce(grows_at, leaves_at + interval '24 hours') - now()))::integer;
  end if;
end
$$;
comment on function private.require_day_quota(timestamptz[], integer[], integer, integer, text, timestamptz) is
  'Refuses a call whose new rows would exceed the number allowed in 24 hours (PT429, whose detail states the seconds to wait). The two arrays contain the time and the number of rows of each call in the last 24 hours. grows_at is the time at which the allowed number increases.';

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
  select j.* into strict due from private.jobs j where j.name = job;
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

revoke execute on all functions in schema private from public;
