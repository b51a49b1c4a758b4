-- Access: a person's own sessions, and staff actions that change another person's access. Each action has a function in
-- `private`, which the operator's commands also use, and a second function that checks the caller. The second function
-- is in `public`, where administrators call it through the table API. If the action mails a link, the second function
-- is not in `public`, and only the server function `manage-users` calls this second function.

create type public.own_session as (
  id uuid,
  is_present boolean,
  began_at timestamptz,
  last_used_at timestamptz,
  user_agent text,
  network text
);
comment on type public.own_session is 'A live session of the caller.';
comment on column public.own_session.id is 'Id of the session, which is the session_id claim of its access tokens.';
comment on column public.own_session.is_present is 'Whether this request belongs to the session.';
comment on column public.own_session.began_at is 'Time of the sign-in.';
comment on column public.own_session.last_used_at is 'Time of the last token refresh; time of the sign-in if the token was never refreshed.';
comment on column public.own_session.user_agent is 'User-Agent header of the sign-in; null if the browser sent none.';
comment on column public.own_session.network is 'IP address of the sign-in; null if unknown.';

create function public.own_sessions() returns setof public.own_session
  language sql stable security definer
  set search_path = ''
  -- A hosted project stores the time of the last refresh in UTC without a time zone. A hosted project stores the IP
  -- address as inet.
  set timezone = 'UTC'
as $$
  select s.id, s.id = ((select auth.jwt()) ->> 'session_id')::uuid, s.created_at,
    coalesce(s.refreshed_at::timestamptz, s.created_at), s.user_agent, split_part(s.ip::text, '/', 1)
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
  order by 2 desc, 4 desc, 1
$$;
comment on function public.own_sessions() is
  'Returns the caller''s sessions. The session of this request comes first; the others follow, most recently used first.';
revoke execute on function public.own_sessions() from public, anon, service_role;
grant execute on function public.own_sessions() to authenticated;

