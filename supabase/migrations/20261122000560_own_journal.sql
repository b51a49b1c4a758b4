-- The customer's own view of their journal, and an explanation of their balance that is computed from it.

create view public.journal_entries with (security_invoker = true) as
select
  j.user_id,
  j.seq,
  j.kind,
  j.transaction_id,
  j.delta,
  j.balance_after,
  j.actor,
  j.dated_at,
  j.recorded_at,
  encode(j.previous_hash, 'hex') as previous_hash,
  encode(j.hash, 'hex') as hash
from ledger.journal j;

comment on view public.journal_entries is
  'The caller''s own chain, to be read in pages by seq. It has every field that ledger.entry_hash reads, so that the browser can recompute the hashes.';
comment on column public.journal_entries.user_id is 'The caller.';
comment on column public.journal_entries.seq is '1, 2, 3, … without gaps.';
comment on column public.journal_entries.kind is 'deposit, expense, amendment, edit, reversal, removal, restoration or closing.';
comment on column public.journal_entries.transaction_id is 'The transaction of the entry, which may have been deleted since.';
comment on column public.journal_entries.delta is 'Signed units of currency by which the balance moved.';
comment on column public.journal_entries.balance_after is 'Units of currency: the sum of all deltas up to and including this entry''s.';
comment on column public.journal_entries.actor is 'Id of the user who acted, the customer or an administrator; null for the system.';
comment on column public.journal_entries.dated_at is 'Date of the transaction. A correction has the date of its mistake. Null for an edit and a closing.';
comment on column public.journal_entries.recorded_at is 'When the entry was written, to the microsecond: the hash includes all six digits.';
comment on column public.journal_entries.previous_hash is 'The hash of the previous entry in hex; 64 zeros in the first entry.';
comment on column public.journal_entries.hash is 'The hash of this entry in hex, as ledger.entry_hash computes it.';

revoke all on public.journal_entries from public, anon, authenticated, service_role;
grant select on public.journal_entries to authenticated;

create type public.balance_explanation as (
  balance numeric,
  opening numeric,
  deposits numeric,
  expenses numeric,
  corrections numeric,
  void_ids uuid[],
  entries bigint,
  last_seq bigint,
  last_kind text,
  last_recorded_at timestamptz
);
comment on type public.balance_explanation is
  'The sums that explain a balance: opening + deposits + expenses + corrections = balance, to the last hundredth. All amounts are signed units of currency.';
comment on column public.balance_explanation.balance is 'The customer''s balance now.';
comment on column public.balance_explanation.opening is 'The opening balance, always 0: every account of this bank begins empty, and its chain at seq 1.';
comment on column public.balance_explanation.deposits is 'The sum of all postings of deposits, including deposits that left the customer''s list. Leaves out void pairs, each a mistake of the bank and its correction.';
comment on column public.balance_explanation.expenses is 'The sum of all postings of expenses, at most 0. Leaves out void pairs.';
comment on column public.balance_explanation.corrections is 'The net sum of the reversals of deleted and amended expenses, of their restorations and of their amendments.';
comment on column public.balance_explanation.void_ids is 'Ids of the transactions of void pairs. The browser needs them to verify the sums.';
comment on column public.balance_explanation.entries is 'Number of entries in the chain.';
comment on column public.balance_explanation.last_seq is 'Number of the latest entry; null without entries.';
comment on column public.balance_explanation.last_kind is 'Kind of the latest entry; null without entries.';
comment on column public.balance_explanation.last_recorded_at is 'When the latest entry was written; null without entries.';

-- In PL/pgSQL, because a later migration creates public.corrections.
create function private.explain_balance_of(customer uuid) returns setof public.balance_explanation
  language plpgsql stable
  set search_path = ''
as $$
begin
  -- One statement has one snapshot: the balance and its entries are from the same moment.
  return query
  with void as (
    select c.id from public.corrections c where c.user_id = customer
    union all
    select c.mistake_id from public.corrections c where c.user_id = customer
    group by c.mistake_id having count(*) % 2 = 1
  )
  select
    b.balance, 0::numeric, sums.deposits, sums.expenses, sums.corrections, array(select v.id from void v),
    sums.entries,
    latest.seq, latest.kind, latest.recorded_at
  from public.budgets b
  cross join lateral (
    select
      coalesce(sum(j.delta) filter (where j.kind = 'deposit' and v.id is null), 0) as deposits,
      coalesce(sum(j.delta) filter (where j.kind = 'expense' and v.id is null), 0) as expenses,
      coalesce(sum(j.delta) filter (where j.kind not in ('deposit', 'expense') or v.id is not null), 0) as corrections,
      count(*) as entries
    from public.journal_entries j
    left join void v on v.id = j.transaction_id
    where j.user_id = b.user_id
  ) sums
  left join lateral (
    select j.seq, j.kind, j.recorded_at
    from public.journal_entries j where j.user_id = b.user_id order by j.seq desc limit 1
  ) latest on true
  where b.user_id = customer;
end
$$;
comment on function private.explain_balance_of(uuid) is
  'Explains a customer''s balance by sums over their journal. Runs with the caller''s rights and returns no row without them.';
grant execute on function private.explain_balance_of(uuid) to authenticated;

create function public.explain_balance() returns public.balance_explanation
  language sql stable
  set search_path = ''
as $$
  select e from private.explain_balance_of((select auth.uid())) e
$$;
comment on function public.explain_balance() is
  'Explains the caller''s balance by sums over their own journal, with the caller''s own rights.';
revoke execute on function public.explain_balance() from public, anon, service_role;
grant execute on function public.explain_balance() to authenticated;


-- Revokes PUBLIC's default right: only the roles in the grants above may execute these functions.
revoke execute on all functions in schema private from public;
