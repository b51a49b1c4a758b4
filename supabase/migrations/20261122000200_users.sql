-- Users: the check whether a caller is an administrator, the profiles that administrators see, and the rules for
-- changing a role.

create schema private;
comment on schema private is 'Functions for policies and triggers. The table API does not expose this schema.';
grant usage on schema private to authenticated, service_role, supabase_auth_admin;

create function private.is_hosted() returns boolean
  language sql stable
  set search_path = ''
as $$
  select to_regprocedure('auth.enqueue_notice(uuid,text,jsonb)') is null
$$;
comment on function private.is_hosted() is
  'Returns whether the database belongs to a hosted project, whose schema auth does not have the functions of our own authentication service (docs/hosted.md).';

create function private.is_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return exists (
    select
    from auth.users u
    join auth.sessions s on s.user_id = u.id
    where u.id = (select auth.uid())
      and s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and u.raw_app_meta_data ->> 'role' = 'admin'
      -- A hosted project also serves sessions that have not passed their second factor, so this condition excludes
      -- these sessions. Our own server refuses these sessions before they reach the database.
      and (
        s.aal = 'aal2'
        or not exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')
      )
  );
end
$$;
comment on function private.is_admin() is
  'Returns true if auth.users marks the caller as an administrator and the caller''s session is alive. If the caller has a second factor, the session must have passed this factor. Ignores the role in the token.';
grant execute on function private.is_admin() to authenticated, service_role;

create function private.require_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Solo un administrador puede hacer esto.' using errcode = '42501';
  end if;
  return true;
end
$$;
comment on function private.require_admin() is
  'Returns true for an administrator and raises 42501 for every other caller. Policies use this function where private.is_admin would only hide the rows.';
grant execute on function private.require_admin() to authenticated, service_role;

-- Profiles, and the part of auth.users that administrators may see. Customers need no access to these tables, because
-- their session already contains their name and role.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  role text not null default 'user',
  constraint profiles_role_known check (role in ('user', 'admin')),
  constraint profiles_full_name_length check (char_length(full_name) <= 120)
);
create index profiles_administrators on public.profiles (id) where role = 'admin';
comment on index public.profiles_administrators is 'Finds the administrators without reading all customers (private.administrators).';
comment on table public.profiles is 'One row for each user, with the name and role that administrators see.';
comment on column public.profiles.id is 'Id of the user in auth.users.';
comment on column public.profiles.full_name is 'The name in account_holders, if the bank verified it; otherwise the name in the user''s metadata. Up to 120 characters; null if the user gave no name.';
comment on column public.profiles.role is '"user" (a customer) or "admin". Copied from auth.users.raw_app_meta_data, which is authoritative.';

alter table public.profiles enable row level security, force row level security;

revoke all on public.profiles from anon, authenticated, service_role;
grant select, update (role) on public.profiles to authenticated;
grant select on public.profiles to service_role;

-- If a customer's query includes their own profile, the policy raises 42501 instead of returning an empty list. The
-- page can then explain the refusal. A query for only another user's profile returns an empty list, as if that profile
-- did not exist.
create policy "administrators read every profile" on public.profiles
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every profile" on public.profiles is
  'A customer whose query includes their own row gets 42501. All other rows are hidden from customers.';

create policy "administrators change roles" on public.profiles
  for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
comment on policy "administrators change roles" on public.profiles is
  'The column grant allows updates of the role only. Triggers check which changes of role are allowed.';

create policy "the service reads every profile" on public.profiles for select to service_role using (true);
comment on policy "the service reads every profile" on public.profiles is 'Lets the operator''s tools read the table.';

create table public.user_safe (
  id uuid primary key references public.profiles (id) on delete cascade,
  email text not null,
  last_sign_in_at timestamptz
);
comment on table public.user_safe is 'The part of auth.users that an administrator may see, copied by a trigger.';
comment on column public.user_safe.id is 'Id of the user. This table has one row for each profile.';
comment on column public.user_safe.email is 'The address that the user signs in with.';
comment on column public.user_safe.last_sign_in_at is 'Time of the last sign-in; null until the user signs in for the first time.';
alter table public.user_safe enable row level security, force row level security;
revoke all on public.user_safe from anon, authenticated, service_role;
grant select on public.user_safe to authenticated;
grant select on public.user_safe to service_role;

