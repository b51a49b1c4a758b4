-- Staff access to a customer's transactions: an administrator opens the customer's page, reads it, and corrects
-- transactions that the bank recorded by mistake. Every read requires an audit entry, which serves as the permission
-- (docs/decisions/0056).

create index audit_openings on ledger.audit (target, session_id, recorded_at) where action = 'read_customer';
comment on index ledger.audit_openings is 'Finds out whether a session has opened a customer''s page (private.require_opened).';

create function private.require_opened(customer uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  if not exists (
    select from ledger.audit a
    where a.target = customer and a.action = 'read_customer'
      and a.session_id = ((select auth.jwt()) ->> 'session_id')::uuid
      and a.recorded_at > now() - interval '1 hour'
  ) then
    raise exception 'Abre otra vez la página del cliente.' using errcode = '42501';
  end if;
end
$$;
comment on function private.require_opened(uuid) is
  'Refuses (42501) every caller except an administrator who, within the last hour, opened this customer''s page in the same session (public.open_customer).';

-- Corrections -----------------------------------------------------------------------------------------------------

create function private.post_reversal(customer uuid, correction uuid, mistake public.transactions) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  corrected uuid;
  first_mistake uuid;
begin
  select c.corrected_id, c.mistake_id into corrected, first_mistake
  from public.corrections c where c.user_id = customer and c.id = correction;
  -- Locks the budget before the mistake's row, in the same order as private.lock_account. If a correction is itself
  -- corrected, the original mistake becomes valid again.
  perform from public.budgets b where b.user_id = customer for no key update;
  update public.transactions t set is_void = not t.is_void where t.user_id = customer and t.id = first_mistake;
  update ledger.deleted_transactions d set is_void = not d.is_void where d.user_id = customer and d.id = first_mistake;
  -- If the corrected transaction is itself a correction, its posting already has the date of the original mistake.
  perform set_config('ledger.mistake_dated_at', (
    select j.dated_at from ledger.journal j
    where j.user_id = customer and j.transaction_id = corrected and j.kind in ('deposit', 'expense')
  )::text, true);
  insert into public.transactions (user_id, id, type, amount, description, date, category, recorded_by, is_void)
  values (
    customer, correction, case mistake.type when 'deposit' then 'expense' else 'deposit' end, mistake.amount,
    left(coalesce('Corrección: ' || mistake.description, 'Corrección'), 200), now(), 'Corrección', 'bank', true
  );
  perform set_config('ledger.mistake_dated_at', '', true);
end
$$;
comment on function private.post_reversal(uuid, uuid, public.transactions) is
  'Posts the reversal that a row of public.corrections describes: a transaction of the opposite type with the correction''s id.';

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
    select j.kind, abs(j.delta), j.dated_at, 'bank'
    into mistake.type, mistake.amount, mistake.date, mistake.recorded_by
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
  if exists (
    select from public.requests r
    where r.id = coalesce((
      select c.mistake_id from public.corrections c
      where c.user_id = customer and c.id = mistake_of.transaction_id
    ), mistake_of.transaction_id)
      and r.status in ('done', 'returned') and customer in (r.payer, r.payee)
  ) then
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
  mistake_id uuid;
  replacement_id constant uuid := case when right_amount is not null then gen_random_uuid() end;
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
  mistake_id := coalesce(earlier_correction.mistake_id, transaction_id);
  -- A concurrent second correction waits here for the first, before anything is posted.
  insert into public.corrections (user_id, id, corrected_id, mistake_id, replacement_id, reason, corrected_by)
  values (
    customer, id, transaction_id, mistake_id, replacement_id, reason,
    (select p.full_name from public.profiles p where p.id = clerk)
  )
  on conflict on constraint corrections_correct_once do nothing;
  if not found then
    raise exception 'Este movimiento ya se corrigió.' using errcode = 'PT409';
  end if;
  perform private.post_reversal(customer, id, mistake);
  if replacement_id is not null then
    insert into public.transactions (user_id, id, type, amount, description, date, category, recorded_by)
    values (
      customer, replacement_id, mistake.type, right_amount, coalesce(mistake.description, 'Movimiento corregido'), mistake.date,
      coalesce(mistake.category, case mistake.type when 'deposit' then 'Deposito' else 'Gasto' end), 'bank'
    );
  end if;
end
$$;
comment on function private.post_correction(uuid, uuid, uuid, text, numeric, uuid) is
  'Corrects a bank transaction on behalf of an administrator. Both direct and approved orders call this function. Raises PT409 if the transaction was already corrected or is a correction with a replacement. Also raises the errors of private.mistake_of.';

create function public.correct_transaction(
  user_id uuid, transaction_id uuid, reason text, idempotency_key text default null, right_amount numeric default null
) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  id constant uuid := gen_random_uuid();
  earlier constant uuid := private.claim_call(
    'rpc/correct_transaction', idempotency_key, jsonb_build_array(user_id, transaction_id, reason, right_amount), id
  );
  moved numeric;
begin
  if earlier is not null then
    return earlier;
  end if;
  perform private.limit_acts();
  moved := (private.mistake_of(user_id, transaction_id)).amount + coalesce(right_amount, 0);
  perform private.refuse_self_dealing(user_id);
  perform private.require_proof_of(moved);
  if private.needs_approval(moved) then
    -- Tries the act and rolls it back, so that an impossible act is refused now and not after its approval.
    begin
      perform private.post_correction(user_id, id, transaction_id, reason, right_amount, clerk);
      raise exception 'The act waits.' using errcode = 'FZ202';
    exception when sqlstate 'FZ202' then
      perform private.request_approval('correction', id, user_id, moved, jsonb_build_object(
        'transaction_id', transaction_id, 'reason', reason, 'right_amount', right_amount
      ));
    end;
  else
    perform private.post_correction(user_id, id, transaction_id, reason, right_amount, clerk);
  end if;
  return id;
end
$$;
comment on function public.correct_transaction(uuid, uuid, text, text, numeric) is
  'Reverses a bank transaction by a new transaction of the opposite type with the same amount, and returns the new transaction''s id. A transaction can be reversed only once, and each idempotency key takes effect only once. If right_amount is given, also records a replacement with this amount and the date of the mistake. If the sum of both amounts exceeds the bank''s limit, requests another administrator''s decision instead (public.waits_for_approval). For administrators only. Raises PT404 for an unknown transaction. Raises PT409 if the customer recorded the transaction, if it was already corrected, if it is a correction with a replacement, or if it belongs to a transfer. Also raises the errors of private.refuse_self_dealing, private.require_proof_of, private.limit_acts and private.claim_call.';
revoke execute on function public.correct_transaction(uuid, uuid, text, text, numeric) from public, anon, service_role;
grant execute on function public.correct_transaction(uuid, uuid, text, text, numeric) to authenticated;

-- Reading a customer -----------------------------------------------------------------------------------------------

create function private.waiting_email_change(person uuid) returns json
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if private.is_hosted() then
    return null;
  end if;
  return auth.waiting_address_change(person);
end
$$;
comment on function private.waiting_email_change(uuid) is
  'Returns a person''s pending change of e-mail address in the format of auth.waiting_address_change, or null if no change is pending.';

-- Returns json, because the authentication service returns a pending change of address as json.
create function public.open_customer(user_id uuid) returns json
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, because a hosted project stores some of them in UTC without a time zone.
  set timezone = 'UTC'
as $$
declare
  month constant timestamp := date_trunc('month', now() at time zone 'America/Bogota');
  customer json;
begin
  perform private.require_admin();
  select json_build_object(
    'id', u.id,
    'full_name', p.full_name,
    'email', u.email,
    'role', p.role,
    'account_number', h.account_number,
    'document_kind', h.document_kind,
    'document_number', h.document_number,
    'phone', h.phone,
    'created_at', u.created_at,
    'confirmed_at', u.email_confirmed_at,
    'banned_until', u.banned_until,
    'block_reason', case when u.banned_until > now() then (
      select a.after ->> 'reason' from ledger.audit a
      where a.target = u.id and a.action = 'ban_user' order by a.id desc limit 1
    ) end,
    'last_sign_in_at', u.last_sign_in_at,
    'email_change', private.waiting_email_change(u.id),
    'has_second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', (
      select coalesce(json_agg(json_build_object(
        'begun_at', s.created_at, 'used_at', coalesce(s.refreshed_at, s.created_at), 'user_agent', s.user_agent
      ) order by coalesce(s.refreshed_at, s.created_at) desc), '[]')
      from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())
    ),
    'balance', b.balance,
    'booked', b.balance - b.noted,
    'noted', b.noted,
    'monthly_limit', b.monthly_limit,
    'month_spent', (
      select coalesce(sum(t.amount), 0) from public.transactions t
      where t.user_id = u.id and t.type = 'expense'
        and not t.is_void
        and t.date >= month at time zone 'America/Bogota'
        and t.date < (month + interval '1 month') at time zone 'America/Bogota'
    ),
    'largest', (
      select json_build_object(
        'deposit', max(n.amount) filter (where n.type = 'deposit'),
        'expense', max(n.amount) filter (where n.type = 'expense')
      )
      -- The limit bounds the running time for customers with a long history.
      from (
        select t.type, t.amount, t.is_void from public.transactions t
        where t.user_id = u.id order by t.date desc, t.id desc limit 10000
      ) n
      where not n.is_void
    ),
    'corrections', (
      select coalesce(json_agg(c order by c.corrected_at desc), '[]')
      from (
        select k.id, k.corrected_id, k.replacement_id, k.reason, k.corrected_by, k.corrected_at from public.corrections k
        where k.user_id = u.id order by k.corrected_at desc limit 1000
      ) c
    )
  ) into customer
  from auth.users u
  join public.profiles p on p.id = u.id
  join public.budgets b on b.user_id = u.id
  join public.account_holders h on h.user_id = u.id
  where u.id = open_customer.user_id;
  if not found then
    raise exception 'El usuario no existe.' using errcode = 'PT404';
  end if;
  perform private.record_audit('read_customer', user_id, null, null);
  return customer;
