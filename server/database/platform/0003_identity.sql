-- The other parts of authentication that the product's server needs in the database: rate limits, one-time tokens,
-- PKCE, second factors, and the purge of expired rows (docs/decisions/0021, 0023 and 0024).

create schema throttle authorization supabase_auth_admin;
comment on schema throttle is 'Counters of attempts, which all servers of a bank share. The counters are not accessible through the table API.';
grant usage, create on schema throttle to current_user;

-- The table is unlogged, so that counting does not wait for the disk. If the database crashes, all counters are reset.
create unlogged table throttle.buckets (
  key text primary key,
  used integer not null,
  strikes integer not null,
  ends_at timestamptz not null
);
create index buckets_ends_at on throttle.buckets (ends_at);
comment on table throttle.buckets is 'One row for each limit and each subject (such as a user or a network) for which the limit was recently used.';
comment on column throttle.buckets.key is 'SHA-256 of the limit''s name and its subject, so that e-mail addresses and networks are not stored in plain text.';
comment on column throttle.buckets.used is 'Number of uses in the current window.';
comment on column throttle.buckets.strikes is 'For limits with a back-off: number of consecutive windows before the current window in which the bucket was used up.';
comment on column throttle.buckets.ends_at is 'The end of the window. Until then, a bucket that has no uses left refuses every attempt.';
alter table throttle.buckets owner to supabase_auth_admin;

create function throttle.consume(
  bucket text, capacity integer, window_seconds integer, wait_seconds_max integer default null,
  moment timestamptz default clock_timestamp()
) returns integer
  language plpgsql
  set search_path = ''
as $$
-- A window begins with its first use. If `wait_seconds_max` is given, an exhausted bucket allows one use after each
-- wait. Each wait is twice as long as the previous wait, up to `wait_seconds_max`. If the bucket is not used for an
-- hour after a wait, it starts again with its full capacity.
declare
  wait interval;
begin
  insert into throttle.buckets as b (key, used, strikes, ends_at)
  values (bucket, 1, 0, moment + make_interval(secs => window_seconds))
  on conflict (key) do update
  set (used, strikes, ends_at) = (
    select case when b.ends_at > moment then b.used + 1 else 1 end, next.strikes,
      case
        when b.ends_at > moment then b.ends_at
        when next.strikes = 0 then moment + make_interval(secs => window_seconds)
        else moment + make_interval(secs => least(window_seconds * 2 ^ least(next.strikes - 1, 20), wait_seconds_max))
      end
    from (
      select case
        when b.ends_at > moment then b.strikes
        when wait_seconds_max is null or moment >= b.ends_at + interval '1 hour' then 0
        when b.strikes > 0 or b.used >= capacity then b.strikes + 1
        else 0
      end as strikes
    ) as next
  )
  where b.ends_at <= moment or (b.strikes = 0 and b.used < capacity);
  if found then
    return 0;
  end if;
  select b.ends_at - moment into wait from throttle.buckets b where b.key = bucket;
  return greatest(1, ceil(extract(epoch from wait)));
end
$$;
comment on function throttle.consume(text, integer, integer, integer, timestamptz) is
  'Consumes one use of the bucket''s capacity and returns 0. If the bucket is used up, consumes nothing and returns the number of seconds until it has capacity again.';

create function throttle.refund(bucket text) returns void
  language sql
  set search_path = ''
begin atomic
  update throttle.buckets b
  set used = case when b.strikes = 0 then b.used - 1 else b.used end,
      -- During a back-off, a refund ends the current wait at once. The next wait is as long as the wait that the refund
      -- ended.
      strikes = case when b.strikes > 1 then b.strikes - 1 else b.strikes end,
      ends_at = case when b.strikes = 0 then b.ends_at else least(b.ends_at, clock_timestamp()) end
  where b.key = bucket and b.used > 0;
end;
comment on function throttle.refund(text) is 'Gives one consumed use back to the bucket.';

create function throttle.clear(bucket text) returns void
  language sql
  set search_path = ''
begin atomic
  delete from throttle.buckets b where b.key = bucket;
end;
comment on function throttle.clear(text) is 'Deletes the bucket and thereby ends its back-off.';

create function throttle.consume_all(uses jsonb) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  wanted record;
  wait_seconds integer;
  consumed text[] := '{}';
begin
  for wanted in
    select * from jsonb_to_recordset(uses)
      as u (bucket text, capacity integer, window_seconds integer, wait_seconds_max integer)
  loop
    wait_seconds := throttle.consume(wanted.bucket, wanted.capacity, wanted.window_seconds, wanted.wait_seconds_max);
    if wait_seconds > 0 then
      -- A request that exceeds the limit per minute must not also count toward the limit per hour. Otherwise an
      -- attacker could use up a customer's hourly limit.
      perform throttle.refund(t.bucket) from unnest(consumed) as t (bucket);
      return wait_seconds;
    end if;
    consumed := consumed || wanted.bucket;
  end loop;
  return 0;
end
$$;
comment on function throttle.consume_all(jsonb) is
  'Consumes one use of every given bucket and returns 0. If a bucket is used up, consumes nothing and returns the number of seconds until the first such bucket has capacity again.';

create function auth.limit_refused_writes(bucket text, capacity integer) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  wait interval;
begin
  select b.ends_at - clock_timestamp() into wait from throttle.buckets b where b.key = bucket and b.used >= capacity;
  if wait > interval '0' then
    raise exception 'Se rechazaron demasiados cambios seguidos. Espera unos minutos.'
      using errcode = 'FZ429', detail = ceil(extract(epoch from wait));
  end if;
end
$$;
comment on function auth.limit_refused_writes(text, integer) is
  'Refuses with FZ429 if the bucket counts at least this many uses; the error''s detail is the number of seconds to wait. The bucket counts a customer''s refused writes, and this function runs before each of the customer''s writes.';
alter function auth.limit_refused_writes(text, integer) owner to supabase_auth_admin;

-- New sessions -----------------------------------------------------------------------------------------

create function auth.amr_of(method text) returns jsonb
  language sql stable
  set search_path = ''
begin atomic
  select jsonb_build_array(jsonb_build_object('method', method, 'timestamp', floor(extract(epoch from now()))::bigint));
end;
comment on function auth.amr_of(text) is 'Returns an entry for the `amr` of a session: the given method, used now.';

