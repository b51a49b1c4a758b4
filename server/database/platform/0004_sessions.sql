-- Sessions: the check of each request's session, opening and refreshing a session, the login that
-- serves requests, and the end of all links of a person.

create function auth.session_ends_at(
  created_at timestamptz, refreshed_at timestamptz, not_after timestamptz, is_administrator boolean
) returns timestamptz
  -- Does not set search_path. PostgreSQL cannot inline a function that has settings, and every request calls this
  -- function. The names in the body were resolved when the function was created.
  language sql stable
  -- Counts hours instead of days, because a day may have 23 hours.
  return least(
    not_after,
    created_at + case when is_administrator then interval '12 hours' else interval '720 hours' end,
    coalesce(refreshed_at, created_at)
      + case when is_administrator then interval '30 minutes' else interval '168 hours' end
  );
comment on function auth.session_ends_at(timestamptz, timestamptz, timestamptz, boolean) is
  'Time at which a session ends: after 30 days, or after 7 days without a refresh. An administrator''s session ends after 12 hours, or after 30 minutes without a refresh. At exactly that time, the session counts as ended.';

-- This function does not set search_path, so that PostgreSQL can inline the function into the calling query. Every
-- request calls it.
create function auth.is_open(session auth.sessions, person auth.users) returns boolean
  language sql stable
  return auth.session_ends_at(
      session.created_at, session.refreshed_at, session.not_after,
      person.raw_app_meta_data ->> 'role' is not distinct from 'admin'
    ) > now()
    and (person.banned_until is null or person.banned_until <= now())
    and person.deleted_at is null;
comment on function auth.is_open(auth.sessions, auth.users) is
  'Whether the session is still open and its user is neither banned nor deleted.';

create function auth.require_session_aal1(session uuid, person uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not exists (
    select from auth.sessions s
    join auth.users u on u.id = s.user_id
    where s.id = session and s.user_id = person and auth.is_open(s, u)
  ) then
    raise exception 'Session from session_id claim in JWT does not exist' using errcode = 'FZ401';
  end if;
end
$$;
comment on function auth.require_session_aal1(uuid, uuid) is
  'Refuses with FZ401 if the session has ended or its user is banned or deleted. Does not require a verified second factor, because a user must be able to sign out, read the account and verify the factor before the factor is verified.';

create function auth.require_session(session uuid, person uuid) returns void
  -- Does not set search_path. After a function with this setting, PostgreSQL looks up the path again for later
  -- statements, which costs an eighth of the database's work for each request. Instead, the body qualifies all names
  -- with their schema, even the names of operators.
  language plpgsql stable security definer
as $$
declare
  lacks_second_factor boolean;
begin
  -- The checks of the session and of the second factor share one query, because a second query would double the cost of
  -- this function, which runs in every request.
  select s.aal operator(pg_catalog.=) 'aal1' and exists (
    select from auth.mfa_factors f
    where f.user_id operator(pg_catalog.=) s.user_id
      and f.factor_type operator(pg_catalog.<>) 'recovery_code' and f.status operator(pg_catalog.=) 'verified'
  )
  into lacks_second_factor
  from auth.sessions s
  join auth.users u on u.id operator(pg_catalog.=) s.user_id
  where s.id operator(pg_catalog.=) session and s.user_id operator(pg_catalog.=) person and auth.is_open(s, u);

  if not found then
    raise exception 'Session from session_id claim in JWT does not exist' using errcode = 'FZ401';
  elsif lacks_second_factor then
    raise exception 'Completa la verificación en dos pasos para continuar.'
      using errcode = '42501', hint = 'insufficient_aal';
  end if;
end
$$;
comment on function auth.require_session(uuid, uuid) is
  'Refuses with FZ401 if the session has ended or its user is banned or deleted. Refuses with 42501 and the hint insufficient_aal if the user has a second factor that the session has not verified. Runs first in every request that carries a user''s token.';

create function auth.refresh_session(session uuid, presented bigint, reuse_seconds integer)
  returns table (outcome text, user_id uuid, counter bigint)
  language plpgsql
  set search_path = ''
as $$
-- Follows GoTrue's rules for reused refresh tokens (docs/wire.md), with a counter instead of stored tokens.
declare
  current record;
begin
  select s.user_id, s.refresh_counter, u.banned_until,
    (
      select count(*) from unnest(s.recent_refreshes) as r (at)
      where r.at > now() - make_interval(secs => reuse_seconds)
    ) as refreshed_lately,
    auth.session_ends_at(
      s.created_at, s.refreshed_at, s.not_after, u.raw_app_meta_data ->> 'role' is not distinct from 'admin'
    ) as ends_at
  into current
  from auth.sessions s
  join auth.users u on u.id = s.user_id
  where s.id = session
  for update of s;

  if not found or presented > current.refresh_counter then
    return query select 'not_found', null::uuid, null::bigint;
  elsif current.ends_at <= now() then
    delete from auth.sessions s where s.id = session;
    return query select 'expired', null::uuid, null::bigint;
  elsif current.banned_until > now() then
    return query select 'banned', null::uuid, null::bigint;
  elsif presented = current.refresh_counter then
    update auth.sessions s
    set refresh_counter = s.refresh_counter + 1, refreshed_at = now(), updated_at = now(),
        recent_refreshes = (
          now() || array(
            select r.at from unnest(s.recent_refreshes) as r (at)
            where r.at > now() - make_interval(secs => reuse_seconds)
          )
        )[1:100]
    where s.id = session;
    return query select 'rotated', current.user_id, current.refresh_counter + 1;
  elsif presented >= current.refresh_counter - greatest(1, current.refreshed_lately) then
    -- The client gets the active token again: the answer to its refresh may have been lost, or another tab may have
    -- refreshed first. The token just before the active token is accepted at any time. Older tokens are accepted only
    -- for a few seconds after their replacement.
    return query select 'reused', current.user_id, current.refresh_counter;
  else
    -- An old token was used, so it was probably stolen. The whole session therefore ends.
    delete from auth.sessions s where s.id = session;
    return query select 'already_used', null::uuid, null::bigint;
  end if;
end
$$;
comment on function auth.refresh_session(uuid, bigint, integer) is
  'Replaces a session''s active refresh token with the next one. The outcome is "rotated", "reused" (the client gets the active token again), "not_found", "expired", "banned" or "already_used" (this call has ended the session).';

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
end
$$;
comment on function auth.bound_sessions(uuid, text) is 'Keeps a user''s newest fifty sessions of one level (limits.ts: sessionsPerPersonMax) and ends the older sessions of this level.';

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
create function auth.prepare_serving_login(checks text[]) returns void
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
  foreach check_of_request in array checks loop
    -- A database that is only partly migrated may not have the function yet.
    continue when pg_catalog.to_regprocedure(check_of_request) is null;
    if not pg_catalog.has_schema_privilege(login, split_part(check_of_request, '.', 1), 'usage') then
      execute format('grant usage on schema %I to %I', split_part(check_of_request, '.', 1), login);
    end if;
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
comment on function auth.prepare_serving_login(text[]) is
  'Creates the serving login without a password and grants it the roles of requests and the functions that check a request. Changes nothing if the login already has these privileges. Afterwards, only this login, the database''s owner, superusers and logins with an explicit grant may connect to this database.';

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