end
$$;
comment on function public.open_customer(uuid) is
  'Returns the summary at the top of a customer''s page in the administration. For administrators only. Adds an audit entry that lets this session read the customer''s other data for an hour. Amounts are units of currency. Raises PT404 for an unknown user.';
revoke execute on function public.open_customer(uuid) from public, anon, service_role;
grant execute on function public.open_customer(uuid) to authenticated;

create function public.read_customer_balance(user_id uuid) returns public.balance_explanation
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_balance.user_id);
  return (select e from private.explain_balance_of(user_id) e);
end
$$;
comment on function public.read_customer_balance(uuid) is
  'Explains a customer''s balance to staff, as public.explain_balance does for the customer. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page.';
revoke execute on function public.read_customer_balance(uuid) from public, anon, service_role;
grant execute on function public.read_customer_balance(uuid) to authenticated;

create function public.read_customer_transactions(
  user_id uuid, before_date timestamptz default 'infinity', before_id uuid default null, rows_max integer default 1000
) returns setof public.transactions
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_transactions.user_id);
  return query
    select t.* from public.transactions t
    where t.user_id = read_customer_transactions.user_id
      and (t.date, t.id) < (before_date, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by t.date desc, t.id desc
    limit greatest(least(rows_max, 1000), 0);
end
$$;
comment on function public.read_customer_transactions(uuid, timestamptz, uuid, integer) is
  'Returns up to 1,000 of a customer''s transactions that are older than the given transaction, newest first. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page.';
revoke execute on function public.read_customer_transactions(uuid, timestamptz, uuid, integer) from public, anon, service_role;
grant execute on function public.read_customer_transactions(uuid, timestamptz, uuid, integer) to authenticated;

create function public.read_customer_journal(
  user_id uuid, after_seq bigint default 0, rows_max integer default 1000
) returns setof public.journal_entries
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_journal.user_id);
  return query
    select j.* from public.journal_entries j
    where j.user_id = read_customer_journal.user_id and j.seq > after_seq
    order by j.seq
    limit greatest(least(rows_max, 1000), 0);
