-- The orders of administrators that a function of the server (supabase/functions) receives: transactions of the bank and
-- deletions of users. If the amount exceeds the bank's limit, another administrator decides the order.

create function private.post_transaction(
  user_id uuid, id uuid, type text, amount numeric, description text, date timestamptz, category text
) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into public.transactions (user_id, id, type, amount, description, date, category, recorded_by)
  values (user_id, id, type, amount, description, date, category, 'bank')
$$;
comment on function private.post_transaction(uuid, uuid, text, numeric, text, timestamptz, text) is
  'Records a transaction of the bank. Both direct and approved orders call this function.';

create function private.register_transaction(
  user_id uuid, type text, amount numeric, description text, date timestamptz, category text,
  id uuid default gen_random_uuid(), idempotency_key text default null, body_hash text default null
) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.claim_answer('manage-transactions', idempotency_key, body_hash, id);
  if not exists (select from auth.users u where u.id = register_transaction.user_id) then
    raise exception 'El usuario no existe.' using errcode = 'PT404';
  end if;
  perform private.refuse_self_dealing(user_id);
  perform private.require_proof_of(amount, is_specified => true);
  if private.needs_approval(amount) then
    -- Tries the act and rolls it back, so that an impossible act is refused now and not after its approval.
    begin
      perform private.post_transaction(user_id, id, type, amount, description, date, category);
      raise exception 'The act waits.' using errcode = 'FZ202';
    exception when sqlstate 'FZ202' then
      perform private.request_approval('transaction', id, user_id, amount, jsonb_build_object(
        'type', type, 'description', description, 'date', date, 'category', category
      ));
    end;
  else
    perform private.post_transaction(user_id, id, type, amount, description, date, category);
  end if;
  return id;
end
$$;
comment on function private.register_transaction(uuid, text, numeric, text, timestamptz, text, uuid, text, text) is
  'Records a deposit or expense for any customer on behalf of the bank, once for each idempotency key, and returns the id of the transaction. If the amount exceeds the bank''s limit, requests another administrator''s decision instead (private.request_approval). For administrators only. Raises PT404 for an unknown user, and the errors of private.refuse_self_dealing, private.require_proof_of and private.claim_answer. Clients cannot call this SQL function through the table API; they call the server function manage-transactions.';
grant execute on function private.register_transaction(uuid, text, numeric, text, timestamptz, text, uuid, text, text) to authenticated;

create function private.delete_user(
  user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  money numeric;
begin
  perform private.claim_answer('manage-users', idempotency_key, body_hash, user_id);
  if user_id = (select auth.uid()) then
    raise exception 'No puedes eliminar tu propia cuenta desde aquí.' using errcode = 'PT403';
  end if;
  perform private.require_proof(is_specified => true);
  -- The bank owes the customer the sum of the bank's postings, even if the customer's notes make the balance smaller.
  select greatest(abs(b.balance), b.balance - b.noted) into money from public.budgets b where b.user_id = delete_user.user_id;
  -- The trigger guard_second_admin decides whether the deletion of an administrator waits or is refused.
  if money > 0 and private.needs_approval(money)
    and not exists (select from auth.users u where u.id = user_id and u.raw_app_meta_data ->> 'role' = 'admin')
  then
    perform private.request_approval('deletion', gen_random_uuid(), user_id, money, '{}');
    return;
  end if;
  begin
    delete from auth.users u where u.id = user_id;
    if not found then
      raise exception 'El usuario no existe.' using errcode = 'PT404';
    end if;
  exception when sqlstate 'FZ202' then
    perform private.request_approval('deletion', gen_random_uuid(), user_id, nullif(money, 0), '{}');
  end;
end
$$;
comment on function private.delete_user(uuid, text, text) is
  'Deletes a user. If the balance, or the balance without the customer''s own notes, exceeds the bank''s limit, or if the bank requires a second administrator and the user is an administrator, requests another administrator''s decision instead (private.request_approval). Each idempotency key takes effect once. The caller must be an administrator who has recently entered the password or a mailed code (private.require_proof). Raises PT403 for the caller''s own account or the last administrator, PT404 for an unknown user, and the errors of private.claim_answer. Clients cannot call this SQL function through the table API; they call the server function manage-users.';
grant execute on function private.delete_user(uuid, text, text) to authenticated;

create function public.register_transaction(
  actor uuid, session_id uuid,
  user_id uuid, type text, amount numeric, description text, date timestamptz, category text,
  idempotency_key text default null, body_hash text default null
) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  return private.register_transaction(
    user_id, type, amount, description, date, category,
    idempotency_key => register_transaction.idempotency_key, body_hash => register_transaction.body_hash
  );
end
$$;
comment on function public.register_transaction(uuid, uuid, uuid, text, numeric, text, timestamptz, text, text, text) is
  'Calls private.register_transaction on behalf of an administrator. On a hosted project, the server function manage-transactions calls this SQL function with the service key.';
revoke execute on function public.register_transaction(uuid, uuid, uuid, text, numeric, text, timestamptz, text, text, text) from public, anon, authenticated;
grant execute on function public.register_transaction(uuid, uuid, uuid, text, numeric, text, timestamptz, text, text, text) to service_role;

create function public.delete_user(
  actor uuid, session_id uuid, user_id uuid, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.delete_user(user_id, idempotency_key, body_hash);
end
$$;
comment on function public.delete_user(uuid, uuid, uuid, text, text) is
  'Calls private.delete_user on behalf of an administrator. On a hosted project, the server function manage-users calls this SQL function with the service key.';
revoke execute on function public.delete_user(uuid, uuid, uuid, text, text) from public, anon, authenticated;
grant execute on function public.delete_user(uuid, uuid, uuid, text, text) to service_role;

revoke execute on all functions in schema private from public;
