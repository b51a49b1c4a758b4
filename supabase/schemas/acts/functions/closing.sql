-- Closing an account, and the requests that are due.

create function private.delete_own_account() returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if (select auth.uid()) is null then
    raise exception 'Inicia sesión para continuar.' using errcode = '42501';
  end if;
  perform from auth.users u where u.id = (select auth.uid()) for update;
  -- The bank would otherwise lose the amount of a transfer that it returned to the payer. The bank loses nothing if
  -- only the customer's own notes take the balance below zero.
  if exists (select from public.budgets b where b.user_id = (select auth.uid()) and b.balance < b.noted)
    and exists (select from public.requests r where r.payee = (select auth.uid()) and r.status = 'returned')
  then
    raise exception 'El banco devolvió una transferencia que recibiste y tu saldo quedó por debajo de cero. Habla con el banco antes de cerrar la cuenta.'
      using errcode = 'PT409';
  end if;
  -- Deleting the user also deletes all rows that reference the user. Triggers refuse to delete the last administrator,
  -- and close the account's journal.
  delete from auth.users u where u.id = (select auth.uid());
end
$$;
comment on function private.delete_own_account() is
  'Erases the caller''s account. Raises PT403 for the last administrator, and PT409 if the caller received a returned transfer and the balance according to the bank is below zero. Clients cannot call this SQL function through the table API; they call the server function delete-account, which asks for the password first.';
grant execute on function private.delete_own_account() to authenticated;

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
  has_transfers constant boolean := private.is_on('transferencias');
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
      perform private.end_undone(request, 'expired');
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

create function private.end_requests_of_account(person auth.users) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  failing uuid[];
begin
  -- The deletion has already locked the user. The requests are locked in the order of private.lock_requests.
  perform from public.requests r
  where person.id in (r.payer, r.payee)
    or r.about = person.id or (r.asked_by = person.id and r.status = 'waiting')
  order by r.id for no key update;
  failing := array(
    select r.id from public.requests r
    where r.payee = person.id and r.payer <> person.id and r.status in ('waiting', 'scheduled') order by r.id
  );
  update public.requests r
  set
    status = case when r.status not in ('waiting', 'scheduled') then r.status when r.payer = person.id then 'cancelled' else 'failed' end,
    ended_at = coalesce(r.ended_at, clock_timestamp()),
    payer_name = case when r.payer <> person.id then r.payer_name end,
    payee_name = case when r.payer <> person.id then r.payee_name end,
    payee_masked = null,
    -- The bank keeps the data that it still needs for the clearing in private.clearing_transfers.
    details = case when r.payer = person.id and r.details is not null then '{}' else r.details end,
    description = case when r.payer <> person.id then r.description end,
    reason = case
      when r.payer = person.id then null
      when r.status in ('waiting', 'scheduled') then 'La cuenta de destino no puede recibir transferencias.'
      else r.reason
    end
  where person.id in (r.payer, r.payee);
  perform private.tell_transfer(r) from public.requests r where r.id = any (failing);
  perform private.end_held_batch(r.id) from public.requests r
  where r.asked_by = person.id and r.status = 'waiting' and r.kind = 'batch';
  update public.requests r
  set
    status = case when r.status <> 'waiting' then r.status when r.about = person.id then 'failed' else 'cancelled' end,
    ended_at = coalesce(r.ended_at, clock_timestamp()),
    reason = case
      when r.about is distinct from person.id then r.reason when r.status = 'waiting' then 'La cuenta está cerrada.'
    end,
    details = case when r.about = person.id then '{}' else r.details end
  where r.about = person.id or (r.asked_by = person.id and r.status = 'waiting' and r.kind <> 'transfer');
  -- Also locks the user's own beneficiaries, which are deleted with the account. Two people who are in each other's lists
  -- could otherwise deadlock.
  perform from public.beneficiaries b
  where b.user_id = person.id or (b.user_id, b.id) in (select p.user_id, p.beneficiary_id from private.payees p where p.payee = person.id)
  order by b.user_id, b.id for no key update;
  delete from private.access_acts a where person.id in (a.person, a.clerk);
  update public.beneficiaries b set payee_name = null
  where (b.user_id, b.id) in (select p.user_id, p.beneficiary_id from private.payees p where p.payee = person.id);
end
$$;
comment on function private.end_requests_of_account(auth.users) is
  'Ends the open transfers of a deleted user: a transfer is cancelled if the user was the payer, and fails if the user was the payee. Also ends the waiting acts of administrators: an act fails if it concerns the user, and is cancelled if the user requested it. Deletes the texts that the user wrote in requests, the texts about the user in the requests of administrators, the masked name of the user in the lists of other customers, and the user''s rows in private.access_acts.';

create function private.person_leaves() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if old.raw_app_meta_data ->> 'role' = 'admin' then
    perform private.guard_last_admin(old.id);
    perform private.guard_second_admin(old, 'deletion');
  end if;
  -- All code locks requests before budgets, and budgets before batches.
  perform private.end_requests_of_account(old);
  perform ledger.close_account(old);
  update public.batch_lines l set user_id = null, description = null where l.user_id = old.id;
  delete from private.counters c where c.subject = old.id::text;
  return old;
end
$$;
comment on function private.person_leaves() is
  'Closes the account of a deleted user, whichever program deletes the user: refuses to delete the last administrator, ends the requests, closes the journal, and deletes the texts about the user in batches and the counters of limits. Foreign keys then delete all rows that reference the user. Also raises the errors of private.guard_second_admin.';
