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

create function ledger.require_own_balance(balance numeric, moved numeric) returns void
  language plpgsql immutable
  set search_path = ''
as $$
declare
  -- This limit is well above the minimum of budgets_balance_exact, so that the bank can still post its own debits.
  own_balance_min constant numeric := -1000000000000.00;
begin
  if moved < 0 and balance + moved < own_balance_min then
    raise exception 'Tus gastos no pueden dejar el saldo por debajo de un billón negativo.' using errcode = 'FZ402';
  end if;
end
$$;
comment on function ledger.require_own_balance(numeric, numeric) is
  'Refuses (FZ402) a customer''s own postings that would take their balance below -1,000,000,000,000.00. The argument `moved` is the sum of these postings in units of currency. ledger.post_all calls this function; callers that write other rows first call it before, with a balance that they have locked.';

create function ledger.post_all(customer uuid, postings ledger.posting[], is_own boolean default false)
  returns ledger.journal
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  balance_before numeric;
  noted_before numeric;
  posting ledger.posting;
  entry ledger.journal;
  entries ledger.journal[] := '{}';
  moved_by_notes numeric := 0::numeric;
  own_postings integer := 0;
  own_restorations integer := 0;
  own_edits integer := 0;
begin
  -- The only lock of a posting: it lets only one writer at a time post for a customer. FOR UPDATE would deadlock with the
  -- lock that the foreign key takes.
  select b.balance, b.noted into balance_before, noted_before
  from public.budgets b where b.user_id = customer for no key update;
  if not found then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;

  -- Must be a statement of its own, because it must see the entries of a writer for which the lock waited.
  select j.seq, j.hash into entry.seq, entry.hash
  from ledger.journal j where j.user_id = customer order by j.seq desc limit 1;

  entry.user_id := customer;
  entry.seq := coalesce(entry.seq, 0);
  entry.hash := coalesce(entry.hash, decode(repeat('00', 32), 'hex'));
  entry.balance_after := balance_before;
  entry.recorded_at := clock_timestamp();
  foreach posting in array postings loop
    entry.kind := posting.kind;
    entry.origin := posting.origin;
    entry.origin_id := posting.origin_id;
    entry.transaction_id := posting.transaction_id;
    entry.delta := posting.delta;
    entry.dated_at := posting.dated_at;
    -- Each of the two customers reads the posting of a transfer, and must not learn the id of the other one or of the
    -- administrator who approved it.
    entry.actor := case when entry.origin <> 'transfer' or entry.kind not in ('deposit', 'expense') then me end;
    entry.seq := entry.seq + 1;
    entry.balance_after := entry.balance_after + entry.delta;
    if ledger.is_note(entry.kind) then
      moved_by_notes := moved_by_notes + entry.delta;
    end if;
    case entry.kind
      -- Imports have a limit of their own.
      when 'note' then own_postings := own_postings + case entry.origin when 'import' then 0 else 1 end;
      when 'restoration' then own_restorations := own_restorations + 1;
      when 'edit' then own_edits := own_edits + 1;
      else null;
    end case;
    entry.previous_hash := entry.hash;
    entry.hash := ledger.entry_hash(entry);
    entries := entries || entry;
  end loop;

  if is_own then
    perform ledger.require_own_balance(balance_before, entry.balance_after - balance_before);
    if own_postings > 0 then
      perform private.consume('own posting', customer::text, own_postings);
    end if;
    if own_restorations > 0 then
      perform private.consume('own posting', customer::text, own_restorations, 2);
    end if;
    if own_edits > 0 then
      perform private.consume('edit', customer::text, own_edits);
    end if;
  end if;

  with posted as (
    insert into ledger.journal
      (
        user_id, seq, kind, origin, origin_id, transaction_id, delta, balance_after, actor, dated_at, recorded_at,
        previous_hash, hash
      )
    select
      e.user_id, e.seq, e.kind, e.origin, e.origin_id, e.transaction_id, e.delta, e.balance_after, e.actor, e.dated_at,
      e.recorded_at, e.previous_hash, e.hash
    from unnest(entries) e
  ), listed as (
    update private.listed_accounts a
    set balance = entry.balance_after, is_overdrawn = entry.balance_after < noted_before + moved_by_notes, last_at = n.last_at
    from (
      select coalesce((
        select t.date from public.transactions t where t.user_id = customer order by t.date desc, t.id desc limit 1
      ), '-infinity') as last_at
    ) n
    where a.user_id = customer
      and (a.balance, a.is_overdrawn, a.last_at)
        is distinct from (entry.balance_after, entry.balance_after < noted_before + moved_by_notes, n.last_at)
  )
  -- Updates the balance only once for all postings, because each update leaves a dead row version that the next update
  -- must skip.
  update public.budgets b
  set balance = entry.balance_after, noted = b.noted + moved_by_notes
  where b.user_id = customer and (entry.balance_after <> balance_before or moved_by_notes <> 0);
  return entry;
end
$$;
comment on function ledger.post_all(uuid, ledger.posting[], boolean) is
  'Appends postings to a customer''s chain in the given order and updates the customer''s balance, notes and row in private.listed_accounts, all under one row lock. Returns the last entry. Raises 23505 if a transaction was already posted. If is_own is true, the caller is the customer: refuses postings that exceed the limit "own posting" and edits that exceed the limit "edit" (PT429), and also raises the error of ledger.require_own_balance.';

create function ledger.close_account(person auth.users) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  remaining numeric;
begin
  select b.balance into remaining from public.budgets b where b.user_id = person.id for no key update;
  if found then
    -- An account needs no closing entry if its address was never confirmed and it has no postings.
    if person.email_confirmed_at is not null or exists (select from ledger.journal j where j.user_id = person.id) then
      perform ledger.post_all(person.id, array[row('closing', null, null, null, -remaining, null)::ledger.posting]);
    end if;
    -- The user's transactions are deleted after the budget, and deleting a transaction without a budget posts nothing.
    -- The server does not announce these deletions, because every session that could receive the announcements ends
    -- together with the account. Announcing the deletions took longer than all other steps of closing an account.
    perform set_config('realtime.skip_table', 'transactions', true);
    delete from public.budgets b where b.user_id = person.id;
  end if;
end
$$;
comment on function ledger.close_account(auth.users) is 'Posts a closing entry that writes off the remaining balance of a deleted user. Posts nothing for an account that was never confirmed and has no postings.';
