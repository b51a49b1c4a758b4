-- Functions of the journal: the hash of an entry, posting under the lock of the budget, and closing an account.

-- Repeats the encoding of ledger.length_prefixed inline, because calls of that function would make up a third of a
-- verification's running time.
create function ledger.entry_hash(entry ledger.journal) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
declare
  null_field constant bytea := int4send(-1);
  seq constant text := entry.seq;
  delta constant text := to_char(entry.delta, 'FM999999999999990.00');
  balance_after constant text := to_char(entry.balance_after, 'FM999999999999990.00');
  dated_at constant text := (extract(epoch from entry.dated_at) * 1000000)::bigint;
  recorded_at constant text := (extract(epoch from entry.recorded_at) * 1000000)::bigint;
begin
  return sha256(
    -- Ids have 36 characters, and hashes have 64.
    int4send(36) || convert_to(entry.user_id::text, 'UTF8')
    || int4send(octet_length(seq)) || convert_to(seq, 'UTF8')
    || int4send(octet_length(entry.kind)) || convert_to(entry.kind, 'UTF8')
    || coalesce(int4send(octet_length(entry.origin)) || convert_to(entry.origin, 'UTF8'), null_field)
    || coalesce(int4send(36) || convert_to(entry.origin_id::text, 'UTF8'), null_field)
    || coalesce(int4send(36) || convert_to(entry.transaction_id::text, 'UTF8'), null_field)
    || int4send(octet_length(delta)) || convert_to(delta, 'UTF8')
    || int4send(octet_length(balance_after)) || convert_to(balance_after, 'UTF8')
    || coalesce(int4send(36) || convert_to(entry.actor::text, 'UTF8'), null_field)
    || coalesce(int4send(octet_length(dated_at)) || convert_to(dated_at, 'UTF8'), null_field)
    || int4send(octet_length(recorded_at)) || convert_to(recorded_at, 'UTF8')
    || int4send(64) || convert_to(encode(entry.previous_hash, 'hex'), 'UTF8')
  );
end
$$;
comment on function ledger.entry_hash(ledger.journal) is
  'Computes the hash of a journal entry. Amounts are encoded with two decimals, times as microseconds since 1970, and hashes in hex.';

create type ledger.posting as (
  kind text, origin text, origin_id uuid, transaction_id uuid, delta numeric, dated_at timestamptz
);
comment on type ledger.posting is 'The fields of a journal entry that callers of ledger.post_all supply.';
comment on column ledger.posting.kind is 'Kind of the entry, as in ledger.journal.kind.';
comment on column ledger.posting.origin is 'Origin of the transaction; null for a closing.';
comment on column ledger.posting.origin_id is 'As in public.transactions.origin_id.';
comment on column ledger.posting.transaction_id is 'The transaction of the entry; null for a closing.';
comment on column ledger.posting.delta is 'Signed change of the balance in units of currency.';
comment on column ledger.posting.dated_at is 'As in ledger.journal.';

create function ledger.post_all(customer uuid, postings ledger.posting[]) returns ledger.journal
  language plpgsql security definer
  set search_path = ''
as $$
declare
  balance_before numeric;
  entry ledger.journal;
  entries ledger.journal[] := '{}';
  moved_by_notes numeric := 0;
begin
  -- Ensures that only one writer at a time posts for a customer. FOR UPDATE would deadlock with the lock that the
  -- foreign key takes.
  select b.balance into balance_before
  from public.budgets b where b.user_id = customer for no key update;
  if not found then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;

  select j.seq, j.hash into entry.seq, entry.hash
  from ledger.journal j where j.user_id = customer order by j.seq desc limit 1;

  entry.user_id := customer;
  entry.seq := coalesce(entry.seq, 0);
  entry.hash := coalesce(entry.hash, decode(repeat('00', 32), 'hex'));
  entry.balance_after := balance_before;
  entry.recorded_at := clock_timestamp();
  for entry.kind, entry.origin, entry.origin_id, entry.transaction_id, entry.delta, entry.dated_at in
    select p.kind, p.origin, p.origin_id, p.transaction_id, p.delta, p.dated_at from unnest(postings) p
  loop
    -- Each of the two customers reads the posting of a transfer, and must not learn the id of the other one or of the
    -- administrator who approved it.
    entry.actor := case
      when entry.origin = 'transfer' and entry.kind in ('deposit', 'expense') then null else (select auth.uid())
    end;
    entry.seq := entry.seq + 1;
    entry.balance_after := entry.balance_after + entry.delta;
    if ledger.is_note(entry.kind) then
      moved_by_notes := moved_by_notes + entry.delta;
    end if;
    entry.previous_hash := entry.hash;
    entry.hash := ledger.entry_hash(entry);
    entries := entries || entry;
  end loop;
  insert into ledger.journal
    (
      user_id, seq, kind, origin, origin_id, transaction_id, delta, balance_after, actor, dated_at, recorded_at,
      previous_hash, hash
    )
  select
    e.user_id, e.seq, e.kind, e.origin, e.origin_id, e.transaction_id, e.delta, e.balance_after, e.actor, e.dated_at,
    e.recorded_at, e.previous_hash, e.hash
  from unnest(entries) e;

  -- Updates the balance only once for all postings, because each update leaves a dead row version that the next update
  -- must skip.
  if entry.balance_after <> balance_before or moved_by_notes <> 0 then
    update public.budgets b
    set balance = entry.balance_after, noted = b.noted + moved_by_notes
    where b.user_id = customer;
  end if;
  return entry;
end
$$;
comment on function ledger.post_all(uuid, ledger.posting[]) is
  'Appends postings to a customer''s chain in the given order and updates the customer''s balance and notes, all under one row lock. Returns the last entry. Raises 23505 if a transaction was already posted.';

create function ledger.close_account() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  remaining numeric;
begin
  select b.balance into remaining from public.budgets b where b.user_id = old.id for no key update;
  if found then
    -- An account needs no closing entry if its address was never confirmed and it has no postings.
    if old.email_confirmed_at is not null or exists (select from ledger.journal j where j.user_id = old.id) then
      perform ledger.post_all(old.id, array[row('closing', null, null, null, -remaining, null)::ledger.posting]);
    end if;
    -- The user's transactions are deleted after the budget, and deleting a transaction without a budget posts nothing.
    -- The server does not announce these deletions, because every session that could receive the announcements ends
    -- together with the account. Announcing the deletions took longer than all other steps of closing an account.
    perform set_config('realtime.skip_table', 'transactions', true);
    delete from public.budgets b where b.user_id = old.id;
  end if;
  return old;
end
$$;
comment on function ledger.close_account() is 'Posts a closing entry that writes off the remaining balance of a deleted user. Posts nothing for an account that was never confirmed and has no postings.';

create function private.open_budget() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if exists (select from ledger.journal j where j.user_id = new.id and j.kind = 'closing') then
    raise exception 'The account of this id is closed.' using errcode = '23505', constraint = 'users_pkey';
  end if;
  insert into public.budgets (user_id) values (new.id) on conflict do nothing;
  return null;
end
$$;
comment on function private.open_budget() is
  'Creates the budget row of every new user. Refuses the id of a closed account with 23505, as if the id were in use.';

revoke execute on all functions in schema private, ledger from public;
