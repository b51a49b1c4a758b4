-- Verification: the ledger against itself, against the balances and against the customers' lists. In SQL,
-- because the bytes are here; in portions, because a check that takes the database for itself is an outage.

-- The same encoding as before, for half the time: as a query it was started anew for every entry.
create or replace function ledger.length_prefixed(variadic fields text[]) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
declare
  field text;
  encoded bytea := '';
begin
  foreach field in array fields loop
    encoded := encoded || case
      when field is null then int4send(-1)
      else int4send(octet_length(field)) || convert_to(field, 'UTF8')
    end;
  end loop;
  return encoded;
end
$$;

-- The same hash as before, with that encoding written out: a call and a loop for each entry were a third of a verification.
create or replace function ledger.entry_hash(entry ledger.journal) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
declare
  null_field constant bytea := int4send(-1);
  seq constant text := entry.seq;
  delta constant text := to_char(entry.delta, 'FM999999999999990.00');
  balance_after constant text := to_char(entry.balance_after, 'FM999999999999990.00');
  recorded_at constant text := (extract(epoch from entry.recorded_at) * 1000000)::bigint;
begin
  return sha256(
    -- Ids are 36 characters, hashes 64.
    int4send(36) || convert_to(entry.user_id::text, 'UTF8')
    || int4send(octet_length(seq)) || convert_to(seq, 'UTF8')
    || int4send(octet_length(entry.kind)) || convert_to(entry.kind, 'UTF8')
    || coalesce(int4send(36) || convert_to(entry.transaction_id::text, 'UTF8'), null_field)
    || int4send(octet_length(delta)) || convert_to(delta, 'UTF8')
    || int4send(octet_length(balance_after)) || convert_to(balance_after, 'UTF8')
    || coalesce(int4send(36) || convert_to(entry.actor::text, 'UTF8'), null_field)
    || int4send(octet_length(recorded_at)) || convert_to(recorded_at, 'UTF8')
    || int4send(64) || convert_to(encode(entry.previous_hash, 'hex'), 'UTF8')
  );
end
$$;

create function ledger.check_entries(
  after_customer uuid, after_seq bigint, entries_max integer,
  out entries integer, out last_customer uuid, out last_seq bigint,
  out broken_customer uuid, out broken_seq bigint, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  -- Planned with its values: where to begin and how many decide which way is the short one.
  set plan_cache_mode = force_custom_plan
as $$
begin
  with portion as materialized (
    -- The entry before the first one comes along: what is checked is how each follows from the one before.
    select j.*, j as entry from ledger.journal j
    where after_customer is null or (j.user_id, j.seq) >= (after_customer, after_seq)
    order by j.user_id, j.seq
    limit entries_max + 1
  ),
  pairs as (
    select p.user_id, p.seq, p.delta, p.balance_after, p.recorded_at, p.previous_hash, p.hash, p.entry,
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
        -- What has no such time or amount cannot be hashed: it was never written by a posting.
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
  'Checks the next entries of all chains, in the order of customer and sequence, each against the one before it: sequence, link (previous hash), hash, sum (balance after), closed (an entry after the closing one). Answers how many, the last one, and the first broken one. Fewer than asked for means that these were the last.';
revoke execute on function ledger.check_entries(uuid, bigint, integer) from public;

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
  -- Whole customers, until they have so many entries between them. Null: all that are left.
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
  accounts as (
    select
      coalesce(h.user_id, b.user_id) as user_id,
      h.seq,
      case
        when b.user_id is null and h.kind <> 'closing' then 'account'
        when b.user_id is not null and h.kind = 'closing' then 'account'
        when coalesce(b.balance, 0) <> coalesce(h.balance_after, 0) then 'balance'
      end as fault
    from heads h
    full join (
      select * from public.budgets b
      where (after_customer is null or b.user_id > after_customer)
        and (last_customer is null or b.user_id <= last_customer)
    ) b on b.user_id = h.user_id
  ),
  postings as (
    select j.user_id, j.transaction_id, sum(j.delta) as net, max(j.seq) as seq,
           max(j.seq) filter (where j.kind = 'removal') as removed_at
    from ledger.journal j
    where (after_customer is null or j.user_id > after_customer)
      and (last_customer is null or j.user_id <= last_customer)
      and j.transaction_id is not null
    group by j.user_id, j.transaction_id
  ),
  movements as (
    select
      coalesce(p.user_id, t.user_id) as user_id,
      p.seq,
      case
        when p.user_id is null then 'unposted'
        -- In the list: all that was posted for it makes its amount, whatever happened in between.
        when t.id is not null and (p.net <> t.signed or p.seq = p.removed_at) then 'transaction'
        -- Not in the list: nothing of it is left in the balance, unless the bank recorded it or the account is closed.
        when t.id is null and p.net <> 0 and p.seq is distinct from p.removed_at and h.kind <> 'closing' then 'transaction'
      end as fault
    from postings p
    full join (
      select t.user_id, t.id, case t.type when 'deposit' then t.amount else -t.amount end as signed
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
  left join (select b.* from broken b order by b.user_id, b.seq limit 1) f on true;
end
$$;
comment on function ledger.check_balances(uuid, integer) is
  'Checks the next customers: account (a budget, or a closing entry, never both nor neither), balance (the budget against the last entry), transaction (a row of the list against what was posted for it), unposted (a row that never was). Answers how many, the last one (null: there are no more), and the first broken one with the entry that contradicts.';
revoke execute on function ledger.check_balances(uuid, integer) from public;

-- The server's daily check asks as the service; no client can, the schema is not among the table API's.
grant usage on schema ledger to service_role;
grant execute on function ledger.check_entries(uuid, bigint, integer), ledger.check_balances(uuid, integer) to service_role;
