-- Requests to return transfers.

create function private.request_return(request public.requests, reason text) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  same uuid;
begin
  -- A second call, even by another administrator, must not request the same return again.
  select r.id into same from public.requests r
  where r.about = request.payer and r.kind = 'return' and r.status = 'waiting' and r.expires_at > now()
    and r.details ->> 'transfer_id' = request.id::text
  limit 1;
  if found then
    return same;
  end if;
  return private.request_approval('return', gen_random_uuid(), request.payer, request.amount, jsonb_build_object(
    'transfer_id', request.id, 'reason', reason
  ));
end
$$;
comment on function private.request_return(public.requests, text) is
  'Requests another administrator''s decision about the return of a transfer, and returns the id of the request. If a request for this return is already waiting, returns that request. The caller holds the lock of the transfer.';

create function private.returnable_in(number integer, clerks uuid[], since timestamptz default 'infinity') returns setof public.requests
  language sql stable security definer
  set search_path = ''
as $$
  select t.* from private.transfers_of_file(returnable_in.number) t
  where (t.status = 'done' or (t.status = 'returned' and t.ended_at >= since))
    and exists (select from public.budgets b where b.user_id = t.payer)
    and not exists (select from unnest(clerks) c where private.obstacle_to(t, c) is not null)
$$;
comment on function private.returnable_in(integer, uuid[], timestamptz) is
  'Returns the transfers in a clearing file that can be returned: those that were not returned yet, or were returned since the given time, whose payers still have an account, and about which each of these administrators can decide.';

-- The return of a whole file ---------------------------------------------------------------------------------------

create type public.clearing_return as (transfers integer, amount numeric, left_out integer, is_waiting boolean);
comment on type public.clearing_return is 'The return of all transfers in a clearing file.';
comment on column public.clearing_return.transfers is 'Number of transfers that the return concerns.';
comment on column public.clearing_return.amount is 'Sum of these transfers, in units of currency.';
comment on column public.clearing_return.left_out is 'Number of transfers that the return leaves out: their payers have closed their accounts, or the caller cannot decide about them.';
comment on column public.clearing_return.is_waiting is 'Whether the return waits for another administrator.';

