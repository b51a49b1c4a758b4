-- Creates the objects that a hosted project already has before its first migration: the roles that requests run as, and
-- the schemas on which product SQL relies. Product SQL never creates these objects.

do $$
declare
  wanted record;
begin
  for wanted in
    select *
    from (
      values
        ('anon', 'nologin noinherit'),
        ('authenticated', 'nologin noinherit'),
        ('service_role', 'nologin noinherit'),
        ('supabase_auth_admin', 'nologin noinherit'),
        ('supabase_realtime_admin', 'nologin noinherit')
    ) as roles (name, attributes)
  loop
    -- Roles belong to the cluster. The server of another database may therefore have created these roles already, or
    -- may create them at the same time.
    begin
      if not exists (select from pg_roles where rolname = wanted.name) then
        execute format('create role %I %s', wanted.name, wanted.attributes);
      end if;
    exception
      when duplicate_object or unique_violation then
        null;
    end;
  end loop;
end
$$;

-- A hosted project's service role bypasses row-level security. Before PostgreSQL 16, only a superuser can create a role
-- that bypasses row-level security. The product therefore has policies that let service_role read.
do $$
begin
  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    alter role service_role bypassrls;
  end if;
exception
  when insufficient_privilege then
    null;
end
$$;

-- The owner creates objects for supabase_auth_admin and supabase_realtime_admin, and then transfers the objects to
-- these roles. The operator's commands log in as the owner. To read a customer's account statement, a command switches
-- to the role `authenticated`; for all other tasks, it switches to one of the other granted roles. In PostgreSQL 16 and
-- later, a login may not switch to a role only because it created the role. This statement grants that right.
grant authenticated, service_role, supabase_auth_admin, supabase_realtime_admin to current_user;

-- Some servers have a login that is not allowed to run migrations. From these tables, such a server learns whether a
-- newer release has migrated the database.
grant usage on schema supabase_migrations to supabase_auth_admin;
grant select (version, name) on supabase_migrations.platform_migrations, supabase_migrations.schema_migrations
  to supabase_auth_admin;

revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;

do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;
