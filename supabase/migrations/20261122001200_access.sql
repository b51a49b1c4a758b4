-- Access: the sessions of one's own, and what staff do with the access of others. An act on another person is an
-- effect in `private`, which the operator's commands share, behind a check in `public`, which the function
-- manage-users calls in an administrator's name.

create function public.own_sessions()
  returns table (id uuid, is_present boolean, began_at timestamptz, last_used_at timestamptz, user_agent text, network text)
  language sql stable security definer
  set search_path = ''
  -- A hosted project keeps the time of the last refresh without a zone, in UTC, and the address as inet.
  set timezone = 'UTC'
as $$
  select s.id, s.id = ((select auth.jwt()) ->> 'session_id')::uuid, s.created_at,
    coalesce(s.refreshed_at::timestamptz, s.created_at), s.user_agent, split_part(s.ip::text, '/', 1)
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
  order by 2 desc, 4 desc, 1
$$;
comment on function public.own_sessions() is
  'The caller''s sessions, the present one first, then the one that was used last: when it began and last asked for a token, the browser''s own word for itself, and the network address that it began at.';
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
  'Ends one of the caller''s own sessions, with its refresh token. PT404 for any other, and for one that has ended.';
revoke execute on function public.end_session(uuid) from public, anon, service_role;
grant execute on function public.end_session(uuid) to authenticated;

-- Acts on another person ----------------------------------------------------------------------------------

