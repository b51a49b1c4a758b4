-- Access: a person's own sessions, and staff actions that change another person's access. Each action has a function in
-- `private`, which the operator's commands also use, and a second function that checks the caller. The second function
-- is in `public`, where administrators call it through the table API. If the action mails a link, the second function
-- is not in `public`, and only the server function `manage-users` calls this second function.

create function private.block_reasons() returns text[]
  language sql immutable
  set search_path = ''
  return array['customer_request', 'suspected_fraud', 'identity_check', 'legal_order', 'other'];
comment on function private.block_reasons() is
  'The reasons why a person can be blocked, which contract/database-types.ts lists too. The list is fixed: the audit is kept after the person''s account is deleted, and must not contain free text about the person.';

create function private.refuse_block(hours integer, reason text) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if (reason = any (private.block_reasons())) is not true then
    raise exception 'Elige el motivo del bloqueo.' using errcode = 'PT422';
  end if;
  if hours not between 1 and 87600 then
    raise exception 'Un bloqueo dura de 1 a 87.600 horas.' using errcode = 'PT422';
  end if;
end
$$;
comment on function private.refuse_block(integer, text) is
  'Raises PT422 if the reason of a block is not one of the known reasons, or if the block would not last 1 to 87,600 hours.';

create function private.ban(person uuid, hours integer) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The authentication service of a hosted project cannot read an infinite timestamp, so a permanent block lasts a
  -- hundred years.
  update auth.users u
  set banned_until = now() + make_interval(hours => least(coalesce(hours, 876000), 876000)), updated_at = now()
  where u.id = person;
  perform private.record_access_act('block', person);
end
$$;
comment on function private.ban(uuid, integer) is
  'Bans a person for this number of hours or permanently. The triggers on auth.users end the sessions, record the block in the audit, and refuse to block the last administrator (PT403).';

