-- Functions of the limits of transfers.

create type public.transfer_limit as (name text, bank_max numeric, own_max numeric, left_max numeric);
comment on type public.transfer_limit is 'A limit of the transfers that the caller requests.';
comment on column public.transfer_limit.name is '"transfer" for the limit of a single transfer, or "day" for the sum of the transfers requested on one day in Bogotá.';
comment on column public.transfer_limit.bank_max is 'The bank''s limit.';
comment on column public.transfer_limit.own_max is 'The caller''s own limit; null if the caller set no limit.';
comment on column public.transfer_limit.left_max is 'The part of the lower of the two limits that is still available; never negative.';

create type public.transfer_account as (
  balance numeric,
  reserved numeric,
  available numeric,
  limits public.transfer_limit[],
  automatic_max numeric,
  automatic_day_max numeric,
  needs_own_password boolean,
  receive_min numeric,
  receives_from_known boolean
);
comment on type public.transfer_account is 'The balance and the limits that determine how much the caller can transfer. All amounts are in units of currency.';
comment on column public.transfer_account.balance is 'The caller''s balance.';
comment on column public.transfer_account.reserved is 'Sum of the caller''s transfers that wait for a decision or for the day of the payment.';
comment on column public.transfer_account.available is 'The balance without the reserved sum; never negative.';
comment on column public.transfer_account.limits is 'The limits of the caller''s transfers. A transfer must stay within all of them.';
comment on column public.transfer_account.automatic_max is 'The largest amount that the caller can still transfer today without an administrator''s decision. This amount is automatic_day_max minus the sum of today''s transfers that needed no decision.';
comment on column public.transfer_account.automatic_day_max is 'The bank''s limit for the sum of a day''s transfers without an administrator''s decision.';
comment on column public.transfer_account.needs_own_password is 'Whether an administrator typed the caller''s password. The caller can then neither confirm a beneficiary nor request a transfer (private.require_own_password).';
comment on column public.transfer_account.receive_min is 'The smallest transfer that the caller receives; null if the caller receives every amount.';
comment on column public.transfer_account.receives_from_known is 'Whether the caller receives transfers only from people that they have paid or named as a beneficiary.';

create function private.transfer_limit(name text, bank_max numeric, own_max numeric, used numeric)
  returns public.transfer_limit
  language sql immutable
  set search_path = ''
  return row(name, bank_max, own_max, greatest(least(bank_max, own_max) - used, 0))::public.transfer_limit;
comment on function private.transfer_limit(text, numeric, numeric, numeric) is 'Returns a limit of which a part is already used.';

create function private.transfer_account_of(customer uuid) returns public.transfer_account
  language sql stable security definer
  set search_path = ''
as $$
  select row(
    b.balance, w.reserved, greatest(b.balance - w.reserved, 0),
    array[
      private.transfer_limit('transfer', private.number('transfer_max'), o.transfer_max, 0),
      private.transfer_limit('day', private.number('transfer_day_max'), o.day_max, w.requested)
    ],
    greatest(private.number('transfer_automatic_max') - w.automatic, 0),
    private.number('transfer_automatic_max'),
    exists (select from private.staff_passwords p where p.user_id = customer),
    o.receive_min, coalesce(o.receives_from_known, false)
  )::public.transfer_account
  from public.budgets b
  cross join lateral (
    select
      coalesce(sum(q.amount) filter (where q.status in ('waiting', 'scheduled')), 0) as reserved,
      coalesce(sum(q.amount) filter (where q.asked_at >= d.begins_at), 0) as requested,
      coalesce(sum(q.amount) filter (
        where q.asked_at >= d.begins_at and q.status in ('scheduled', 'done') and q.decided_at is null
      ), 0) as automatic
    from (
      select date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota' as begins_at
    ) d
    -- Leaves out transfers that moved no money or were returned. Each of the two queries has its own index.
    cross join lateral (
      select r.* from public.requests r
      where r.payer = customer and r.asked_at >= d.begins_at and r.status in ('waiting', 'scheduled', 'done')
      union all
      select r.* from public.requests r
      where r.payer = customer and r.asked_at < d.begins_at and r.status in ('waiting', 'scheduled')
    ) q
  ) w
  left join private.transfer_limits o on o.user_id = b.user_id
  where b.user_id = customer
$$;
comment on function private.transfer_account_of(uuid) is 'Returns the balance and the limits that determine how much a customer can transfer, or null if the account is closed.';

create function private.admit_transfer(customer uuid, amount numeric, due_on date) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'America/Bogota')::date;
  account constant public.transfer_account := private.transfer_account_of(customer);
  exceeded text;
