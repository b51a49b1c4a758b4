-- Carries out administrators' acts that another administrator has approved, with the same functions as for direct
-- orders (docs/decisions/0068).

create function private.end_held_batch() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update public.batch_lines l set status = 'failed', fault = 'El lote no se aprobó.'
  where l.batch_id = new.id and l.status = 'waiting';
  update public.batches b set is_held = false, failed = b.lines, finished_at = clock_timestamp() where b.id = new.id;
  return null;
end
$$;
comment on function private.end_held_batch() is 'Ends a batch whose request ended without an approval. None of its deposits is posted.';

create trigger end_held_batch after update of status on public.requests
  for each row when (new.kind = 'batch' and new.status in ('declined', 'cancelled', 'expired', 'failed'))
  execute function private.end_held_batch();

create function private.carry_out_act(request public.requests) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ended public.requests;
  details constant jsonb := request.details;
  said text;
begin
  -- The bank may have demoted or blocked the author of the request in the meantime, for example because their session
  -- was stolen.
  if not private.may_administer(request.asked_by) then
    return private.end_request(request, 'failed', 'Quien lo pidió ya no es administrador.');
  end if;
  if request.kind = 'deletion' and not exists (
    select from public.budgets b
    where b.user_id = request.about
      and greatest(abs(b.balance), b.balance - b.noted) = coalesce(request.amount, 0)
  ) then
    return private.end_request(request, 'failed', 'El saldo de la cuenta cambió.');
  end if;
  if request.about = request.asked_by and request.kind in ('transaction', 'correction') and private.refuses_self_dealing() then
    return private.end_request(request, 'failed', 'El banco no permite registrar movimientos en la propia cuenta.');
  end if;
  begin
    ended := private.end_request(request, 'done');
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
        -- The administrator who created the account chose its first password. Without this reset, that administrator
        -- could sign in to the account and approve their own requests.
        if exists (
          select from ledger.audit a
          where a.target = request.about and a.action = 'create_user' and a.actor is not null
        ) then
          delete from auth.mfa_factors f where f.user_id = request.about;
          delete from auth.sessions s where s.user_id = request.about;
          update auth.users u set encrypted_password = null where u.id = request.about;
        end if;
        update public.profiles p set role = 'admin' where p.id = request.about;
      when 'demotion' then
        update public.profiles p set role = 'user' where p.id = request.about;
      when 'block' then
        perform private.block_user(request.about, (details ->> 'hours')::integer, details ->> 'reason');
        perform private.record_access_act('block', request.about, request.asked_by);
    end case;
    return ended;
  -- The state has changed since the request, for example because the transaction was corrected or the account was
  -- closed.
  exception
    when sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics said = message_text;
      return private.end_request(request, 'failed', left(said, 200));
    when integrity_constraint_violation then
      return private.end_request(request, 'failed', 'El banco no pudo hacerlo.');
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
    asked := private.end_request(asked, 'cancelled');
    perform private.record_audit('cancel_request', asked.about, null, jsonb_build_object('id', asked.id, 'kind', asked.kind));
  end if;
  return asked;
end
$$;
comment on function public.cancel_request(uuid) is
  'Cancels a waiting act that the caller requested as an administrator, and returns the request. If the request has already ended, returns it without changing it. For administrators only. Adds one audit entry. Raises PT404 for an unknown request.';
revoke execute on function public.cancel_request(uuid) from public, anon, service_role;
grant execute on function public.cancel_request(uuid) to authenticated;

revoke execute on all functions in schema private from public;
