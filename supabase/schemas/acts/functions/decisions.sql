-- The administrators who can decide a request, and their mail about it.

create function private.obstacle_to(request public.requests, person uuid) returns text
  language sql stable security definer
  set search_path = ''
  return case
    when person in (request.asked_by, request.payer, request.payee, request.about) then 'own'
    when request.kind = 'batch' and exists (
      select from public.batch_lines l where l.batch_id = request.id and l.user_id = person
    ) then 'own'
    when request.kind = 'transfer' and private.holds_keys(person, request.payer, request.payee) then 'keys'
    -- The return of a transfer is decided by the rule for the transfer.
    when request.kind = 'return' and exists (
      select from public.requests t
      where t.id = (request.details ->> 'transfer_id')::uuid and private.holds_keys(person, t.payer, t.payee)
    ) then 'keys'
    -- A second factor is the last proof that keeps the holder of the password or the mailbox out of the account.
    when request.kind = 'factor' and request.status = 'waiting' and private.holds_keys(person, request.about, null) then 'keys'
    when request.status = 'waiting' and request.first_approved_by = person then 'first'
  end;
comment on function private.obstacle_to(public.requests, uuid) is
  'Returns why a person cannot decide a request, and null if the person can decide it. `own`: the person made the request or is affected by it: as the payer or the payee of a transfer, or as a person paid by a batch. `keys`: the person gave or changed the access of the payer, the payee, or the owner of the second factors (private.holds_keys). `first`: the person approved the transfer first. The return of a clearing file leaves out the transfers that the person cannot decide (private.return_piece).';

create function private.administrators() returns uuid[]
  language sql stable security definer
  set search_path = ''
  return array(
    select u.id from public.profiles p join auth.users u on u.id = p.id
    where p.role = 'admin' and private.is_working_admin(u) order by u.id
  );
comment on function private.administrators() is 'Returns the administrators who are neither blocked nor deleted.';

create function private.is_stuck(request public.requests) returns boolean
  language sql stable security definer
  set search_path = ''
  return request.status = 'waiting' and not exists (
    select from unnest(private.administrators()) a where private.obstacle_to(request, a) is null
  );
comment on function private.is_stuck(public.requests) is
  'Returns whether a request waits although no administrator of the bank can decide it at present.';

create function private.tell_deciders() returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- Leaves the requests of the last ten seconds to the next call, because the database transactions of some of them may
  -- not have committed yet.
  made_before constant timestamptz := now() - interval '10 seconds';
  deciders uuid[];
begin
  -- A hosted project cannot send these mails.
  if private.is_hosted()
    or not exists (select from public.requests r where r.status = 'waiting' and r.expires_at > now())
    or not (
      private.requires_approvals() or private.is_on('transferencias')
    )
  then
    return 0;
  end if;
  deciders := array(
    select u.id from auth.users u
    left join private.notice_marks m on m.recipient = u.id and m.topic = 'request'
    where private.is_working_admin(u) and u.email_confirmed_at is not null
      and exists (
        select from public.requests r
        where r.status = 'waiting' and r.expires_at > now()
          and r.asked_at > coalesce(m.mailed_at, '-infinity') and r.asked_at <= made_before
          and private.obstacle_to(r, u.id) is null
      )
    order by u.id
    for key share of u
  );
  perform private.tell(deciders, 'request', happened_at => made_before);
  return cardinality(deciders);
end
$$;
comment on function private.tell_deciders() is
  'Tells every administrator who can sign in and decide a new request that requests wait. A request is new if it was made since the last mail to this administrator. The topic `request` allows at most one of these mails in an hour. The mail contains nothing about the requests. Returns the number of administrators who can decide a new request. Does nothing while the bank neither allows transfers nor requires a second administrator.';

