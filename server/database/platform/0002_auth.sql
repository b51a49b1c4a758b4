-- The part of a hosted project's `auth` schema that the product and its server use (wire-contract
-- §7.3). Column names are GoTrue's. Two things differ on purpose: no usable token is ever stored
-- (one-time tokens as SHA-256, refresh tokens as a counter that a key outside the database signs),
-- and a session that has ended is a row that is gone.

create schema if not exists auth authorization supabase_auth_admin;
grant usage on schema auth to anon, authenticated, service_role, supabase_realtime_admin;
grant usage, create on schema auth to current_user;

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  email_change text,
  email_change_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{"provider": "email", "providers": ["email"]}',
  raw_user_meta_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  banned_until timestamptz,
  deleted_at timestamptz,
  is_anonymous boolean not null default false,
  constraint users_email_is_folded check (email = lower(email))
);
create unique index users_email_key on auth.users (email);

comment on table auth.users is 'People who can sign in. Owned by the authentication service; product SQL only refers to it.';
comment on column auth.users.email is 'Folded to lower case, unique.';
comment on column auth.users.encrypted_password is 'argon2id in PHC form; null for accounts without a password.';
comment on column auth.users.email_confirmed_at is 'Null until the address was confirmed: no session before that.';
comment on column auth.users.raw_app_meta_data is 'Written by the server only. Its key "role" = "admin" is the authority of an administrator.';
comment on column auth.users.raw_user_meta_data is 'Written by the person: nothing may be decided by it.';
comment on column auth.users.banned_until is 'No sign-in and no request before this time.';

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null default 'email',
  provider_id text not null,
  identity_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_id)
);
create index identities_user_id on auth.identities (user_id);
comment on table auth.identities is 'How a person proves who they are; one row of provider "email" for each user.';

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  refreshed_at timestamptz,
  refresh_counter bigint not null default 0,
  aal text not null default 'aal1',
  amr jsonb not null default '[]',
  not_after timestamptz,
  user_agent text,
  ip text
);
create index sessions_user_id on auth.sessions (user_id);
comment on table auth.sessions is 'One row for each sign-in that is alive; ending a session deletes its row.';
comment on column auth.sessions.refresh_counter is 'Which refresh token is the active one. A token is this number and the session, signed with a key that is not in the database.';
comment on column auth.sessions.not_after is 'The session is over at this time, whatever happens; null means no such time.';

create table auth.one_time_tokens (
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type text not null check (token_type in ('signup', 'recovery', 'magiclink', 'invite', 'email_change', 'reauthentication')),
  relates_to text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (user_id, token_type)
);
comment on table auth.one_time_tokens is 'Links and codes that were mailed and not used yet; at most one of each type for a person.';
comment on column auth.one_time_tokens.token_hash is 'SHA-256 of the token, hex: a copy of the database opens nothing.';
comment on column auth.one_time_tokens.relates_to is 'The e-mail address that the token was sent to.';

alter table auth.users owner to supabase_auth_admin;
alter table auth.identities owner to supabase_auth_admin;
alter table auth.sessions owner to supabase_auth_admin;
alter table auth.one_time_tokens owner to supabase_auth_admin;
alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.sessions enable row level security;
alter table auth.one_time_tokens enable row level security;

create function auth.jwt() returns jsonb
  language sql stable
  return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;
comment on function auth.jwt() is 'The claims of the access token that this request came with; an empty object without one.';

create function auth.uid() returns uuid
  language sql stable
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid;
comment on function auth.uid() is 'The signed-in user, or null.';

create function auth.role() returns text
  language sql stable
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role';
comment on function auth.role() is 'The database role that the access token names.';

create function auth.email() returns text
  language sql stable
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email';
comment on function auth.email() is 'The e-mail address that the access token names.';

create function auth.require_session(session uuid, person uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not exists (
    select from auth.sessions s
    join auth.users u on u.id = s.user_id
    where s.id = session
      and s.user_id = person
      and (s.not_after is null or s.not_after > now())
      and (u.banned_until is null or u.banned_until <= now())
      and u.deleted_at is null
  ) then
    raise exception 'Session from session_id claim in JWT does not exist' using errcode = 'FZ401';
  end if;
end
$$;
comment on function auth.require_session(uuid, uuid) is
  'Refuses (FZ401) unless the session is alive and its user neither banned nor deleted. Runs before anything else of every request with a user''s token: revocation is immediate.';
revoke execute on function auth.require_session(uuid, uuid) from public;

create function auth.refresh_session(session uuid, presented bigint, reuse_seconds integer)
  returns table (outcome text, user_id uuid, counter bigint)
  language plpgsql
  set search_path = ''
as $$
-- The reuse rules of wire-contract §1.6, with the counter in the place of stored tokens.
declare
  current record;
begin
  select s.user_id, s.refresh_counter, s.refreshed_at, s.not_after, u.banned_until
  into current
  from auth.sessions s
  join auth.users u on u.id = s.user_id
  where s.id = session
  for update of s;

  if not found or presented > current.refresh_counter then
    return query select 'not_found', null::uuid, null::bigint;
  elsif current.not_after <= now() then
    delete from auth.sessions s where s.id = session;
    return query select 'expired', null::uuid, null::bigint;
  elsif current.banned_until > now() then
    return query select 'banned', null::uuid, null::bigint;
  elsif presented = current.refresh_counter then
    update auth.sessions s
    set refresh_counter = s.refresh_counter + 1, refreshed_at = now(), updated_at = now()
    where s.id = session;
    return query select 'rotated', current.user_id, current.refresh_counter + 1;
  elsif presented = current.refresh_counter - 1
    or current.refreshed_at > now() - make_interval(secs => reuse_seconds) then
    -- The answer was lost, or another tab was first: everybody gets the one active token.
    return query select 'reused', current.user_id, current.refresh_counter;
  else
    -- An old token turned up: somebody copied it. The whole session ends.
    delete from auth.sessions s where s.id = session;
    return query select 'already_used', null::uuid, null::bigint;
  end if;
end
$$;
comment on function auth.refresh_session(uuid, bigint, integer) is
  'Moves a session to its next refresh token. Outcome: rotated, reused (the active token again), not_found, expired, banned or already_used (the session is ended).';
revoke execute on function auth.refresh_session(uuid, bigint, integer) from public;
grant execute on function auth.refresh_session(uuid, bigint, integer) to supabase_auth_admin;

-- The login that serves. Roles belong to the cluster, so this one is named after its database: another bank beside this
-- one has a login of its own, with another password, which may not connect here (docs/decisions/0043).

create function auth.serving_login() returns name
  language sql stable
  return 'authenticator_' || case
    -- A name has 63 bytes.
    when octet_length(current_database()) <= 49 then current_database()::text
    else left(encode(sha256(convert_to(current_database()::text, 'UTF8')), 'hex'), 49)
  end;
comment on function auth.serving_login() is 'The login that serves requests of this database.';
revoke execute on function auth.serving_login() from public;

-- Called at each start, not once: a copy of a database has its objects, and neither its name nor its right to connect.
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
    array['auth.require_session(uuid, uuid)', 'auth.require_open_session(uuid, uuid)']
  loop
    -- The second one comes with a later file, and a backup may be of a bank that had not got so far.
    if pg_catalog.to_regprocedure(check_of_request) is not null
      and not pg_catalog.has_function_privilege(login, check_of_request, 'execute')
    then
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
  'Makes the login that serves, without a password, and gives it what serving takes; changes nothing where it has that. No other login may connect to this database from then on but its owner, superusers, and those that were given the right by name.';
revoke execute on function auth.prepare_serving_login() from public;
