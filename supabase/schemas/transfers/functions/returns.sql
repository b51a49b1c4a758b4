create function private.return_side(
  request public.requests, customer uuid, correction uuid, reason text, clerk uuid
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  mistake public.transactions;
  corrected public.corrections;
begin
  select t.* into mistake from public.transactions t where t.user_id = customer and t.id = request.id;
  -- If the customer removed the transaction from their list, the row and its description no longer exist.
  mistake.type := case when customer = request.payer then 'expense' else 'deposit' end;
  mistake.amount := request.amount;
  corrected.user_id := customer;
  corrected.id := correction;
  corrected.corrected_id := request.id;
  corrected.reason := reason;
  corrected.corrected_by := (select p.full_name from public.profiles p where p.id = clerk);
  if not private.correct(corrected, mistake, 'return', request.id) then
    raise exception 'Este movimiento ya se corrigió.' using errcode = 'PT409';
  end if;
end
$$;
comment on function private.return_side(public.requests, uuid, uuid, text, uuid) is 'Reverses one posting of a transfer. Called only by private.post_return.';

create function private.check_return(request public.requests) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if request.status <> 'done' then
    raise exception 'Solo se devuelve una transferencia hecha.' using errcode = 'PT409';
  end if;
  -- Does not check the balance of the payee. The payee could otherwise prevent a return by recording expenses.
  if (select count(*) from public.budgets b where b.user_id in (request.payer, request.payee))
    < num_nonnulls(request.payer, request.payee)
  then
    raise exception using errcode = 'PT409', message = case
      when request.payee is not null then 'Una de las cuentas de la transferencia está cerrada.'
      else 'Quien pagó cerró su cuenta, y aquí no se le puede abonar. Si el otro banco devolvió el dinero, págaselo por otro medio: su nombre está en el archivo de compensación.'
    end;
  end if;
end
$$;
comment on function private.check_return(public.requests) is
  'Raises PT409 for a transfer that is not done and for a closed account.';

create function private.post_return(request public.requests, reason text, clerk uuid) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  correction constant uuid := gen_random_uuid();
  returned public.requests;
begin
  perform private.check_return(request);
  returned := private.end_request(request, 'returned', post_return.reason);
  perform private.return_side(returned, returned.payer, correction, post_return.reason, clerk);
  -- A transfer to another bank has only one posting.
  if returned.payee is not null then
    perform private.return_side(returned, returned.payee, correction, post_return.reason, clerk);
  end if;
  return returned;
end
$$;
comment on function private.post_return(public.requests, text, uuid) is
  'Reverses all postings of a transfer on behalf of a clerk, after a direct order or after an approval, and returns the request. The caller must already hold the locks of private.lock_requests. Raises the errors of private.check_return.';

create function private.open_return(request public.requests) returns void
  language sql security definer
  set search_path = ''
as $$
  -- The earlier return may have stopped, because its administrator was demoted or blocked.
  insert into private.open_returns (file, request_id) values ((request.details ->> 'file')::integer, request.id)
  on conflict on constraint open_returns_pkey do update set request_id = excluded.request_id
$$;
comment on function private.open_return(public.requests) is 'Begins the return of a clearing file. private.return_pieces continues it.';
