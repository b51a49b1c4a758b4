-- Carrying out transfers: the only place where a request moves money. All code takes the locks in the same order: the
-- people, then the requests, then the budgets.

create function private.lock_requests(ids uuid[], skips_locked boolean default false) returns uuid[]
  language plpgsql security definer
  set search_path = ''
as $$
declare
  people uuid[];
  locked uuid[];
  -- The return of a transfer also changes the request of the transfer.
  wanted constant uuid[] := ids || array(
    select (r.details ->> 'transfer_id')::uuid from public.requests r
    where r.id = any (ids) and r.kind = 'return' and r.details ? 'transfer_id'
  );
begin
  -- The people of a request never change, and can therefore be read without a lock.
  select array_agg(p.id order by p.id) into people
  from (
    select r.payer as id from public.requests r where r.id = any (wanted)
    union
    select r.payee from public.requests r where r.id = any (wanted)
    union
    select r.about from public.requests r where r.id = any (wanted)
  ) p;
  -- A deletion needs the strongest lock from the start: two administrators who both held the weaker lock would deadlock.
  if exists (select from public.requests r where r.id = any (wanted) and r.kind = 'deletion') then
    perform from auth.users u where u.id = any (people) order by u.id for update;
  else
    perform from auth.users u where u.id = any (people) order by u.id for key share;
  end if;
  if skips_locked then
    locked := array(
      select r.id from public.requests r where r.id = any (wanted) order by r.id for no key update skip locked
    );
  else
    locked := array(select r.id from public.requests r where r.id = any (wanted) order by r.id for no key update);
  end if;
  perform from public.budgets b where b.user_id = any (people) order by b.user_id for no key update;
  return locked;
end
$$;
comment on function private.lock_requests(uuid[], boolean) is
  'Locks the people that the given requests concern, then the requests, and then the people''s budgets. Returns the ids of the locked requests. Also locks the transfers that the requests would return. If skips_locked is true, leaves out the requests that another call has locked.';

create function private.transfer_text(head text, preposition text, name text, concept text) returns text
  language sql immutable
  set search_path = ''
as $$
  -- A customer cannot write a guillemet into the quotation, and therefore cannot end it.
  select normalize(
    begun.line || coalesce(': «' || left(translate(concept, '«»', '""'), 200 - char_length(begun.line) - 4) || '»', ''), nfc
  )
  from (
    select head || coalesce(' ' || preposition || ' «' || left(translate(name, '«»', '""'), 80) || '»', '') as line
  ) begun
$$;
comment on function private.transfer_text(text, text, text, text) is
  'Returns the description of a posting of a transfer, in at most 200 characters: the bank''s words, and after them the name and the concept, which customers wrote, in guillemets. contract/format/transfer-words.ts separates them again (docs/decisions/0083).';

create function private.carry_out(request public.requests) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ended public.requests;
  payer_balance numeric;
begin
  select b.balance into payer_balance from public.budgets b where b.user_id = request.payer;
  if not found or (request.payee is not null and not exists (
    select from public.budgets b join auth.users u on u.id = b.user_id where b.user_id = request.payee and u.deleted_at is null
  )) then
    return private.end_request(request, 'failed', 'La cuenta de destino no puede recibir transferencias.');
  end if;
  -- The bank may have blocked the payer after the request, for example because their session was stolen.
  if exists (select from auth.users u where u.id = request.payer and (u.banned_until > now() or u.deleted_at is not null)) then
    return private.end_request(request, 'failed', 'La cuenta estaba bloqueada.');
  end if;
  -- The sentence is the same for a closed account, for a blocked one and for a customer who refuses the transfer, so that
  -- the payer does not learn which of them it is.
  if exists (select from auth.users u where u.id = request.payee and u.banned_until > now())
    or private.refuses_transfer(request)
  then
    return private.end_request(request, 'failed', 'La cuenta de destino no puede recibir transferencias.');
  end if;
  if payer_balance < request.amount then
    return private.end_request(request, 'failed', 'El saldo no alcanzó.');
  end if;
  begin
    ended := private.end_request(request, 'done');
    -- A single SQL statement posts both sides, ordered by customer. For an account at another bank, the SQL statement
    -- posts only the payer's side.
    perform set_config('ledger.hides_actor', 'on', true);
    insert into public.transactions (user_id, id, type, amount, description, date, category, recorded_by)
    select s.customer, request.id, s.type, request.amount, s.description, now(), 'Transferencia', 'bank'
    from (
      values
        (
          request.payer, 'expense',
          private.transfer_text('Transferencia enviada', 'a', request.payee_name, request.description)
        ),
        (
          request.payee, 'deposit',
          private.transfer_text('Transferencia recibida', 'de', request.payer_name, request.description)
        )
    ) s (customer, type, description)
    where s.customer is not null;
    perform set_config('ledger.hides_actor', 'off', true);
    if request.payee is null then
      perform private.hand_to_clearing(request);
    end if;
    return ended;
  -- The bank cannot record the new balance, or one of the two people already has a transaction with this id.
  exception when integrity_constraint_violation then
    return private.end_request(request, 'failed', 'El banco no pudo registrar la transferencia.');
  end;
end
$$;
comment on function private.carry_out(public.requests) is
  'Moves the amount of a request and returns the request as done, or as failed with the reason. The amount of a transfer to an account elsewhere leaves the payer''s account and waits for the clearing. The caller must hold the locks of private.lock_requests, and must have checked that the request has not ended.';

