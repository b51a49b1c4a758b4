-- Objects that a hosted project has before its first migration: the roles of requests, and the schemas that product SQL
-- may rely on. Product SQL never creates these.

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
    -- Roles belong to the cluster: another database of it may have made them, also this very moment.
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

-- A hosted project's service role passes row-level security. Before PostgreSQL 16 only a superuser can
-- make such a role: the product's policies therefore name service_role where it may read.
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

-- The owner makes objects for the last two and hands them over. The operator's commands run as the owner: they read a
-- statement as a customer, and do the rest as the other three. From PostgreSQL 16 on the maker of a role only administers
-- it; this grant brings the right to become it.
grant authenticated, service_role, supabase_auth_admin, supabase_realtime_admin to current_user;

-- A server whose login may not migrate looks here whether a newer release has.
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