create function auth.bound_sessions(person uuid, level text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- Counts the sessions at aal1 and at aal2 separately, so that a sign-in with only the password cannot end a session
  -- that has verified a second factor.
  delete from auth.sessions s
  where s.id in (
    select o.id from auth.sessions o
    where o.user_id = person and o.aal = level
    order by o.created_at desc, o.id
    offset 50
  );
  -- A thief who knows only the password could end the owner's sessions by signing in many times. A mail warns the owner
  -- before that happens.
  if (select count(*) from auth.sessions s where s.user_id = person and s.aal = level) >= 20
    and throttle.consume(encode(sha256(convert_to('many sessions ' || person, 'UTF8')), 'hex'), 1, 86400) = 0
  then
    perform auth.enqueue_notice(person, 'many_sessions', null);
  end if;
end
$$;
comment on function auth.bound_sessions(uuid, text) is 'Keeps a user''s newest fifty sessions of one level (limits.ts: sessionsPerPersonMax) and ends the older sessions of this level. If the user has twenty or more such sessions, a mail warns the user, at most once a day.';

create function auth.open_session(new_session uuid, person uuid, method text, device jsonb) returns void
  language sql
  set search_path = ''
begin atomic
  insert into auth.sessions (id, user_id, amr, user_agent, ip)
  values (
    new_session, person, auth.amr_of(method), device ->> 'userAgent', device ->> 'ip'
  );
  select auth.bound_sessions(person, 'aal1');
end;
comment on function auth.open_session(uuid, uuid, text, jsonb) is 'Creates a session that begins now, and records its sign-in method and device.';

-- The serving login. Roles belong to the cluster, so each database has a login that is named after it. The login of
-- another bank in the cluster has a different password and cannot connect to this bank's database
-- (docs/decisions/0043).

create function auth.serving_login() returns name
  language sql stable
  return 'authenticator_' || case
    -- PostgreSQL limits names to 63 bytes.
    when octet_length(current_database()) <= 49 then current_database()::text
    else left(encode(sha256(convert_to(current_database()::text, 'UTF8')), 'hex'), 49)
  end;
comment on function auth.serving_login() is 'The name of the login with which servers connect to this database to serve requests.';

-- Called at each start, because the database may be a copy with another name. The login that is named after the copy
-- may not exist yet, or may lack the right to connect.
create function auth.prepare_serving_login() returns void
  language plpgsql
  set search_path = ''
as $$
declare
  login constant name := auth.serving_login();
  request_role text;
  check_of_request text;
begin
  if not exists (select from pg_catalog.pg_roles where rolname = login) then
    execute format('create role %I login noinherit', login);
  end if;
  foreach request_role in array
    array['anon', 'authenticated', 'service_role', 'supabase_auth_admin', 'supabase_realtime_admin']
  loop
    if not pg_catalog.pg_has_role(login, request_role, 'member') then
      execute format('grant %I to %I', request_role, login);
    end if;
  end loop;
  if not pg_catalog.has_schema_privilege(login, 'auth', 'usage') then
    execute format('grant usage on schema auth to %I', login);
  end if;
  foreach check_of_request in array
    array[
      'auth.require_session(uuid, uuid)', 'auth.require_session_aal1(uuid, uuid)',
      'auth.limit_refused_writes(text, integer)'
    ]
  loop
    if not pg_catalog.has_function_privilege(login, check_of_request, 'execute') then
      execute format('grant execute on function %s to %I', check_of_request, login);
    end if;
  end loop;
  if exists (
    select from pg_catalog.pg_database d
    cross join pg_catalog.aclexplode(coalesce(d.datacl, pg_catalog.acldefault('d', d.datdba))) a
    where d.datname = current_database() and a.grantee = 0 and a.privilege_type = 'CONNECT'
  ) then
    execute format('revoke connect on database %I from public', current_database());
  end if;
  if not pg_catalog.has_database_privilege(login, current_database(), 'connect') then
    execute format('grant connect on database %I to %I', current_database(), login);
  end if;
end
$$;
comment on function auth.prepare_serving_login() is
  'Creates the serving login without a password and grants it the privileges that it needs. Changes nothing if the login already has these privileges. Afterwards, only this login, the database''s owner, superusers and logins with an explicit grant may connect to this database.';

create function throttle.is_known(email text, network text) returns boolean
  language sql stable
  set search_path = ''
begin atomic
  select exists (
    select from auth.known_networks n
    join auth.users u on u.id = n.user_id
    where u.email = is_known.email and n.network = is_known.network
  );
end;
comment on function throttle.is_known(text, text) is 'Whether the user with this e-mail address has signed in from this network during the last 90 days.';

revoke execute on all functions in schema throttle from public;
grant execute on all functions in schema throttle to supabase_auth_admin;

-- Links and codes ---------------------------------------------------------------------------------------

create function auth.store_one_time_token(
  person uuid, kind text, address text, hash text, life_seconds integer, mac text, mac_life_seconds integer,
  challenge text, challenge_method text
)
  returns uuid
  language sql
  set search_path = ''
begin atomic
  insert into auth.one_time_tokens as t (
    token_hash, user_id, token_type, relates_to, expires_at,
    code_mac, code_expires_at, code_challenge, code_challenge_method)
  values (
    hash, person, kind, address, now() + make_interval(secs => life_seconds),
    mac, case when mac is not null then now() + make_interval(secs => mac_life_seconds) end,
    challenge, challenge_method)
  on conflict (user_id, token_type) do update
  set token_hash = excluded.token_hash, relates_to = excluded.relates_to, created_at = excluded.created_at,
      expires_at = excluded.expires_at, code_mac = excluded.code_mac, code_expires_at = excluded.code_expires_at,
      code_tries = 0, code_challenge = excluded.code_challenge,
      code_challenge_method = excluded.code_challenge_method
  returning t.user_id;
end;
comment on function auth.store_one_time_token(uuid, text, text, text, integer, text, integer, text, text) is
  'Stores a token, together with its code if it has one. Replaces the user''s earlier token of the same type.';

create function auth.request_email_change(
  person uuid, next_email text, current_hash text, current_mac text, new_hash text, new_mac text,
  life_seconds integer, mac_life_seconds integer, challenge text, challenge_method text
)
  returns void
  language plpgsql
  set search_path = ''
as $$
declare
  own_email text;
begin
  if next_email is null then
    return;
  end if;
  update auth.users u
  set email_change = next_email,
      email_change_sent_at = now(),
      updated_at = now(),
      -- If only one address gets a new link, the other address stays confirmed.
      email_change_confirm_status = case
        when u.email_change = next_email and (current_hash is null or new_hash is null)
          then u.email_change_confirm_status
        else 0
      end
  where u.id = person
  returning u.email into own_email;
  if own_email is null then
    return;
  end if;
  if current_hash is not null then
    perform auth.store_one_time_token(
      person, 'email_change_current', own_email, current_hash, life_seconds, current_mac, mac_life_seconds,
      challenge, challenge_method);
  end if;
  if new_hash is not null then
    perform auth.store_one_time_token(
      person, 'email_change_new', next_email, new_hash, life_seconds, new_mac, mac_life_seconds,
      challenge, challenge_method);
  end if;
end
$$;
comment on function auth.request_email_change(uuid, text, text, text, text, text, integer, integer, text, text) is
  'Records the new address that a user requests. Stores the tokens of the two links, as far as they are given. Does nothing if the account has no current address.';

create function auth.consume_one_time_token(kinds text[], hash text, address text, mac text)
  returns setof auth.one_time_tokens
  language plpgsql
  set search_path = ''
as $$
-- Counts an attempt to enter a code in a separate statement, so that the attempt counts even if the code matches no
-- token.
declare
  matching text[];
  tries integer;
begin
  if mac is null then
    matching := array[hash];
  else
    with counted as (
      update auth.one_time_tokens t
      set code_tries = t.code_tries + 1
      where t.relates_to = address
        and t.token_type = any (kinds)
        and t.code_expires_at > now()
        and t.code_tries < 5
      returning t.token_hash, t.code_mac
    )
    select array_agg(c.token_hash) filter (where c.code_mac = mac), count(*) into matching, tries from counted c;
    if tries = 0 then
      -- A request that counts an attempt waits for the disk. This statement makes requests for unknown addresses wait
      -- as well, so that the response time does not reveal which addresses have accounts.
      perform pg_logical_emit_message(true, 'auth', '');
    end if;
  end if;
  return query
    delete from auth.one_time_tokens t
    using auth.users u
    where t.token_hash = any (matching)
      and t.token_type = any (kinds)
      and t.expires_at > now()
      and t.relates_to = coalesce(address, t.relates_to)
      and u.id = t.user_id
      and t.relates_to = case when t.token_type = 'email_change_new' then u.email_change else u.email end
      and (u.banned_until is null or u.banned_until <= now())
      and u.deleted_at is null
    returning t.*;
end
$$;
comment on function auth.consume_one_time_token(text[], text, text, text) is
  'Deletes and returns the token with this hash, or the token with this address and code. Returns nothing if the token is unknown or expired, if five wrong codes were entered, if the user''s address has since changed, or if the user is banned or deleted.';

create function auth.can_confirm_email_change(person auth.users) returns boolean
  language sql stable
  return person.email_change is not null and exists (
    select from auth.one_time_tokens t
    where t.user_id = person.id and t.token_type in ('email_change_current', 'email_change_new')
      and t.expires_at > now()
  );
comment on function auth.can_confirm_email_change(auth.users) is
  'Whether a change that the user requested is still pending. A change whose links have expired is not pending, and POST /resend sends no new links for it.';

create function auth.confirm_identity_email(person uuid) returns void
  language sql
  set search_path = ''
begin atomic
  update auth.identities i
  set identity_data = i.identity_data || jsonb_build_object('email', u.email, 'email_verified', true), updated_at = now()
  from auth.users u
  where i.user_id = person and i.provider = 'email' and u.id = person;
end;
comment on function auth.confirm_identity_email(uuid) is 'Copies a user''s confirmed address into the row in auth.identities.';

create function auth.end_links(person uuid) returns void
  language sql
  set search_path = ''
begin atomic
  delete from auth.one_time_tokens t where t.user_id = person;
  delete from auth.flow_state f where f.user_id = person;
  -- Also cancels a change of address that the user requested. Otherwise anyone could have new links mailed by POST
  -- /resend, which needs no session, and an earlier confirmation by one of the addresses would still count.
  update auth.users u
  set email_change = null, email_change_confirm_status = 0
  where u.id = person and u.email_change is not null;
  delete from auth.address_changes c where c.user_id = person;
end;
comment on function auth.end_links(uuid) is
  'Voids everything that was mailed to a user: links, codes, and the codes of followed PKCE links that have not been exchanged yet. Also cancels any pending change of address.';

-- Changes of address that the bank requests ------------------------------------------------------------

create function auth.begin_address_change(person uuid, next_email text, confirm_hash text, cancel_hash text, seed uuid)
  returns void
  language plpgsql
  set search_path = ''
as $$
declare
  begun auth.address_changes;
begin
  perform from auth.users u where u.id = person for update;
  if not found then
    return;
  end if;
  perform auth.cancel_address_change(person);
  insert into auth.address_changes (user_id, email, confirm_hash, cancel_hash)
  values (person, next_email, confirm_hash, cancel_hash)
  returning * into begun;
  perform auth.enqueue_notice(
    person, 'begin_email_change', jsonb_build_object('email', next_email, 'seed', seed, 'counts_at', begun.counts_at));
  insert into auth.outgoing_mails (notice)
  values (jsonb_build_object(
    'to', next_email, 'action', 'confirm_email_change', 'at', now(),
    'after', jsonb_build_object('seed', seed, 'counts_at', begun.counts_at)));
end
$$;
comment on function auth.begin_address_change(uuid, text, text, text, uuid) is
  'Begins a change of address that the bank requested, replaces any pending change, and queues mails to both addresses. The current address gets a link that cancels the change, and the new address gets a link that confirms it. The server derives the links from the seed and a key outside the database.';

create function auth.cancel_address_change(person uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  was_waiting boolean;
begin
  perform from auth.users u where u.id = person for update;
  delete from auth.address_changes c where c.user_id = person;
  was_waiting := found;
  update auth.users u
  set email_change = null, email_change_confirm_status = 0, updated_at = now()
  where u.id = person and u.email_change is not null;
  was_waiting := was_waiting or found;
  delete from auth.one_time_tokens t
  where t.user_id = person and t.token_type in ('email_change_current', 'email_change_new');
  return was_waiting;
end
$$;
comment on function auth.cancel_address_change(uuid) is
  'Cancels a pending change of address, whether the bank or the user requested it. Returns false if the user has no pending change.';

create function auth.waiting_address_change(person uuid) returns json
  language sql stable
  set search_path = ''
begin atomic
  select coalesce(
    (
      select json_build_object(
        'email', c.email, 'begun_at', c.begun_at, 'counts_at', c.counts_at, 'is_confirmed', c.confirmed_at is not null)
      from auth.address_changes c where c.user_id = person
    ),
    (
      select json_build_object(
        'email', u.email_change, 'begun_at', u.email_change_sent_at, 'counts_at', null, 'is_confirmed', false)
      from auth.users u where u.id = person and auth.can_confirm_email_change(u)
    )
  );
end;
comment on function auth.waiting_address_change(uuid) is
  'Returns the pending change of address for staff: the new address, the time of the request, and whether the new mailbox has confirmed the change. Also contains the time at which the change takes effect; this time is null if the user requested the change. Returns null if no change is pending.';

create function auth.set_email(person uuid, confirmed_email text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.users u
  set email = confirmed_email,
      email_confirmed_at = coalesce(u.email_confirmed_at, now()),
      -- As in auth.redeem_one_time_token, an account's first confirmation removes the password, because an attacker may
      -- have chosen the password (decision 0022).
      encrypted_password = case when u.email_confirmed_at is not null then u.encrypted_password end,
      updated_at = now()
  where u.id = person;
  -- Links that were mailed to the former address become invalid.
  perform auth.end_links(person);
  perform auth.confirm_identity_email(person);
end
$$;
comment on function auth.set_email(uuid, text) is
  'Replaces a user''s address by an address that they confirmed. Raises 23505 if another account uses this address.';

create function auth.apply_address_change(person uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  changed auth.address_changes;
begin
  perform from auth.users u where u.id = person for update;
  delete from auth.address_changes c where c.user_id = person and c.confirmed_at is not null returning c.* into changed;
  if changed.user_id is null then
    return false;
  end if;
  begin
    perform auth.enqueue_notice(person, 'set_email', jsonb_build_object('email', changed.email));
    perform auth.set_email(person, changed.email);
  exception
    -- Another account has taken this address since the change was requested.
    when unique_violation then
      return false;
  end;
  return true;
end
$$;
comment on function auth.apply_address_change(uuid) is
  'Applies a change of address that the bank requested and the new mailbox confirmed, and notifies the former address. Returns false if the user has no confirmed change, or if another account has the address.';

create function auth.accept_address_change(person uuid, session uuid, next_email text) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  if not exists (
    select from auth.address_changes c
    where c.user_id = person and c.email = next_email and c.confirmed_at is not null
  ) then
    return false;
  end if;
  perform auth.require_proof(session);
  return auth.apply_address_change(person);
end
$$;
comment on function auth.accept_address_change(uuid, uuid, text) is
  'Applies a confirmed change of address immediately when the user accepts the change. Raises 42501 with the hint reauthentication_needed unless the user has just entered the password or a mailed code (auth.require_proof). Returns false if no change to this address is pending, or if the new mailbox has not confirmed it.';

create function auth.answer_address_change(hash text) returns table (outcome text, person uuid)
  language plpgsql
  set search_path = ''
as $$
declare
  change auth.address_changes;
  is_without_owner boolean;
begin
  -- Locks the account first, like every other function that changes an address. An unconfirmed account with a password
  -- comes from a sign-up. An account that the bank opened has no password before its first confirmation. An account
  -- that the bank opened may already hold money, so its customer can object to the change.
  select u.email_confirmed_at is null and u.encrypted_password is not null into is_without_owner
  from auth.users u
  where u.id = (select c.user_id from auth.address_changes c where hash in (c.confirm_hash, c.cancel_hash))
  for update;
  select * into change from auth.address_changes c where hash in (c.confirm_hash, c.cancel_hash);
  if change.cancel_hash = hash then
    perform auth.cancel_address_change(change.user_id);
    return query select 'cancelled', change.user_id;
  elsif change.counts_at > now() then
    update auth.address_changes c
    set confirmed_at = coalesce(c.confirmed_at, now())
    where c.user_id = change.user_id;
    -- A sign-up that was never confirmed has no owner who could object, so the change of its address applies at once.
    if is_without_owner and not auth.apply_address_change(change.user_id) then
      return;
    end if;
    return query select 'confirmed', change.user_id;
  end if;
end
$$;
comment on function auth.answer_address_change(text) is
  'Processes a click on a link about a change of address that the bank requested. Returns the user and the outcome: "confirmed" if the link was mailed to the new address, otherwise "cancelled". Does not open a session. Returns nothing for an invalid link.';

create function auth.redeem_one_time_token(
  kinds text[], hash text, address text, mac text, new_session uuid, new_auth_code_hash text, device jsonb
)
  returns table (outcome text, method text)
  language plpgsql
  set search_path = ''
as $$
declare
  token auth.one_time_tokens;
  person auth.users;
  agreed smallint;
begin
  -- Locks the account first. A concurrent request that ends the account's sessions therefore runs completely before
  -- this function, and voids the token, or completely after it, and ends the new session too.
  perform from auth.users u
  where u.id in (
    select t.user_id from auth.one_time_tokens t
    where t.token_hash = hash
      or (mac is not null and t.code_mac is not null and t.relates_to = address and t.token_type = any (kinds))
  )
  order by u.id
  for update;
  select * into token from auth.consume_one_time_token(kinds, hash, address, mac) limit 1;
  if token.token_hash is null then
    return;
  end if;
  perform auth.end_due_factors(token.user_id);
  select * into person from auth.users u where u.id = token.user_id for update;

  agreed := case token.token_type when 'email_change_current' then 1 when 'email_change_new' then 2 end;
  -- Both addresses must confirm the change. A second confirmation by the same address does not count as the other
  -- address's confirmation.
  if agreed is not null and person.email_change_confirm_status in (0, agreed) then
    update auth.users u set email_change_confirm_status = agreed, updated_at = now() where u.id = person.id;
    return query select 'partly confirmed', null::text;
    return;
  end if;

  if agreed is not null then
    begin
      perform auth.set_email(person.id, person.email_change);
    exception
      -- Another account has taken this address since the change was requested.
      when unique_violation then
        return;
    end;
    update auth.users u set last_sign_in_at = now() where u.id = person.id;
  else
    update auth.users u
    set email_confirmed_at = coalesce(u.email_confirmed_at, now()),
        -- If the account was not confirmed before, only the sign-up link keeps the password. Every other link removes
        -- the password, because an attacker may have chosen the password (decision 0022).
        encrypted_password = case
          when u.email_confirmed_at is null and token.token_type <> 'signup' then null
          else u.encrypted_password
        end,
        raw_user_meta_data = u.raw_user_meta_data || '{"email_verified": true}',
        last_sign_in_at = now(),
        updated_at = now()
    where u.id = person.id;
    -- An invitation is for the first sign-in. Its link is valid for days, and other people may read the mail in that
    -- time.
    delete from auth.one_time_tokens t where t.user_id = person.id and t.token_type = 'invite';
    perform auth.confirm_identity_email(person.id);
  end if;
  update auth.identities i set last_sign_in_at = now() where i.user_id = person.id and i.provider = 'email';

  method := case
    -- The account has no password if several sign-ups used its address with different passwords. The mailbox's owner
    -- must then choose a password.
    when token.token_type = 'recovery' or (token.token_type = 'signup' and person.encrypted_password is null)
      then 'recovery'
    when token.token_type = 'invite' then 'invite'
    else 'otp'
  end;
  if token.code_challenge is not null and new_auth_code_hash is not null then
    delete from auth.flow_state f where f.user_id = person.id and f.expires_at <= now();
    insert into auth.flow_state
      (user_id, auth_code_hash, code_challenge, code_challenge_method, authentication_method, expires_at)
    values (
      person.id, new_auth_code_hash, token.code_challenge, token.code_challenge_method, method,
      now() + interval '5 minutes'
    );
    return query select 'code', method;
  else
    perform auth.open_session(new_session, person.id, method, device);
    return query select 'signed in', method;
  end if;
end
$$;
comment on function auth.redeem_one_time_token(text[], text, text, text, uuid, text, jsonb) is
  'Consumes a token, confirms its address and opens a session if the token allows it. Returns no row for an unknown token. Otherwise the outcome is "partly confirmed" (only one of two addresses has confirmed), "code" (with PKCE, the client must exchange a code) or "signed in" (the session is open). `method` is the method that the session lists in `amr`.';

-- Second factors ----------------------------------------------------------------------------------------

create function auth.has_factor(person uuid) returns boolean
  language sql stable
  set search_path = ''
begin atomic
  select exists (
    select from auth.mfa_factors f where f.user_id = person and f.factor_type <> 'recovery_code' and f.status = 'verified'
  );
end;
comment on function auth.has_factor(uuid) is 'Whether the user has a verified app or passkey.';

create function auth.last_shown_at(session auth.sessions, methods text[]) returns timestamptz
  language sql stable
  set search_path = ''
begin atomic
  select max(to_timestamp((a.entry ->> 'timestamp')::double precision))
  from jsonb_array_elements(session.amr) as a (entry)
  where a.entry ->> 'method' = any (methods);
end;
comment on function auth.last_shown_at(auth.sessions, text[]) is
  'Returns the latest time in whole seconds at which the session used one of the methods, according to its `amr`. Returns null if the session has not used any of the methods.';

create function auth.proof_ends_at(session uuid) returns timestamptz
  language sql stable
  set search_path = ''
begin atomic
  select auth.last_shown_at(s, '{password,otp,recovery,invite}') + interval '10 minutes'
  from auth.sessions s where s.id = session;
end;
comment on function auth.proof_ends_at(uuid) is
  'Time at which the session''s last proof expires: ten minutes after the user entered the password or used a mailed link or code. Null without a proof.';

create function auth.require_proof(session uuid) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if coalesce(auth.proof_ends_at(session), '-infinity') <= now() then
    raise exception 'Confirma tu contraseña para continuar.'
      using errcode = '42501', hint = 'reauthentication_needed';
  end if;
end
$$;
comment on function auth.require_proof(uuid) is
  'Refuses with 42501 and the hint reauthentication_needed, unless the user entered the password or used a mailed link or code in this session within the last ten minutes. A stolen session alone can therefore not add or remove second factors.';

create function auth.refuse_partial_update(refusal text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if refusal is not null then
    raise exception 'The change is refused.' using hint = refusal;
  end if;
end
$$;
comment on function auth.refuse_partial_update(text) is
  'Raises P0001 with the refusal as its hint. The error rolls back the whole change. Does nothing if the refusal is null.';

create function auth.settle_password(person uuid, session uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.sessions s
  set amr = coalesce((
    select jsonb_agg(
      case when a.entry ->> 'method' in ('recovery', 'invite')
        then jsonb_set(a.entry, '{method}', '"otp"') else a.entry end
      order by a.position)
    from jsonb_array_elements(s.amr) with ordinality as a (entry, position)
  ), '[]')
  where s.id = session and s.user_id = person;
  if not found then
    -- Another request ended the session while this change waited for the lock on the account.
    raise exception 'Session from session_id claim in JWT does not exist' using errcode = 'FZ401';
  end if;
  delete from auth.sessions s where s.user_id = person and s.id <> session;
  perform auth.end_links(person);
end
$$;
comment on function auth.settle_password(uuid, uuid) is
  'Runs after the user has set a new password in this session. Ends the user''s other sessions and voids all mailed links and codes. A recovery link allows only one new password, so this session no longer counts as opened by a recovery link. Raises FZ401 if this session has ended. Must run as a separate statement: a statement sees only rows that were committed before its start, and the password change may have waited for the lock on the account.';

create function auth.end_factors(person uuid, since timestamptz) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from auth.mfa_factors f where f.user_id = person and f.created_at >= since;
  if not auth.has_factor(person) then
    delete from auth.mfa_factors f where f.user_id = person;
  end if;
  -- Deletes the sessions after the factors, because the deletion of a factor waits for any request that is verifying
  -- this factor. This statement therefore also deletes the session of that request.
  delete from auth.sessions s where s.user_id = person;
  perform auth.end_links(person);
  -- Also removes the password, because the person who added the factor may know it. The owner can set a new password
  -- through a recovery link.
  update auth.users u
  set encrypted_password = null, factors_end_at = null, updated_at = now()
  where u.id = person;
end
$$;
comment on function auth.end_factors(uuid, timestamptz) is
  'Removes the second factors that were created since the given time, and all factors if no verified app or passkey remains. Also removes the password, all sessions, and all mailed links and codes. Afterwards, the owner can sign in only through a recovery link.';

create function auth.undo_factor(hash text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  added auth.mfa_factors;
begin
  -- Locks the account first, like every other function that removes factors.
  perform from auth.users u
  where u.id = (select f.user_id from auth.mfa_factors f where f.undo_hash = hash)
  for update;
  select * into added from auth.mfa_factors f where f.undo_hash = hash and f.undo_expires_at > now() for update;
  if added.id is not null then
    perform auth.end_factors(added.user_id, added.created_at);
  end if;
  return added.user_id;
end
$$;
comment on function auth.undo_factor(text) is
  'Processes the link that a mail about a new factor contains: calls auth.end_factors for this factor and all factors added after it. Returns the factor''s owner; null for an invalid link.';

create function auth.request_factors_end(person uuid, session uuid) returns timestamptz
  language sql
  set search_path = ''
begin atomic
  update auth.users u
  set factors_end_at = coalesce(u.factors_end_at, now() + interval '72 hours')
  where u.id = person and exists (
    select
    from auth.sessions s
    where s.id = session and s.user_id = person
      and auth.last_shown_at(s, '{recovery}') > now() - interval '30 minutes'
  )
  returning u.factors_end_at;
end;
comment on function auth.request_factors_end(uuid, uuid) is
  'Records the request of an account''s owner who cannot use any factor, so that all factors are removed in 72 hours. Returns the time of the removal. Returns null unless a recovery link opened this session within the last 30 minutes.';

create function auth.cancel_factors_end(person uuid, session uuid) returns void
  language sql
  set search_path = ''
begin atomic
  -- Requires both a factor and access to the mailbox. Otherwise a thief who added a factor could lock the owner out
  -- forever.
  update auth.users u
  set factors_end_at = null
  where u.id = person and u.factors_end_at > now() and exists (
    select
    from auth.sessions s
    where s.id = session and s.user_id = person and s.aal = 'aal2'
      and auth.last_shown_at(s, '{otp,recovery,invite}') >= date_trunc('second', u.factors_end_at - interval '72 hours')
  );
end;
comment on function auth.cancel_factors_end(uuid, uuid) is
  'Cancels the requested removal of the factors. Does so only if the session has verified a factor and the user has used a mailed link or code in it since the request.';

create function auth.forget_factors_end(person uuid) returns void
  language sql
  set search_path = ''
begin atomic
  update auth.users u set factors_end_at = null where u.id = person;
end;
comment on function auth.forget_factors_end(uuid) is
  'Cancels the requested removal of the factors. Called after the bank itself has removed the factors: otherwise a factor that the owner adds within the 72 hours would be removed too.';

create function auth.record_proof(person uuid, session uuid, method text) returns void
  language sql
  set search_path = ''
begin atomic
  update auth.sessions s
  set updated_at = now(),
      amr = auth.amr_of(method) || coalesce((
        select jsonb_agg(a.entry order by a.position)
        from jsonb_array_elements(s.amr) with ordinality as a (entry, position)
        where a.entry ->> 'method' <> method
      ), '[]')
  where s.id = session and s.user_id = person;
  select auth.cancel_factors_end(person, session);
end;
comment on function auth.record_proof(uuid, uuid, text) is
  'Records in the session that the caller has again entered the password (method password) or a mailed code (method otp).';

create function auth.end_due_factors(person uuid, moment timestamptz default now()) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  perform from auth.users u where u.id = person and u.factors_end_at <= moment for update;
  if found then
    perform auth.end_factors(person, '-infinity');
  end if;
  return found;
end
$$;
comment on function auth.end_due_factors(uuid, timestamptz) is
  'Removes a user''s second factors if the requested time of their removal has come. Returns true if the factors were removed. Called before each sign-in and by the purge.';

create function auth.is_visible_in(factor auth.mfa_factors, session uuid) returns boolean
  language sql stable
  return factor.status = 'verified'
    or (factor.begun_in = session and factor.created_at > now() - interval '10 minutes');
comment on function auth.is_visible_in(auth.mfa_factors, uuid) is
  'Whether a session can see and use a factor: the factor must be verified, or this session must have created it within the last ten minutes.';

create function auth.require_right_to_add(person uuid, session uuid, factor uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if not exists (
    select from auth.mfa_factors f
    where f.id = factor and f.user_id = person and f.status = 'unverified' and auth.is_visible_in(f, session)
  ) then
    return;
  end if;
  -- Checks the session's level (aal1 or aal2) in this step too. Another session may have verified a factor since this
  -- session began to add its factor.
  if auth.has_factor(person)
    and not exists (select from auth.sessions s where s.id = session and s.user_id = person and s.aal = 'aal2')
  then
    raise exception 'Completa la verificación en dos pasos para continuar.'
      using errcode = '42501', hint = 'insufficient_aal';
  end if;
  perform auth.require_proof(session);
end
$$;
comment on function auth.require_right_to_add(uuid, uuid, uuid) is
  'Runs before each step that verifies a new factor. Refuses with 42501 and the hint insufficient_aal if the account has a verified factor and this session is not at aal2. Refuses with 42501 and the hint reauthentication_needed unless the user has just entered the password or a mailed code (auth.require_proof). Does nothing if the factor is already verified or the session cannot see the factor.';

create function auth.try_factor(person uuid, session uuid, factor uuid, challenge uuid)
  returns table (outcome text, wait_seconds integer, secret bytea, last_step bigint)
  language plpgsql
  set search_path = ''
as $$
declare
  found_factor auth.mfa_factors;
begin
  perform auth.require_right_to_add(person, session, factor);
  select * into found_factor
  from auth.mfa_factors f
  where f.id = factor and f.user_id = person and f.factor_type <> 'webauthn' and auth.is_visible_in(f, session)
  for update;
  if found_factor.id is null then
    return query select 'unknown', 0, null::bytea, null::bigint;
  elsif found_factor.locked_until > now() then
    return query select
      'locked', ceil(extract(epoch from found_factor.locked_until - now()))::integer, null::bytea, null::bigint;
  elsif found_factor.factor_type = 'totp' and not exists (
    select from auth.mfa_challenges c
    where c.id = challenge and c.factor_id = factor and c.session_id = session and c.expires_at > now()
  ) then
    return query select
      case
        when exists (select from auth.mfa_challenges c where c.id = challenge and c.factor_id = factor) then 'expired'
        else 'unknown challenge'
      end,
      0, null::bytea, null::bigint;
  else
    -- The attempt is counted before the code is checked, so that concurrent attempts count as well. A correct code
    -- resets the count.
    update auth.mfa_factors f
    set failed_tries = f.failed_tries + 1,
        locked_until = case
          when f.failed_tries >= 4
            then now() + least(interval '1 hour', interval '30 seconds' * power(2, least(f.failed_tries - 4, 20)))
        end
    where f.id = factor;
    return query select 'open', 0, found_factor.secret, found_factor.last_step;
  end if;
end
$$;
comment on function auth.try_factor(uuid, uuid, uuid, uuid) is
  'Counts an attempt to enter a factor''s code, and returns the data needed to check the code. The outcome is "open" if the code can be checked now, and "unknown" if the session cannot see such a factor. After too many wrong codes, the outcome is "locked", with the number of seconds to wait. The outcome is "unknown challenge" if the challenge was already answered or belongs to another factor, and "expired" if the challenge has expired or belongs to another session. Raises the errors of auth.require_right_to_add.';

create function auth.raise_session(person uuid, session uuid, factor uuid, method text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.mfa_factors f
  set failed_tries = 0, locked_until = null, last_challenged_at = now(), updated_at = now()
  where f.id = factor;
  delete from auth.mfa_factors f where f.user_id = person and f.status = 'unverified';
  update auth.sessions s
  set aal = 'aal2', factor_id = factor, refresh_counter = s.refresh_counter + 1, refreshed_at = now(),
      recent_refreshes = (now() || s.recent_refreshes)[1:100], updated_at = now(), amr = auth.amr_of(method) || s.amr
  where s.id = session and s.user_id = person;
  if not found then
    -- Another request ended the session while this statement waited. The error also rolls back the new factor, which
    -- could otherwise lock the owner out.
    raise exception 'Session from session_id claim in JWT does not exist' using errcode = 'FZ401';
  end if;
  delete from auth.sessions s where s.user_id = person and s.id <> session and s.aal = 'aal1';
  perform auth.bound_sessions(person, 'aal2');
  perform auth.cancel_factors_end(person, session);
end
$$;
comment on function auth.raise_session(uuid, uuid, uuid, text) is
  'Raises a session to aal2 after the session has verified the factor, and gives the session a new refresh token. Ends the user''s other sessions that are still at aal1. Raises FZ401 if the session has ended.';

create function auth.activate_factor(factor uuid, undo text) returns void
  language sql
  set search_path = ''
begin atomic
  update auth.mfa_factors f
  set status = 'verified', undo_hash = undo, undo_expires_at = now() + interval '72 hours'
  where f.id = factor;
end;
comment on function auth.activate_factor(uuid, text) is
  'Marks a factor as verified, and stores the hash of the link that can remove the factor within the next 72 hours.';

create function auth.accept_totp(person uuid, session uuid, factor uuid, challenge uuid, step bigint, undo text)
  returns text
  language plpgsql
  set search_path = ''
as $$
declare
  found_factor auth.mfa_factors;
begin
  perform auth.require_right_to_add(person, session, factor);
  select * into found_factor
  from auth.mfa_factors f
  where f.id = factor and f.user_id = person and auth.is_visible_in(f, session)
  for no key update;
  if found_factor.id is null or found_factor.last_step >= step then
    return 'refused';
  end if;
  delete from auth.mfa_challenges c where c.id = challenge and c.factor_id = factor and c.session_id = session;
  if not found then
    return 'refused';
  end if;
  if found_factor.status = 'unverified' then
    -- The first correct answer verifies the factor and deletes its other challenges.
    delete from auth.mfa_challenges c where c.factor_id = factor;
    perform auth.activate_factor(factor, undo);
  end if;
  update auth.mfa_factors f set last_step = step where f.id = factor;
  perform auth.raise_session(person, session, factor, 'totp');
  return case found_factor.status when 'unverified' then 'added' else 'shown' end;
end
$$;
comment on function auth.accept_totp(uuid, uuid, uuid, uuid, bigint, text) is
  'Accepts a correct code: marks its time step and its challenge as used, and raises the session to aal2. The outcome is "added" if this call verified the factor, and "shown" if the factor was already verified. The outcome is "refused" if the code or the challenge had already been used. `undo` is the hash of the link that removes an added factor. Raises the errors of auth.require_right_to_add.';

create function auth.accept_new_passkey(
  person uuid, session uuid, factor uuid, credential jsonb, aaguid uuid, undo text
) returns text
  language plpgsql
  set search_path = ''
as $$
begin
  perform auth.require_right_to_add(person, session, factor);
  perform from auth.mfa_factors f
  where f.id = factor and f.user_id = person and f.factor_type = 'webauthn' and f.status = 'unverified'
    and auth.is_visible_in(f, session)
  for no key update;
  if not found then
    return 'refused';
  end if;
  delete from auth.mfa_challenges c where c.factor_id = factor;
  update auth.mfa_factors f
  set web_authn_credential = credential, web_authn_aaguid = aaguid, status = 'verified'
  where f.id = factor;
  perform auth.activate_factor(factor, undo);
  perform auth.raise_session(person, session, factor, 'mfa/webauthn');
  return 'added';
end
$$;
comment on function auth.accept_new_passkey(uuid, uuid, uuid, jsonb, uuid, text) is
  'Stores the public part of a passkey that this session began to add, and raises the session to aal2. The outcome is "added", or "refused" if the session cannot see such a factor or the factor is already verified. `undo` is the hash of the link that removes the passkey. Raises 23505 if the passkey already belongs to an account. Also raises the errors of auth.require_right_to_add.';

create function auth.accept_passkey(person uuid, session uuid, factor uuid, sign_count bigint) returns text
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.mfa_factors f
  set web_authn_credential = jsonb_set(f.web_authn_credential, '{authenticator,signCount}', to_jsonb(sign_count))
  where f.id = factor and f.user_id = person and f.factor_type = 'webauthn' and f.status = 'verified'
    -- Many authenticators do not count signatures and always send zero.
    and (
      (f.web_authn_credential #>> '{authenticator,signCount}')::bigint < sign_count
      or (sign_count = 0 and (f.web_authn_credential #>> '{authenticator,signCount}')::bigint = 0)
    );
  if not found then
    return 'refused';
  end if;
  perform auth.raise_session(person, session, factor, 'mfa/webauthn');
  return 'shown';
end
$$;
comment on function auth.accept_passkey(uuid, uuid, uuid, bigint) is
  'Records the signature counter of a passkey that the user has just used, and raises the session to aal2. The outcome is "refused" if the counter has not increased, because the passkey may have been copied. Otherwise the outcome is "shown".';

create function auth.accept_recovery_code(person uuid, session uuid, factor uuid, mac text) returns text
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.mfa_recovery_codes r set used_at = now()
  where r.factor_id = factor and r.code_mac = mac and r.used_at is null;
  if not found then
    return 'refused';
  end if;
  perform auth.raise_session(person, session, factor, 'mfa/recovery_code');
  return 'shown';
end
$$;
comment on function auth.accept_recovery_code(uuid, uuid, uuid, text) is
  'Uses up one recovery code and raises the session to aal2. The outcome is "refused" if the code is unknown or has already been used, and "shown" if the code was accepted.';

create function auth.remove_factor(person uuid, factor uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  -- Locks the factor first, so that the next statement also finds a session that is just being raised to aal2 with this
  -- factor.
  perform from auth.mfa_factors f where f.id = factor and f.user_id = person for update;
  update auth.sessions s
  set aal = 'aal1', factor_id = null, updated_at = now(),
      amr = coalesce((
        select jsonb_agg(a.entry order by a.position)
        from jsonb_array_elements(s.amr) with ordinality as a (entry, position)
        where a.entry ->> 'method' not in ('totp', 'mfa/webauthn', 'mfa/recovery_code')
      ), '[]')
  where s.user_id = person and s.factor_id = factor;
  delete from auth.mfa_factors f where f.id = factor and f.user_id = person;
  if not found then
    return false;
  end if;
  if not auth.has_factor(person) then
    -- Without an app or a passkey, recovery codes have no use, and all sessions return to aal1.
    delete from auth.mfa_factors f where f.user_id = person and f.factor_type = 'recovery_code';
    update auth.sessions s set aal = 'aal1' where s.user_id = person and s.aal = 'aal2';
  end if;
  return true;
end
$$;
comment on function auth.remove_factor(uuid, uuid) is
  'Removes a factor. Sessions in which the factor was verified return to aal1. Removing the last factor also removes the recovery codes. Returns false if the user has no such factor.';

create function auth.renew_recovery_codes(
  person uuid, factor uuid, name text, macs text[], must_exist boolean, undo text
)
  returns table (id uuid, friendly_name text)
  language plpgsql
  set search_path = ''
as $$
#variable_conflict use_column
declare
  kept auth.mfa_factors;
begin
  if not must_exist then
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
    select factor, person, name, 'recovery_code', 'verified' where auth.has_factor(person);
  end if;
  -- Sets the creation time of the set of recovery codes to now. The link that removes the set also removes all factors
  -- that are newer than the set. With the old creation time, this link would remove factors that are older than the new
  -- codes.
  update auth.mfa_factors f
  set failed_tries = 0, locked_until = null, created_at = now(), updated_at = now()
  where f.user_id = person and f.factor_type = 'recovery_code'
  returning f.* into kept;
  if kept.id is null then
    return;
  end if;
  delete from auth.mfa_recovery_codes r where r.factor_id = kept.id;
  insert into auth.mfa_recovery_codes (factor_id, code_mac) select kept.id, m.mac from unnest(macs) as m (mac);
  perform auth.activate_factor(kept.id, undo);
  return query select kept.id, kept.friendly_name;
end
$$;
comment on function auth.renew_recovery_codes(uuid, uuid, text, text[], boolean, text) is
  'Replaces the user''s recovery codes, or creates the first set, and stores the hash of the link that removes the set. Returns no row if `must_exist` is true and the user has no set yet. Also returns no row if the user has no verified app or passkey.';

-- Retention ---------------------------------------------------------------------------------------------

create function auth.purge_rows(relation regclass, condition text, moment timestamptz, rows_max integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  removed integer;
begin
  execute format(
    'delete from %1$s where ctid = any (array(select due.ctid from %1$s due where %2$s limit $2))', relation, condition
  ) using moment, rows_max;
  get diagnostics removed = row_count;
  return removed;
end
$$;
comment on function auth.purge_rows(regclass, text, timestamptz, integer) is
  'Deletes at most rows_max of a table''s rows that meet the condition, and returns the number of deleted rows. The condition is SQL text, in which `due` is the row and $1 is the moment.';

create function auth.purge_expired(rows_max integer default 1000, moment timestamptz default now()) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  expired record;
  removed integer;
  total integer := 0;
begin
  perform auth.end_due_factors(u.id, moment)
  from (select o.id from auth.users o where o.factors_end_at <= moment limit rows_max) as u;
  get diagnostics removed = row_count;
  total := total + removed;
  -- A banned user's change of address takes effect only after the ban has ended.
  perform auth.apply_address_change(c.user_id)
  from (
    select o.user_id from auth.address_changes o
    join auth.users u on u.id = o.user_id
    where o.counts_at <= moment and o.confirmed_at is not null
      and (u.banned_until is null or u.banned_until <= moment)
    limit rows_max
  ) as c;
  get diagnostics removed = row_count;
  total := total + removed;
  for expired in
    select * from (
      values
        ('auth.sessions'::regclass, $due$
          exists (
            select from auth.users u
            where u.id = due.user_id and auth.session_ends_at(
              due.created_at, due.refreshed_at, due.not_after, u.raw_app_meta_data ->> 'role' is not distinct from 'admin'
            ) <= $1
          )
        $due$),
        ('auth.one_time_tokens', 'due.expires_at <= $1'),
        ('auth.address_changes', 'due.counts_at <= $1 and due.confirmed_at is null'),
        ('auth.flow_state', 'due.expires_at <= $1'),
        ('auth.mfa_challenges', 'due.expires_at <= $1'),
        -- After ten minutes, no session can verify an unverified factor any more (auth.is_visible_in).
        ('auth.mfa_factors', $due$due.status = 'unverified' and due.created_at <= $1 - interval '10 minutes'$due$),
        ('auth.known_networks', $due$due.last_seen_at <= $1 - interval '90 days'$due$),
        ('auth.outgoing_mails', $due$due.next_try_at is null and due.created_at <= $1 - interval '7 days'$due$),
        ('throttle.buckets', $due$due.ends_at <= $1 - interval '1 hour'$due$)
    ) as rules (relation, condition)
  loop
    total := total + auth.purge_rows(expired.relation, expired.condition, moment, rows_max);
  end loop;
  -- Deletes pending changes of address whose links have expired. Runs after the deletion of expired tokens.
  update auth.users u
  set email_change = null, email_change_confirm_status = 0
  where u.id in (
    select o.id from auth.users o
    where o.email_change is not null and not exists (
      select from auth.one_time_tokens t
      where t.user_id = o.id and t.token_type in ('email_change_current', 'email_change_new') and t.expires_at > moment
    )
    limit rows_max
  );
  get diagnostics removed = row_count;
  return total + removed;
end
$$;
comment on function auth.purge_expired(integer, timestamptz) is
  'Deletes expired rows (docs/privacy.md), at most the given number of each kind, and returns how many rows it deleted.';

-- Only the authentication service may call these functions, except the functions that read the claims, which every role
-- may call.
revoke execute on all functions in schema auth from public;
grant execute on all functions in schema auth to supabase_auth_admin;
-- Only the serving login may call the functions that check a request, and only the owner may manage the serving login.
revoke execute on function
  auth.is_open(auth.sessions, auth.users), auth.require_session_aal1(uuid, uuid), auth.require_session(uuid, uuid),
  auth.serving_login(), auth.prepare_serving_login()
  from supabase_auth_admin;
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to public;