create function private.advance(request public.requests) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  scheduled public.requests;
begin
  if request.due_on > (now() at time zone 'America/Bogota')::date then
    update public.requests r set status = 'scheduled' where r.id = request.id returning r.* into scheduled;
    return scheduled;
  end if;
  return private.carry_out(request);
end
$$;
comment on function private.advance(public.requests) is
  'Carries out a request that needs no further decision, or schedules the request for its due day. Called under the same conditions as private.carry_out.';

create function private.run_due_requests(rows_max integer, at timestamptz default now()) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  locked uuid[];
  request public.requests;
  handled integer := 0;
  today constant date := (at at time zone 'America/Bogota')::date;
  -- If the bank disabled transfers for weeks, customers no longer expect a transfer that was due more than this number
  -- of days ago.
  days_late_max constant integer := 2;
  has_transfers constant boolean := exists (select from private.features f where f.name = 'transferencias');
begin
  -- This is a separate statement, because the loop must read the state that the requests have after they are locked.
  locked := private.lock_requests(array(
    (
      select w.id from public.requests w
      where w.status = 'waiting' and w.expires_at <= at and (has_transfers or w.kind <> 'transfer') order by w.expires_at limit rows_max
    )
    union all
    (
      select s.id from public.requests s
      where s.status = 'scheduled' and s.due_on <= today and has_transfers
      order by s.due_on limit rows_max
    )
  ), true);
  for request in select r.* from public.requests r where r.id = any (locked) order by r.asked_at, r.id
  loop
    -- Another call may have ended the request before this call locked it.
    if request.status = 'waiting' and request.expires_at <= at then
      perform private.end_request(request, 'expired');
      handled := handled + 1;
    -- An administrator may have approved the request for a later day meanwhile.
    elsif request.status = 'scheduled' and request.due_on <= today then
      if request.due_on < today - days_late_max then
        perform private.end_request(request, 'failed', 'El banco no pudo enviarla en su fecha.');
      else
        perform private.carry_out(request);
      end if;
      handled := handled + 1;
    end if;
  end loop;
  return handled;
end
$$;
comment on function private.run_due_requests(integer, timestamptz) is
  'Ends up to rows_max requests that have expired without a decision, and carries out up to rows_max scheduled transfers that are due. Returns the total number. Skips requests that another call has locked. Neither ends nor carries out transfers while the bank has not enabled them. Even with concurrent calls, each transfer is carried out only once.';
grant execute on function private.run_due_requests(integer, timestamptz) to service_role;

-- Closing an account -------------------------------------------------------------------------------------------------

create function private.end_requests_of_account() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The deletion has already locked the user. The requests are locked in the order of private.lock_requests.
  perform from public.requests r
  where old.id in (r.payer, r.payee)
    or r.about = old.id or (r.asked_by = old.id and r.status = 'waiting')
  order by r.id for no key update;
  update public.requests r
  set
    status = case when r.status not in ('waiting', 'scheduled') then r.status when r.payer = old.id then 'cancelled' else 'failed' end,
    ended_at = coalesce(r.ended_at, clock_timestamp()),
    payer_name = case when r.payer <> old.id then r.payer_name end,
    payee_name = case when r.payer <> old.id then r.payee_name end,
    payee_masked = null,
    -- The bank keeps the data that it still needs for the clearing in private.clearing_transfers.
    details = case when r.payer = old.id and r.details is not null then '{}' else r.details end,
    description = case when r.payer <> old.id then r.description end,
    reason = case
      when r.payer = old.id then null
      when r.status in ('waiting', 'scheduled') then 'La cuenta de destino no puede recibir transferencias.'
      else r.reason
    end
  where old.id in (r.payer, r.payee);
  update public.requests r
  set
    status = case when r.status <> 'waiting' then r.status when r.about = old.id then 'failed' else 'cancelled' end,
    ended_at = coalesce(r.ended_at, clock_timestamp()),
    reason = case
      when r.about is distinct from old.id then r.reason when r.status = 'waiting' then 'La cuenta está cerrada.'
    end,
    details = case when r.about = old.id then '{}' else r.details end
  where r.about = old.id or (r.asked_by = old.id and r.status = 'waiting' and r.kind <> 'transfer');
  -- Also locks the user's own beneficiaries, which are deleted with the account. Two people who are in each other's lists
  -- could otherwise deadlock.
  perform from public.beneficiaries b
  where b.user_id = old.id or (b.user_id, b.id) in (select p.user_id, p.beneficiary_id from private.payees p where p.payee = old.id)
  order by b.user_id, b.id for no key update;
  delete from private.access_acts a where old.id in (a.person, a.clerk);
  update public.beneficiaries b set payee_name = null
  where (b.user_id, b.id) in (select p.user_id, p.beneficiary_id from private.payees p where p.payee = old.id);
  return old;
end
$$;
comment on function private.end_requests_of_account() is
  'Ends the open transfers of a deleted user: a transfer is cancelled if the user was the payer, and fails if the user was the payee. Also ends the waiting acts of administrators: an act fails if it concerns the user, and is cancelled if the user requested it. Deletes the texts that the user wrote in requests, the texts about the user in the requests of administrators, the masked name of the user in the lists of other customers, and the user''s rows in private.access_acts.';

-- PostgreSQL runs triggers in alphabetical order. This trigger must run after `guard_authority`, so that a refused
-- deletion ends nothing, and before `guarded_close_account`, which locks the budget.
create trigger guarded_cancel_requests before delete on auth.users
  for each row execute function private.end_requests_of_account();

revoke execute on all functions in schema private from public;