create function private.end_held_batch(batch uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update public.batch_lines l set status = 'failed', fault = 'El lote no se aprobó.'
  where l.batch_id = batch and l.status = 'waiting';
  update public.batches b set is_held = false, failed = b.lines, finished_at = clock_timestamp() where b.id = batch;
end
$$;
comment on function private.end_held_batch(uuid) is 'Ends a batch whose request ends without an approval. None of its deposits is posted.';

create function private.end_undone(request public.requests, status text, reason text default null) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if request.kind = 'batch' then
    perform private.end_held_batch(request.id);
  end if;
  return private.end_request(request, status, reason);
end
$$;
comment on function private.end_undone(public.requests, text, text) is
  'Ends a request whose act is not carried out (private.end_request), and its batch if it has one.';

-- Carries out administrators' acts that another administrator has approved, with the same functions as for direct
-- orders (docs/decisions/0068).

create function private.refusal_of(request public.requests) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return case
    -- The bank may have demoted or blocked the author of the request in the meantime, for example because their session
    -- was stolen.
    when not private.may_administer(request.asked_by) then 'Quien lo pidió ya no es administrador.'
    when request.kind = 'deletion' and not exists (
      select from public.budgets b
      where b.user_id = request.about
        and greatest(abs(b.balance), b.balance - b.noted) = coalesce(request.amount, 0)
    ) then 'El saldo de la cuenta cambió.'
    when request.kind = 'factor' and private.counts_as_admin(request.about)
      then 'Esta persona es administradora, o lo fue en los últimos 30 días.'
    when request.kind = 'factor' and private.holds_keys(request.asked_by, request.about, null)
      then 'Quien lo pidió abrió la cuenta, o cambió su acceso, hace menos de 90 días.'
    when request.about = request.asked_by and request.kind in ('transaction', 'correction')
      and private.refuses_self_dealing()
      then 'El banco no permite registrar movimientos en la propia cuenta.'
  end;
end
$$;
comment on function private.refusal_of(public.requests) is
  'Returns why an approved act can no longer be carried out, and null if it can.';

create function private.promote(person uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The administrator who created the account chose its first password. Without this reset, that administrator could
  -- sign in to the account and approve their own requests.
  if exists (
    select from private.done_orders(person, '{create_user}') o
    where o.asked_by <> '00000000-0000-0000-0000-000000000000'
  ) then
    delete from auth.mfa_factors f where f.user_id = person;
    delete from auth.sessions s where s.user_id = person;
    update auth.users u set encrypted_password = null where u.id = person;
  end if;
  update public.profiles p set role = 'admin' where p.id = person;
end
$$;
comment on function private.promote(uuid) is
  'Carries out an approved promotion. First removes the password, the factors and the sessions of a person whose account an administrator opened.';

create function private.run_act(request public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  details constant jsonb := request.details;
begin
  case request.kind
    when 'transaction' then
      perform private.post_transaction(
        request.about, request.id, details ->> 'type', request.amount, details ->> 'description',
        (details ->> 'date')::timestamptz, details ->> 'category'
      );
    when 'correction' then
      perform private.post_correction(
        request.about, request.id, (details ->> 'transaction_id')::uuid, details ->> 'reason',
        (details ->> 'right_amount')::numeric, request.asked_by
      );
    when 'return' then
      perform private.post_return(r, request.details ->> 'reason', request.asked_by)
      from public.requests r where r.id = (request.details ->> 'transfer_id')::uuid;
    when 'file_return' then
      perform private.open_return(request);
    when 'batch' then
      update public.batches b set is_held = false where b.id = request.id;
    when 'deletion' then
      delete from auth.users u where u.id = request.about;
    when 'promotion' then
      perform private.promote(request.about);
    when 'demotion' then
      update public.profiles p set role = 'user' where p.id = request.about;
    when 'block' then
      perform private.ban(request.about, (details ->> 'hours')::integer);
      perform private.record_access_act('block', request.about, request.asked_by);
    when 'factor' then
      perform private.remove_factors(
        request.about, array(select f.id::uuid from jsonb_array_elements_text(details -> 'factors') with ordinality f (id, place) order by f.place)
      );
      perform private.record_access_act('factor', request.about, request.asked_by);
  end case;
end
$$;
comment on function private.run_act(public.requests) is
  'Carries out an approved act of any kind, with the functions that carry out direct orders.';

create function private.carry_out_act(request public.requests) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  refusal constant text := private.refusal_of(request);
  ended public.requests;
  said text;
begin
  if refusal is not null then
    return private.end_undone(request, 'failed', refusal);
  end if;
  begin
    ended := private.end_request(request, 'done');
    update private.orders o set done_in = pg_current_xact_id() where o.request_id = request.id;
    perform private.run_act(request);
    return ended;
  -- The state has changed since the request, for example because the transaction was corrected or the account was
  -- closed.
  exception
    when sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics said = message_text;
      return private.end_undone(request, 'failed', left(said, 200));
    when integrity_constraint_violation then
      return private.end_undone(request, 'failed', 'El banco no pudo hacerlo.');
  end;
end
$$;
comment on function private.carry_out_act(public.requests) is
  'Carries out an administrator''s act that the caller has approved. Returns the request, whose state is then done, or failed with the reason. Called under the same conditions as private.carry_out.';

create function public.cancel_request(id uuid) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  asked public.requests;
begin
  perform private.require_admin();
  select r.* into asked from public.requests r
  where r.id = cancel_request.id and r.asked_by = (select auth.uid()) and r.kind <> 'transfer' for no key update;
  if not found then
    -- The answer is the same for another administrator's id and for an unknown id.
    raise exception 'Esta solicitud no existe.' using errcode = 'PT404';
  end if;
  if asked.status = 'waiting' then
    asked := private.end_undone(asked, 'cancelled');
    perform private.record_audit('cancel_request', asked.about, null, jsonb_build_object('id', asked.id, 'kind', asked.kind));
  end if;
  return asked;
end
$$;
comment on function public.cancel_request(uuid) is
  'Cancels a waiting act that the caller requested as an administrator, and returns the request. If the request has already ended, returns it without changing it. For administrators only. Adds one audit entry. Raises PT404 for an unknown request. Reads at most 100 waiting orders of the caller.';
grant execute on function public.cancel_request(uuid) to authenticated;

-- Decisions: administrators approve and decline the requests of other people, and return the transfers of other people.

create function private.refuse_own_decision(requests public.requests[]) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  caller constant uuid := (select auth.uid());
  obstacle text;
  kind text;
begin
  select o.obstacle, o.kind into obstacle, kind
  from (select private.obstacle_to(r, caller) as obstacle, r.kind from unnest(requests) r) o
  where o.obstacle is not null
  order by o.obstacle = 'own' desc, o.kind = 'transfer' desc limit 1;
  if found then
    raise exception using errcode = 'PT403', message = case
      when obstacle = 'first' then 'Ya la aprobaste: falta la aprobación de otra persona.'
      when obstacle = 'keys' and kind = 'factor'
        then 'Abriste esta cuenta, o cambiaste su acceso, hace menos de 90 días: decide otra persona.'
      when obstacle = 'keys'
        then 'Abriste la cuenta de quien paga, o cambiaste su acceso o el de quien recibe, hace menos de 90 días: decide otra persona.'
      when kind = 'transfer' then 'No puedes decidir sobre tu propia transferencia.'
      else 'No puedes decidir lo que pediste o lo que te concierne: lo decide otra persona.'
    end;
  end if;
end
$$;
comment on function private.refuse_own_decision(public.requests[]) is
  'Refuses (PT403) the decision of requests if the caller cannot decide one of them (private.obstacle_to).';

create function private.require_decision(ids uuid[], approve boolean, reason text) returns public.requests[]
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  ids_max constant integer := 100;
  asked public.requests[];
begin
  if coalesce((select bool_or(r.kind = 'transfer') from public.requests r where r.id = any (ids)), true) then
    perform private.require_feature('transferencias');
  end if;
  perform private.require_second_factor();
  perform private.require_admin();
  if (cardinality(ids) between 1 and ids_max and approve is not null) is not true then
    raise exception 'Se deciden entre 1 y % solicitudes a la vez.', ids_max using errcode = 'PT422';
  end if;
  if not coalesce(private.is_word(reason, 200), approve) then
    raise exception 'Escribe un motivo de 200 caracteres como máximo.' using errcode = 'PT422';
  end if;
  asked := array(select r from public.requests r where r.id = any (ids));
  if cardinality(asked) <> (select count(distinct i) from unnest(ids) i) then
    raise exception 'Esta solicitud no existe.' using errcode = 'PT404';
  end if;
  perform private.refuse_own_decision(asked);
  return asked;
end
$$;
comment on function private.require_decision(uuid[], boolean, text) is
  'First step of public.decide_requests: refuses a call that the caller may not make, and returns the requests.';

create function private.require_proof_of_approval(asked public.requests[]) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- These acts have no amount or a small one, but change who can act for the bank, or end an account.
  if exists (
    select from unnest(asked) r
    where r.kind in ('deletion', 'promotion', 'demotion', 'block', 'factor') and r.status = 'waiting' and r.expires_at > now()
  ) then
    perform private.require_proof();
  end if;
  perform private.require_proof_of((
    select coalesce(sum(r.amount), 0) from unnest(asked) r where r.status = 'waiting' and r.expires_at > now()
  ));
  return private.needs_approval((
    select coalesce(sum(r.amount), 0) from unnest(asked) r
    where r.kind = 'transfer' and r.status = 'waiting' and r.expires_at > now() and not private.has_first_approval(r)
  ));
end
$$;
comment on function private.require_proof_of_approval(public.requests[]) is
  'Second step of an approval: raises the errors of private.require_proof and private.require_proof_of, and returns whether the transfers need a second administrator.';

create function private.decide_request(
  request public.requests, approve boolean, reason text, needs_second boolean
) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if approve and request.status = 'waiting' and request.kind = 'transfer' and not private.has_first_approval(request)
    and (needs_second or request.first_approved_by is not null)
  then
    update public.requests r set first_approved_by = (select auth.uid()) where r.id = request.id returning r.* into request;
    return request;
  end if;
  update public.requests r set
    first_approved_by = case when approve and private.has_first_approval(r) then r.first_approved_by end,
    decided_by = (select auth.uid()),
    decided_by_name = (select p.full_name from public.profiles p where p.id = (select auth.uid())),
    decided_at = clock_timestamp(),
    reason = decide_request.reason
  where r.id = request.id
  returning r.* into request;
  return case
    when not approve then private.end_undone(request, 'declined')
    when request.kind = 'transfer' then private.advance(request)
    else private.carry_out_act(request)
  end;
end
$$;
comment on function private.decide_request(public.requests, boolean, text, boolean) is
  'Approves or declines a request that is open, and returns it. The first approval of a transfer only notes the administrator, and leaves decided_by null.';

create function private.enter_approval(request public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders;
begin
  entry.kind := 'approve_request';
  entry.about := coalesce(request.payer, request.about);
  entry.thing := request.id;
  entry.amount := request.amount;
  -- Only the approval of a transfer counts, and not the approval of another administrator's act. A transfer that two
  -- administrators approve counts for neither.
  entry.counts := request.kind = 'transfer' and request.decided_by is not null and request.first_approved_by is null;
  perform private.enter(entry);
end
$$;
comment on function private.enter_approval(public.requests) is 'Enters the approval of a request in the book.';

create function private.audit_decision(request public.requests, approve boolean) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry constant private.orders := private.order_of(request);
begin
  perform private.audit_request('decide_request', request, case
    when request.decided_by is null then 'first_approved' when approve then 'approved' else 'declined'
  end);
  if request.kind <> 'transfer' and request.status = 'done' and entry.id is not null then
    perform private.audit_act(entry, request);
  end if;
end
$$;
comment on function private.audit_decision(public.requests, boolean) is
  'Adds the audit entry of a decision, and the entry of an approved act that took effect.';

create function public.decide_requests(ids uuid[], approve boolean, reason text default null) returns setof public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  asked public.requests[] := private.require_decision(ids, approve, reason);
  request public.requests;
  needs_second boolean := false;
  decided public.requests[] := '{}';
begin
  -- This check locks the session, so that its concurrent orders are checked one after another. The check precedes all
  -- other locks, because the orders could otherwise deadlock. If one of the requests is decided or expires in the
  -- meantime, the computed sum is merely too high.
  if approve then
    needs_second := private.require_proof_of_approval(asked);
  end if;
  perform private.lock_requests(ids);
  asked := array(select r from public.requests r where r.id = any (ids) order by r.asked_at, r.id);
  -- The caller may have changed the access of a person while this call waited for the locks.
  perform private.refuse_own_decision(asked);
  foreach request in array asked loop
    -- Reads the request again: an earlier request in this loop may have deleted a person and thereby ended this
    -- request. The first approval may have lost its effect while this call waited for the locks.
    select r.* into request from public.requests r where r.id = request.id;
    if request.status = 'waiting' and request.expires_at <= now() then
      request := private.end_undone(request, 'expired');
    elsif request.status = 'waiting' or (request.status = 'scheduled' and not approve) then
      request := private.decide_request(request, approve, reason, needs_second);
      decided := decided || request;
    end if;
    return next request;
  end loop;
  if approve then
    perform private.enter_approval(r) from unnest(decided) r;
  end if;
  -- The audit comes last, because its chain stays locked until the commit.
  foreach request in array decided loop
    perform private.audit_decision(request, approve);
  end loop;
end
$$;
comment on function public.decide_requests(uuid[], boolean, text) is
  'Approves or declines up to 100 waiting requests, and returns them. An approved act of an administrator is carried out at once (private.carry_out_act). An approved transfer is carried out at once or scheduled for its day; if it cannot be carried out, its state is failed. If the approved transfers would raise the total that the caller moved today above the bank''s limit (private.needs_approval), they keep the state waiting until another administrator approves them, too. Declining requires a reason, which the person who made the request can read, and also stops a scheduled transfer. A request that needs no decision is returned unchanged. For administrators only, with their second factor if they have one. Adds one audit entry for each decision. Raises PT403 for requests that the caller cannot decide (private.obstacle_to), PT404 for an unknown request, and PT422 for a missing reason or too many requests. An approval also raises the errors of private.require_proof_of for the sum of the requests. To approve a deletion, a promotion, a demotion, a block or the removal of second factors, the caller must have entered the password or a mailed code within the last ten minutes (private.require_proof). Reads at most 100 requests and their 200 people.';
grant execute on function public.decide_requests(uuid[], boolean, text) to authenticated;

create function public.return_transfer(id uuid, reason text) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  request public.requests;
  is_checked boolean;
  must_wait boolean := false;
  entry private.orders;
begin
  perform private.require_feature('transferencias');
  perform private.require_second_factor();
  perform private.require_admin();
  if private.is_word(reason, 200) is not true then
    raise exception 'Escribe un motivo de 200 caracteres como máximo.' using errcode = 'PT422';
  end if;
  select r.* into request from public.requests r where r.id = return_transfer.id and r.kind = 'transfer';
  if not found then
    raise exception 'Esta transferencia no existe.' using errcode = 'PT404';
  end if;
  perform private.refuse_own_decision(array[request]);
  -- These checks come before the locks, as in public.decide_requests.
  is_checked := request.status = 'done';
  if is_checked then
    perform private.consume('act of staff', (select auth.uid())::text);
    perform private.require_proof_of(request.amount);
    must_wait := request.payee is null and private.needs_approval(request.amount);
  end if;
  perform private.lock_requests(array[return_transfer.id]);
  select r.* into request from public.requests r where r.id = return_transfer.id;
  if request.status = 'returned' and request.reason = return_transfer.reason then
    return request;
  end if;
  -- The transfer was carried out while this call waited for its lock. The checks above did not see its amount.
  if request.status = 'done' and not is_checked then
    raise exception 'Solo se devuelve una transferencia hecha.' using errcode = 'PT409';
  end if;
  -- The other bank may already have paid a transfer that is in a file. A single administrator could otherwise create
  -- money by returning a paid transfer.
  entry.kind := 'return_transfer';
  entry.about := request.payer;
  entry.thing := request.id;
  entry.amount := request.amount;
  -- The return of a transfer between customers does not change the bank's total.
  entry.counts := request.payee is null;
  if must_wait and request.status = 'done' and private.clearing_file_with(request.id) is not null then
    -- An impossible act is refused now and not after its approval.
    perform private.check_return(request);
    entry.request_id := private.request_return(request, return_transfer.reason);
    perform private.enter(entry);
    return request;
  end if;
  perform private.enter(entry);
  return private.post_return(request, return_transfer.reason, (select auth.uid()));
end
$$;
comment on function public.return_transfer(uuid, text) is
  'Reverses all postings of a transfer in one database transaction, and returns the request. All reversals of one transfer have the same id. A returned transfer to an account at another bank is left out of later clearing files. If a clearing file already contains the transfer, an administrator must return it only after the other bank has sent the amount back. If the amount of a transfer in a file exceeds the bank''s limit, the return waits for another administrator. The request then keeps the state done (private.request_return). The balance of the payee may become negative, as after any correction. A second call with the same reason returns the request. For administrators only, with their second factor if they have one. Adds one audit entry. Raises PT403 for a transfer that the caller cannot decide (private.obstacle_to), PT404 for an unknown request, and PT422 for a missing reason. Raises PT409 for a transfer that is not done and for a closed account. Also raises the errors of private.require_proof_of, and the refusal (PT429) of the limit "act of staff". Reads at most one request and its people.';
grant execute on function public.return_transfer(uuid, text) to authenticated;
