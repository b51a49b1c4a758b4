-- Functions of orders: claiming a call, entering it in the book, asking for an approval, and the sums that decide whether
-- an order waits.

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
  'Returns whether an administrator gave or changed the access of a transfer''s payer within the last 90 days, or changed the access of its payee. The owner of second factors to be removed is asked about as a payer without a payee. To have opened or invited the payee''s account does not count.';

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
  select coalesce(sum(o.amount), 0) into ordered
  from private.orders o
  -- A deletion needs a proof of its own.
  where o.asked_in = session and o.asked_at > proven_until and o.amount is not null and o.request_id is null and o.kind <> 'delete_user';
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
  select coalesce(sum(o.amount), 0)
  from private.orders o
  where o.asked_by = clerk and o.counts
    and o.asked_at >= date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota'
$$;
comment on function private.moved_today(uuid) is
  'Returns the sum of the amounts that an administrator moved today in Bogotá without a second administrator, in units of currency. Includes the transfers that the administrator approved alone, and the returns of transfers to other banks. For each account that the administrator deleted, includes the balance, or the balance without the customer''s notes if it is larger.';

create function private.lock_approvals() returns void
  language sql
  set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtext('finanzas.approvals'), hashtext((select auth.uid())::text))
$$;
comment on function private.lock_approvals() is
  'Lets the caller''s orders that may wait run one after another. Must be called before the locks of people and of administrators.';

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
  perform private.lock_approvals();
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

create function private.claim(route text, key text, body_hash text) returns private.orders
  language plpgsql security definer
  set search_path = ''
  -- The longest wait for the first call with this key. After this time, the second call fails with 55P03 ("in flight").
  set lock_timeout = '2s'
as $$
declare
  clerk constant uuid := (select auth.uid());
  earlier private.orders;
  claimed private.orders;
begin
  perform private.require_admin();
  if key is null then
    return claimed;
  end if;
  if body_hash is null or body_hash !~ '^[0-9a-f]{64}$' then
    raise exception 'Una clave de idempotencia va con el SHA-256 del cuerpo: 64 dígitos hexadecimales.' using errcode = '22023';
  end if;
  -- A second call waits here until the first one has been committed or rolled back.
  perform pg_advisory_xact_lock(hashtext('finanzas.keys'), hashtext(format('%s %s %s', clerk, route, key)));
  select o.* into earlier
  from private.orders o
  where o.asked_by = clerk and o.route = claim.route and o.call_key = key;
  if earlier.asked_at > now() - interval '48 hours' then
    if earlier.body_hash <> decode(claim.body_hash, 'hex') then
      raise exception 'Esta clave de idempotencia ya se usó con otra solicitud.' using errcode = 'FZ422';
    end if;
    return earlier;
  end if;
  -- If the key has expired and private.purge_expired has not emptied it yet, the time shows it to private.enter.
  claimed.asked_at := earlier.asked_at;
  claimed.route := route;
  claimed.call_key := key;
  claimed.body_hash := decode(claim.body_hash, 'hex');
  return claimed;
end
$$;
comment on function private.claim(text, text, text) is
  'First step of an administrator''s act. If the same call already took effect, returns its row of the book. Otherwise returns a row without an id, which has the key, and the time of an earlier call if the key has expired. The caller completes this row and passes it to private.enter. Raises 42501 if the caller is not an administrator, 22023 if the hash of the body is missing, FZ422 if the key was used with a different body, and 55P03 while the first call is still running.';

create function private.is_repeated(route text, key text, body_hash text) returns boolean
  language sql security definer
  set search_path = ''
  return (private.claim(route, key, body_hash)).id is not null;
comment on function private.is_repeated(text, text, text) is
  'Returns whether a call with this key already took effect. Raises the errors of private.claim.';
grant execute on function private.is_repeated(text, text, text) to authenticated;

create function private.claim_call(route text, key text, arguments jsonb) returns private.orders
  language plpgsql security definer
  set search_path = ''
as $$
begin
  return private.claim(route, key, encode(sha256(convert_to(arguments::text, 'UTF8')), 'hex'));
exception when lock_not_available then
  raise exception 'La misma solicitud se está procesando todavía. Inténtalo de nuevo en unos segundos.' using errcode = 'PT409';
end
$$;
comment on function private.claim_call(text, text, jsonb) is
  'First step of an administrator''s call of the table API. For a call of a function, private.claim is this step. Raises PT409 while the first call is still running.';

create function private.enter(entry private.orders) returns private.orders
  language plpgsql security definer
  set search_path = ''
