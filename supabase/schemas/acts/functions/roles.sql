-- Acts: the acts of staff on money and on the access of a person, the acts of a person on their own account, and the
-- decisions about both.
-- Uses: transfers, uploads.
-- Promises: acts have no table. Each act is audited in its own database transaction, and takes effect once for each
-- key. This file has the changes of a role.

create function private.change_role() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_admin boolean;
  entry private.orders;
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
  -- The book already has the order that another administrator has just approved.
  entry.kind := case when new.role = 'admin' then 'promotion' else 'demotion' end;
  if not private.has_approval(entry.kind, new.id) then
    entry.about := new.id;
    perform private.enter(entry);
  end if;
  return null;
end
$$;
comment on function private.change_role() is 'Writes a role that an administrator set in profiles to auth.users, which is authoritative.';

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

create function private.counts_as_admin(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (select from auth.users u where u.id = person and u.raw_app_meta_data ->> 'role' = 'admin')
    or exists (
      select from ledger.audit a
      where a.target = person and a.action = 'change_role' and a.before ->> 'role' = 'admin'
        and a.recorded_at > now() - interval '30 days'
    )
$$;
comment on function private.counts_as_admin(uuid) is
  'Returns whether a person is an administrator or was one in the last thirty days. An administrator who is briefly demoted therefore stays protected.';

create function private.refuse_new_role(person auth.users) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- A hosted project stores a pending change only in auth.users, where the change never expires.
  if private.waiting_email_change(person.id) is not null
    or (private.is_hosted() and coalesce(person.email_change, '') <> '')
  then
    raise exception 'Esta persona tiene un cambio de email sin confirmar. Espera a que lo confirme, lo cancele o caduque.'
      using errcode = 'PT403';
  end if;
  if exists (
    select from ledger.audit a
    where a.target = person.id and a.action in ('reset_factor', 'begin_email_change')
      and a.recorded_at > now() - interval '72 hours'
  ) then
    raise exception 'El banco cambió el acceso de esta persona hace menos de 72 horas. Espera para darle el rol de administrador.'
      using errcode = 'PT403';
  end if;
end
$$;
comment on function private.refuse_new_role(auth.users) is
  'Refuses (PT403) to grant the administrator role to a person with a pending change of address, or to a person whose factor or address staff changed in the last 72 hours.';

create function private.guard_role() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform private.require_proof(is_specified => true);
  end if;
  if new.raw_app_meta_data ->> 'role' is distinct from 'admin' or current_setting('audit.origin', true) = 'operator' then
    return new;
  end if;
  perform private.refuse_new_role(new);
  if (select auth.uid()) is not null and private.requires_approvals() and not private.has_approval('promotion', new.id) then
    if tg_op = 'UPDATE' then
      raise exception 'Otro administrador debe aprobarlo.' using errcode = 'PT403';
    end if;
    -- Creates the new user as a customer until another administrator approves the promotion.
    perform private.request_approval(
      'promotion', coalesce(
        (select o.request_id from private.orders o where o.about = new.id and o.kind = 'create_user'), gen_random_uuid()
      ), new.id, null, '{}'
    );
    new.raw_app_meta_data := new.raw_app_meta_data - 'role';
  end if;
  return new;
end
$$;
comment on function private.guard_role() is
  'Guards the administrator role, whichever program writes to auth.users. The administrator who grants or removes the role in a request must have entered the password or a mailed code recently (private.require_proof). Refuses (PT403) to grant the role to a person with a pending change of address, or to a person whose factor or address staff changed in the last 72 hours. In these cases, only the operator may grant the role. If the bank requires a second administrator, a request that grants the role needs that administrator''s approval. Without the approval, a new user is created as a customer, and an update is refused (PT403). private.hold_role requests the approval before the update.';

create function private.needs_second_admin(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return private.requires_approvals() and exists (
    select from auth.users u where u.id = person and u.raw_app_meta_data ->> 'role' = 'admin'
  );
comment on function private.needs_second_admin(uuid) is
  'Returns whether an act against this person needs the approval of a second administrator: if the bank requires one and the person is an administrator.';

create function private.require_two_administrators(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The same lock as in private.guard_last_admin.
  perform pg_advisory_xact_lock(hashtext('finanzas.administrators'));
  -- A single administrator cannot decide their own orders.
  if (select count(*) from auth.users u where u.id <> person and private.is_working_admin(u)) < 2 then
    raise exception 'El banco necesita dos administradores. Puedes cerrar sus sesiones; lo demás lo hace el operador del banco con «npm run admin».'
      using errcode = 'PT403';
  end if;
end
$$;
comment on function private.require_two_administrators(uuid) is
  'Refuses (PT403) an act against an administrator if fewer than two others would remain.';

create function private.guard_second_admin() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_act constant boolean := coalesce((select auth.uid()) <> old.id, false);
  kind constant text := case
    when tg_op = 'DELETE' then 'deletion'
    when new.raw_app_meta_data ->> 'role' is distinct from 'admin' then 'demotion'
    else 'block'
  end;
begin
  if not private.requires_approvals() or coalesce(current_setting('audit.origin', true), '') = 'operator' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if is_act or private.may_administer(old.id) then
    perform private.require_two_administrators(old.id);
  end if;
  if is_act and not private.has_approval(kind, old.id) then
    raise exception 'Otro administrador debe aprobarlo.' using errcode = 'PT403';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
comment on function private.guard_second_admin() is
  'If the bank requires a second administrator, refuses (PT403) to delete, demote or ban an administrator if fewer than two would remain. Another administrator needs the approval of a third one, which the function of the act requests. Administrators can close their own accounts without an approval. The commands of the operator are exempt. Applies to every other program that writes to auth.users.';

create function private.hold_role() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_promotion constant boolean := new.role = 'admin';
  kind constant text := case when is_promotion then 'promotion' else 'demotion' end;
  person auth.users;
  entry private.orders;
begin
  if not private.requires_approvals() or (select auth.uid()) is null
    -- If auth.users already has the new role, private.mirror_user is only copying the role to profiles.
    or exists (
      select from auth.users u
      where u.id = new.id and (u.raw_app_meta_data ->> 'role' is not distinct from 'admin') = is_promotion
    )
    -- private.change_role refuses administrators who change their own role.
    or new.id = (select auth.uid())
    or private.has_approval(kind, new.id)
  then
    return new;
  end if;
  -- An impossible change is refused now and not after its approval: with the checks of the triggers on auth.users, in
  -- their order.
  perform private.lock_approvals();
  perform private.require_proof(is_specified => true);
  if is_promotion then
    select u.* into person from auth.users u where u.id = new.id;
    perform private.refuse_new_role(person);
  else
    perform private.require_two_administrators(new.id);
  end if;
  entry.kind := kind;
  entry.about := new.id;
  entry.request_id := private.request_approval(kind, gen_random_uuid(), new.id, null, '{}');
  perform private.enter(entry);
  return null;
end
$$;
comment on function private.hold_role() is
  'Requests another administrator''s decision instead of granting or removing the administrator role, if the bank requires a second administrator. The update then changes no row.';

create function private.end_links_of_role() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- On a hosted project, the platform sends and revokes links. The approval of a promotion does not end the invitation
  -- of a person who has not signed in yet.
  if not private.is_hosted() and not (new.last_sign_in_at is null and private.has_approval('promotion', new.id)) then
    perform auth.end_links(new.id);
  end if;
  return null;
end
$$;
comment on function private.end_links_of_role() is
  'Revokes all links that were mailed to a person when the person gains or loses the administrator role, because the links were issued for the previous role.';

revoke execute on all functions in schema private from public;
