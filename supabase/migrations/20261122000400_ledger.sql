-- The journal: every posting, reversal and removal, one chain for each customer, append-only for
-- every role. It outlives the customer, so nothing in it refers to auth.users.

create schema ledger;
comment on schema ledger is 'The permanent record of money. Not reachable through the table API.';

-- The server's daily check asks as the service; no client can, the schema is not among the table API's.
grant usage on schema ledger to service_role;

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
  constraint journal_kind_known check (kind in ('deposit', 'expense', 'edit', 'reversal', 'removal', 'restoration', 'closing'))
);

-- Not unique: a posting, its edits, its reversal and its restoration name one transaction. In the order of the chain, so that the last entry of a transaction is found without its customer's history.
create index journal_by_transaction on ledger.journal (user_id, transaction_id, seq);
comment on index ledger.journal_by_transaction is 'Whether a transaction was posted before (ledger.post refuses the second time; it comes back by a restoration), and what happened to it last.';

comment on table ledger.journal is 'Append-only; one row for each time that a customer''s balance moved, a bank-recorded transaction left their list or the words of a transaction changed.';
comment on column ledger.journal.user_id is 'The owner of the chain; the customer may be gone.';
comment on column ledger.journal.seq is '1, 2, 3, … for each customer, without gaps.';
comment on column ledger.journal.kind is
  'deposit or expense: a new transaction. edit: its words changed, see ledger.transaction_edits. reversal: an own expense deleted. removal: a bank-recorded one taken out of the list. restoration: either of the two taken back. closing: the customer is gone.';
comment on column ledger.journal.transaction_id is
  'The transaction that was posted, edited, reversed, removed or restored; null for a closing. It may be gone.';
comment on column ledger.journal.delta is
  'Signed units of currency by which the balance moved; 0 for an edit, a removal and its restoration.';
comment on column ledger.journal.balance_after is 'Units of currency: the sum of all deltas up to this one.';
comment on column ledger.journal.actor is 'The person that acted; null for the system.';
comment on column ledger.journal.recorded_at is 'When it was written, to the microsecond; not when the money moved.';
comment on column ledger.journal.previous_hash is 'The hash of the row before; 32 zero bytes for the first one.';
comment on column ledger.journal.hash is 'SHA-256 over every other column, see ledger.entry_hash.';

alter table ledger.journal enable row level security, force row level security;
grant select on ledger.journal to authenticated;

create policy "customers read their own journal" on ledger.journal
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own journal" on ledger.journal is
  'Through public.journal_entries alone: requests cannot name the schema. Administrators, too, read only their own.';

-- In PL/pgSQL: as a query it would be started anew for every entry, and take twice the time.
create function ledger.length_prefixed(variadic fields text[]) returns bytea
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
comment on function ledger.length_prefixed(text[]) is
  'Each field as four bytes of length (big-endian, -1 for null) and its UTF-8: no two lists of fields read the same.';

-- The encoding of ledger.length_prefixed written out: a call and a loop for each entry are a third of a verification.
create function ledger.entry_hash(entry ledger.journal) returns bytea
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
comment on function ledger.entry_hash(ledger.journal) is
  'The hash that a journal row must carry. Amounts with two decimals, the time in microseconds since 1970, hashes in hex.';

create type ledger.posting as (kind text, transaction_id uuid, delta numeric);
comment on type ledger.posting is 'The parts of an entry of the journal, before it has its place in a chain.';
comment on column ledger.posting.kind is 'Kind of the entry, one of ledger.journal.kind.';
comment on column ledger.posting.transaction_id is 'The transaction that it is about; null for a closing.';
comment on column ledger.posting.delta is 'Signed units of currency by which the balance moves.';

create function ledger.post_all(customer uuid, postings ledger.posting[]) returns ledger.journal
  language plpgsql security definer
  set search_path = ''
as $$
declare
  balance_before numeric;
  entry ledger.journal;
  entries ledger.journal[] := '{}';