create function private.end_sessions(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions s where s.user_id = person;
  perform private.record_audit('revoke_sessions', person, null, null);
end
$$;
comment on function private.end_sessions(uuid) is 'Ends every session of a person; audited.';
grant execute on function private.end_sessions(uuid) to supabase_auth_admin;

create function private.block_user(person uuid, hours integer, reason text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if reason is null or reason not in ('customer_request', 'suspected_fraud', 'identity_check', 'legal_order', 'other') then
    raise exception 'Elige el motivo del bloqueo.' using errcode = 'P0001';
  end if;
  if hours < 1 then
    raise exception 'Un bloqueo dura al menos una hora.' using errcode = 'P0001';
  end if;
  -- For the audit, which is written at the commit (private.audit_user).
  perform set_config('audit.reason', reason, true);
  -- A hosted project's authentication service reads no infinite time: a hundred years are its word for good.
  update auth.users u
  set banned_until = now() + make_interval(hours => least(coalesce(hours, 876000), 876000)), updated_at = now()
  where u.id = person;
  delete from auth.sessions s where s.user_id = person;
end
$$;
comment on function private.block_user(uuid, integer, text) is
  'Keeps a person out for so many hours, at least one, or for good, for one of the reasons that are known (P0001 without), and ends every session; audited by the trigger on auth.users, which refuses the last administrator (P0001).';
grant execute on function private.block_user(uuid, integer, text) to supabase_auth_admin;

create function private.unblock_user(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update auth.users u set banned_until = null, updated_at = now() where u.id = person;
end
$$;
comment on function private.unblock_user(uuid) is 'Lets a person in again; audited by the trigger on auth.users.';
grant execute on function private.unblock_user(uuid) to supabase_auth_admin;

create function private.reset_factor(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Factors before sessions, as everywhere: they wait for each other in one order.
  delete from auth.mfa_factors f where f.user_id = person;
  delete from auth.sessions s where s.user_id = person;
  perform private.record_audit('reset_factor', person, null, null);
end
$$;
comment on function private.reset_factor(uuid) is
  'Takes every second factor of a person away, with their sessions; audited. The password alone lets them in again.';
grant execute on function private.reset_factor(uuid) to supabase_auth_admin;

create function private.begin_link_mail(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if exists (
    select from auth.users u
    where u.id = person and u.email_confirmed_at is not null and u.last_sign_in_at is not null
  ) then
    raise exception 'Esta persona ya entró a su cuenta: puede pedir un enlace con «¿Olvidaste tu contraseña?».'
      using errcode = 'P0001';
  end if;
  perform private.record_audit('send_link', person, null, null);
end
$$;
comment on function private.begin_link_mail(uuid) is
  'Before another confirmation or invitation by mail; audited. P0001 for a person who has been in their account.';
grant execute on function private.begin_link_mail(uuid) to supabase_auth_admin;

create function private.tell_person() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- A hosted project's mails are the platform's, and it sends none about these (docs/hosted.md).
  if to_regprocedure('auth.enqueue_notice(uuid,text,jsonb)') is not null then
    execute 'select auth.enqueue_notice($1, $2, $3)' using new.target, new.action, new.after;
  end if;
  return null;
end
$$;
comment on function private.tell_person() is
  'Tells a person by mail what the audit notes about their access, whichever way it was done.';

create trigger tell_person after insert on ledger.audit
  for each row when (new.action in ('ban_user', 'unban_user', 'revoke_sessions', 'reset_factor'))
  execute function private.tell_person();

create function private.require_proof() returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- A hosted project notes no proofs (docs/hosted.md).
  if to_regprocedure('auth.require_proof(uuid)') is not null then
    execute 'select auth.require_proof($1)' using ((select auth.jwt()) ->> 'session_id')::uuid;
  end if;
end
$$;
comment on function private.require_proof() is
  'Refuses (42501 with the hint reauthentication_needed) a session that has not shown its password, or a mailed code, within ten minutes.';

create function private.begin_access_change(person uuid, idempotency_key text, body_hash text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.claim_answer('manage-users', idempotency_key, body_hash, person);
  if person = (select auth.uid()) then
    raise exception 'No puedes cambiar tu propio acceso desde aquí.' using errcode = 'P0001';
  end if;
  perform from auth.users u where u.id = person for update;
  if not found then
    raise exception 'El usuario no existe.' using errcode = 'P0002';
  end if;
end
$$;
comment on function private.begin_access_change(uuid, text, text) is
  'What stands before each act on the access of another person: administrators only, never on oneself, once for each key. P0001 for oneself, P0002 where there is no such user, and what private.claim_answer raises.';

create function private.require_power_over(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if exists (select from auth.users u where u.id = person and u.raw_app_meta_data ->> 'role' = 'admin') then
    raise exception 'No puedes cambiarlo de otro administrador: lo hace el operador del banco.' using errcode = 'P0001';
  end if;
  perform private.require_proof();
end
$$;
comment on function private.require_power_over(uuid) is
  'Before an act that could hand an account to another person: the caller has just proven to be there, and the account is no administrator''s (P0001), or one administrator could become another.';

create function public.block_user(
  user_id uuid, reason text, hours integer default null, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.begin_access_change(user_id, idempotency_key, body_hash);
  perform private.block_user(user_id, hours, reason);
end
$$;
comment on function public.block_user(uuid, text, integer, text, text) is
  'Keeps a person out for one of the reasons that are known, for so many hours, or for good without a number, and ends their sessions; administrators only. P0001 for oneself or the last administrator, and what private.begin_access_change raises. Called by the function manage-users.';
revoke execute on function public.block_user(uuid, text, integer, text, text) from public, anon, service_role;
grant execute on function public.block_user(uuid, text, integer, text, text) to authenticated;

create function public.unblock_user(
  user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.begin_access_change(user_id, idempotency_key, body_hash);
  perform private.unblock_user(user_id);
end
$$;
comment on function public.unblock_user(uuid, text, text) is
  'Lets a person in again; administrators only, and what private.begin_access_change raises. Called by the function manage-users.';
revoke execute on function public.unblock_user(uuid, text, text) from public, anon, service_role;
grant execute on function public.unblock_user(uuid, text, text) to authenticated;

create function public.end_sessions(
  user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.begin_access_change(user_id, idempotency_key, body_hash);
  perform private.end_sessions(user_id);
end
$$;
comment on function public.end_sessions(uuid, text, text) is
  'Ends every session of another person; administrators only, and what private.begin_access_change raises. Called by the function manage-users.';
revoke execute on function public.end_sessions(uuid, text, text) from public, anon, service_role;
grant execute on function public.end_sessions(uuid, text, text) to authenticated;

create function public.reset_factor(
  user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.begin_access_change(user_id, idempotency_key, body_hash);
  perform private.require_power_over(user_id);
  perform private.reset_factor(user_id);
end
$$;
comment on function public.reset_factor(uuid, text, text) is
  'Takes every second factor of a customer away, with their sessions; administrators only, who have just proven to be there (private.require_power_over). Called by the function manage-users.';
revoke execute on function public.reset_factor(uuid, text, text) from public, anon, service_role;
grant execute on function public.reset_factor(uuid, text, text) to authenticated;

-- Mails and addresses are the authentication service's: it acts in the same database transaction on our own server, and
-- in one of its own on a hosted project.

create function public.begin_email_change(
  user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.begin_access_change(user_id, idempotency_key, body_hash);
  perform private.require_power_over(user_id);
  perform private.record_audit('begin_email_change', user_id, null, null);
end
$$;
comment on function public.begin_email_change(uuid, text, text) is
  'First step of another address for a customer, without the address: administrators only, who have just proven to be there (private.require_power_over). Called by the function manage-users.';
revoke execute on function public.begin_email_change(uuid, text, text) from public, anon, service_role;
grant execute on function public.begin_email_change(uuid, text, text) to authenticated;

create function public.begin_link_mail(
  user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.begin_access_change(user_id, idempotency_key, body_hash);
  perform private.begin_link_mail(user_id);
end
$$;
comment on function public.begin_link_mail(uuid, text, text) is
  'First step of another confirmation or invitation by mail; administrators only, and what private.begin_access_change and private.begin_link_mail raise. Called by the function manage-users.';
revoke execute on function public.begin_link_mail(uuid, text, text) from public, anon, service_role;
grant execute on function public.begin_link_mail(uuid, text, text) to authenticated;

-- Functions are for the roles that they are granted to by name.
revoke execute on all functions in schema private from public;