begin
  perform private.consume('transfer', customer::text);
  perform private.require_room('open transfers', (
    select count(*) from public.requests r where r.payer = customer and r.status in ('waiting', 'scheduled')
  ));
  if (amount > 0 and amount <= 999999999999.99 and scale(trim_scale(amount)) <= 2) is not true then
    raise exception 'El monto debe ser mayor que cero, con dos decimales como máximo.' using errcode = 'PT422';
  end if;
  if due_on not between today and today + 365 then
    raise exception 'La fecha debe estar entre hoy y dentro de un año.' using errcode = 'PT422';
  end if;
  select l.name into exceeded from unnest(account.limits) l where amount > l.left_max limit 1;
  if found then
    raise exception '%', case exceeded
      when 'transfer' then 'El monto supera tu límite por transferencia.'
      when 'day' then 'El monto supera lo que te queda de tu límite de hoy.'
    end using errcode = 'PT422';
  end if;
  if amount > account.available then
    raise exception 'El monto supera tu saldo disponible.' using errcode = 'PT422';
  end if;
end
$$;
comment on function private.admit_transfer(uuid, numeric, date) is
  'Counts a new transfer toward the limits of requests. Refuses (PT422) a transfer whose amount is not money, exceeds one of the customer''s limits or exceeds the available balance, or whose day is not within a year.';

create function public.transfer_account() returns public.transfer_account
  language sql stable security definer
  set search_path = ''
as $$
  select private.require_feature('transferencias');
  select private.transfer_account_of((select auth.uid()));
$$;
comment on function public.transfer_account() is
  'Returns the caller''s balance, the sum that their open transfers reserve, and their limits. Raises PT404 while the bank has not enabled transfers.';
grant execute on function public.transfer_account() to authenticated;

create function public.set_transfer_limits(transfer_max numeric, day_max numeric) returns public.transfer_account
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  own private.transfer_limits;
begin
  perform private.require_feature('transferencias');
  perform private.lock_open_account();
  if not (
    coalesce(transfer_max, 0) between 0 and 999999999999.99 and scale(trim_scale(coalesce(transfer_max, 0))) <= 2
    and coalesce(day_max, 0) between 0 and 999999999999.99 and scale(trim_scale(coalesce(day_max, 0))) <= 2
  ) then
    raise exception 'Escribe un límite de cero o más, con dos decimales como máximo.' using errcode = 'PT422';
  end if;
  select l.* into own from private.transfer_limits l where l.user_id = me;
  -- Without re-authentication, a thief with a stolen session could first remove the limits that should stop the theft.
  if coalesce(set_transfer_limits.transfer_max, 'infinity') > coalesce(own.transfer_max, 'infinity')
    or coalesce(set_transfer_limits.day_max, 'infinity') > coalesce(own.day_max, 'infinity')
  then
    perform private.require_own_proof();
  end if;
  perform private.consume('rows written', me::text);
  insert into private.transfer_limits as l (user_id, transfer_max, day_max)
  values (me, set_transfer_limits.transfer_max, set_transfer_limits.day_max)
  on conflict on constraint transfer_limits_pkey do update set
    transfer_max = excluded.transfer_max, day_max = excluded.day_max;
  return private.transfer_account_of(me);
end
$$;
comment on function public.set_transfer_limits(numeric, numeric) is
  'Sets the caller''s own limits for a single transfer and for the transfers requested on one day; null removes a limit. A lower limit applies at once. To raise or remove a limit, the caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). Transfers that were requested earlier stay as they are. Raises PT422 for an amount that is not money.';
grant execute on function public.set_transfer_limits(numeric, numeric) to authenticated;

create function public.set_transfer_reception(receive_min numeric, from_known boolean) returns public.transfer_account
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_feature('transferencias');
  -- Without re-authentication, a thief with a stolen session could refuse the transfers that the customer expects.
  perform private.require_own_proof();
  perform private.lock_open_account();
  perform private.consume('rows written', me::text);
  begin
    insert into private.transfer_limits as l (user_id, receive_min, receives_from_known)
    values (me, set_transfer_reception.receive_min, coalesce(from_known, false))
    on conflict on constraint transfer_limits_pkey do update set
      receive_min = excluded.receive_min, receives_from_known = excluded.receives_from_known;
  exception when check_violation then
    raise exception 'Escribe un monto mayor que cero, con dos decimales como máximo.' using errcode = 'PT422';
  end;
  return private.transfer_account_of(me);
end
$$;
comment on function public.set_transfer_reception(numeric, boolean) is
  'Sets which transfers the caller receives: the smallest amount (null for every amount), and whether only from people that the caller has paid or named as a beneficiary. The payer of another transfer only learns that the account cannot receive it. The caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). Raises PT422 for an amount that is not money.';
grant execute on function public.set_transfer_reception(numeric, boolean) to authenticated;
