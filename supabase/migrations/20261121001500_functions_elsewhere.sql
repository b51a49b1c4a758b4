-- What the functions need where they do not run beside the database, as on a hosted project: there the
-- authentication service makes users, in database transactions of its own (docs/decisions/0032).

create function private.begin_user_creation(person uuid, wanted_role text, idempotency_key text, body_hash text)
  returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.is_admin() then
    perform private.refuse('Solo un administrador puede hacer esto.', '42501', 'create_user', null);
  end if;
  if idempotency_key is not null then
    perform private.claim_answer('manage-users', idempotency_key, body_hash, person);
  end if;
  perform private.record_audit(
    'begin_user_creation', person, null, private.audited_role(jsonb_build_object('role', wanted_role))
  );
end
$$;
comment on function private.begin_user_creation(uuid, text, text, text) is
  'Records that an administrator is about to have a user made under this id, and claims the key for it; what private.claim_answer raises.';
revoke execute on function private.begin_user_creation(uuid, text, text, text) from public;
grant execute on function private.begin_user_creation(uuid, text, text, text) to authenticated;

create function public.begin_user_creation(
  user_id uuid, role text, idempotency_key text default null, body_hash text default null
) returns void
  language sql
  set search_path = ''
  return private.begin_user_creation(user_id, role, idempotency_key, body_hash);
comment on function public.begin_user_creation(uuid, text, text, text) is
  'First step of a creation that happens elsewhere, administrators only: the intent is in the audit, the key stands for this id. Called by the function manage-users on a hosted project.';
revoke execute on function public.begin_user_creation(uuid, text, text, text) from public, anon, service_role;
grant execute on function public.begin_user_creation(uuid, text, text, text) to authenticated;

create function private.give_up_user_creation(idempotency_key text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.is_admin() then
    perform private.refuse('Solo un administrador puede hacer esto.', '42501', 'create_user', null);
  end if;
  delete from ledger.idempotency_keys k
  where k.actor = (select auth.uid()) and k.route = 'manage-users' and k.key = idempotency_key
    -- Whoever was made keeps the key.
    and not exists (select from auth.users u where u.id = (k.response::jsonb ->> 'id')::uuid);
end
$$;
comment on function private.give_up_user_creation(text) is
  'Frees the caller''s key of a creation that came to nothing: refusals are not kept. A key whose user exists stays.';
revoke execute on function private.give_up_user_creation(text) from public;
grant execute on function private.give_up_user_creation(text) to authenticated;

create function public.give_up_user_creation(idempotency_key text) returns void
  language sql
  set search_path = ''
  return private.give_up_user_creation(idempotency_key);
comment on function public.give_up_user_creation(text) is
  'After public.begin_user_creation, when nobody was made; administrators only. Called by the function manage-users on a hosted project.';
revoke execute on function public.give_up_user_creation(text) from public, anon, service_role;
grant execute on function public.give_up_user_creation(text) to authenticated;

create function public.record_refusal(action text, actor uuid, target uuid, reason text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.act_as('service', actor);
  perform private.record_refusal(action, target, reason);
end
$$;
comment on function public.record_refusal(text, uuid, uuid, text) is
  'Records what a function refused a person, up to 60 times an hour for each of them; for services with the service key.';
revoke execute on function public.record_refusal(text, uuid, uuid, text) from public, anon, authenticated;
grant execute on function public.record_refusal(text, uuid, uuid, text) to service_role;

create function private.erase_account(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_as('service', person);
  delete from auth.users u where u.id = person;
end
$$;
comment on function private.erase_account(uuid) is
  'Erases a person in their own name. P0001 for the last administrator.';
revoke execute on function private.erase_account(uuid) from public;
grant execute on function private.erase_account(uuid) to service_role;

create function public.erase_account(user_id uuid) returns void
  language sql
  set search_path = ''
  return private.erase_account(user_id);
comment on function public.erase_account(uuid) is
  'Erases a person who has just shown their password to the function delete-account on a hosted project; for services with the service key.';
revoke execute on function public.erase_account(uuid) from public, anon, authenticated;
grant execute on function public.erase_account(uuid) to service_role;
