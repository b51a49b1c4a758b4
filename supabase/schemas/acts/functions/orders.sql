-- Acts on money and on accounts: registering, correcting and reversing, and opening and deleting users.

-- On a hosted project the authentication service creates users, in its own database transactions (docs/decisions/0032).

create function private.order_user(
  user_id uuid, role text, idempotency_key text default null, body_hash text default null,
  order_id uuid default gen_random_uuid(), only_checks boolean default false
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-users', idempotency_key, body_hash);
begin
  if entry.id is not null then
    return private.answer_of(entry);
  end if;
  if role = 'admin' then
    perform private.require_proof(is_specified => true);
  end if;
  if only_checks then
    return null;
  end if;
  entry.id := order_id;
  entry.kind := 'create_user';
  entry.about := user_id;
  -- The new user is a customer until another administrator approves the promotion, which private.check_new_person requests
  -- with this id. On a hosted project, a later call promotes the user.
  if role = 'admin' and private.requires_approvals() and not private.is_hosted() then
    entry.request_id := gen_random_uuid();
  end if;
  entry.details := private.audited_role(jsonb_build_object('role', case when entry.request_id is null then role end));
  return private.answer_of(private.enter(entry));
end
$$;
comment on function private.order_user(uuid, text, text, text, uuid, boolean) is
  'First step when an administrator creates a user: claims the key and enters the order. Returns the answer, also of an earlier call with the same key, which entered no order with order_id (private.is_ordered). If only_checks is true, returns null for a new call. To create an administrator, the caller must have entered the password or a mailed code recently (private.require_proof). Also raises the errors of private.claim.';
grant execute on function private.order_user(uuid, text, text, text, uuid, boolean) to authenticated;

create function public.begin_user_creation(
  actor uuid, session_id uuid, user_id uuid, role text, idempotency_key text default null, body_hash text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
declare
  order_id constant uuid := gen_random_uuid();
  answer jsonb;
begin
  perform private.act_for(actor, session_id);
  answer := private.order_user(user_id, role, idempotency_key, body_hash, order_id);
  if private.is_ordered(order_id) then
    -- The user does not exist yet, and the authentication service does not know who asks for it.
    perform private.record_access_act('open', user_id);
  end if;
  return answer;
end
$$;
comment on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) is
  'First step when another service creates a user on behalf of an administrator: enters the order for the new user''s id (private.order_user). The audit entry records the intent. Returns the answer, also of an earlier call with the same key. On a hosted project, the server function manage-users calls this SQL function with the service key.';
grant execute on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) to service_role;

