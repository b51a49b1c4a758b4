-- Functions of orders: claiming a call, asking for an approval, and the sums and counts that decide whether an order
-- waits.

create function private.record_access_act(act text, person uuid, clerk uuid default auth.uid()) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into private.access_acts as a (person, clerk, act)
  select record_access_act.person, record_access_act.clerk, record_access_act.act
  where record_access_act.clerk is not null and record_access_act.clerk <> record_access_act.person
  on conflict on constraint access_acts_pkey do update set acted_at = excluded.acted_at
$$;
comment on function private.record_access_act(text, uuid, uuid) is
  'Records that an administrator gave or changed a person''s access. Each act calls this function in its own database transaction. Does nothing if no administrator acts, for example in a command of the operator.';

create function private.holds_keys(clerk uuid, payer uuid, payee uuid) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (
    select from private.access_acts a
    where a.person in (holds_keys.payer, holds_keys.payee) and a.clerk = holds_keys.clerk
      and a.acted_at > now() - interval '90 days'
      and (a.person = holds_keys.payer or a.act not in ('open', 'invite'))
  )
$$;
comment on function private.holds_keys(uuid, uuid, uuid) is
  'Returns whether an administrator gave or changed the access of a transfer''s payer within the last 90 days, or changed the access of its payee. To have opened or invited the payee''s account does not count.';

create function private.require_proof_of(amount numeric, is_specified boolean default false) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  session constant uuid := ((select auth.jwt()) ->> 'session_id')::uuid;
  proven_until constant timestamptz := private.proof_ends_at();
  ordered numeric;
begin
  if proven_until > now() or not private.requires_proof(is_specified) then
    return;
  end if;
  -- If a session orders two amounts concurrently, the second call waits here for the first. Otherwise, neither sum
  -- would include the amount of the concurrent call.
  perform pg_advisory_xact_lock(hashtext('finanzas.orders'), hashtext(session::text));
  select coalesce(sum((a.after ->> 'amount')::numeric), 0) into ordered
  from ledger.audit a
  where a.session_id = session and a.recorded_at > proven_until
    and a.action in (
      'register_transaction', 'correct_transaction', 'register_batch', 'reverse_batch', 'decide_request', 'return_transfer',
      'return_clearing_file'
    )
    -- A declined transfer moves no money.
    and a.after ->> 'decision' is distinct from 'declined';
  if ordered + amount > private.number('staff_proof_above') then
    perform private.require_proof();
  end if;
end
$$;
comment on function private.require_proof_of(numeric, boolean) is
  'Must be called before an administrator moves an amount. Adds this amount to the total that was ordered in the session since the password or a mailed code was last entered. If the total exceeds the bank''s limit, calls private.require_proof. Does nothing if is_specified is true and the bank''s rules ask for no proof.';

create function private.moved_today(clerk uuid) returns numeric
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(sum(abs(coalesce(a.after ->> 'amount', a.before ->> 'booked', a.before ->> 'balance')::numeric)), 0)
  from ledger.audit a
  where a.actor = clerk
    and a.recorded_at >= date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota'
    and a.action in (
      'register_transaction', 'correct_transaction', 'register_batch', 'reverse_batch', 'delete_user', 'return_transfer',
      'decide_request', 'return_clearing_file'
    )
    -- Only the approval of a transfer counts, and not the approval of another administrator's act.
    and (a.action <> 'decide_request' or (a.after ->> 'decision' = 'approved' and not a.after ?| '{kind,first_approved_by}'))
    -- The return of a transfer between customers does not change the bank's total.
    and (a.action <> 'return_transfer' or a.after ? 'elsewhere')
    and a.after ->> 'approved_by' is null
$$;
comment on function private.moved_today(uuid) is
  'Returns the sum of the amounts that an administrator moved today in Bogotá without a second administrator, in units of currency. Includes the transfers that the administrator approved alone, and the returns of transfers to other banks. For each account that the administrator deleted, includes the balance. If the audit also recorded the balance without the customer''s notes, includes that balance instead.';