end
$$;
comment on function public.read_customer_journal(uuid, bigint, integer) is
  'Returns up to 1,000 entries of a customer''s chain (public.journal_entries) whose seq is greater than after_seq. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page.';
revoke execute on function public.read_customer_journal(uuid, bigint, integer) from public, anon, service_role;
grant execute on function public.read_customer_journal(uuid, bigint, integer) to authenticated;

-- The bank's debt to its customers ------------------------------------------------------------------------------

create index journal_by_time on ledger.journal (recorded_at);
comment on index ledger.journal_by_time is 'Finds the entries of a day, from which public.sum_bank computes how much the sum of all balances changed.';

create type public.bank_day as (day date, total numeric);
comment on type public.bank_day is 'The sum of all balances at the end of a day.';
comment on column public.bank_day.day is 'The day in Bogotá.';
comment on column public.bank_day.total is 'The sum in units of currency.';

create type public.bank_sums as (customers bigint, total numeric, owed numeric, overdrawn numeric, noted numeric, days public.bank_day[]);
comment on type public.bank_sums is 'The bank''s debt to its customers, in units of currency.';
comment on column public.bank_sums.customers is 'Number of customers.';
comment on column public.bank_sums.total is 'Sum of all balances.';
comment on column public.bank_sums.owed is 'Sum of the positive balances according to the bank, which do not include the customers'' own notes.';
comment on column public.bank_sums.overdrawn is 'Sum of the negative balances according to the bank. The sum of owed and overdrawn is the total of all balances without the customers'' own notes.';
comment on column public.bank_sums.noted is 'Sum of all customers'' own notes; zero or negative. The total of all balances minus this sum is the total according to the bank.';
comment on column public.bank_sums.days is 'The last days, including today, oldest first.';

