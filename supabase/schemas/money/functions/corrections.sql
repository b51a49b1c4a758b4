-- Functions of corrections: the bank posts a transaction, reverses it, and posts the right one instead.

create function private.keep_correction() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- If the budget no longer exists, the account is being closed: closing an account deletes the budget before the
  -- corrections.
  if exists (select from public.budgets b where b.user_id = old.user_id) then
    raise exception 'The % table is append-only.', tg_table_name using errcode = '42501';
  end if;
  return old;
end
$$;
comment on function private.keep_correction() is 'Refuses to delete a correction while its account is open, even for the table''s owner.';

create function private.post_transaction(
  user_id uuid, id uuid, type text, amount numeric, description text, date timestamptz, category text
) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into public.transactions (
    user_id, id, type, amount, description, date, category, recorded_by, origin, origin_id
  ) values (user_id, id, type, amount, description, date, category, 'bank', 'clerk', id)
$$;
comment on function private.post_transaction(uuid, uuid, text, numeric, text, timestamptz, text) is
  'Records a transaction that an administrator ordered. The id is also that of the order. Both direct and approved orders call this function.';

create function private.correct(correction public.corrections, mistake public.transactions, origin text, origin_id uuid)
  returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  earlier public.corrections;
begin
  select c.* into earlier from public.corrections c
  where c.user_id = correction.user_id and c.id = correction.corrected_id;
  correction.mistake_id := coalesce(earlier.mistake_id, correction.corrected_id);
  -- If a correction is itself corrected, the mistake becomes valid again.
  correction.makes_void := not coalesce(earlier.makes_void, false);
  correction.dated_at := coalesce(earlier.dated_at, (
    select j.dated_at from ledger.journal j
    where j.user_id = correction.user_id and j.transaction_id = correction.corrected_id and j.kind in ('deposit', 'expense')
  ));
  correction.corrected_at := now();
  -- A concurrent second correction waits here for the first, before anything is posted.
  insert into public.corrections select correction.*
  on conflict on constraint corrections_correct_once do nothing;
  if not found then
    return false;
  end if;
  -- Locks the budget before the mistake's row, in the same order as private.lock_account.
  perform from public.budgets b where b.user_id = correction.user_id for no key update;
  update public.transactions t set is_void = correction.makes_void
  where t.user_id = correction.user_id and t.id = correction.mistake_id;
  insert into public.transactions (
    user_id, id, type, amount, description, date, category, recorded_by, is_void, origin, origin_id
  ) values (
    correction.user_id, correction.id, case mistake.type when 'deposit' then 'expense' else 'deposit' end, mistake.amount,
    left(coalesce('Corrección: ' || mistake.description, 'Corrección'), 200), now(), 'Corrección', 'bank', true,
    correct.origin, correct.origin_id
  );
  return true;
end
$$;
comment on function private.correct(public.corrections, public.transactions, text, uuid) is
  'Stores a correction and posts it: a transaction of the opposite type with the correction''s id. Computes mistake_id, makes_void, dated_at and corrected_at. Returns false, and posts nothing, if the transaction was already corrected. `mistake` gives the type, the amount and the description.';

create function private.mistake_of(customer uuid, transaction_id uuid) returns public.transactions
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  mistake public.transactions;
begin
  select t.* into mistake from public.transactions t
  where t.user_id = customer and t.id = transaction_id;
  if not found then
    -- The customer may have removed the transaction from their list. The journal still has the amount, but not the
    -- description.
    select j.kind, abs(j.delta), j.dated_at, 'bank', j.origin
    into mistake.type, mistake.amount, mistake.date, mistake.recorded_by, mistake.origin
    from ledger.journal j
    where j.user_id = customer and j.transaction_id = mistake_of.transaction_id
      and j.kind in ('deposit', 'expense')
      and exists (
        select from ledger.journal r where r.user_id = j.user_id and r.transaction_id = j.transaction_id and r.kind = 'removal'
      );
  end if;
  if not found then
    raise exception 'El banco no le registró este movimiento al cliente.' using errcode = 'PT404';
  end if;
  if mistake.recorded_by <> 'bank' then
    raise exception 'Solo se corrige lo que registró el banco.' using errcode = 'PT409';
  end if;
  -- If only one side of a transfer or of its return were corrected, the sum of all balances would change.
  if mistake.origin in ('transfer', 'return') then
    raise exception 'Una transferencia se devuelve entera.' using errcode = 'PT409';
  end if;
  return mistake;
end
$$;
comment on function private.mistake_of(uuid, uuid) is
  'Returns the bank transaction that is to be corrected. Raises PT404 for an unknown transaction. Raises PT409 if the customer recorded the transaction or if the transaction belongs to a transfer.';

create function private.post_correction(
  customer uuid, id uuid, transaction_id uuid, reason text, right_amount numeric, clerk uuid
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  mistake constant public.transactions := private.mistake_of(customer, transaction_id);
  earlier_correction public.corrections;
  correction public.corrections;
begin
  select c.* into earlier_correction from public.corrections c
  where c.user_id = customer and c.id = post_correction.transaction_id;
  if earlier_correction.replacement_id is not null then
    -- If this correction were corrected, the mistake would become valid again in addition to its replacement.
    raise exception 'Esta corrección dejó otro movimiento en su lugar: corrige ese.' using errcode = 'PT409';
  end if;
  if earlier_correction.id is not null and right_amount is not null then
    raise exception 'Una corrección solo se puede anular.' using errcode = 'PT409';
  end if;
  correction.user_id := customer;
  correction.id := post_correction.id;
  correction.corrected_id := transaction_id;
  correction.replacement_id := case when right_amount is not null then gen_random_uuid() end;
  correction.reason := reason;
  correction.corrected_by := (select p.full_name from public.profiles p where p.id = clerk);
  if not private.correct(correction, mistake, 'correction', correction.id) then
    raise exception 'Este movimiento ya se corrigió.' using errcode = 'PT409';
  end if;
  if correction.replacement_id is not null then
    insert into public.transactions (
      user_id, id, type, amount, description, date, category, recorded_by, origin, origin_id
    ) values (
      customer, correction.replacement_id, mistake.type, right_amount,
      coalesce(mistake.description, 'Movimiento corregido'), mistake.date,
      coalesce(mistake.category, case mistake.type when 'deposit' then 'Deposito' else 'Gasto' end), 'bank',
      'correction', correction.id
    );
  end if;
end
$$;
comment on function private.post_correction(uuid, uuid, uuid, text, numeric, uuid) is
  'Corrects a bank transaction on behalf of an administrator. Both direct and approved orders call this function. Raises PT409 if the transaction was already corrected or is a correction with a replacement. Also raises the errors of private.mistake_of.';

revoke execute on all functions in schema private from public;
