-- Defines an administrator for policies, triggers and functions. `private` is not exposed by the table API.

create schema private;
comment on schema private is 'Functions for policies and triggers; not reachable through the table API.';
grant usage on schema private to authenticated, service_role, supabase_auth_admin;

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
      -- A hosted project serves a session that has shown the password alone; on our own server none gets here.
      and (
        s.aal = 'aal2'
        or not exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')
      )
  );
end
$$;
comment on function private.is_admin() is
  'Whether the caller is an administrator as the database has it now, in a session that is alive and has shown the second factor, where they have one. Never the token''s own claim.';
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
  'True for an administrator, an error (42501) for every other role: a filter would be silent.';
grant execute on function private.require_admin() to authenticated, service_role;

-- Profiles and what an administrator may see of a user. Both are for administrators: a customer reads
-- their own name and role in their session.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  role text not null default 'user',
  constraint profiles_role_known check (role in ('user', 'admin')),
  constraint profiles_full_name_length check (char_length(full_name) <= 120)
);
comment on table public.profiles is 'One row for each user: name and role, as the administrator''s screen shows them.';
comment on column public.profiles.id is 'Id of the user in auth.users.';
comment on column public.profiles.full_name is 'Copied from the user''s own metadata; up to 120 characters, null when they gave none.';
comment on column public.profiles.role is '"user" (a customer) or "admin". Kept equal to auth.users.raw_app_meta_data, which is the authority.';

alter table public.profiles enable row level security, force row level security;

revoke all on public.profiles from anon, authenticated, service_role;
grant select, update (role) on public.profiles to authenticated;
grant select on public.profiles to service_role;

-- A customer's own row raises 42501. It is in every list, so the whole list is refused and the screen can say why it is
-- empty. A request for another user's row looks like one for a missing row.
create policy "administrators read every profile" on public.profiles
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every profile" on public.profiles is
  'For other users their own row is an error (42501), and there is no other.';

create policy "administrators change roles" on public.profiles
  for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
comment on policy "administrators change roles" on public.profiles is
  'The column grant limits the change to the role; the triggers say which changes are possible.';

create policy "the service reads every profile" on public.profiles for select to service_role using (true);
comment on policy "the service reads every profile" on public.profiles is 'For the operator''s own programs.';

create table public.user_safe (
  id uuid primary key references public.profiles (id) on delete cascade,
  email text not null,
  last_sign_in_at timestamptz
);
comment on table public.user_safe is 'The part of auth.users that an administrator may see, kept by a trigger.';
comment on column public.user_safe.id is 'The user; one row for each profile.';
comment on column public.user_safe.email is 'The address that the user signs in with.';
comment on column public.user_safe.last_sign_in_at is 'Null while the user has never signed in.';
alter table public.user_safe enable row level security, force row level security;
revoke all on public.user_safe from anon, authenticated, service_role;
grant select on public.user_safe to authenticated;
grant select on public.user_safe to service_role;

create policy "administrators read every user" on public.user_safe
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every user" on public.user_safe is
  'E-mail addresses are for administrators only.';
create policy "the service reads every user" on public.user_safe for select to service_role using (true);
comment on policy "the service reads every user" on public.user_safe is 'For the operator''s own programs.';

create function private.sanitize_name(written text) returns text
  language sql immutable
  set search_path = ''
  return (
    select kept.name
    from (
      select left(
        btrim(regexp_replace(
          -- Marks out of order take the square of their number. No name that is shown has more letters than this.
          normalize(left(written, 500), nfc), '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]', '', 'g'
        )),
        120
      ) as name
    ) as kept
    where kept.name
      ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  );
comment on function private.sanitize_name(text) is
  'A name as others are shown it: one line in NFC of up to 120 characters, made of the first 500, without the characters that transactions_description_is_a_line refuses; null when nothing visible is left.';

create function private.mirror_user() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into public.profiles as p (id, full_name, role)
  values (
    new.id,
    -- The person writes this field; an unfit value must not prevent a sign-up.
    private.sanitize_name(new.raw_user_meta_data ->> 'full_name'),
    case when new.raw_app_meta_data ->> 'role' = 'admin' then 'admin' else 'user' end
  )
  on conflict (id) do update set full_name = excluded.full_name, role = excluded.role
  where (p.full_name, p.role) is distinct from (excluded.full_name, excluded.role);

  insert into public.user_safe as s (id, email, last_sign_in_at)
  values (new.id, coalesce(new.email, ''), new.last_sign_in_at)
  on conflict (id) do update set email = excluded.email, last_sign_in_at = excluded.last_sign_in_at
  where (s.email, s.last_sign_in_at) is distinct from (excluded.email, excluded.last_sign_in_at);

  return null;
end
$$;
comment on function private.mirror_user() is 'Keeps profiles and user_safe equal to the user, with a name that is one plain line.';

create trigger mirror_user
  after insert or update of email, last_sign_in_at, raw_app_meta_data, raw_user_meta_data on auth.users
  for each row execute function private.mirror_user();

create function private.refuse_customers_request() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Only requests: the mirror of auth.users runs with its owner's rights, at each sign-up.
  if current_user = 'authenticated' then
    perform private.require_admin();
  end if;
  return null;
end
$$;
comment on function private.refuse_customers_request() is
  'Raises 42501 for a customer''s change of role, whether the row exists or not.';

create trigger refuse_customers_request before update on public.profiles
  for each statement execute function private.refuse_customers_request();

-- Authority -----------------------------------------------------------------------------------------------

create function private.guard_last_admin(leaving uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Counting is not enough: two administrators who demote each other at the same moment both count two.
  perform pg_advisory_xact_lock(hashtext('finanzas.administrators'));
  if not exists (
    select from auth.users u
    where u.id <> leaving
      and u.raw_app_meta_data ->> 'role' = 'admin'
      -- A banned administrator does not count.
      and (u.banned_until is null or u.banned_until <= now())
  ) then
    raise exception 'El banco necesita al menos un administrador.' using errcode = 'PT403';
  end if;
end
$$;
comment on function private.guard_last_admin(uuid) is 'Refuses to leave the bank without an administrator who may sign in, one caller at a time.';

create function private.change_role() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_admin boolean;
begin
  -- The user's own row moved first and this is its echo: nothing is left to do.
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
comment on function private.change_role() is 'Carries a role that an administrator chose into auth.users, where it counts.';

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
  'For every writer of auth.users: the last administrator stays; the sessions of a former one end.';

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
comment on function private.guard_ban() is 'A ban by any means leaves one administrator who may sign in.';

create trigger guard_ban
  before update of banned_until on auth.users
  for each row
  when (
    old.raw_app_meta_data ->> 'role' = 'admin'
    and new.banned_until > now()
    and (old.banned_until is null or old.banned_until <= now())
  )
  execute function private.guard_ban();

-- Functions are for the roles that they are granted to by name.
revoke execute on all functions in schema private from public;