create policy "administrators read every user" on public.user_safe
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every user" on public.user_safe is
  'Only administrators may read e-mail addresses.';
create policy "the service reads every user" on public.user_safe for select to service_role using (true);
comment on policy "the service reads every user" on public.user_safe is 'Lets the operator''s tools read the table.';

create function private.sanitize_name(written text) returns text
  language sql immutable
  set search_path = ''
  return (
    select kept.name
    from (
      select left(
        btrim(regexp_replace(
          -- normalize() takes quadratic time on combining marks that are out of order. Truncating the input to 500
          -- characters bounds that time, and a displayed name is never longer than 120 characters.
          normalize(left(written, 500), nfc), '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]', '', 'g'
        )),
        120
      ) as name
    ) as kept
    where kept.name
      ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  );
comment on function private.sanitize_name(text) is
  'Returns a name that is safe to show to others: one line in NFC, built from the first 500 characters and cut to 120 characters. Removes the characters that transactions_description_is_a_line refuses. Returns null if no visible character is left.';

create function private.refuse_customers_request() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Checks only updates made by requests. Updates by private.mirror_user are not checked, because this function runs
  -- with its owner's rights.
  if current_user = 'authenticated' then
    perform private.require_admin();
  end if;
  return null;
end
$$;
comment on function private.refuse_customers_request() is
  'Raises 42501 when a customer tries to change a role, even if no row matches.';

create trigger refuse_customers_request before update on public.profiles
  for each statement execute function private.refuse_customers_request();

-- Authority -----------------------------------------------------------------------------------------------

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

create function private.change_role() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_admin boolean;
begin
  -- If auth.users already has this role, private.mirror_user has just copied the role from there, and nothing is left
  -- to do.
  select u.raw_app_meta_data ->> 'role' is not distinct from 'admin' into is_admin
  from auth.users u where u.id = new.id;
  if is_admin = (new.role = 'admin') then
    return null;
  end if;

  perform private.require_admin();
  if new.id = (select auth.uid()) then
    raise exception 'No puedes cambiar tu propio rol.' using errcode = 'PT403';
  end if;
  if new.role <> 'admin' then
    perform private.guard_last_admin(new.id);
  end if;
  update auth.users
  set raw_app_meta_data = case
        when new.role = 'admin' then raw_app_meta_data || '{"role": "admin"}'
        else raw_app_meta_data - 'role'
      end,
      updated_at = now()
  where id = new.id;
  return null;
end
$$;
comment on function private.change_role() is 'Writes a role that an administrator set in profiles to auth.users, which is authoritative.';

create trigger change_role
  after update of role on public.profiles
  for each row when (old.role is distinct from new.role) execute function private.change_role();

create function private.guard_authority() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if old.raw_app_meta_data ->> 'role' = 'admin' then
    if tg_op = 'DELETE' then
      perform private.guard_last_admin(old.id);
    elsif new.raw_app_meta_data ->> 'role' is distinct from 'admin' then
      perform private.guard_last_admin(old.id);
      delete from auth.sessions s where s.user_id = old.id;
    end if;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
comment on function private.guard_authority() is
  'Refuses to delete or demote the last administrator, and ends the sessions of a demoted administrator. Applies to every program that writes to auth.users.';

create trigger guard_authority
  before update of raw_app_meta_data or delete on auth.users
  for each row execute function private.guard_authority();

create function private.guard_ban() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.guard_last_admin(new.id);
  return new;
end
$$;
comment on function private.guard_ban() is 'Refuses to ban the last administrator who can sign in. Applies to every program that writes to auth.users.';

create trigger guard_ban
  before update of banned_until on auth.users
  for each row
  when (
    old.raw_app_meta_data ->> 'role' = 'admin'
    and new.banned_until > now()
    and (old.banned_until is null or old.banned_until <= now())
  )
  execute function private.guard_ban();

-- Only the roles named in the grants above may call these functions. PUBLIC may call a new function by default, so every
-- migration ends with this statement.
revoke execute on all functions in schema private from public;
