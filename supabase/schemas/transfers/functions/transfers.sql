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
  'Returns the description of a posting of a transfer, in at most 200 characters: the bank''s words, and after them the name and the concept, which customers wrote, in guillemets. contract/transfers/words.ts separates them again (docs/decisions/0083).';

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
    insert into public.transactions (
      user_id, id, type, amount, description, date, category, recorded_by, origin, origin_id
    )
    select
      s.customer, request.id, s.type, request.amount, s.description, now(), 'Transferencia', 'bank', 'transfer', request.id
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

-- Transfers: a customer requests and cancels them.

create function private.risk_of(
  customer uuid, beneficiary public.beneficiaries, amount numeric, at timestamptz default now()
) returns smallint
  language sql stable security definer
  set search_path = ''
  return (
    case when beneficiary.confirmed_at > at - interval '24 hours' then 4 else 0 end
    + case when amount >= 3 * coalesce((
      select max(r.amount) from public.requests r where r.payer = customer and r.status = 'done'
    ), 0) then 2 else 0 end
    + case when extract(hour from at at time zone 'America/Bogota') not between 6 and 21 then 1 else 0 end
  )::smallint;
comment on function private.risk_of(uuid, public.beneficiaries, numeric, timestamptz) is 'Returns the risk of a new transfer: the sum of the signs that the comment on public.requests.risk describes.';

create function private.lock_payee(beneficiary public.beneficiaries) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  payee constant uuid := (
    select p.payee from private.payees p where p.user_id = beneficiary.user_id and p.beneficiary_id = beneficiary.id
  );
begin
  if beneficiary.confirmed_at is null then
    raise exception 'Confirma primero este beneficiario.' using errcode = 'PT409';
  end if;
  perform from auth.users u where u.id in (beneficiary.user_id, payee) order by u.id for key share;
  if beneficiary.destination is null and not exists (select from public.budgets b where b.user_id = payee) then
    raise exception 'Este beneficiario no es cliente del banco.' using errcode = 'PT409';
  end if;
  -- An account may have been closed while this call waited for the lock. A request of a closed account would stay open.
  if not exists (select from public.budgets b where b.user_id = beneficiary.user_id) then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;
  return payee;
end
$$;
comment on function private.lock_payee(public.beneficiaries) is
  'Locks the customer and the payee of a transfer to a beneficiary, and returns the payee, or null for an account elsewhere. Raises PT409 for a beneficiary that is not confirmed or has no account, and PT404 if the customer''s account is closed.';

create function public.request_transfer(
  id uuid, beneficiary_id uuid, amount numeric, description text default null, due_on date default null
) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  hash constant bytea := sha256(convert_to(
    jsonb_build_array(beneficiary_id, trim_scale(amount)::text, description, due_on)::text, 'UTF8'
  ));
  beneficiary public.beneficiaries;
  account uuid;
  asked public.requests;
begin
  perform private.require_feature('transferencias');
  perform private.require_second_factor();
  perform private.require_own_password();
  -- With this lock, concurrent calls of one payer wait for each other, so that each request is counted. The row in
  -- public.budgets cannot serve as this lock, because it is locked after the request.
  perform pg_advisory_xact_lock(hashtext('finanzas.transfers'), hashtext(me::text));
  select r.* into asked from public.requests r where r.id = request_transfer.id;
  if found then
    perform private.require_same_upload(
      asked.body_hash = hash and asked.payer = me, 'Este identificador ya se usó con otra transferencia.'
    );
    return private.shown_to_payer(asked);
  end if;
  beneficiary := private.own_beneficiary(beneficiary_id);
  account := private.lock_payee(beneficiary);
  perform private.admit_transfer(me, amount, due_on);
  if exists (select from ledger.journal j where j.user_id in (me, account) and j.transaction_id = request_transfer.id) then
    raise exception 'Este identificador ya se usó con otra transferencia.' using errcode = 'PT409';
  end if;
  insert into public.requests (
    id, status, asked_by, payer, payer_name, payee, payee_name, payee_masked, amount, description, due_on, expires_at, risk,
    body_hash, details
  )
  values (
    request_transfer.id, 'waiting', me, me, (select p.full_name from public.profiles p where p.id = me), account,
    beneficiary.name, beneficiary.payee_name, amount, request_transfer.description, request_transfer.due_on,
    now() + private.life_of_request(), private.risk_of(me, beneficiary, amount), hash, beneficiary.destination
  )
  on conflict on constraint requests_pkey do nothing
  returning * into asked;
  if not found then
    raise exception 'Este identificador ya se usó con otra transferencia.' using errcode = 'PT409';
  end if;
  -- Limits the sum of the day, because a limit for each transfer could be avoided by splitting a transfer.
  if amount <= (private.transfer_account_of(me)).automatic_max then
    perform private.lock_requests(array[asked.id]);
    asked := private.advance(asked);
  -- This mail needs neither the feature notificaciones nor a preference. The person who holds the payer's keys could
  -- otherwise keep it from the payer.
  else
    perform private.tell(array[me], 'transfer_waits');
  end if;
  return private.shown_to_payer(asked);
end
$$;
comment on function public.request_transfer(uuid, uuid, numeric, text, date) is
  'Requests a transfer from the caller to a confirmed beneficiary at this bank or at another bank. A repeated call with the same id and the same values returns the existing request. Returns the request without the values that the payer cannot select (private.shown_to_payer). If the day''s total of the caller''s transfers without a decision does not exceed the bank''s automatic_max, the transfer is carried out at once or scheduled for due_on. Otherwise it waits for a decision, and the payer gets a mail. On a hosted project, requires the second factor of a person who has one (private.require_second_factor). A null due_on means now. Raises PT403 while the caller''s password is one that an administrator typed (private.require_own_password). Raises PT404 for an unknown beneficiary. Raises PT409 for an unconfirmed beneficiary, for an address that does not belong to a customer, for an id that was already used for another request or transaction, and for more than 20 open requests. Raises PT429 for more than 100 requests in 24 hours. Also raises the errors of private.admit_transfer.';
grant execute on function public.request_transfer(uuid, uuid, numeric, text, date) to authenticated;

create function public.cancel_transfer(id uuid) returns public.requests
  language plpgsql security definer
  set search_path = ''
as $$
declare
  asked public.requests;
begin
  perform private.require_feature('transferencias');
  select r.* into asked from public.requests r
  where r.id = cancel_transfer.id and r.payer = (select auth.uid()) for no key update;
  if not found then
    -- The answer is the same for another customer's id and for an unknown id, so that it reveals nothing.
    raise exception 'Esta transferencia no existe.' using errcode = 'PT404';
  end if;
  if asked.status not in ('waiting', 'scheduled') then
    return private.shown_to_payer(asked);
  end if;
  return private.shown_to_payer(private.end_request(asked, 'cancelled'));
end
$$;
comment on function public.cancel_transfer(uuid) is
  'Cancels a waiting or scheduled transfer of the caller. Returns the request without the values that the payer cannot select. If the request has already ended, returns it without changing it. Raises PT404 for an unknown request.';
grant execute on function public.cancel_transfer(uuid) to authenticated;
