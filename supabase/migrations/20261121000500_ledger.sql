-- The journal: every posting, reversal and removal, one chain for each customer, append-only for
-- everybody. It outlives the customer, so nothing in it refers to auth.users.

create schema ledger;
comment on schema ledger is 'What happened to money, for ever. Not reachable through the table API.';

create table ledger.journal (
  user_id uuid not null,
  seq bigint not null,
  kind text not null,
  transaction_id uuid,
  delta numeric not null,
  balance_after numeric not null,
  actor uuid,
  recorded_at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (user_id, seq),
  constraint journal_kind_known check (kind in ('deposit', 'expense', 'reversal', 'removal', 'closing'))
);
comment on table ledger.journal is 'Append-only; one row for each time that a customer''s balance moved or a bank-recorded transaction left their list.';
comment on column ledger.journal.user_id is 'Whose chain this is; the customer may be gone.';
comment on column ledger.journal.seq is '1, 2, 3, … for each customer, without gaps.';
comment on column ledger.journal.kind is 'deposit or expense: a new transaction. reversal: an own expense deleted. removal: a bank-recorded one taken out of the list. closing: the customer is gone.';
comment on column ledger.journal.transaction_id is 'The transaction that was posted, reversed or removed; null for a closing. It may be gone.';
comment on column ledger.journal.delta is 'Signed units of currency by which the balance moved; 0 for a removal.';
comment on column ledger.journal.balance_after is 'Units of currency: the sum of all deltas up to this one.';
comment on column ledger.journal.actor is 'Who did it; null for the system.';
comment on column ledger.journal.recorded_at is 'When it was written, to the microsecond; not when the money moved.';
comment on column ledger.journal.previous_hash is 'The hash of the row before; 32 zero bytes for the first one.';
comment on column ledger.journal.hash is 'SHA-256 over every other column, see ledger.entry_hash.';

alter table ledger.journal enable row level security;
alter table ledger.journal force row level security;

create function ledger.length_prefixed(variadic fields text[]) returns bytea
  language sql immutable
  set search_path = ''
as $$
  select string_agg(
    case
      when f is null then int4send(-1)
      else int4send(octet_length(convert_to(f, 'UTF8'))) || convert_to(f, 'UTF8')
    end,
    ''::bytea order by position
  )
  from unnest(fields) with ordinality as fields (f, position)
$$;
comment on function ledger.length_prefixed(text[]) is
  'Each field as four bytes of length (big-endian, -1 for null) and its UTF-8: no two lists of fields read the same.';

create function ledger.entry_hash(entry ledger.journal) returns bytea
  language sql immutable
  set search_path = ''
as $$
  select sha256(ledger.length_prefixed(
    entry.user_id::text,
    entry.seq::text,
    entry.kind,
    entry.transaction_id::text,
    to_char(entry.delta, 'FM999999999999990.00'),
    to_char(entry.balance_after, 'FM999999999999990.00'),
    entry.actor::text,
    (extract(epoch from entry.recorded_at) * 1000000)::bigint::text,
    encode(entry.previous_hash, 'hex')
  ))
$$;
comment on function ledger.entry_hash(ledger.journal) is
  'The hash that a journal row must carry. Amounts with two decimals, the time in microseconds since 1970, hashes in hex.';

create function ledger.post(customer uuid, kind text, transaction_id uuid, delta numeric) returns ledger.journal
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
comment on function ledger.post(uuid, text, uuid, numeric) is 'Appends to a customer''s chain and moves their balance, under one row lock; answers the entry.';
revoke execute on all functions in schema ledger from public;

create function ledger.refuse_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'The journal is append-only.' using errcode = '42501';
end
$$;
comment on function ledger.refuse_change() is 'For tables that only grow: whoever asks, the owner too.';
revoke execute on function ledger.refuse_change() from public;

create trigger journal_is_append_only
  before update or delete or truncate on ledger.journal
  for each statement execute function ledger.refuse_change();

create function ledger.close_account() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  remaining numeric;
begin
  select b.balance into remaining from public.budgets b where b.user_id = old.id for no key update;
  if found then
    -- An account that nobody confirmed and nobody posted to has no books to close.
    if old.email_confirmed_at is not null or exists (select from ledger.journal j where j.user_id = old.id) then
      perform ledger.post(old.id, 'closing', null, -remaining);
    end if;
    -- Without a budget the transactions that go with the user post nothing: the account is closed already.
    delete from public.budgets b where b.user_id = old.id;
  end if;
  return old;
end
$$;
comment on function ledger.close_account() is 'A deleted user leaves a closing entry behind; money that was there is written off in it. An account that was never confirmed nor posted to leaves nothing.';
revoke execute on function ledger.close_account() from public;

-- After `guard_authority` (triggers run in the order of their names): what is refused posts nothing.
create trigger guarded_close_account before delete on auth.users
  for each row execute function ledger.close_account();
