-- An expense that a customer sends twice is recorded once: the client chooses the row's id, and a retry is a
-- duplicate. That must hold for ever, not only while the row is there: a retry that comes after the deletion
-- would take the money again, and two postings of one id could not be told apart when the ledger is verified.

-- Not a unique one: before this, an id that was deleted could be used again, and the journal keeps both for ever.
-- In the order of the chain, so that the last entry of a transaction is found without its customer's history.
create index journal_by_transaction on ledger.journal (user_id, transaction_id, seq);
comment on index ledger.journal_by_transaction is 'Whether a transaction was posted before (ledger.post refuses the second time; it comes back by a restoration), and what happened to it last.';

create or replace function ledger.post(customer uuid, kind text, transaction_id uuid, delta numeric) returns ledger.journal
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry ledger.journal;
begin
  -- One writer at a time for each customer. FOR UPDATE would deadlock with the foreign key's own lock.
  select b.balance into entry.balance_after
  from public.budgets b where b.user_id = customer for no key update;
  if not found then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'P0002';
  end if;

  -- Under the lock: whoever posts for the same customer at this moment comes before or after.
  if kind in ('deposit', 'expense') and exists (
    select from ledger.journal j
    where j.user_id = customer and j.transaction_id = post.transaction_id and j.kind in ('deposit', 'expense')
  ) then
    raise exception 'A transaction is posted once.' using errcode = '23505', constraint = 'journal_posts_once';
  end if;

  select j.seq, j.hash into entry.seq, entry.previous_hash
  from ledger.journal j where j.user_id = customer order by j.seq desc limit 1;

  entry.user_id := customer;
  entry.seq := coalesce(entry.seq, 0) + 1;
  entry.kind := kind;
  entry.transaction_id := transaction_id;
  entry.delta := delta;
  entry.balance_after := entry.balance_after + delta;
  entry.actor := (select auth.uid());
  entry.recorded_at := clock_timestamp();
  entry.previous_hash := coalesce(entry.previous_hash, decode(repeat('00', 32), 'hex'));
  entry.hash := ledger.entry_hash(entry);
  insert into ledger.journal select entry.*;

  if delta <> 0 then
    update public.budgets b set balance = entry.balance_after where b.user_id = customer;
  end if;
  return entry;
end
$$;
comment on function ledger.post(uuid, text, uuid, numeric) is
  'Appends to a customer''s chain and moves their balance, under one row lock; answers the entry. 23505 for a transaction that was posted before.';
