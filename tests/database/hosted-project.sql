-- Imitates the database of a hosted project before its first migration. The imitation has the same roles, an `auth`
-- schema with a different owner, and the same default grants in the schema `public`. Only the parts that affect the product's migrations are
-- imitated. A superuser runs this script. Then the role `migrator` applies the migrations, like the role `postgres` on
-- a hosted project (supabase/postgres migrations/db, supabase/auth migrations).

create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role supabase_auth_admin login noinherit createrole;
create role supabase_realtime_admin nologin noinherit;
create role authenticator login noinherit;
grant anon, authenticated, service_role to authenticator;
create role migrator login createdb createrole replication bypassrls;
grant anon, authenticated, service_role to migrator with admin option;

revoke create on schema public from public;
grant all on schema public to migrator;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges for role migrator in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role migrator in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges for role migrator in schema public grant all on sequences to anon, authenticated, service_role;
do $$ begin execute format('grant create on database %I to migrator', current_database()); end $$;

create schema extensions;
create schema auth authorization supabase_auth_admin;
grant usage on schema auth to anon, authenticated, service_role, migrator;
alter role supabase_auth_admin set search_path = auth;
set role supabase_auth_admin;

-- Creates only the tables and columns that the migrations and the tests use.
create table auth.users (
  instance_id uuid,
  id uuid primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  confirmation_token varchar(255),
  recovery_token varchar(255),
  email_change_token_new varchar(255),
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  created_at timestamptz,
  updated_at timestamptz,
  banned_until timestamptz,
  deleted_at timestamptz,
  email_change varchar(255)
);
create unique index users_email_partial_key on auth.users (email);
create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  unique (provider_id, provider)
);
create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz,
  refreshed_at timestamp,
  not_after timestamptz,
  aal text,
  user_agent text,
  ip inet
);
create table auth.mfa_amr_claims (
  session_id uuid not null references auth.sessions (id) on delete cascade,
  authentication_method text not null
);
create table auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  factor_type text not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create table auth.one_time_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamp not null default now()
);
alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.sessions enable row level security;
alter table auth.mfa_amr_claims enable row level security;
alter table auth.mfa_factors enable row level security;
alter table auth.one_time_tokens enable row level security;
grant all on all tables in schema auth to migrator;
grant select on all tables in schema auth to migrator with grant option;

create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;
create function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
  )
$$;
create function auth.email() returns text language sql stable as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
$$;
create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim', true), ''), nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;
reset role;

create publication supabase_realtime;
alter publication supabase_realtime owner to migrator;

-- Imitates the extension pg_cron. Jobs can be scheduled but are never run.
create schema cron;
create table cron.scheduled (name text primary key, schedule text not null, command text not null);
create function cron.schedule(job_name text, schedule text, command text) returns bigint
  language sql security definer
  begin atomic
    insert into cron.scheduled values (job_name, schedule, command) returning 1::bigint;
  end;
grant usage on schema cron to migrator;