begin
  -- One writer at a time for each customer. FOR UPDATE would deadlock with the foreign key's own lock.
  select b.balance into balance_before
  from public.budgets b where b.user_id = customer for no key update;
  if not found then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;

  -- Under the lock: a concurrent posting for the same customer comes before or after.
  if exists (
    select from unnest(postings) p
    where p.kind in ('deposit', 'expense')
      -- With a limit: it is looked up for each posting, where a join may read the customer's whole chain.
      and (
        select true from ledger.journal j
        where j.user_id = customer and j.transaction_id = p.transaction_id and j.kind in ('deposit', 'expense')
        limit 1
      )
  ) then
    raise exception 'A transaction is posted once.' using errcode = '23505', constraint = 'journal_posts_once';
  end if;

  select j.seq, j.hash into entry.seq, entry.hash
  from ledger.journal j where j.user_id = customer order by j.seq desc limit 1;

  entry.user_id := customer;
  entry.seq := coalesce(entry.seq, 0);
  entry.hash := coalesce(entry.hash, decode(repeat('00', 32), 'hex'));
  entry.balance_after := balance_before;
  entry.actor := (select auth.uid());
  entry.recorded_at := clock_timestamp();
  for entry.kind, entry.transaction_id, entry.delta in
    select p.kind, p.transaction_id, p.delta from unnest(postings) p
  loop
    entry.seq := entry.seq + 1;
    entry.balance_after := entry.balance_after + entry.delta;
    entry.previous_hash := entry.hash;
    entry.hash := ledger.entry_hash(entry);
    entries := entries || entry;
  end loop;
  insert into ledger.journal select e.* from unnest(entries) e;

  -- Once: each update leaves a version of the row behind, which the next one would have to step over.
  if entry.balance_after <> balance_before then
    update public.budgets b set balance = entry.balance_after where b.user_id = customer;
  end if;
  return entry;
end
$$;
comment on function ledger.post_all(uuid, ledger.posting[]) is
  'Appends to a customer''s chain in this order and moves their balance, under one row lock; returns the last entry. 23505 for a transaction that was posted before.';

create function ledger.post(customer uuid, kind text, transaction_id uuid, delta numeric) returns ledger.journal
  language sql
  set search_path = ''
as $$
  select ledger.post_all(customer, array[row(kind, transaction_id, delta)::ledger.posting])
$$;
comment on function ledger.post(uuid, text, uuid, numeric) is 'One entry, as ledger.post_all appends it.';

create function ledger.refuse_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'The % is append-only.', tg_table_name using errcode = '42501';
end
$$;
comment on function ledger.refuse_change() is 'For append-only tables; holds for their owner too.';

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
    -- An account without confirmation and without postings has no books to close.
    if old.email_confirmed_at is not null or exists (select from ledger.journal j where j.user_id = old.id) then
      perform ledger.post(old.id, 'closing', null, -remaining);
    end if;
    -- Without a budget the transactions that go with the user post nothing: the account is closed already. Nor are they
    -- announced one by one, which took longer than all else: the sessions that could listen end with the account.
    perform set_config('realtime.skip_table', 'transactions', true);
    delete from public.budgets b where b.user_id = old.id;
  end if;
  return old;
end
$$;
comment on function ledger.close_account() is 'A deleted user leaves a closing entry behind; money that was there is written off in it. An account that was never confirmed nor posted to leaves nothing.';

-- After `guard_authority` (triggers run in the order of their names), so that a refused statement posts nothing.
create trigger guarded_close_account before delete on auth.users
  for each row execute function ledger.close_account();

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
  'Every user has a budget from the first moment. The id of a closed account is refused like a taken one (23505).';

create trigger open_budget after insert on auth.users
  for each row execute function private.open_budget();

-- Functions are for the roles that they are granted to by name.
revoke execute on all functions in schema private, ledger from public;