create function private.return_piece(request public.requests, rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  piece constant uuid[] := array(
    select t.id from private.transfers_of_file((request.details ->> 'file')::integer) t
    where t.status = 'done' and not exists (
      select from private.unreturned_transfers u where u.transfer_id = t.id and u.request_id = request.id
    )
    order by t.id limit rows_max
  );
  locked constant uuid[] := private.lock_requests(piece);
  transfer public.requests;
  obstacle text;
  said text;
begin
  -- Reads the transfers again: another call may have returned them.
  for transfer in
    select r.* from public.requests r where r.id = any (locked) and r.status = 'done' order by r.id
  loop
    obstacle := coalesce(
      private.obstacle_to(transfer, request.asked_by), private.obstacle_to(transfer, request.decided_by)
    );
    begin
      if obstacle is not null then
        raise exception using errcode = 'PT403', message = case obstacle
          when 'own' then 'La pagó quien ordenó o aprobó la devolución: la devuelve otra persona.'
          else 'Quien ordenó o aprobó la devolución abrió la cuenta de quien paga, o cambió su acceso: la devuelve otra persona.'
        end;
      end if;
      perform private.post_return(transfer, request.details ->> 'reason', request.asked_by);
    exception when others then
      -- One transfer that cannot be returned must not hold back the others. An outage is not such a reason, and the next
      -- call tries again.
      if sqlstate !~ '^(PT4|22|23)' then
        raise;
      end if;
      said := case when sqlstate like 'PT%' then left(sqlerrm, 300) else 'El banco no pudo registrar la devolución.' end;
      insert into private.unreturned_transfers (transfer_id, request_id, reason)
      values (transfer.id, request.id, said)
      on conflict on constraint unreturned_transfers_pkey do update
      set request_id = excluded.request_id, reason = excluded.reason;
    end;
  end loop;
  if cardinality(piece) < rows_max then
    delete from private.open_returns o where o.request_id = request.id;
  end if;
  return cardinality(piece);
end
$$;
comment on function private.return_piece(public.requests, integer) is
  'Returns up to rows_max transfers of a clearing file whose return was ordered, and returns the number of transfers that it tried. Records the transfers that cannot be returned, and those that the administrators of the order cannot decide, in private.unreturned_transfers. Ends the order when no transfer is left. The caller must not hold the locks of other requests.';

create function private.return_pieces(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.requests;
begin
  select r.* into ordered from private.open_returns o join public.requests r on r.id = o.request_id
  -- A return stops, as a batch does, when the administrator who ordered or approved it is demoted or blocked.
  where private.may_administer(coalesce(r.decided_by, r.asked_by))
  order by r.ended_at limit 1;
  return case when ordered.id is null then 0 else private.return_piece(ordered, rows_max) end;
end
$$;
comment on function private.return_pieces(integer) is
  'Continues the return of one clearing file with up to rows_max transfers (private.return_piece), and returns their number. Called until it returns 0, so that no database transaction locks many accounts for long.';
grant execute on function private.return_pieces(integer) to service_role;

create function private.ordered_return_of(number integer) returns public.requests
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  ordered public.requests;
begin
  select r.* into ordered from public.requests r
  where r.kind = 'file_return' and r.status = 'waiting' and r.expires_at > now()
    and (r.details ->> 'file')::integer = ordered_return_of.number;
  if not found then
    select r.* into ordered from private.open_returns o join public.requests r on r.id = o.request_id
    where o.file = ordered_return_of.number and private.may_administer(coalesce(r.decided_by, r.asked_by));
  end if;
  return ordered;
end
$$;
comment on function private.ordered_return_of(integer) is
  'Returns the order to return a clearing file that waits, or that the server continues; null if no such order exists.';

create function private.order_file_return(number integer, reason text, amount numeric, transfers integer) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  details constant jsonb := jsonb_build_object('file', number, 'transfers', transfers, 'reason', reason);
  request public.requests;
  entry private.orders;
begin
  -- The clearing may already have paid a transfer in the file. A single administrator could otherwise create money by
  -- returning a paid file.
  entry.kind := 'return_clearing_file';
  entry.thing := gen_random_uuid();
  entry.amount := amount;
  entry.counts := true;
  if private.needs_approval(amount) then
    entry.request_id := private.request_approval('file_return', entry.thing, null, amount, details);
  else
    insert into public.requests (kind, status, asked_by, amount, expires_at, ended_at, body_hash, details, id)
    values (
      'file_return', 'done', (select auth.uid()), order_file_return.amount, now(), clock_timestamp(), sha256(''), details,
      entry.thing
    );
  end if;
  perform private.enter(entry);
  select r.* into request from public.requests r where r.id = entry.thing;
  return request;
end
$$;
comment on function private.order_file_return(integer, text, numeric, integer) is
  'Enters the return of a clearing file in the book, and returns its request: done, or waiting for another administrator.';

create function public.return_clearing_file(number integer, reason text) returns public.clearing_return
  language plpgsql security definer
  set search_path = ''
as $$
declare
  piece_max constant integer := 50;
  request public.requests;
  transfers public.requests[];
  answer public.clearing_return;
begin
  perform private.require_clearing_reader();
  if private.is_word(reason, 200) is not true then
    raise exception 'Escribe un motivo de 200 caracteres como máximo.' using errcode = 'PT422';
  end if;
  if not exists (select from private.clearing_files f where f.number = return_clearing_file.number) then
    raise exception 'Este archivo no existe.' using errcode = 'PT404';
  end if;
  -- Lets only one administrator at a time order a return, as public.close_clearing_file does.
  perform pg_advisory_xact_lock(hashtext('finanzas.clearing'));
  transfers := array(select t from private.returnable_in(return_clearing_file.number, array[(select auth.uid())]) t);
  answer.transfers := cardinality(transfers);
  answer.amount := (select coalesce(sum(t.amount), 0) from unnest(transfers) t);
  answer.left_out := (
    select count(*) - answer.transfers from private.transfers_of_file(return_clearing_file.number) t where t.status = 'done'
  );
  request := private.ordered_return_of(number);
  -- The return of this file has already been ordered, and the server continues it.
  if answer.transfers = 0 or request.id is not null then
    answer.is_waiting := coalesce(answer.transfers > 0 and request.status = 'waiting', false);
    return answer;
  end if;
  perform private.consume('act of staff', (select auth.uid())::text);
  perform private.require_proof_of(answer.amount);
  request := private.order_file_return(number, reason, answer.amount, answer.transfers);
  answer.is_waiting := request.status = 'waiting';
  if not answer.is_waiting then
    perform private.open_return(request);
    perform private.return_piece(request, piece_max);
  end if;
  return answer;
end
$$;
comment on function public.return_clearing_file(integer, text) is
  'Orders the return of all transfers in a clearing file that were not returned yet, up to 1,000. The call itself returns the first 50, and private.return_pieces the others. An administrator must return a file only if the clearing has refused it or has not received it. A transfer whose payer has closed the account is left out, and so is a transfer about which the caller or the approver cannot decide (private.obstacle_to). Another administrator can order the return of the rest. If the sum exceeds the bank''s limit, the return waits for another administrator. A second call orders nothing, and no transfer is returned twice. For administrators only, with their second factor if they have one. Adds one audit entry, which concerns every payer. Raises PT404 for an unknown file and while the bank has not enabled transfers, and PT422 for a missing reason. Also raises the errors of private.require_proof_of, and the refusal (PT429) of the limit "act of staff". Reads at most the 1,000 transfers of one file, of which the call returns 50 and the server the others in pieces of 50.';
grant execute on function public.return_clearing_file(integer, text) to authenticated;
