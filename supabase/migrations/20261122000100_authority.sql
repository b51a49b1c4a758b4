-- What makes an administrator, for policies, triggers and functions. `private` is not exposed by the table API.

create schema private;
comment on schema private is 'What policies and triggers call; not reachable through the table API.';
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
revoke execute on function private.is_admin() from public;
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
revoke execute on function private.require_admin() from public;
grant execute on function private.require_admin() to authenticated, service_role;
