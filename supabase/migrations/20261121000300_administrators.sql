-- Who may be an administrator, and that there always is one (product-decisions §5).

create function private.guard_last_admin(leaving uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Counting is not enough: two administrators who demote each other at the same moment both count two.
  perform pg_advisory_xact_lock(hashtext('finanzas.administrators'));
  if not exists (
    select from auth.users u where u.id <> leaving and u.raw_app_meta_data ->> 'role' = 'admin'
  ) then
    raise exception 'El banco necesita al menos un administrador.' using errcode = 'P0001';
  end if;
end
$$;
comment on function private.guard_last_admin(uuid) is 'Refuses to leave the bank without an administrator, one caller at a time.';
revoke execute on function private.guard_last_admin(uuid) from public;

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
    raise exception 'No puedes cambiar tu propio rol.' using errcode = 'P0001';
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
revoke execute on function private.change_role() from public;

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
  'Whoever changes auth.users: the last administrator stays, and one who stops being one is signed out everywhere.';
revoke execute on function private.guard_authority() from public;

create trigger guard_authority
  before update of raw_app_meta_data or delete on auth.users
  for each row execute function private.guard_authority();

create function private.delete_user(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  if person = (select auth.uid()) then
    raise exception 'No puedes eliminar tu propia cuenta desde aquí.' using errcode = 'P0001';
  end if;
  delete from auth.users u where u.id = person;
  if not found then
    raise exception 'El usuario no existe.' using errcode = 'P0002';
  end if;
end
$$;
comment on function private.delete_user(uuid) is 'Removes a user for an administrator: P0001 for oneself or the last administrator, P0002 when there is none such.';
revoke execute on function private.delete_user(uuid) from public;
grant execute on function private.delete_user(uuid) to authenticated;

create function public.delete_user(user_id uuid) returns void
  language sql
  set search_path = ''
  return private.delete_user(user_id);
comment on function public.delete_user(uuid) is 'Removes a user; administrators only. Called by the function manage-users.';
revoke execute on function public.delete_user(uuid) from public, anon, service_role;
grant execute on function public.delete_user(uuid) to authenticated;
