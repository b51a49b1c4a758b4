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

create function private.refuse_row(given anyelement) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  relation constant regclass := pg_typeof(given)::text::regclass;
  violated text;
begin
  execute (
    select format('select case %s end from (select ($1).*) r', string_agg(
      format('when (%s) is false then %L', pg_get_expr(c.conbin, c.conrelid), c.conname), ' ' order by c.conname
    ))
    from pg_catalog.pg_constraint c where c.conrelid = relation and c.contype = 'c'
  ) into violated using given;
  if violated is not null then
    raise exception 'A row of % would violate the constraint %.', relation, violated
      using errcode = '23514', constraint = violated;
  end if;
end
$$;
comment on function private.refuse_row(anyelement) is
  'Refuses (23514, with the name of the constraint) a row that violates a check constraint of its table, without writing the row.';

create function private.refuse_posting(posting public.transactions, posted_before numeric default 0) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  budget public.budgets;
begin
  perform private.refuse_row(posting);
  if not private.is_possible_date(posting.date) then
    raise exception 'La fecha debe estar entre hace diez años y mañana.' using errcode = '23514';
  end if;
  select b.* into budget from public.budgets b where b.user_id = posting.user_id;
  if not found then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;
  budget.balance := budget.balance + posted_before + case posting.type when 'deposit' then posting.amount else -posting.amount end;
  perform private.refuse_row(budget);
end
$$;
comment on function private.refuse_posting(public.transactions, numeric) is
  'Refuses a transaction of the bank for the same reasons as its posting, but posts nothing: for an order that must wait. `posted_before` is the sum of the postings that would come first.';

create function private.check_transaction(
  user_id uuid, id uuid, type text, amount numeric, description text, date timestamptz, category text
) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  posting public.transactions;
begin
  posting.user_id := user_id;
  posting.id := id;
  posting.type := type;
  posting.amount := amount;
  posting.description := description;
  posting.date := date;
  posting.category := category;
  posting.recorded_by := 'bank';
  posting.is_void := false;
  posting.origin := 'clerk';
  posting.origin_id := id;
  perform private.refuse_posting(posting);
end
$$;
comment on function private.check_transaction(uuid, uuid, text, numeric, text, timestamptz, text) is
  'Raises the errors of private.post_transaction, but posts nothing.';

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

create function private.begin_correction(
  customer uuid, id uuid, corrected_id uuid, reason text, right_amount numeric, clerk uuid
) returns public.corrections
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  earlier_correction public.corrections;
  correction public.corrections;
begin
  select c.* into earlier_correction from public.corrections c
  where c.user_id = customer and c.id = begin_correction.corrected_id;
  if earlier_correction.replacement_id is not null then
    -- If this correction were corrected, the mistake would become valid again in addition to its replacement.
    raise exception 'Esta corrección dejó otro movimiento en su lugar: corrige ese.' using errcode = 'PT409';
  end if;
  if earlier_correction.id is not null and right_amount is not null then
    raise exception 'Una corrección solo se puede anular.' using errcode = 'PT409';
  end if;
  correction.user_id := customer;
  correction.id := begin_correction.id;
  correction.corrected_id := begin_correction.corrected_id;
  correction.replacement_id := case when right_amount is not null then gen_random_uuid() end;
  correction.reason := reason;
  correction.corrected_by := (select p.full_name from public.profiles p where p.id = clerk);
  return correction;
end
$$;
comment on function private.begin_correction(uuid, uuid, uuid, text, numeric, uuid) is
  'Returns the correction that an administrator orders. Raises PT409 if the transaction is a correction with a replacement, and if a correction is to be replaced.';

create function private.replacement_of(
  correction public.corrections, mistake public.transactions, right_amount numeric
) returns public.transactions
  language plpgsql immutable
  set search_path = ''
as $$
declare
  replacement public.transactions := mistake;
begin
  replacement.user_id := correction.user_id;
  replacement.id := correction.replacement_id;
  replacement.amount := right_amount;
  replacement.description := coalesce(mistake.description, 'Movimiento corregido');
  replacement.category := coalesce(mistake.category, case mistake.type when 'deposit' then 'Deposito' else 'Gasto' end);
  replacement.recorded_by := 'bank';
  replacement.is_void := false;
  replacement.origin := 'correction';
  replacement.origin_id := correction.id;
  return replacement;
end
$$;
comment on function private.replacement_of(public.corrections, public.transactions, numeric) is
  'Returns the right transaction that a correction posts in place of a mistake.';

create function private.check_correction(
  customer uuid, id uuid, transaction_id uuid, reason text, right_amount numeric, clerk uuid
) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  mistake constant public.transactions := private.mistake_of(customer, transaction_id);
  correction constant public.corrections := private.begin_correction(
    customer, id, transaction_id, reason, right_amount, clerk
  );
  reversed public.transactions := private.replacement_of(correction, mistake, mistake.amount);
begin
  -- The check constraint accepts null.
  if reason is null then
    raise exception 'null value in column "reason" of relation "corrections" violates not-null constraint'
      using errcode = '23502', schema = 'public', table = 'corrections', column = 'reason';
  end if;
  perform private.refuse_row(correction);
  if exists (select from public.corrections c where c.user_id = customer and c.corrected_id = transaction_id) then
    raise exception 'Este movimiento ya se corrigió.' using errcode = 'PT409';
  end if;
  reversed.type := case mistake.type when 'deposit' then 'expense' else 'deposit' end;
  reversed.date := now();
  perform private.refuse_posting(reversed);
  if right_amount is not null then
    perform private.refuse_posting(
      private.replacement_of(correction, mistake, right_amount),
      case mistake.type when 'deposit' then -mistake.amount else mistake.amount end
    );
  end if;
end
$$;
comment on function private.check_correction(uuid, uuid, uuid, text, numeric, uuid) is
  'Raises the errors of private.post_correction, but posts nothing.';

create function private.post_correction(
  customer uuid, id uuid, transaction_id uuid, reason text, right_amount numeric, clerk uuid
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  mistake constant public.transactions := private.mistake_of(customer, transaction_id);
  correction constant public.corrections := private.begin_correction(
    customer, id, transaction_id, reason, right_amount, clerk
  );
begin
  if not private.correct(correction, mistake, 'correction', correction.id) then
    raise exception 'Este movimiento ya se corrigió.' using errcode = 'PT409';
  end if;
  if right_amount is not null then
    insert into public.transactions (
      user_id, id, type, amount, description, date, category, recorded_by, origin, origin_id
    )
    select r.user_id, r.id, r.type, r.amount, r.description, r.date, r.category, r.recorded_by, r.origin, r.origin_id
    from private.replacement_of(correction, mistake, right_amount) r;
  end if;
end
$$;
comment on function private.post_correction(uuid, uuid, uuid, text, numeric, uuid) is
  'Corrects a bank transaction on behalf of an administrator. Both direct and approved orders call this function. Raises PT409 if the transaction was already corrected. Also raises the errors of private.mistake_of and private.begin_correction.';
