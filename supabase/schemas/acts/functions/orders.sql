-- Acts on money and on accounts: registering, correcting and reversing, and opening and deleting users.

-- On a hosted project the authentication service creates users, in its own database transactions (docs/decisions/0032).

create function public.begin_user_creation(
  actor uuid, session_id uuid, user_id uuid, role text, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.claim_answer('manage-users', idempotency_key, body_hash, user_id);
  if role = 'admin' then
    perform private.require_proof(is_specified => true);
  end if;
  -- The user does not exist yet, and the authentication service does not know who asks for it.
  perform private.record_access_act('open', user_id);
  perform private.record_audit(
    'begin_user_creation', user_id, null, private.audited_role(jsonb_build_object('role', role))
  );
end
$$;
comment on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) is
  'First step when another service creates a user on behalf of an administrator: records the intent in the audit and claims the key for the new user''s id. To create an administrator, the caller must have entered the password or a mailed code recently (private.require_proof). Also raises the errors of private.claim_answer. On a hosted project, the server function manage-users calls this SQL function with the service key.';
revoke execute on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) from public, anon, authenticated;
grant execute on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) to service_role;

create function public.abort_user_creation(actor uuid, session_id uuid, idempotency_key text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.require_admin();
  delete from ledger.idempotency_keys k
  where k.actor = abort_user_creation.actor and k.route = 'manage-users' and k.key = idempotency_key
    -- Keeps the key if the user with the claimed id was created.
    and not exists (select from auth.users u where u.id = (k.response::jsonb ->> 'id')::uuid);
end
$$;
comment on function public.abort_user_creation(uuid, uuid, text) is
  'Frees an administrator''s idempotency key if the creation of a user failed, so that the administrator can use the key again. Keeps the key if the user exists. On a hosted project, the server function manage-users calls this SQL function with the service key.';
revoke execute on function public.abort_user_creation(uuid, uuid, text) from public, anon, authenticated;
grant execute on function public.abort_user_creation(uuid, uuid, text) to service_role;

create function public.erase_account(user_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_as('service', user_id);
  delete from auth.users u where u.id = user_id;
end
$$;
comment on function public.erase_account(uuid) is
  'Erases a person''s account at their own request. On a hosted project, the server function delete-account checks the person''s password and then calls this SQL function with the service key. Raises PT403 for the last administrator.';
revoke execute on function public.erase_account(uuid) from public, anon, authenticated;
grant execute on function public.erase_account(uuid) to service_role;

-- The orders of administrators that a function of the server (supabase/functions) receives: transactions of the bank and
-- deletions of users. If the amount exceeds the bank's limit, another administrator decides the order.

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

create function public.correct_transaction(
  user_id uuid, transaction_id uuid, reason text, idempotency_key text default null, right_amount numeric default null
) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  id constant uuid := gen_random_uuid();
  earlier constant uuid := private.claim_call(
    'rpc/correct_transaction', idempotency_key, jsonb_build_array(user_id, transaction_id, reason, right_amount), id
  );
  moved numeric;
begin
  if earlier is not null then
    return earlier;
  end if;
  perform private.consume('act of staff', (select auth.uid())::text);
  moved := (private.mistake_of(user_id, transaction_id)).amount + coalesce(right_amount, 0);
  perform private.refuse_self_dealing(user_id);
  perform private.require_proof_of(moved);
  if private.needs_approval(moved) then
    -- Tries the act and rolls it back, so that an impossible act is refused now and not after its approval.
    begin
      perform private.post_correction(user_id, id, transaction_id, reason, right_amount, clerk);
      raise exception 'The act waits.' using errcode = 'FZ202';
    exception when sqlstate 'FZ202' then
      perform private.request_approval('correction', id, user_id, moved, jsonb_build_object(
        'transaction_id', transaction_id, 'reason', reason, 'right_amount', right_amount
      ));
    end;
  else
    perform private.post_correction(user_id, id, transaction_id, reason, right_amount, clerk);
  end if;
  return id;
end
$$;
comment on function public.correct_transaction(uuid, uuid, text, text, numeric) is
  'Reverses a bank transaction by a new transaction of the opposite type with the same amount, and returns the new transaction''s id. A transaction can be reversed only once, and each idempotency key takes effect only once. If right_amount is given, also records a replacement with this amount and the date of the mistake. If the sum of both amounts exceeds the bank''s limit, requests another administrator''s decision instead (public.waits_for_approval). For administrators only. Raises PT404 for an unknown transaction. Raises PT409 if the customer recorded the transaction, if it was already corrected, if it is a correction with a replacement, or if it belongs to a transfer. Also raises the errors of private.refuse_self_dealing, private.require_proof_of and private.claim_call, and the refusal (PT429) of the limit "act of staff".';
revoke execute on function public.correct_transaction(uuid, uuid, text, text, numeric) from public, anon, service_role;
grant execute on function public.correct_transaction(uuid, uuid, text, text, numeric) to authenticated;

create function public.reverse_batch(id uuid, reason text) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  caller constant uuid := (select auth.uid());
  ordered public.batches := private.lock_batch(id);
  unposted integer;
  corrected integer;
  reversing integer;
  moved numeric;
begin
  if ordered.reversed_at is not null then
    perform private.require_same_upload(
      ordered.reversed_by = caller and ordered.reason = reverse_batch.reason, 'Este lote ya se revirtió.'
    );
    return ordered;
  end if;
  if exists (
    select from public.batch_lines l where l.batch_id = ordered.id and l.user_id = caller and l.status = 'posted'
  ) then
    perform private.refuse_self_dealing(caller);
  end if;
  update public.batch_lines l set status = 'failed', fault = 'El lote se revirtió antes de este abono.'
  where l.batch_id = ordered.id and l.status = 'waiting';
  get diagnostics unposted = row_count;
  update public.batch_lines l set fault = 'Este abono ya se había corregido.'
  where l.batch_id = ordered.id and l.status = 'posted' and exists (
    select from private.void_at(l.user_id) v where v.transaction_id = l.transaction_id
  );
  get diagnostics corrected = row_count;
  update public.batch_lines l set status = 'reversing'
  where l.batch_id = ordered.id and l.status = 'posted' and l.fault is null;
  get diagnostics reversing = row_count;
  select coalesce(sum(l.amount), 0) into moved
  from public.batch_lines l where l.batch_id = ordered.id and l.status = 'reversing';
  perform private.require_proof_of(moved);
  update public.batches b set
    reversed_at = clock_timestamp(),
    reversed_by = caller,
    reversed_by_name = (select p.full_name from public.profiles p where p.id = caller),
    reason = reverse_batch.reason,
    posted_by = caller,
    failed = b.failed + unposted,
    kept = corrected,
    stopped_at = null,
    finished_at = case when reversing = 0 then clock_timestamp() end
  where b.id = ordered.id
  returning b.* into ordered;
  perform private.audit_batch('reverse_batch', ordered.id, 'reversing');
  return ordered;
end
$$;
comment on function public.reverse_batch(uuid, text) is
  'Orders the reversal of a whole batch, which takes effect only once. Lines that are still waiting are not posted. private.post_batch_piece then corrects the batch''s deposits, except deposits that are void because they were already corrected. Returns the batch, even if the call is repeated. For administrators only. Adds one audit entry. Raises PT404 for an unknown batch. Raises PT409 if the batch was already reversed by another administrator or for another reason, or if the batch waits for another administrator. Also raises the errors of private.refuse_self_dealing and private.require_proof_of.';
revoke execute on function public.reverse_batch(uuid, text) from public, anon, service_role;
grant execute on function public.reverse_batch(uuid, text) to authenticated;

revoke execute on all functions in schema private from public;
