-- Acts: the acts of staff on money and on the access of a person, the acts of a person on their own account, and the
-- decisions about both.
-- Uses: transfers, uploads.
-- Promises: acts have no table. Each act is audited in its own database transaction, and takes effect once for each
-- key. This file has the changes of a role.

create function private.counts_as_admin(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (select from auth.users u where u.id = person and u.raw_app_meta_data ->> 'role' = 'admin')
    or exists (
      select from private.done_orders(person, '{demotion}') o where o.done_at > now() - interval '30 days'
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
    select from private.done_orders(person.id, '{reset_factor,begin_email_change}') o
    where o.done_at > now() - interval '72 hours'
  ) then
    raise exception 'El banco cambió el acceso de esta persona hace menos de 72 horas. Espera para darle el rol de administrador.'
      using errcode = 'PT403';
  end if;
end
$$;
comment on function private.refuse_new_role(auth.users) is
  'Refuses (PT403) to grant the administrator role to a person with a pending change of address, or to a person whose factor or address staff changed in the last 72 hours.';

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

create function private.may_promote(person auth.users) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform private.require_proof(is_specified => true);
  end if;
  if private.is_operator() then
    return true;
  end if;
  perform private.refuse_new_role(person);
  return (select auth.uid()) is null or not private.requires_approvals() or private.has_approval('promotion', person.id);
end
$$;
comment on function private.may_promote(auth.users) is
  'Returns whether a person may get the administrator role now, and false if another administrator must approve it first. The administrator who grants the role in a request must have entered the password or a mailed code recently (private.require_proof). Also raises the errors of private.refuse_new_role; only the operator may then grant the role.';

create function private.guard_second_admin(person auth.users, act text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_act constant boolean := coalesce((select auth.uid()) <> person.id, false);
begin
  if not private.requires_approvals() or private.is_operator() then
    return;
  end if;
  if is_act or private.is_working_admin(person) then
    perform private.require_two_administrators(person.id);
  end if;
  if is_act and not private.has_approval(act, person.id) then
    raise exception 'Otro administrador debe aprobarlo.' using errcode = 'PT403';
  end if;
end
$$;
comment on function private.guard_second_admin(auth.users, text) is
  'If the bank requires a second administrator, refuses (PT403) to delete, demote or ban an administrator if fewer than two would remain. Another administrator needs the approval of a third one, which the function of the act requests. Administrators can close their own accounts without an approval. The commands of the operator are exempt. The person is the row of auth.users before the act.';

create function private.role_changed() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_promotion constant boolean := new.raw_app_meta_data ->> 'role' is not distinct from 'admin';
  kind constant text := case when is_promotion then 'promotion' else 'demotion' end;
  -- Only a caller orders. In a database transaction without one, the book may have an earlier demotion of this function.
  is_ordered constant boolean := (select auth.uid()) is not null
    and (private.is_done_here(kind, new.id) or private.has_approval(kind, new.id));
begin
  if is_promotion then
    if not private.may_promote(new) then
      raise exception 'Otro administrador debe aprobarlo.' using errcode = 'PT403';
    end if;
  else
    perform private.guard_last_admin(new.id);
    if (select auth.uid()) is not null then
      perform private.require_proof(is_specified => true);
    end if;
    perform private.guard_second_admin(old, 'demotion');
    delete from auth.sessions s where s.user_id = new.id;
    perform private.enter_unordered('demotion', new.id);
  end if;
  -- The mailed links were issued for the previous role. On a hosted project, the platform sends and revokes links. The
  -- approval of a promotion does not end the invitation of a person who has not signed in yet.
  if not private.is_hosted() and not (new.last_sign_in_at is null and private.has_approval('promotion', new.id)) then
    perform auth.end_links(new.id);
  end if;
  -- An order comes from an update of profiles (private.role_is_ordered), which writes the role itself.
  if not is_ordered then
    update public.profiles p set role = case when is_promotion then 'admin' else 'user' end where p.id = new.id;
  end if;
  return null;
end
$$;
comment on function private.role_changed() is
  'Does everything that a change of the administrator role needs, whichever program writes to auth.users. Refuses a change that breaks a rule. Ends the sessions of a demoted administrator, revokes all mailed links, enters the demotion that another program made, and copies the role to profiles. The audit entry and the mails follow at the commit (private.audit_authority). Raises the errors of private.may_promote, private.guard_last_admin and private.guard_second_admin. An administrator who removes the role in a request must also have entered the password or a mailed code recently.';

create function private.order_role(person uuid, is_promotion boolean) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kind constant text := case when is_promotion then 'promotion' else 'demotion' end;
  target auth.users;
  entry private.orders;
begin
  perform private.require_admin();
  if person = (select auth.uid()) then
    raise exception 'No puedes cambiar tu propio rol.' using errcode = 'PT403';
  end if;
  entry.kind := kind;
  entry.about := person;
  if private.requires_approvals() and not private.has_approval(kind, person) then
    -- An impossible change is refused now and not after its approval: with the checks of private.role_changed, in their
    -- order.
    perform private.lock_approvals();
    perform private.require_proof(is_specified => true);
    if is_promotion then
      select u.* into target from auth.users u where u.id = person;
      perform private.refuse_new_role(target);
    else
      perform private.require_two_administrators(person);
    end if;
    entry.request_id := private.request_approval(kind, gen_random_uuid(), person, null, '{}');
    perform private.enter(entry);
    return false;
  end if;
  -- The book already has the order that another administrator has just approved. Every other order comes before the
  -- change. Otherwise, private.role_changed would take the change for an act of another program.
  if not private.has_approval(kind, person) then
    perform private.enter(entry);
  end if;
  update auth.users u
  set raw_app_meta_data = case
      when is_promotion then u.raw_app_meta_data || '{"role": "admin"}' else u.raw_app_meta_data - 'role'
    end,
    updated_at = now()
  where u.id = person;
  return true;
end
$$;
comment on function private.order_role(uuid, boolean) is
  'Grants or removes the administrator role for the calling administrator. Returns false if the bank requires a second administrator, whose decision is then requested. Raises 42501 for other callers, PT403 for the caller''s own role, and the errors of private.role_changed.';

create function private.role_is_ordered() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- If auth.users already has this role, private.role_changed only copies it to profiles.
  if exists (
    select from auth.users u
    where u.id = new.id and (u.raw_app_meta_data ->> 'role' is not distinct from 'admin') = (new.role = 'admin')
  ) or private.order_role(new.id, new.role = 'admin') then
    return new;
  end if;
  return null;
end
$$;
comment on function private.role_is_ordered() is
  'Orders the role that an update writes to profiles (private.order_role), because auth.users is authoritative. The update changes no row while the order waits.';

create function private.access_changed() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.is_working_admin(old) then
    perform private.guard_last_admin(new.id);
  end if;
  if new.banned_until > now() and new.banned_until is distinct from old.banned_until then
    if old.raw_app_meta_data ->> 'role' = 'admin' then
      perform private.guard_second_admin(old, 'block');
    end if;
    perform private.enter_unordered('block_user', new.id);
  end if;
  delete from auth.sessions s where s.user_id = new.id;
  return null;
end
$$;
comment on function private.access_changed() is
  'Ends the sessions of a person who is banned or marked as deleted, whichever program writes to auth.users. Enters the ban that another program made. Raises the errors of private.guard_last_admin and, for a ban, of private.guard_second_admin.';