create function public.end_session(session_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions s where s.id = session_id and s.user_id = (select auth.uid());
  if not found then
    raise exception 'Esa sesión ya terminó.' using errcode = 'PT404';
  end if;
end
$$;
comment on function public.end_session(uuid) is
  'Ends one of the caller''s own sessions and revokes its refresh token. Raises PT404 for another person''s session and for a session that has already ended.';
revoke execute on function public.end_session(uuid) from public, anon, service_role;
grant execute on function public.end_session(uuid) to authenticated;

-- Actions that affect another person ----------------------------------------------------------------------------------

create function private.end_sessions(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions s where s.user_id = person;
  perform private.record_audit('revoke_sessions', person, null, null);
end
$$;
comment on function private.end_sessions(uuid) is 'Ends every session of a person and records this in the audit.';
grant execute on function private.end_sessions(uuid) to supabase_auth_admin;

create function private.block_user(person uuid, hours integer, reason text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if reason is null or reason not in ('customer_request', 'suspected_fraud', 'identity_check', 'legal_order', 'other') then
    raise exception 'Elige el motivo del bloqueo.' using errcode = 'PT422';
  end if;
  if hours not between 1 and 87600 then
    raise exception 'Un bloqueo dura de 1 a 87.600 horas.' using errcode = 'PT422';
  end if;
  -- Passes the reason to private.audit_user, which writes the audit entry at commit.
  perform set_config('audit.reason', reason, true);
  -- The authentication service of a hosted project cannot read an infinite timestamp, so a permanent block lasts a
  -- hundred years.
  update auth.users u
  set banned_until = now() + make_interval(hours => least(coalesce(hours, 876000), 876000)), updated_at = now()
  where u.id = person;
  delete from auth.sessions s where s.user_id = person;
  perform private.record_access_act('block', person);
end
$$;
comment on function private.block_user(uuid, integer, text) is
  'Blocks a person for 1 to 87,600 hours or permanently, and ends all their sessions. Raises PT422 if the reason is not one of the known reasons. The triggers on auth.users record the block in the audit, and refuse to block the last administrator (PT403).';
grant execute on function private.block_user(uuid, integer, text) to supabase_auth_admin;

create function private.unblock_user(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update auth.users u set banned_until = null, updated_at = now() where u.id = person;
  perform private.record_access_act('block', person);
end
$$;
comment on function private.unblock_user(uuid) is 'Unblocks a person. The trigger on auth.users records the end of the block in the audit.';
grant execute on function private.unblock_user(uuid) to supabase_auth_admin;

create function private.reset_factor(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Deletes factors before sessions, because all code takes these locks in the same order.
  delete from auth.mfa_factors f where f.user_id = person;
  delete from auth.sessions s where s.user_id = person;
  -- A hosted project does not support the delayed removal of factors.
  if not private.is_hosted() then
    perform auth.forget_factors_end(person);
  end if;
  perform private.record_access_act('factor', person);
  perform private.record_audit('reset_factor', person, null, null);
end
$$;
comment on function private.reset_factor(uuid) is
  'Removes all of a person''s second factors, ends their sessions, cancels a pending removal of their factors, and records this in the audit. The person can then sign in with the password alone.';
grant execute on function private.reset_factor(uuid) to supabase_auth_admin;

create function private.record_link_mail(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if exists (
    select from auth.users u
    where u.id = person and u.email_confirmed_at is not null and u.last_sign_in_at is not null
  ) then
    raise exception 'Esta persona ya entró a su cuenta: puede pedir un enlace con «¿Olvidaste tu contraseña?».'
      using errcode = 'PT409';
  end if;
  perform private.record_access_act('link', person);
  perform private.record_audit('send_link', person, null, null);
end
$$;
comment on function private.record_link_mail(uuid) is
  'Records in the audit that a confirmation or invitation is mailed again. Raises PT409 if the person has already signed in.';
grant execute on function private.record_link_mail(uuid) to supabase_auth_admin;

create function private.record_email_change(person uuid, address_mac text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if address_mac !~ '^[0-9a-f]{64}$' then
    raise exception 'The fingerprint of the address is no HMAC.' using errcode = '22023';
  end if;
  perform private.record_access_act('address', person);
  perform private.record_audit(
    'begin_email_change', person, null, case when address_mac is not null then jsonb_build_object('address_mac', address_mac) end
  );
end
$$;
comment on function private.record_email_change(uuid, text) is
  'Records a change of e-mail address in the audit. If address_mac is given, the entry contains this HMAC of the new address instead of the address itself. The holder of the HMAC''s key can still check whether a given address is the new address.';
grant execute on function private.record_email_change(uuid, text) to supabase_auth_admin;

create function private.cancel_email_change(person uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  was_waiting boolean := false;
begin
  -- On a hosted project, staff change an address at once. A change that the person requested cannot be cancelled there.
  if not private.is_hosted() then
    was_waiting := auth.cancel_address_change(person);
  end if;
  if was_waiting then
    perform private.record_access_act('address', person);
    perform private.record_audit('cancel_email_change', person, null, null);
  end if;
  return was_waiting;
end
$$;
comment on function private.cancel_email_change(uuid) is
  'Cancels a pending change of e-mail address, whether the person or staff requested it, and records the cancellation in the audit. Returns false if the person has no pending change.';
grant execute on function private.cancel_email_change(uuid) to supabase_auth_admin;

-- Roles ---------------------------------------------------------------------------------------------------

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
  -- A hosted project stores a pending change only in auth.users, where the change never expires.
  if private.waiting_email_change(new.id) is not null
    or (private.is_hosted() and coalesce(new.email_change, '') <> '')
  then
    raise exception 'Esta persona tiene un cambio de email sin confirmar. Espera a que lo confirme, lo cancele o caduque.'
      using errcode = 'PT403';
  end if;
  if exists (
    select from ledger.audit a
    where a.target = new.id and a.action in ('reset_factor', 'begin_email_change')
      and a.recorded_at > now() - interval '72 hours'
  ) then
    raise exception 'El banco cambió el acceso de esta persona hace menos de 72 horas. Espera para darle el rol de administrador.'
      using errcode = 'PT403';
  end if;
  if (select auth.uid()) is not null and private.requires_approvals() and not private.has_approval('promotion', new.id) then
    if tg_op = 'UPDATE' then
      raise exception 'The act waits.' using errcode = 'FZ202';
    end if;
    -- Creates the new user as a customer until another administrator approves the promotion.
    perform private.request_approval('promotion', gen_random_uuid(), new.id, null, '{}');
    new.raw_app_meta_data := new.raw_app_meta_data - 'role';
  end if;
  return new;
end
$$;
comment on function private.guard_role() is
  'Guards the administrator role, whichever program writes to auth.users. The administrator who grants or removes the role in a request must have entered the password or a mailed code recently (private.require_proof). Refuses (PT403) to grant the role to a person with a pending change of address, or to a person whose factor or address staff changed in the last 72 hours. In these cases, only the operator may grant the role. If the bank requires a second administrator, a request that grants the role needs that administrator''s approval. Without the approval, a new user is created as a customer, and an update raises FZ202, which private.hold_role catches.';

create trigger guard_role before update of raw_app_meta_data on auth.users
  for each row when (
    (old.raw_app_meta_data ->> 'role' is not distinct from 'admin')
    <> (new.raw_app_meta_data ->> 'role' is not distinct from 'admin')
  )
  execute function private.guard_role();
create trigger guard_new_role before insert on auth.users
  for each row when (new.raw_app_meta_data ->> 'role' = 'admin')
  execute function private.guard_role();

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
    -- The same lock as in private.guard_last_admin.
    perform pg_advisory_xact_lock(hashtext('finanzas.administrators'));
    -- A single administrator cannot decide their own orders.
    if (select count(*) from auth.users u where u.id <> old.id and private.is_working_admin(u)) < 2 then
      raise exception 'El banco necesita dos administradores. Puedes cerrar sus sesiones; lo demás lo hace el operador del banco con «npm run admin».'
        using errcode = 'PT403';
    end if;
  end if;
  if is_act and not private.has_approval(kind, old.id) then
    raise exception 'The act waits.' using errcode = 'FZ202';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
comment on function private.guard_second_admin() is
  'If the bank requires a second administrator, refuses (PT403) to delete, demote or ban an administrator if fewer than two would remain. If another administrator does this without the approval of a third one, raises FZ202, which the function of the act catches to request the approval. Administrators can close their own accounts without an approval. The commands of the operator are exempt. Applies to every other program that writes to auth.users.';

create trigger guard_second_admin before delete on auth.users
  for each row when (old.raw_app_meta_data ->> 'role' = 'admin')
  execute function private.guard_second_admin();
create trigger guard_second_admin_stays before update of raw_app_meta_data, banned_until on auth.users
  for each row when (
    old.raw_app_meta_data ->> 'role' = 'admin'
    and (
      new.raw_app_meta_data ->> 'role' is distinct from 'admin'
      or (new.banned_until > now() and new.banned_until is distinct from old.banned_until)
    )
  )
  execute function private.guard_second_admin();

create function private.hold_role() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  is_promotion constant boolean := new.role = 'admin';
  kind constant text := case when is_promotion then 'promotion' else 'demotion' end;
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
  begin
    -- Tries the change, which private.guard_role or private.guard_second_admin undoes, so that an impossible change is
    -- refused now.
    update auth.users u
    set raw_app_meta_data = case
      when is_promotion then u.raw_app_meta_data || '{"role": "admin"}' else u.raw_app_meta_data - 'role'
    end
    where u.id = new.id;
  exception when sqlstate 'FZ202' then
    perform private.request_approval(kind, gen_random_uuid(), new.id, null, '{}');
  end;
  return null;
end
$$;
comment on function private.hold_role() is
  'Requests another administrator''s decision instead of granting or removing the administrator role, if the bank requires a second administrator. The update then changes no row.';

create trigger hold_role before update of role on public.profiles
  for each row when ((old.role = 'admin') <> (new.role = 'admin')) execute function private.hold_role();

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

create trigger end_links_of_role after update of raw_app_meta_data on auth.users
  for each row when (
    (old.raw_app_meta_data ->> 'role' is not distinct from 'admin')
    <> (new.raw_app_meta_data ->> 'role' is not distinct from 'admin')
  )
  execute function private.end_links_of_role();

-- Notices by mail: to a person about their own access, and to all administrators about the administrator role ------

create function private.name_of(person auth.users) returns text
  language sql stable
  set search_path = ''
as $$
  select coalesce(
    private.verified_name_of(person.id), private.sanitize_name(person.raw_user_meta_data ->> 'full_name'), person.email::text
  )
$$;
comment on function private.name_of(auth.users) is 'Returns the name of a person for mails to staff, or the person''s e-mail address if the person has no name.';

create function private.enqueue_access_notice() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- On a hosted project, the platform sends all mails, but it does not send mails about these actions.
  if not private.is_hosted() then
    perform auth.enqueue_notice(new.target, new.action, new.after);
  end if;
  return null;
end
$$;
comment on function private.enqueue_access_notice() is
  'Mails a person about each change of their access that the audit records, whichever program made the change.';

create trigger enqueue_access_notice after insert on ledger.audit
  for each row when (
    new.action in ('ban_user', 'unban_user', 'revoke_sessions', 'reset_factor', 'cancel_email_change', 'change_role', 'correct_holder')
  )
  execute function private.enqueue_access_notice();

create function private.enqueue_staff_notices(entry ledger.audit, target_name text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.is_hosted() then
    return;
  end if;
  perform auth.enqueue_notices(
    array(
      select u.email::text from auth.users u
      where private.is_working_admin(u)
        -- Leaves out the target, who gets a separate mail from private.enqueue_access_notice. An administrator who
        -- recorded a transaction in their own account gets no separate mail and is therefore included.
        and (u.id is distinct from entry.target or entry.actor = entry.target)
      order by u.id
    ),
    jsonb_build_object(
      'action', entry.action,
      'after', entry.after,
      'about', jsonb_build_object(
        'origin', entry.origin,
        'actor', (select private.name_of(u) from auth.users u where u.id = entry.actor),
        'target', target_name,
        'target_id', entry.target,
        'was_admin', coalesce(entry.before ->> 'role' = 'admin', false)
      )
    )
  );
end
$$;
comment on function private.enqueue_staff_notices(ledger.audit, text) is
  'Mails every administrator who can sign in about an audit entry.';

create function private.enqueue_power_notices() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  person auth.users;
begin
  select u.* into person from auth.users u where u.id = new.target;
  if new.action <> 'ban_user' or person.raw_app_meta_data ->> 'role' = 'admin' then
    perform private.enqueue_staff_notices(new, private.name_of(person));
  end if;
  return null;
end
$$;
comment on function private.enqueue_power_notices() is
  'Mails every administrator when a role changes, when an administrator is created or blocked, and when an administrator records a transaction in their own account. private.audit_user sends the mails about deletions, because it still has the deleted person''s name.';

create trigger enqueue_power_notices after insert on ledger.audit
  for each row when (
    new.action in ('change_role', 'ban_user')
    or (new.action = 'create_user' and new.after ->> 'role' = 'admin')
    or (new.action in ('register_transaction', 'correct_transaction') and new.actor = new.target)
  )
  execute function private.enqueue_power_notices();

create function private.enqueue_deletion_notices(person auth.users, entry_id bigint) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry ledger.audit;
begin
  select a.* into entry from ledger.audit a where a.id = entry_id;
  if entry.actor is distinct from entry.target and not private.is_hosted() then
    perform auth.enqueue_notices(
      array[person.email::text], jsonb_build_object('action', entry.action, 'after', entry.after)
    );
  end if;
  -- Staff get no mail when a customer closes their own account.
  if entry.actor is distinct from entry.target or entry.before ->> 'role' = 'admin' then
    perform private.enqueue_staff_notices(entry, private.name_of(person));
  end if;
end
$$;
comment on function private.enqueue_deletion_notices(auth.users, bigint) is
  'Mails a deleted person and all administrators while the person''s address is still known. Staff get no mail when a customer closes their own account.';

create function private.require_change_of(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if person = (select auth.uid()) then
    raise exception 'No puedes cambiar tu propio acceso desde aquí.' using errcode = 'PT403';
  end if;
  perform from auth.users u where u.id = person for update;
  if not found then
    raise exception 'El usuario no existe.' using errcode = 'PT404';
  end if;
  if private.counts_as_admin(person) then
    perform private.require_proof();
  end if;
end
$$;
comment on function private.require_change_of(uuid) is
  'Checks that the caller may change another person''s access. Must be called after the caller''s key has been claimed. Raises PT403 for the caller''s own account and PT404 for an unknown user. If the person is an administrator, the caller must also have entered the password or a mailed code recently (private.require_proof).';

create function private.begin_access_change(act text, key text, person uuid, details jsonb default null) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.claim_call('rpc/' || act, key, jsonb_build_array(person, details), person) is not null then
    return false;
  end if;
  perform private.limit_acts();
  perform private.require_change_of(person);
  return true;
end
$$;
comment on function private.begin_access_change(text, text, uuid, jsonb) is
  'First step when an administrator changes another person''s access through the table API. Each key takes effect once: returns false if the call already took effect. Raises the errors of private.claim_call, private.limit_acts and private.require_change_of.';

create function private.require_power_over(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.counts_as_admin(person) then
    raise exception 'No puedes cambiarlo de quien es administrador, o lo fue en los últimos 30 días: lo hace el operador del banco.'
      using errcode = 'PT403';
  end if;
  perform private.require_proof();
end
$$;
comment on function private.require_power_over(uuid) is
  'Guards the actions by which an account could be handed to another person. The caller must have entered the password or a mailed code recently (private.require_proof). Refuses (PT403) accounts that belonged to an administrator in the last thirty days, because one administrator could otherwise take over another''s account.';

create function public.block_user(
  user_id uuid, reason text, hours integer default null, idempotency_key text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- private.request_approval takes this lock. An administrator who also decides requests about this person at the same
  -- moment could otherwise deadlock with themself.
  if private.requires_approvals() then
    perform pg_advisory_xact_lock(hashtext('finanzas.approvals'), hashtext((select auth.uid())::text));
  end if;
  if private.begin_access_change('block_user', idempotency_key, user_id, jsonb_build_array(reason, hours)) then
    begin
      perform private.block_user(user_id, hours, reason);
    exception when sqlstate 'FZ202' then
      perform private.request_approval(
        'block', gen_random_uuid(), user_id, null, jsonb_build_object('reason', reason, 'hours', hours)
      );
    end;
  end if;
end
$$;
comment on function public.block_user(uuid, text, integer, text) is
  'Blocks a person for one of the known reasons, either for the given number of hours or permanently, and ends their sessions. If the bank requires a second administrator and the person is an administrator, requests another administrator''s decision instead (public.waits_for_approval). For administrators only. Raises PT403 for the caller''s own account or the last administrator, and the errors of private.begin_access_change.';
revoke execute on function public.block_user(uuid, text, integer, text) from public, anon, service_role;
grant execute on function public.block_user(uuid, text, integer, text) to authenticated;

create function public.unblock_user(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.begin_access_change('unblock_user', idempotency_key, user_id) then
    perform private.unblock_user(user_id);
  end if;
end
$$;
comment on function public.unblock_user(uuid, text) is
  'Unblocks a person. For administrators only. Raises the errors of private.begin_access_change.';
revoke execute on function public.unblock_user(uuid, text) from public, anon, service_role;
grant execute on function public.unblock_user(uuid, text) to authenticated;

create function public.end_sessions(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.begin_access_change('end_sessions', idempotency_key, user_id) then
    perform private.end_sessions(user_id);
  end if;
end
$$;
comment on function public.end_sessions(uuid, text) is
  'Ends every session of another person. For administrators only. Raises the errors of private.begin_access_change.';
revoke execute on function public.end_sessions(uuid, text) from public, anon, service_role;
grant execute on function public.end_sessions(uuid, text) to authenticated;

create function public.reset_factor(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.begin_access_change('reset_factor', idempotency_key, user_id) then
    perform private.require_power_over(user_id);
    perform private.reset_factor(user_id);
  end if;
end
$$;
comment on function public.reset_factor(uuid, text) is
  'Removes all of a customer''s second factors and ends their sessions. Only administrators who have recently entered the password or a mailed code may call this function (private.require_power_over).';
revoke execute on function public.reset_factor(uuid, text) from public, anon, service_role;
grant execute on function public.reset_factor(uuid, text) to authenticated;

create function public.cancel_email_change(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if private.begin_access_change('cancel_email_change', idempotency_key, user_id)
    and not private.cancel_email_change(user_id)
  then
    raise exception 'No hay ningún cambio de email en espera.' using errcode = 'PT409';
  end if;
end
$$;
comment on function public.cancel_email_change(uuid, text) is
  'Cancels a pending change of e-mail address. For administrators only. Does not require the password or a mailed code, because the account stays with its owner. Raises PT409 if no change is pending. Also raises the errors of private.begin_access_change.';
revoke execute on function public.cancel_email_change(uuid, text) from public, anon, service_role;
grant execute on function public.cancel_email_change(uuid, text) to authenticated;

-- The authentication service sends mails and changes addresses. On our own server, the service uses the database
-- transaction of the action. On a hosted project, a function that holds the service key calls the authentication
-- service, which uses its own database transaction.

create function private.begin_email_change(
  user_id uuid, idempotency_key text default null, body_hash text default null, address_mac text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.claim_answer('manage-users', idempotency_key, body_hash, user_id);
  perform private.require_change_of(user_id);
  perform private.require_power_over(user_id);
  perform private.record_email_change(user_id, address_mac);
end
$$;
comment on function private.begin_email_change(uuid, text, text, text) is
  'First step of changing a customer''s e-mail address, for administrators who have recently entered the password or a mailed code (private.require_power_over). The audit identifies the new address by its HMAC, if the caller passes an HMAC. Clients cannot call this SQL function through the table API; they call the server function manage-users.';
grant execute on function private.begin_email_change(uuid, text, text, text) to authenticated;

create function private.begin_link_mail(
  user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.claim_answer('manage-users', idempotency_key, body_hash, user_id);
  perform private.require_change_of(user_id);
  perform private.record_link_mail(user_id);
end
$$;
comment on function private.begin_link_mail(uuid, text, text) is
  'First step of mailing a confirmation or invitation again, for administrators only. Raises the errors of private.claim_answer, private.require_change_of and private.record_link_mail. Clients cannot call this SQL function through the table API; they call the server function manage-users.';
grant execute on function private.begin_link_mail(uuid, text, text) to authenticated;

create function public.begin_email_change(
  actor uuid, session_id uuid, user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.begin_email_change(user_id, idempotency_key, body_hash);
end
$$;
comment on function public.begin_email_change(uuid, uuid, uuid, text, text) is
  'Calls private.begin_email_change on behalf of an administrator. On a hosted project, the server function manage-users calls this SQL function with the service key.';
revoke execute on function public.begin_email_change(uuid, uuid, uuid, text, text) from public, anon, authenticated;
grant execute on function public.begin_email_change(uuid, uuid, uuid, text, text) to service_role;

create function public.begin_link_mail(
  actor uuid, session_id uuid, user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.begin_link_mail(user_id, idempotency_key, body_hash);
end
$$;
comment on function public.begin_link_mail(uuid, uuid, uuid, text, text) is
  'Calls private.begin_link_mail on behalf of an administrator. On a hosted project, the server function manage-users calls this SQL function with the service key.';
revoke execute on function public.begin_link_mail(uuid, uuid, uuid, text, text) from public, anon, authenticated;
grant execute on function public.begin_link_mail(uuid, uuid, uuid, text, text) to service_role;

-- Audit of actions that affect a person -----------------------------------------------------------------------------

create function private.audit_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the writing session uses.
  set timezone = 'UTC'
as $$
declare
  written_off text;
  owed text;
  approved public.requests;
  is_administration constant boolean :=
    (select auth.uid()) is not null or coalesce(current_setting('audit.origin', true), '') <> '';
begin
  if tg_op = 'DELETE' then
    -- Purging unconfirmed accounts is not recorded in the audit.
    if is_administration or old.email_confirmed_at is not null then
      -- The budget no longer exists, but the closing entry still has the amount that was written off.
      select to_char(-j.delta, 'FM999999999999990.00') into written_off
      from ledger.journal j where j.user_id = old.id and j.kind = 'closing' order by j.seq desc limit 1;
      -- The customer's own notes may hide money that the bank owed.
      select to_char(sum(j.delta), 'FM999999999999990.00') into owed
      from ledger.journal j where j.user_id = old.id and j.kind in ('deposit', 'expense')
      having sum(j.delta) > abs(written_off::numeric);
      approved := private.approval_of('deletion', old.id);
      perform private.enqueue_deletion_notices(old, private.record_audit(
        'delete_user', old.id,
        private.audited_role(old.raw_app_meta_data) || jsonb_strip_nulls(jsonb_build_object('balance', written_off, 'booked', owed)),
        private.approved_by(approved), approved.asked_by
      ));
    end if;
  elsif tg_op = 'INSERT' then
    -- A person's own sign-up is not recorded, but a new administrator is always recorded.
    if is_administration or new.raw_app_meta_data ->> 'role' = 'admin' then
      perform private.record_audit('create_user', new.id, null, private.audited_role(new.raw_app_meta_data));
    end if;
  else
    if private.audited_role(old.raw_app_meta_data) <> private.audited_role(new.raw_app_meta_data) then
      approved := private.approval_of(
        case when new.raw_app_meta_data ->> 'role' = 'admin' then 'promotion' else 'demotion' end, new.id
      );
      perform private.record_audit(
        'change_role', new.id, private.audited_role(old.raw_app_meta_data),
        private.audited_role(new.raw_app_meta_data) || coalesce(private.approved_by(approved), '{}'), approved.asked_by
      );
    end if;
    if old.banned_until is distinct from new.banned_until then
      approved := private.approval_of('block', new.id);
      perform private.record_audit(
        case when new.banned_until > now() then 'ban_user' else 'unban_user' end,
        new.id,
        jsonb_build_object('banned_until', old.banned_until),
        jsonb_build_object('banned_until', new.banned_until)
          || case
            -- One decision can approve several blocks with different reasons.
            when new.banned_until > now() then jsonb_strip_nulls(jsonb_build_object(
              'reason', coalesce(approved.details ->> 'reason', nullif(current_setting('audit.reason', true), ''))
            ))
            else '{}'
          end
          || coalesce(private.approved_by(approved), '{}'),
        approved.asked_by
      );
    end if;
  end if;
  return null;
end
$$;
comment on function private.audit_user() is 'Records changes of users in the audit, whichever actor or program made them.';

-- The following triggers run at commit. The triggers lock the audit chain after all other locks, so that administrators
-- cannot deadlock with each other. The lock of the audit chain therefore lasts only during the commit.
create constraint trigger audit_user_changes
  after insert or delete on auth.users
  deferrable initially deferred
  for each row execute function private.audit_user();
create constraint trigger audit_user_authority
  after update of raw_app_meta_data, banned_until on auth.users
  deferrable initially deferred
  for each row
  when (
    old.raw_app_meta_data ->> 'role' is distinct from new.raw_app_meta_data ->> 'role'
    or old.banned_until is distinct from new.banned_until
  )
  execute function private.audit_user();

revoke execute on all functions in schema private from public;