as $$
begin
  entry.id := coalesce(entry.id, gen_random_uuid());
  entry.asked_by := coalesce((private.author_of(null)).actor, '00000000-0000-0000-0000-000000000000');
  entry.asked_in := ((select auth.jwt()) ->> 'session_id')::uuid;
  entry.counts := coalesce(entry.counts, false) and entry.amount is not null and entry.request_id is null;
  -- An earlier call with this key (private.claim) took effect more than 48 hours ago.
  if entry.asked_at is not null then
    update private.orders o set call_key = null, body_hash = null
    where o.asked_by = entry.asked_by and o.route = entry.route and o.call_key = entry.call_key;
  end if;
  entry.asked_at := clock_timestamp();
  entry.done_in := pg_current_xact_id();
  insert into private.orders select entry.*;
  return entry;
end
$$;
comment on function private.enter(private.orders) is
  'Enters an act of the caller in the book, in the same database transaction as its effect, and returns the row. The audit entry follows at the commit (private.audit_order). The act must have a kind, and a person or a thing. Call this function after the checks that read the sums of the book.';

create function private.enter_act(kind text, person uuid, entry private.orders default null, details jsonb default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  entry.kind := kind;
  entry.about := person;
  entry.details := details;
  perform private.enter(entry);
end
$$;
comment on function private.enter_act(text, uuid, private.orders, jsonb) is
  'Enters an act on a person in the book. The entry has the key that private.claim claimed; null for an act of the operator.';

create function private.done_orders(person uuid, kinds text[]) returns table (
  kind text, asked_by uuid, done_at timestamptz, done_in xid8, details jsonb
)
  language sql stable security definer
  set search_path = ''
as $$
  select o.kind, o.asked_by, coalesce(r.ended_at, o.asked_at), o.done_in, o.details
  from private.orders o left join public.requests r on r.id = o.request_id
  where o.about = person and o.kind = any (kinds)
    and o.kind in (
      'create_user', 'promotion', 'demotion', 'block_user', 'unblock_user', 'reset_factor', 'reset_access',
      'begin_email_change', 'send_link', 'correct_holder'
    )
    -- The account was opened at once, even if the role of the new user waits for a decision.
    and (o.request_id is null or o.kind = 'create_user' or r.status = 'done')
$$;
comment on function private.done_orders(uuid, text[]) is
  'Returns the acts of these kinds that took effect on a person, each with its author, its time, its database transaction and its details. Knows only the kinds of the index orders_about_a_person.';

create function private.is_done_here(kind text, person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return exists (
    select from private.done_orders(person, array[kind]) o
    -- A restored database may repeat the ids of transactions.
    where o.done_in = pg_current_xact_id() and o.done_at >= now()
  );
comment on function private.is_done_here(text, uuid) is
  'Returns whether an order of an act on a person takes effect in this database transaction.';

create function private.enter_unordered(kind text, person uuid, details jsonb default null) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.is_done_here(kind, person) then
    perform private.enter_act(kind, person, details => details);
  end if;
end
$$;
comment on function private.enter_unordered(text, uuid, jsonb) is
  'Enters an act on a user that no order of this database transaction has caused, because another program wrote to auth.users.';

create function private.block_reason_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select o.details ->> 'reason' from private.done_orders(person, '{block_user}') o order by o.done_at desc limit 1
$$;
comment on function private.block_reason_of(uuid) is 'Returns the reason of the last block of a person; null if another program blocked the person.';

create function private.answer_of(entry private.orders) returns jsonb
  language sql immutable
  set search_path = ''
  return jsonb_strip_nulls(jsonb_build_object(
    'id', coalesce(entry.thing, entry.about), 'status', case when entry.request_id is not null then 'waiting' end
  ));
comment on function private.answer_of(private.orders) is
  'Returns the answer to an order: the id of the transaction or of the person, and whether the order had to wait. The answer to a repeated call is the same, even if the order has been decided since.';

create function private.is_ordered(id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return exists (select from private.orders o where o.id = is_ordered.id);
comment on function private.is_ordered(uuid) is
  'Returns whether an order with this id was entered. A call whose later statements must run only once chooses the id, and each of these statements asks this function: a repeated call entered no order.';
grant execute on function private.is_ordered(uuid) to supabase_auth_admin;

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

create function private.tell_transfer(request public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if request.payer is null or request.status not in ('done', 'declined', 'returned', 'failed', 'expired') then
    return;
  end if;
  perform private.tell(array[request.payer], 'transfer', jsonb_build_object(
    'detail', case request.status when 'done' then 'sent' else request.status end
  ));
  if request.payee is not null and request.status in ('done', 'returned') then
    perform private.tell(array[request.payee], 'transfer', jsonb_build_object(
      'detail', case request.status when 'done' then 'received' else request.status end
    ));
  end if;
end
$$;
comment on function private.tell_transfer(public.requests) is
  'Tells the payer how a transfer ended, and the payee if money moved. Every function that ends a transfer calls this function.';

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
  perform private.tell_transfer(ended);
  return ended;
end
$$;
comment on function private.end_request(public.requests, text, text) is
  'Moves a request to a final state, and tells the people of a transfer. The calling function must hold the row''s lock.';

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
    and exists (select from private.orders o where o.request_id = r.id and o.done_in = pg_current_xact_id())
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

create function private.request_approval(kind text, id uuid, about uuid, amount numeric, details jsonb) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  hash constant bytea := sha256(convert_to(details::text, 'UTF8'));
  same uuid;
begin
  perform private.lock_approvals();
  -- An act that concerns an account has no id of its own. A second call must not create a second request for the same
  -- act.
  if kind in ('deletion', 'promotion', 'demotion', 'block', 'factor') then
    select r.id into same from public.requests r
    where r.asked_by = clerk and r.status = 'waiting' and r.kind = request_approval.kind
      and r.expires_at > now() and r.about = request_approval.about and r.amount is not distinct from request_approval.amount
      and r.body_hash = hash
    limit 1;
    if found then
      return same;
    end if;
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
  return request_approval.id;
end
$$;
comment on function private.request_approval(text, uuid, uuid, numeric, jsonb) is
  'Requests another administrator''s decision about an act of the caller, and returns the id of the request. If the same act on an account already waits, returns the earlier request. The calling function must have checked that the act would not be refused. Raises PT409 for more than 100 waiting requests and for an id that was used before.';

create function private.order_of(request public.requests) returns private.orders
  language sql stable security definer
  set search_path = ''
as $$
  select o.* from private.orders o
  where o.request_id = request.id and o.kind <> 'create_user' order by o.asked_at limit 1
$$;
comment on function private.order_of(public.requests) is
  'Returns the order that a request lets wait: the first one, if the same act was ordered twice. Null if the request came from the creation of an administrator.';

create function public.waits_for_approval(id uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  return exists (
    select from public.requests r
    where r.asked_by = (select auth.uid()) and r.kind <> 'transfer' and r.status = 'waiting' and r.expires_at > now()
      and (r.id = waits_for_approval.id or (r.about = waits_for_approval.id and r.kind in ('deletion', 'promotion', 'demotion', 'block', 'factor')))
  );
end
$$;
comment on function public.waits_for_approval(uuid) is
  'Returns whether an act that the caller ordered waits for the decision of another administrator. The id is that of the transaction, correction or batch, or of the person to be deleted, promoted, demoted or blocked, or to lose the second factors. The removal of second factors always waits if the bank requires a second administrator. For administrators only. Reads at most 100 waiting orders of the caller.';
grant execute on function public.waits_for_approval(uuid) to authenticated, supabase_auth_admin;

create function private.has_first_approval(request public.requests) returns boolean
  language sql stable security definer
  set search_path = ''
  return request.first_approved_by is not null and private.may_administer(request.first_approved_by)
    and not private.holds_keys(request.first_approved_by, request.payer, request.payee);
comment on function private.has_first_approval(public.requests) is
  'Returns whether an administrator approved a transfer first, and could still decide it.';

-- The numbers beside *Perfil* and *Admin*. The page reads them together with the sums of the dashboard, and later alone.

create function public.count_news() returns json
  language sql stable security definer
  set search_path = ''
  return json_build_object(
    'unread', case when private.is_on('notificaciones') then (
      select count(*) from public.notifications n where n.user_id = (select auth.uid()) and n.read_at is null
    ) else 0 end,
    'waiting', case when private.is_admin() then (
      select count(*) from (
        select from public.requests r
        where r.status = 'waiting' and (private.is_on('transferencias') or r.kind <> 'transfer') limit 100
      ) w
    ) end
  );
comment on function public.count_news() is
  'Counts what waits for the caller: the unread notifications, and for an administrator the requests that wait for a decision (at most 100). `waiting` is null for every other caller. A number shows nothing about a customer, and therefore needs no audit entry. Reads at most the caller''s 100 notifications, and 100 rows of an index.';
grant execute on function public.count_news() to authenticated;
