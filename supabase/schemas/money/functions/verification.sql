-- Verification: checks that the ledger is consistent in itself, and that it agrees with the balances and with the
-- customers' lists. The verification runs in SQL, close to the data. Each call checks a limited number of rows, because
-- a long check would block all other requests.

create function ledger.check_entries(
  after_customer uuid, after_seq bigint, entries_max integer,
  out entries integer, out last_customer uuid, out last_seq bigint,
  out broken_customer uuid, out broken_seq bigint, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  -- Makes PostgreSQL plan each call for its actual arguments, because the best plan depends on the starting point and
  -- on the number of entries.
  set plan_cache_mode = force_custom_plan
as $$
begin
  with portion as materialized (
    -- Also reads the last entry of the previous portion, because each entry is checked against its predecessor.
    select j.*, j as entry from ledger.journal j
    where after_customer is null or (j.user_id, j.seq) >= (after_customer, after_seq)
    order by j.user_id, j.seq
    limit entries_max + 1
  ),
  pairs as (
    select p.user_id, p.seq, p.delta, p.balance_after, p.dated_at, p.recorded_at, p.previous_hash, p.hash, p.entry,
           lag(p.seq) over chain as seq_before, lag(p.hash) over chain as hash_before,
           lag(p.balance_after) over chain as balance_before, lag(p.kind) over chain as kind_before
    from portion p
    window chain as (partition by p.user_id order by p.seq)
  ),
  checked as materialized (
    select
      p.user_id,
      p.seq,
      case
        when p.seq <> coalesce(p.seq_before, 0) + 1 then 'sequence'
        when p.previous_hash <> coalesce(p.hash_before, decode(repeat('00', 32), 'hex')) then 'link'
        -- ledger.post_all never writes times outside these ranges or amounts with more than two decimals. A row with
        -- such values cannot be hashed.
        when p.dated_at not between '0001-01-01' and '9999-12-31' then 'hash'
        when p.recorded_at not between '2000-01-01' and '9999-12-31' then 'hash'
        when scale(trim_scale(p.delta)) > 2 or scale(trim_scale(p.balance_after)) > 2 then 'hash'
        when p.hash <> ledger.entry_hash(p.entry) then 'hash'
        when p.balance_after <> coalesce(p.balance_before, 0) + p.delta then 'sum'
        when p.kind_before = 'closing' then 'closed'
      end as fault
    from pairs p
    where (p.user_id, p.seq) is distinct from (after_customer, after_seq)
  )
  select c.counted, l.user_id, l.seq, b.user_id, b.seq, b.fault
  into entries, last_customer, last_seq, broken_customer, broken_seq, fault
  from (select count(*) as counted from checked) c
  left join (select k.* from checked k order by k.user_id desc, k.seq desc limit 1) l on true
  left join (select k.* from checked k where k.fault is not null order by k.user_id, k.seq limit 1) b on true;
end
$$;
comment on function ledger.check_entries(uuid, bigint, integer) is
  'Checks the next entries of all chains, ordered by customer and sequence number, each against its predecessor. If an entry is invalid, fault names the check that failed: `sequence`, `link` (previous hash), `hash`, `sum` (balance after) or `closed` (an entry after the closing entry). Returns the number of entries checked, the last entry checked and the first broken entry. If fewer than entries_max entries were checked, the call has reached the end of the journal.';
grant execute on function ledger.check_entries(uuid, bigint, integer) to service_role;

create function ledger.check_balances(
  after_customer uuid, entries_max integer,
  out customers integer, out last_customer uuid,
  out broken_customer uuid, out broken_seq bigint, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
begin
  -- Selects the next customers, each with all their entries, until the total exceeds entries_max. If fewer entries are
  -- left, selects all remaining customers.
  last_customer := least(
    (select j.user_id from ledger.journal j where after_customer is null or j.user_id > after_customer
     order by j.user_id, j.seq offset entries_max limit 1),
    (select b.user_id from public.budgets b where after_customer is null or b.user_id > after_customer
     order by b.user_id offset entries_max limit 1)
  );

  with heads as (
    select distinct on (j.user_id) j.user_id, j.seq, j.kind, j.balance_after
    from ledger.journal j
    where (after_customer is null or j.user_id > after_customer)
      and (last_customer is null or j.user_id <= last_customer)
    order by j.user_id desc, j.seq desc
  ),
  postings as (
    select j.user_id, j.transaction_id, sum(j.delta) as net, max(j.seq) as seq,
           coalesce(sum(j.delta) filter (where ledger.is_note(j.kind)), 0) as noted,
           bool_and(ledger.is_note(j.kind)) as is_note,
           -- All entries of a transaction have the same origin.
           min(j.origin) as origin, min(j.origin_id::text)::uuid as origin_id,
           max(j.seq) filter (where j.kind = 'removal') as removed_at
    from ledger.journal j
    where (after_customer is null or j.user_id > after_customer)
      and (last_customer is null or j.user_id <= last_customer)
      and j.transaction_id is not null
    group by j.user_id, j.transaction_id
  ),
  accounts as (
    select
      coalesce(h.user_id, b.user_id) as user_id,
      h.seq,
      case
        when b.user_id is null and h.kind <> 'closing' then 'account'
        when b.user_id is not null and h.kind = 'closing' then 'account'
        when coalesce(b.balance, 0) <> coalesce(h.balance_after, 0) then 'balance'
        when b.noted <> coalesce(n.noted, 0) then 'notes'
        when b.user_id is not null and b.listed is distinct from row(b.balance, b.balance < b.noted, b.last_at) then 'listed'
      end as fault
    from heads h
    full join (
      select
        b.user_id, b.balance, b.noted, row(a.balance, a.is_overdrawn, a.last_at) as listed,
        coalesce((
          select t.date from public.transactions t where t.user_id = b.user_id order by t.date desc, t.id desc limit 1
        ), '-infinity') as last_at
      from public.budgets b
      left join private.listed_accounts a on a.user_id = b.user_id
      where (after_customer is null or b.user_id > after_customer)
        and (last_customer is null or b.user_id <= last_customer)
    ) b on b.user_id = h.user_id
    left join (
      select p.user_id, sum(p.noted) as noted from postings p group by p.user_id
    ) n on n.user_id = b.user_id
  ),
  movements as (
    select
      coalesce(p.user_id, t.user_id) as user_id,
      p.seq,
      case
        when p.user_id is null then 'unposted'
        -- If the transaction is in the list, its postings must add up to its amount.
        when t.id is not null and (
          p.net <> t.signed or p.seq = p.removed_at or p.is_note <> t.is_note
          or (p.origin, p.origin_id) is distinct from (t.origin, t.origin_id)
        ) then 'transaction'
        -- If the transaction is not in the list, its postings must add up to zero, unless the bank recorded it or the
        -- account is closed.
        when t.id is null and p.net <> 0 and p.seq is distinct from p.removed_at and h.kind <> 'closing' then 'transaction'
      end as fault
    from postings p
    full join (
      select
        t.user_id, t.id, case t.type when 'deposit' then t.amount else -t.amount end as signed,
        t.recorded_by = 'customer' and t.type = 'expense' as is_note, t.origin, t.origin_id
      from public.transactions t
      where (after_customer is null or t.user_id > after_customer)
        and (last_customer is null or t.user_id <= last_customer)
    ) t on t.user_id = p.user_id and t.id = p.transaction_id
    left join heads h on h.user_id = p.user_id
  ),
  broken as (
    select a.user_id, a.seq, a.fault from accounts a where a.fault is not null
    union all
    select m.user_id, m.seq, m.fault from movements m where m.fault is not null
  )
  select c.counted, f.user_id, f.seq, f.fault
  into customers, broken_customer, broken_seq, fault
  from (select count(*) as counted from accounts) c
  left join (
    -- The list of staff is derived from the account. A fault of the account itself therefore comes first.
    select b.* from broken b order by b.user_id, b.fault = 'listed', b.seq limit 1
  ) f on true;
end
$$;
comment on function ledger.check_balances(uuid, integer) is
  'Checks the next customers. For an invalid account, fault is `account` (a customer must have either a budget or a closing entry), `balance` (the budget differs from the last entry) or `notes` (the budget''s notes differ from the sum of the entries). Fault is `listed` if private.listed_accounts differs from the budget or from the customer''s list. For an invalid transaction, fault is `transaction` (the row in the list differs from its postings) or `unposted` (the row has no posting). Returns the number of customers checked, the last customer checked (null at the end), and the first customer with invalid data, together with the journal entry concerned.';
grant execute on function ledger.check_balances(uuid, integer) to service_role;

create function ledger.read_daily_check(out age_seconds double precision, out is_broken boolean)
  language sql stable security definer
  set search_path = ''
as $$
  select extract(epoch from now() - max(c.ended_at))::double precision, coalesce(bool_or(c.is_broken), false)
  from ledger.daily_check c
$$;
comment on function ledger.read_daily_check() is
  'Returns how many seconds ago the last verification ended, and its result. Before the first verification, the age is null and the result is false.';
grant execute on function ledger.read_daily_check() to service_role;

create function ledger.record_check(found_broken boolean) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into ledger.daily_check as c (ended_at, is_broken) values (now(), found_broken)
  on conflict (is_only) do update set ended_at = excluded.ended_at, is_broken = excluded.is_broken
$$;
comment on function ledger.record_check(boolean) is
  'Stores the result of a verification.';
grant execute on function ledger.record_check(boolean) to service_role;