create function private.block_user(person uuid, hours integer, reason text, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.refuse_block(hours, reason);
  -- The order comes first. Otherwise, private.access_changed would take the ban for an act of another program.
  perform private.enter_act('block_user', person, entry, jsonb_build_object('reason', reason));
  perform private.ban(person, hours);
end
$$;
comment on function private.block_user(uuid, integer, text, private.orders) is
  'Blocks a person for 1 to 87,600 hours or permanently, ends all their sessions, and enters the order. Raises the errors of private.refuse_block and private.ban.';
grant execute on function private.block_user(uuid, integer, text, private.orders) to supabase_auth_admin;

create function private.unblock_user(person uuid, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.enter_act('unblock_user', person, entry);
  update auth.users u set banned_until = null, updated_at = now() where u.id = person;
  perform private.record_access_act('block', person);
end
$$;
comment on function private.unblock_user(uuid, private.orders) is 'Unblocks a person, and enters the order. The trigger on auth.users records the end of the block in the audit.';
grant execute on function private.unblock_user(uuid, private.orders) to supabase_auth_admin;

create function private.end_sessions(person uuid, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions s where s.user_id = person;
  perform private.enter_act('end_sessions', person, entry);
  perform private.tell(array[person], 'revoke_sessions');
end
$$;
comment on function private.end_sessions(uuid, private.orders) is 'Ends every session of a person, enters the order, and tells the person.';
grant execute on function private.end_sessions(uuid, private.orders) to supabase_auth_admin;

create function private.verified_factors(person uuid) returns uuid[]
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return array(select f.id from auth.mfa_factors f where f.user_id = person and f.status = 'verified' order by f.id);
end
$$;
comment on function private.verified_factors(uuid) is 'Returns the ids of a person''s second factors, in their order.';

create function private.remove_factors(person uuid, verified uuid[] default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if verified is not null and verified is distinct from private.verified_factors(person) then
    raise exception 'Los segundos factores de esta persona cambiaron.' using errcode = 'PT409';
  end if;
  -- Deletes factors before sessions, because all code takes these locks in the same order. A factor that its owner
  -- verifies at this moment stays.
  delete from auth.mfa_factors f
  where f.user_id = person and (verified is null or f.status <> 'verified' or f.id = any (verified));
  delete from auth.sessions s where s.user_id = person;
  -- A hosted project does not support the delayed removal of factors.
  if not private.is_hosted() then
    perform auth.forget_factors_end(person);
  end if;
  perform private.record_access_act('factor', person);
  perform private.tell(array[person], 'reset_factor');
end
$$;
comment on function private.remove_factors(uuid, uuid[]) is
  'Removes all of a person''s second factors, ends their sessions, cancels a pending removal of their factors, and tells the person. The person can then sign in with the password alone. If the verified factors are given, raises PT409 if the person now has others.';

create function private.reset_factor(person uuid, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.remove_factors(person);
  perform private.enter_act('reset_factor', person, entry);
end
$$;
comment on function private.reset_factor(uuid, private.orders) is
  'Removes all of a person''s second factors (private.remove_factors), and enters the order.';
grant execute on function private.reset_factor(uuid, private.orders) to supabase_auth_admin;

create function private.record_access_reset(person uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  select private.enter_act('reset_access', person)
$$;
comment on function private.record_access_reset(uuid) is
  'Enters the operator''s order to give a person a new password and to remove everything else that gives access.';
grant execute on function private.record_access_reset(uuid) to supabase_auth_admin;

create function private.record_link_mail(person uuid, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  has_signed_in constant boolean := exists (
    select from auth.users u
    where u.id = person and u.email_confirmed_at is not null and u.last_sign_in_at is not null
  );
begin
  if has_signed_in and exists (select from auth.users u where u.id = person and u.banned_until > now()) then
    raise exception 'El acceso de esta persona está bloqueado.' using errcode = 'PT409';
  end if;
  -- A link for a new password reaches only the mailbox that the person confirmed. It gives the administrator nothing.
  if not has_signed_in then
    perform private.record_access_act('link', person);
  end if;
  perform private.enter_act(
    'send_link', person, entry, case when has_signed_in then jsonb_build_object('link', 'recovery') end
  );
end
$$;
comment on function private.record_link_mail(uuid, private.orders) is
  'Enters the order to mail a link: a confirmation or an invitation again, or a link for a new password to a person who has already signed in. Raises PT409 if a person who has signed in is blocked.';
grant execute on function private.record_link_mail(uuid, private.orders) to supabase_auth_admin;

create function private.record_email_change(person uuid, address_mac text, entry private.orders default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if address_mac !~ '^[0-9a-f]{64}$' then
    raise exception 'The fingerprint of the address is not an HMAC.' using errcode = '22023';
  end if;
  perform private.record_access_act('address', person);
  perform private.enter_act(
    'begin_email_change', person, entry, case when address_mac is not null then jsonb_build_object('address_mac', address_mac) end
  );
end
$$;
comment on function private.record_email_change(uuid, text, private.orders) is
  'Enters the order to change an e-mail address. If address_mac is given, the order and its audit entry contain this HMAC of the new address instead of the address itself. The holder of the HMAC''s key can still check whether a given address is the new address.';
grant execute on function private.record_email_change(uuid, text, private.orders) to supabase_auth_admin;

create function private.cancel_email_change(person uuid, entry private.orders default null) returns boolean
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
    perform private.enter_act('cancel_email_change', person, entry);
    perform private.tell(array[person], 'cancel_email_change');
  end if;
  return was_waiting;
end
$$;
comment on function private.cancel_email_change(uuid, private.orders) is
  'Cancels a pending change of e-mail address, whether the person or staff requested it, and enters the order. Returns false if the person has no pending change.';
grant execute on function private.cancel_email_change(uuid, private.orders) to supabase_auth_admin;

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

create function private.begin_access_change(act text, key text, person uuid, details jsonb default null) returns private.orders
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim_call('rpc/' || act, key, jsonb_build_array(person, details));
begin
  if entry.id is null then
    perform private.consume('act of staff', (select auth.uid())::text);
    perform private.require_change_of(person);
  end if;
  return entry;
end
$$;
comment on function private.begin_access_change(text, text, uuid, jsonb) is
  'First step when an administrator changes another person''s access through the table API. Returns the order, which the act completes and enters (private.enter_act). If the call already took effect, the order has an id. Raises the errors of private.claim_call, private.require_change_of, and the refusal (PT429) of the limit "act of staff".';

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
declare
  entry private.orders;
begin
  -- private.request_approval takes this lock. An administrator who also decides requests about this person at the same
  -- moment could otherwise deadlock with themself.
  if private.requires_approvals() then
    perform private.lock_approvals();
  end if;
  entry := private.begin_access_change('block_user', idempotency_key, user_id, jsonb_build_array(reason, hours));
  if entry.id is not null then
    return;
  end if;
  if private.needs_second_admin(user_id) then
    perform private.refuse_block(hours, reason);
    perform private.require_two_administrators(user_id);
    entry.request_id := private.request_approval(
      'block', gen_random_uuid(), user_id, null, jsonb_build_object('reason', reason, 'hours', hours)
    );
    perform private.enter_act('block_user', user_id, entry, jsonb_build_object('reason', reason));
  else
    perform private.block_user(user_id, hours, reason, entry);
  end if;
end
$$;
comment on function public.block_user(uuid, text, integer, text) is
  'Blocks a person for one of the known reasons, either for the given number of hours or permanently, and ends their sessions. If the bank requires a second administrator and the person is an administrator, requests another administrator''s decision instead (public.waits_for_approval). For administrators only. Raises PT403 for the caller''s own account or the last administrator, and the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.block_user(uuid, text, integer, text) to authenticated;

create function public.unblock_user(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry constant private.orders := private.begin_access_change('unblock_user', idempotency_key, user_id);
begin
  if entry.id is null then
    perform private.unblock_user(user_id, entry);
  end if;
end
$$;
comment on function public.unblock_user(uuid, text) is
  'Unblocks a person. For administrators only. Raises the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.unblock_user(uuid, text) to authenticated;

create function public.end_sessions(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry constant private.orders := private.begin_access_change('end_sessions', idempotency_key, user_id);
begin
  if entry.id is null then
    perform private.end_sessions(user_id, entry);
  end if;
end
$$;
comment on function public.end_sessions(uuid, text) is
  'Ends every session of another person. For administrators only. Raises the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.end_sessions(uuid, text) to authenticated;

create function private.request_factor_removal(person uuid) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  verified constant uuid[] := private.verified_factors(person);
begin
  perform private.require_two_administrators(person);
  if private.holds_keys((select auth.uid()), person, null) then
    raise exception 'Abriste esta cuenta, o cambiaste su acceso, hace menos de 90 días: lo pide otra persona.' using errcode = 'PT403';
  end if;
  if verified = '{}' then
    raise exception 'Esta persona no tiene un segundo factor.' using errcode = 'PT409';
  end if;
  return private.request_approval('factor', gen_random_uuid(), person, null, jsonb_build_object('factors', verified));
end
$$;
comment on function private.request_factor_removal(uuid) is
  'Requests another administrator''s decision about the removal of the second factors that a customer has now, and returns the id of the request. Raises PT403 if the caller gave or changed the customer''s access (private.holds_keys), and PT409 for a customer without a second factor.';

create function public.reset_factor(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders;
begin
  -- As in public.block_user.
  if private.requires_approvals() then
    perform private.lock_approvals();
  end if;
  entry := private.begin_access_change('reset_factor', idempotency_key, user_id);
  if entry.id is not null then
    return;
  end if;
  perform private.require_power_over(user_id);
  if private.requires_approvals() then
    entry.request_id := private.request_factor_removal(user_id);
    perform private.enter_act('reset_factor', user_id, entry);
  else
    perform private.reset_factor(user_id, entry);
  end if;
end
$$;
comment on function public.reset_factor(uuid, text) is
  'Removes all of a customer''s second factors and ends their sessions. If the bank requires a second administrator, requests another administrator''s decision instead (private.request_factor_removal, public.waits_for_approval). Only administrators who have recently entered the password or a mailed code may call this function (private.require_power_over). Reads at most one person.';
grant execute on function public.reset_factor(uuid, text) to authenticated;

create function public.cancel_email_change(user_id uuid, idempotency_key text default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry constant private.orders := private.begin_access_change('cancel_email_change', idempotency_key, user_id);
begin
  if entry.id is not null then
    return;
  end if;
  if not private.cancel_email_change(user_id, entry) then
    raise exception 'No hay ningún cambio de email en espera.' using errcode = 'PT409';
  end if;
end
$$;
comment on function public.cancel_email_change(uuid, text) is
  'Cancels a pending change of e-mail address. For administrators only. Does not require the password or a mailed code, because the account stays with its owner. Raises PT409 if no change is pending. Also raises the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.cancel_email_change(uuid, text) to authenticated;

-- The authentication service sends mails and changes addresses. On our own server, the service uses the database
-- transaction of the action. On a hosted project, a function that holds the service key calls the authentication
-- service, which uses its own database transaction.

create function private.begin_email_change(
  user_id uuid, idempotency_key text default null, body_hash text default null, address_mac text default null,
  order_id uuid default gen_random_uuid()
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-users', idempotency_key, body_hash);
begin
  if entry.id is not null then
    return;
  end if;
  perform private.consume('act of staff', (select auth.uid())::text);
  perform private.require_change_of(user_id);
  perform private.require_power_over(user_id);
  entry.id := order_id;
  perform private.record_email_change(user_id, address_mac, entry);
end
$$;
comment on function private.begin_email_change(uuid, text, text, text, uuid) is
  'First step of changing a customer''s e-mail address, for administrators who have recently entered the password or a mailed code (private.require_power_over). A repeated call enters no order with order_id (private.is_ordered). Consumes the limit "act of staff". The audit identifies the new address by its HMAC, if the caller passes an HMAC. Clients cannot call this SQL function through the table API; they call the server function manage-users.';
grant execute on function private.begin_email_change(uuid, text, text, text, uuid) to authenticated;

create function private.begin_link_mail(
  user_id uuid, idempotency_key text default null, body_hash text default null, order_id uuid default gen_random_uuid()
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-users', idempotency_key, body_hash);
begin
  if entry.id is not null then
    return;
  end if;
  perform private.consume('act of staff', (select auth.uid())::text);
  perform private.require_change_of(user_id);
  entry.id := order_id;
  perform private.record_link_mail(user_id, entry);
end
$$;
comment on function private.begin_link_mail(uuid, text, text, uuid) is
  'First step of mailing a confirmation, an invitation or a link for a new password, for administrators only. A repeated call enters no order with order_id (private.is_ordered). Raises the errors of private.claim, private.require_change_of and private.record_link_mail, and the refusal (PT429) of the limit "act of staff". Clients cannot call this SQL function through the table API; they call the server function manage-users.';
grant execute on function private.begin_link_mail(uuid, text, text, uuid) to authenticated;

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
grant execute on function public.begin_link_mail(uuid, uuid, uuid, text, text) to service_role;