create function public.sum_bank(days integer default 30) returns public.bank_sums
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  today constant timestamp := date_trunc('day', now() at time zone 'America/Bogota');
begin
  perform private.require_admin();
  return (
    with held as (
      select
        -- Counts an administrator as a customer while their own account holds money.
        count(*) filter (where b.balance <> 0 or p.role is distinct from 'admin') as customers,
        coalesce(sum(b.balance), 0) as total,
        -- Customers can record any expense. These expenses must not reduce the sum that the bank owes to its customers.
        coalesce(sum(b.balance - b.noted) filter (where b.balance > b.noted), 0) as owed,
        coalesce(sum(b.balance - b.noted) filter (where b.balance < b.noted), 0) as overdrawn,
        coalesce(sum(b.noted), 0) as noted
      from public.budgets b left join public.profiles p on p.id = b.user_id
    ),
    -- Each day is queried as a range of the index, so that no row's time has to be converted.
    moved as (
      select day, (
        select sum(j.delta) from ledger.journal j
        where j.recorded_at >= day at time zone 'America/Bogota'
          and j.recorded_at < (day + interval '1 day') at time zone 'America/Bogota'
      ) as delta
      from generate_series(today - make_interval(days => greatest(least(days, 366), 1) - 1), today, interval '1 day') day
    )
    select row(
      h.customers, h.total, h.owed, h.overdrawn, h.noted, (
        select array_agg(row(d.day, d.total)::public.bank_day order by d.day)
        from (
          select m.day, h.total - coalesce(sum(m.delta) over (
            order by m.day desc rows between unbounded preceding and 1 preceding
          ), 0) as total
          from moved m
        ) d
      )
    )::public.bank_sums
    from held h
  );
end
$$;
comment on function public.sum_bank(integer) is
  'Returns the number of customers, including administrators who hold money. Returns the sum of all balances and the sum of the customers'' own notes, in units of currency. Returns the sums of the positive and of the negative balances according to the bank. Also returns the sum of all balances at the end of each of the last days (at most 366) in Bogotá, including today. For administrators only.';
revoke execute on function public.sum_bank(integer) from public, anon, service_role;
grant execute on function public.sum_bank(integer) to authenticated;

revoke execute on all functions in schema private, ledger from public;