create function private.needs_approval(amount numeric) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  above constant numeric := private.number('staff_approval_above');
begin
  if above is null or clerk is null or amount <= 0 then
    return false;
  end if;
  -- Concurrent orders of one administrator wait for each other here, even if they come from different sessions.
  -- Otherwise, the sum that is checked for one order would not include the other order.
  perform pg_advisory_xact_lock(hashtext('finanzas.approvals'), hashtext(clerk::text));
  -- Limits the sum of all orders of a day, because an administrator could avoid a limit for each order by splitting an
  -- order.
  return private.moved_today(clerk) + amount > above;
end
$$;
comment on function private.needs_approval(numeric) is
  'Returns true if this amount would raise the total that the caller moved today above the bank''s limit. The caller then needs a second administrator. Must be called after private.require_proof_of and before other locks.';

create function private.refuses_self_dealing() returns boolean
  language sql stable security definer
  set search_path = ''
  return private.setting('staff_self_dealing') = 'refuse';
comment on function private.refuses_self_dealing() is 'Returns whether this bank forbids its administrators to record transactions in their own accounts.';

create function private.refuse_self_dealing(person uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if person = (select auth.uid()) and private.refuses_self_dealing() then
    raise exception 'El banco no permite registrar movimientos en la propia cuenta.' using errcode = 'PT403';
  end if;
end
$$;
comment on function private.refuse_self_dealing(uuid) is
  'Refuses (PT403) a transaction in the caller''s own account if the bank''s rules forbid it.';

create function private.replay_answer(route text, key text, body_hash text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kept ledger.idempotency_keys;
begin
  perform private.require_admin();
  select k.* into kept
  from ledger.idempotency_keys k
  where k.actor = (select auth.uid()) and k.route = replay_answer.route and k.key = replay_answer.key
    and k.created_at > now() - interval '48 hours';
  if not found then
    return;
  end if;
  if kept.body_hash <> decode(body_hash, 'hex') then
    raise exception 'Esta clave de idempotencia ya se usó con otra solicitud.' using errcode = 'FZ422';
  end if;
  -- Raises an error, because the caller sends all statements of the action at once, and only an error prevents the
  -- later statements from making the change again.
  raise exception 'This call took effect before.'
    using errcode = 'FZ208', detail = jsonb_build_object('status', kept.status, 'response', kept.response)::text;
end
$$;
comment on function private.replay_answer(text, text, text) is
  'Does nothing if the key is null or if the calling administrator has not used the key before. If the same call already took effect, raises FZ208, whose detail contains the earlier answer. Raises FZ422 if the key was used with a different body.';
grant execute on function private.replay_answer(text, text, text) to authenticated;

create function private.claim_answer(route text, key text, body_hash text, answered uuid) returns void
  language plpgsql security definer
  set search_path = ''
  -- The longest wait for the first call with this key. After this time, the second call fails with 55P03 ("in flight").
  set lock_timeout = '2s'
as $$
begin
  perform private.require_admin();
  if key is null then
    return;
  end if;
  if body_hash is null or body_hash !~ '^[0-9a-f]{64}$' then
    raise exception 'Una clave de idempotencia va con el SHA-256 del cuerpo: 64 dígitos hexadecimales.' using errcode = '22023';
  end if;
  -- The order makes the planner use the index on the time, even if its statistics are old.
  perform private.purge_rows(
    'ledger.idempotency_keys', $due$due.created_at <= now() - interval '48 hours' order by due.created_at$due$, 1000
  );
  -- The unique index makes a second call wait until the first one has been committed or rolled back.
  insert into ledger.idempotency_keys as k (actor, route, key, body_hash, status, response)
  values ((select auth.uid()), route, key, decode(body_hash, 'hex'), 200, format('{"id":"%s"}', answered))
  on conflict on constraint idempotency_keys_pkey do update set
    body_hash = excluded.body_hash, status = excluded.status, response = excluded.response, created_at = excluded.created_at
    where k.created_at <= now() - interval '48 hours';
  if not found then
    perform private.replay_answer(route, key, body_hash);
  end if;
end
$$;
comment on function private.claim_answer(text, text, text, uuid) is
  'First step of an administrator''s action. If a key is given, claims it for the caller in this database transaction, and stores the answer `{"id": …}` that the call will return. Raises 42501 if the caller is not an administrator, 22023 if the hash of the body is missing, and 55P03 while the first call is still running. Also raises the errors of private.replay_answer. Deletes up to 1,000 expired keys, so that the table cannot grow without limit.';
grant execute on function private.claim_answer(text, text, text, uuid) to authenticated;

create function private.claim_call(route text, key text, arguments jsonb, answered uuid) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  earlier text;
begin
  perform private.claim_answer(route, key, encode(sha256(convert_to(arguments::text, 'UTF8')), 'hex'), answered);
  return null;
exception
  when sqlstate 'FZ208' then
    get stacked diagnostics earlier = pg_exception_detail;
    return ((earlier::jsonb ->> 'response')::jsonb ->> 'id')::uuid;
  when lock_not_available then
    raise exception 'La misma solicitud se está procesando todavía. Inténtalo de nuevo en unos segundos.' using errcode = 'PT409';
end
$$;
comment on function private.claim_call(text, text, jsonb, uuid) is
  'First step of an administrator''s call of the table API. For a call of a function, private.claim_answer is this step. Returns null for a new call, and the id from the earlier answer for a call that already took effect. Raises PT409 while the first call is still running.';

create function private.shown_to_payer(request public.requests) returns public.requests
  language plpgsql immutable
  set search_path = ''
as $$
begin
  request.payee := null;
  request.risk := null;
  request.decided_by := null;
  request.first_approved_by := null;
  request.body_hash := null;
  return request;
end
$$;
comment on function private.shown_to_payer(public.requests) is
  'Returns a request without the values of the columns that the payer is not allowed to select. Otherwise, the response of a function would contain these values.';

create function private.end_request(request public.requests, status text, reason text default null) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ended public.requests;
begin
  update public.requests r
  set status = end_request.status, reason = coalesce(end_request.reason, r.reason), ended_at = clock_timestamp()
  where r.id = request.id
  returning r.* into ended;
  return ended;
end
$$;
comment on function private.end_request(public.requests, text, text) is
  'Moves a request to a final state. The calling function must hold the row''s lock.';

-- Approvals by a second administrator: if the amount of an act exceeds the bank's limit, the act becomes a request that
-- another administrator decides (docs/decisions/0068).

create function private.life_of_request() returns interval
  language sql stable security definer
  set search_path = ''
  return make_interval(hours => private.number('transfer_expires_hours')::integer);
comment on function private.life_of_request() is 'Returns the time after which an undecided request expires.';

create function private.requires_approvals() returns boolean
  language sql stable security definer
  set search_path = ''
  return private.number('staff_approval_above') is not null;
comment on function private.requires_approvals() is 'Returns whether the bank has a limit above which an act needs a second administrator.';

create function private.approval_of(kind text, person uuid) returns public.requests
  language sql stable security definer
  set search_path = ''
as $$
  select r.* from public.requests r
  where r.about = person and r.kind = approval_of.kind and r.status = 'done'
    and r.decided_by = (select auth.uid()) and r.ended_at >= now()
  order by r.ended_at desc limit 1
$$;
comment on function private.approval_of(text, uuid) is
  'Returns the request about this person that the caller approved in this database transaction.';

create function private.has_approval(kind text, person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return (private.approval_of(kind, person)).id is not null;
comment on function private.has_approval(text, uuid) is
  'Returns whether the caller approved an act of this kind for this person in this database transaction.';

create function private.approved_by(request public.requests) returns jsonb
  language sql immutable
  set search_path = ''
  return case when request.id is not null then jsonb_build_object('approved_by', request.decided_by) end;
comment on function private.approved_by(public.requests) is
  'Returns the part of an audit entry that names the administrator who approved the act; null for an act without a request.';

create function private.request_approval(kind text, id uuid, about uuid, amount numeric, details jsonb) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  hash constant bytea := sha256(convert_to(details::text, 'UTF8'));
begin
  perform pg_advisory_xact_lock(hashtext('finanzas.approvals'), hashtext(clerk::text));
  -- An act that concerns an account has no id of its own. A second call must not create a second request for the same
  -- act.
  if kind in ('deletion', 'promotion', 'demotion', 'block') and exists (
    select from public.requests r
    where r.asked_by = clerk and r.status = 'waiting' and r.kind = request_approval.kind
      and r.expires_at > now() and r.about = request_approval.about and r.amount is not distinct from request_approval.amount
      and r.body_hash = hash
  ) then
    return;
  end if;
  perform private.require_room('waiting acts', (
    select count(*) from public.requests r
    where r.asked_by = clerk and r.status = 'waiting' and r.kind <> 'transfer' and r.expires_at > now()
  ));
  insert into public.requests (id, kind, status, asked_by, about, amount, expires_at, body_hash, details)
  values (
    request_approval.id, request_approval.kind, 'waiting', clerk, request_approval.about, request_approval.amount,
    now() + private.life_of_request(), hash, jsonb_strip_nulls(request_approval.details)
  )
  on conflict on constraint requests_pkey do nothing;
  if not found then
    raise exception 'Este identificador ya se usó con otra solicitud.' using errcode = 'PT409';
  end if;
  -- Stores the answer for the idempotency key, so that a repeated call of the function gets the same answer.
  update ledger.idempotency_keys k
  set response = format('{"id":"%s","status":"waiting"}', coalesce(k.response::jsonb ->> 'id', ''))
  where k.actor = clerk and k.route like 'manage-%' and k.created_at >= now()
    and k.response::jsonb ->> 'id' in (request_approval.id::text, request_approval.about::text);
end
$$;
comment on function private.request_approval(text, uuid, uuid, numeric, jsonb) is
  'Requests another administrator''s decision about an act of the caller. The calling function must have checked that the act would not be refused. Raises PT409 for more than 100 waiting requests and for an id that was used before. Adds one audit entry.';

create function private.audit_approval_request() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.record_audit('request_approval', new.about, null, jsonb_strip_nulls(jsonb_build_object(
    'id', new.id, 'kind', new.kind, 'amount', to_char(new.amount, 'FM999999999999999990.00')
  )));
  return null;
end
$$;
comment on function private.audit_approval_request() is
  'Adds the audit entry of a requested act at the commit. If the entry were added earlier, the audit chain would stay locked while the statement waits for other rows.';

create function public.waits_for_approval(id uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  return exists (
    select from public.requests r
    where r.asked_by = (select auth.uid()) and r.kind <> 'transfer' and r.status = 'waiting' and r.expires_at > now()
      and (r.id = waits_for_approval.id or (r.about = waits_for_approval.id and r.kind in ('deletion', 'promotion', 'demotion', 'block')))
  );
end
$$;
comment on function public.waits_for_approval(uuid) is
  'Returns whether an act that the caller ordered waits for the decision of another administrator. The id is that of the transaction, correction or batch, or of the person to be deleted, promoted, demoted or blocked. For administrators only.';
revoke execute on function public.waits_for_approval(uuid) from public, anon, service_role;
grant execute on function public.waits_for_approval(uuid) to authenticated, supabase_auth_admin;

create function private.has_first_approval(request public.requests) returns boolean
  language sql stable security definer
  set search_path = ''
  return request.first_approved_by is not null and private.may_administer(request.first_approved_by)
    and not private.holds_keys(request.first_approved_by, request.payer, request.payee);
comment on function private.has_first_approval(public.requests) is
  'Returns whether an administrator approved a transfer first, and could still decide it.';

revoke execute on all functions in schema private from public;
