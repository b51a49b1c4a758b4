-- A view of the customer's own journal, and an explanation of their balance that is computed from the journal.

create view public.journal_entries with (security_invoker = true) as
select
  j.user_id,
  j.seq,
  j.kind,
  j.origin,
  j.origin_id,
  j.transaction_id,
  j.delta,
  j.balance_after,
  j.actor,
  j.dated_at,
  j.recorded_at,
  encode(j.previous_hash, 'hex') as previous_hash,
  encode(j.hash, 'hex') as hash,
  j.is_note
from ledger.journal j;

comment on view public.journal_entries is
  'The caller''s own journal entries. Clients read the rows in pages, ordered by seq. The view has every field that ledger.entry_hash reads, so that the browser can recompute the hashes.';
comment on column public.journal_entries.user_id is 'The caller.';
comment on column public.journal_entries.seq is '1, 2, 3, … without gaps.';
comment on column public.journal_entries.kind is 'deposit, expense, note, amendment, edit, reversal, removal, restoration or closing.';
comment on column public.journal_entries.origin is 'Origin of the transaction, as in transactions.origin; null for a closing.';
comment on column public.journal_entries.origin_id is 'As in transactions.origin_id; null for a closing and for the origin own.';
comment on column public.journal_entries.transaction_id is 'The transaction that the entry concerns. This transaction may have been deleted since.';
comment on column public.journal_entries.delta is 'Signed change of the balance in units of currency.';
comment on column public.journal_entries.balance_after is 'The balance after this entry, in units of currency: the sum of all deltas up to and including this entry.';
comment on column public.journal_entries.actor is 'Id of the customer or administrator who made the change; null if the system made it, and for a transfer.';
comment on column public.journal_entries.dated_at is 'Date of the transaction. A correction has the same date as the mistake that it corrects. Null for an edit and for a closing.';
comment on column public.journal_entries.recorded_at is 'Time at which the entry was written, to the microsecond. The hash covers all six decimals of the seconds.';
comment on column public.journal_entries.previous_hash is 'The hash of the previous entry in hex; 64 zeros in the first entry.';
comment on column public.journal_entries.hash is 'The hash of this entry in hex, as ledger.entry_hash computes it.';
comment on column public.journal_entries.is_note is 'Whether the entry records the customer''s own change to their list. The bank posted all other entries.';

grant select on public.journal_entries to authenticated;

create function private.void_at(customer uuid, until_seq bigint default null)
  returns table (transaction_id uuid, is_correction boolean)
  language sql stable
  set search_path = ''
as $$
  with known as (
    select c.id, c.corrected_id, c.mistake_id, c.makes_void from public.corrections c
    where c.user_id = customer and (until_seq is null or exists (
      select from public.journal_entries j
      where j.user_id = customer and j.transaction_id = c.id and j.seq <= until_seq
    ))
  )
  select k.id, true from known k
  union all
  select k.mistake_id, false from known k
  where k.makes_void and not exists (select from known later where later.corrected_id = k.id)
$$;
comment on function private.void_at(uuid, bigint) is
  'Returns a customer''s void transactions: all corrections, and each mistake whose last correction makes it void. With until_seq, returns them as of this entry of the journal. Runs with the caller''s rights.';
grant execute on function private.void_at(uuid, bigint) to authenticated;

create type public.balance_explanation as (
  balance numeric,
  opening numeric,
  deposits numeric,
  expenses numeric,
  corrections numeric,
  booked numeric,
  noted numeric,
  void_ids uuid[],
  entries bigint,
  last_seq bigint,
  last_kind text,
  last_recorded_at timestamptz
);
comment on type public.balance_explanation is
  'The sums that explain a balance: opening + deposits + expenses + corrections equals the balance, and booked + noted also equals the balance. All amounts are signed units of currency.';
comment on column public.balance_explanation.balance is 'The customer''s balance now.';
comment on column public.balance_explanation.opening is 'The opening balance. Always 0, because every account starts empty and every chain starts at seq 1.';
comment on column public.balance_explanation.deposits is 'The sum of all postings of deposits, including deposits that the customer removed from their list. Excludes void pairs: a mistake of the bank and its correction form one pair.';
comment on column public.balance_explanation.expenses is 'The sum of all postings of expenses; zero or negative. Excludes void pairs.';
comment on column public.balance_explanation.corrections is 'The net sum of all reversals, restorations and amendments of expenses. Also includes void pairs, which add up to zero.';
comment on column public.balance_explanation.booked is 'The balance according to the bank: the sum of the bank''s postings. The customer''s own changes to their list do not affect this balance.';
comment on column public.balance_explanation.noted is 'The sum of the customer''s own notes, including the deletions, restorations and amendments of these notes; zero or negative.';
comment on column public.balance_explanation.void_ids is 'Ids of all transactions in void pairs. The browser needs these ids to verify the sums.';
comment on column public.balance_explanation.entries is 'Number of entries in the chain.';
comment on column public.balance_explanation.last_seq is 'Number of the latest entry; null if the chain is empty.';
comment on column public.balance_explanation.last_kind is 'Kind of the latest entry; null if the chain is empty.';
comment on column public.balance_explanation.last_recorded_at is 'Time at which the latest entry was written; null if the chain is empty.';

create function private.explain_balance_of(customer uuid) returns setof public.balance_explanation
  language sql stable
  set search_path = ''
as $$
  -- A single statement uses a single snapshot. The balance is therefore consistent with the entries.
  with void as (
    select v.transaction_id as id from private.void_at(customer) v
  )
  select
    b.balance, 0::numeric, sums.deposits, sums.charges + sums.notes, sums.bank_corrections + sums.own_corrections,
    sums.deposits + sums.charges + sums.bank_corrections, sums.notes + sums.own_corrections, array(select v.id from void v),
    sums.entries,
    latest.seq, latest.kind, latest.recorded_at
  from public.budgets b
  cross join lateral (
    -- Adds each entry to only one of the sums, because every sum over a long history takes time.
    select
      coalesce(sum(j.delta) filter (where j.kind = 'deposit' and v.id is null), 0) as deposits,
      coalesce(sum(j.delta) filter (where j.kind = 'expense' and v.id is null), 0) as charges,
      coalesce(sum(j.delta) filter (where j.is_note and j.kind = 'note' and v.id is null), 0) as notes,
      coalesce(sum(j.delta) filter (
        where not j.is_note and (v.id is not null or j.kind = 'closing')
      ), 0) as bank_corrections,
      coalesce(sum(j.delta) filter (where j.is_note and (v.id is not null or j.kind <> 'note')), 0) as own_corrections,
      count(*) as entries
    from public.journal_entries j
    left join void v on v.id = j.transaction_id
    where j.user_id = b.user_id
  ) sums
  left join lateral (
    select j.seq, j.kind, j.recorded_at
    from public.journal_entries j where j.user_id = b.user_id order by j.seq desc limit 1
  ) latest on true
  where b.user_id = customer
$$;
comment on function private.explain_balance_of(uuid) is
  'Explains a customer''s balance by sums that are computed from their journal. Runs with the caller''s rights, and returns no row if the caller is not allowed to read the account.';
grant execute on function private.explain_balance_of(uuid) to authenticated;

create function public.explain_balance() returns public.balance_explanation
  language sql stable
  set search_path = ''
as $$
  select e from private.explain_balance_of((select auth.uid())) e
$$;
comment on function public.explain_balance() is
  'Explains the caller''s balance by sums that are computed from their own journal. Runs with the caller''s rights.';
grant execute on function public.explain_balance() to authenticated;
