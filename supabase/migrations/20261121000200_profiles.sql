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
comment on column public.profiles.id is 'The user.';
comment on column public.profiles.full_name is 'Copied from the user''s own metadata; up to 120 characters, null when they gave none.';
comment on column public.profiles.role is '"user" (a customer) or "admin". Kept equal to auth.users.raw_app_meta_data, which is the authority.';

create table public.user_safe (
  id uuid primary key references public.profiles (id) on delete cascade,
  email text not null,
  last_sign_in_at timestamptz
);
comment on table public.user_safe is 'The part of auth.users that an administrator may see, kept by a trigger.';
comment on column public.user_safe.id is 'The user; one row for each profile.';
comment on column public.user_safe.email is 'The address that the user signs in with.';
comment on column public.user_safe.last_sign_in_at is 'Null while the user has never signed in.';

alter table public.profiles enable row level security;
alter table public.profiles force row level security;
alter table public.user_safe enable row level security;
alter table public.user_safe force row level security;

revoke all on public.profiles, public.user_safe from anon, authenticated, service_role;
grant select, update (role) on public.profiles to authenticated;
grant select on public.user_safe to authenticated;
grant select on public.profiles, public.user_safe to service_role;

-- A customer's own row is the one that refuses aloud: it is in every list, so the whole list is refused
-- (42501) and the screen can say why it is empty; a question for somebody else's row is answered like
-- one for a row that does not exist.
create policy "administrators read every profile" on public.profiles
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every profile" on public.profiles is
  'Anybody else is refused aloud at their own row, and sees no other.';

create policy "administrators change roles" on public.profiles
  for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
comment on policy "administrators change roles" on public.profiles is
  'The column grant limits the change to the role; the triggers say which changes are possible.';

create policy "administrators read every user" on public.user_safe
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every user" on public.user_safe is
  'E-mail addresses are nobody else''s business.';

create policy "the service reads every profile" on public.profiles for select to service_role using (true);
comment on policy "the service reads every profile" on public.profiles is 'For the operator''s own programs.';
create policy "the service reads every user" on public.user_safe for select to service_role using (true);
comment on policy "the service reads every user" on public.user_safe is 'For the operator''s own programs.';

create function private.mirror_user() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into public.profiles as p (id, full_name, role)
  values (
    new.id,
    -- The person writes this field; what does not fit must not keep them from signing up.
    nullif(left(btrim(regexp_replace(new.raw_user_meta_data ->> 'full_name', '[[:cntrl:]]', '', 'g')), 120), ''),
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
comment on function private.mirror_user() is 'Keeps profiles and user_safe equal to the user.';
revoke execute on function private.mirror_user() from public;

create trigger mirror_user
  after insert or update of email, last_sign_in_at, raw_app_meta_data, raw_user_meta_data on auth.users
  for each row execute function private.mirror_user();

create function private.refuse_customers_request() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Only requests: the mirror above runs with its owner's rights, for whoever signs up.
  if current_user = 'authenticated' then
    perform private.require_admin();
  end if;
  return null;
end
$$;
comment on function private.refuse_customers_request() is
  'Refuses a customer''s change of role aloud (42501), whether the row exists or not.';
revoke execute on function private.refuse_customers_request() from public;

create trigger refuse_customers_request before update on public.profiles
  for each statement execute function private.refuse_customers_request();
