-- Approvals by a second administrator: if the amount of an act exceeds the bank's limit, the act becomes a request that
-- another administrator decides (docs/decisions/0068).

create function private.requires_approvals() returns boolean
  language sql stable security definer
  set search_path = ''
  return exists (select from private.staff_rules r where r.approval_above is not null);
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
  open_max constant integer := 100;
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
  if (
    select count(*) from public.requests r
    where r.asked_by = clerk and r.status = 'waiting' and r.kind <> 'transfer' and r.expires_at > now()
  ) >= open_max then
    raise exception 'Ya tienes el máximo de solicitudes pendientes (%). Espera o cancela alguna.', open_max
      using errcode = 'PT409';
  end if;
  insert into public.requests (id, kind, status, asked_by, about, amount, expires_at, body_hash, details)
  select
    request_approval.id, request_approval.kind, 'waiting', clerk, request_approval.about, request_approval.amount,
    now() + make_interval(hours => r.expires_hours), hash,
    jsonb_strip_nulls(request_approval.details)
  from private.transfer_rules r
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
create constraint trigger audit_approval_request
  after insert on public.requests deferrable initially deferred
  for each row when (new.kind <> 'transfer' and new.status = 'waiting') execute function private.audit_approval_request();

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

revoke execute on all functions in schema private from public;
