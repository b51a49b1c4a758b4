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
  if not pg_catalog.has_function_privilege(login, 'auth.require_session(uuid, uuid)', 'execute') then
    execute format('grant execute on function auth.require_session(uuid, uuid) to %I', login);
  end if;
  if not pg_catalog.has_function_privilege(login, 'auth.require_open_session(uuid, uuid)', 'execute') then
    execute format('grant execute on function auth.require_open_session(uuid, uuid) to %I', login);
  end if;
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