create function public.abort_user_creation(actor uuid, session_id uuid, idempotency_key text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.require_admin();
  delete from private.orders o
  where o.asked_by = abort_user_creation.actor and o.route = 'manage-users' and o.call_key = idempotency_key
    and o.kind = 'create_user'
    -- Keeps the order if the user was created.
    and not exists (select from auth.users u where u.id = o.about);
end
$$;
comment on function public.abort_user_creation(uuid, uuid, text) is
  'Removes an administrator''s order if the creation of the user failed, so that the administrator can use the key again. Keeps the order if the user exists. On a hosted project, the server function manage-users calls this SQL function with the service key.';
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
grant execute on function public.erase_account(uuid) to service_role;

-- The orders of administrators that a function of the server (supabase/functions) receives: transactions of the bank and
-- deletions of users. If the amount exceeds the bank's limit, another administrator decides the order.

create function private.register_transaction(
  user_id uuid, type text, amount numeric, description text, date timestamptz, category text,
  id uuid default gen_random_uuid(), idempotency_key text default null, body_hash text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-transactions', idempotency_key, body_hash);
begin
  if entry.id is not null then
    return private.answer_of(entry);
  end if;
  if not exists (select from auth.users u where u.id = register_transaction.user_id) then
    raise exception 'El usuario no existe.' using errcode = 'PT404';
  end if;
  perform private.refuse_self_dealing(user_id);
  perform private.require_proof_of(amount, is_specified => true);
  entry.kind := 'register_transaction';
  entry.about := user_id;
  entry.thing := id;
  entry.amount := amount;
  entry.counts := true;
  if private.needs_approval(amount) then
    -- An impossible act is refused now and not after its approval.
    perform private.check_transaction(user_id, id, type, amount, description, date, category);
    entry.request_id := private.request_approval('transaction', id, user_id, amount, jsonb_build_object(
      'type', type, 'description', description, 'date', date, 'category', category
    ));
  end if;
  entry := private.enter(entry);
  if entry.request_id is null then
    perform private.post_transaction(user_id, id, type, amount, description, date, category);
  end if;
  return private.answer_of(entry);
end
$$;
comment on function private.register_transaction(uuid, text, numeric, text, timestamptz, text, uuid, text, text) is
  'Records a deposit or expense for any customer on behalf of the bank, once for each idempotency key, and returns the answer with the id of the transaction. If the amount exceeds the bank''s limit, requests another administrator''s decision instead (private.request_approval). For administrators only. Raises PT404 for an unknown user, and the errors of private.refuse_self_dealing, private.require_proof_of and private.claim. Clients cannot call this SQL function through the table API; they call the server function manage-transactions.';
grant execute on function private.register_transaction(uuid, text, numeric, text, timestamptz, text, uuid, text, text) to authenticated;

create function private.delete_user(
  user_id uuid, idempotency_key text default null, body_hash text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders := private.claim('manage-users', idempotency_key, body_hash);
  waits boolean := false;
begin
  if entry.id is not null then
    return private.answer_of(entry);
  end if;
  if user_id = (select auth.uid()) then
    raise exception 'No puedes eliminar tu propia cuenta desde aquí.' using errcode = 'PT403';
  end if;
  perform private.require_proof(is_specified => true);
  entry.kind := 'delete_user';
  entry.about := user_id;
  entry.counts := true;
  -- The bank owes the customer the sum of the bank's postings, even if the customer's notes make the balance smaller.
  select nullif(greatest(abs(b.balance), b.balance - b.noted), 0) into entry.amount
  from public.budgets b where b.user_id = delete_user.user_id;
  if private.needs_second_admin(user_id) then
    perform private.lock_approvals();
    perform private.require_two_administrators(user_id);
    waits := true;
  elsif entry.amount > 0 then
    waits := private.needs_approval(entry.amount);
  end if;
  if waits then
    entry.request_id := private.request_approval('deletion', gen_random_uuid(), user_id, entry.amount, '{}');
  else
    delete from auth.users u where u.id = user_id;
    if not found then
      raise exception 'El usuario no existe.' using errcode = 'PT404';
    end if;
  end if;
  return private.answer_of(private.enter(entry));
end
$$;
comment on function private.delete_user(uuid, text, text) is
  'Deletes a user and returns the answer. If the balance, or the balance without the customer''s own notes, exceeds the bank''s limit, or if the bank requires a second administrator and the user is an administrator, requests another administrator''s decision instead (private.request_approval). Each idempotency key takes effect once. The caller must be an administrator who has recently entered the password or a mailed code (private.require_proof). Raises PT403 for the caller''s own account or the last administrator, PT404 for an unknown user, and the errors of private.claim. Clients cannot call this SQL function through the table API; they call the server function manage-users.';
grant execute on function private.delete_user(uuid, text, text) to authenticated;

create function public.register_transaction(
  actor uuid, session_id uuid,
  user_id uuid, type text, amount numeric, description text, date timestamptz, category text,
  idempotency_key text default null, body_hash text default null
) returns jsonb
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
grant execute on function public.register_transaction(uuid, uuid, uuid, text, numeric, text, timestamptz, text, text, text) to service_role;

create function public.delete_user(
  actor uuid, session_id uuid, user_id uuid, idempotency_key text default null, body_hash text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  return private.delete_user(user_id, idempotency_key, body_hash);
end
$$;
comment on function public.delete_user(uuid, uuid, uuid, text, text) is
  'Calls private.delete_user on behalf of an administrator. On a hosted project, the server function manage-users calls this SQL function with the service key.';
grant execute on function public.delete_user(uuid, uuid, uuid, text, text) to service_role;

create function public.correct_transaction(
  user_id uuid, transaction_id uuid, reason text, idempotency_key text default null, right_amount numeric default null
) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  entry private.orders := private.claim_call(
    'rpc/correct_transaction', idempotency_key, jsonb_build_array(user_id, transaction_id, reason, right_amount)
  );
begin
  if entry.id is not null then
    return entry.thing;
  end if;
  perform private.consume('act of staff', clerk::text);
  entry.kind := 'correct_transaction';
  entry.about := user_id;
  entry.thing := gen_random_uuid();
  entry.amount := (private.mistake_of(user_id, transaction_id)).amount + coalesce(right_amount, 0);
  entry.counts := true;
  perform private.refuse_self_dealing(user_id);
  perform private.require_proof_of(entry.amount);
  if private.needs_approval(entry.amount) then
    -- An impossible act is refused now and not after its approval.
    perform private.check_correction(user_id, entry.thing, transaction_id, reason, right_amount, clerk);
    entry.request_id := private.request_approval('correction', entry.thing, user_id, entry.amount, jsonb_build_object(
      'transaction_id', transaction_id, 'reason', reason, 'right_amount', right_amount
    ));
  end if;
  entry := private.enter(entry);
  if entry.request_id is null then
    perform private.post_correction(user_id, entry.thing, transaction_id, reason, right_amount, clerk);
  end if;
  return entry.thing;
end
$$;
comment on function public.correct_transaction(uuid, uuid, text, text, numeric) is
  'Reverses a bank transaction by a new transaction of the opposite type with the same amount, and returns the new transaction''s id. A transaction can be reversed only once, and each idempotency key takes effect only once. If right_amount is given, also records a replacement with this amount and the date of the mistake. If the sum of both amounts exceeds the bank''s limit, requests another administrator''s decision instead (public.waits_for_approval). For administrators only. Raises PT404 for an unknown transaction. Raises PT409 if the customer recorded the transaction, if it was already corrected, if it is a correction with a replacement, or if it belongs to a transfer. Also raises the errors of private.refuse_self_dealing, private.require_proof_of and private.claim_call, and the refusal (PT429) of the limit "act of staff". Reads at most one transaction.';
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
  entry private.orders;
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
  entry.kind := 'reverse_batch';
  entry.thing := ordered.id;
  entry.counts := true;
  select coalesce(sum(l.amount), 0) into entry.amount
  from public.batch_lines l where l.batch_id = ordered.id and l.status = 'reversing';
  perform private.require_proof_of(entry.amount);
  perform private.enter(entry);
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
  return ordered;
end
$$;
comment on function public.reverse_batch(uuid, text) is
  'Orders the reversal of a whole batch, which takes effect only once. Lines that are still waiting are not posted. private.post_batch_piece then corrects the batch''s deposits, except deposits that are void because they were already corrected. Returns the batch, even if the call is repeated. For administrators only. Adds one audit entry. Raises PT404 for an unknown batch. Raises PT409 if the batch was already reversed by another administrator or for another reason, or if the batch waits for another administrator. Also raises the errors of private.refuse_self_dealing and private.require_proof_of. Reads at most 10,000 lines, which the server reverses in pieces of 25.';
grant execute on function public.reverse_batch(uuid, text) to authenticated;
