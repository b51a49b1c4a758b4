-- Functions of transactions: the lock of an account, the lowest balance, posting, and undoing a
-- deletion.

create function private.refuse_transaction_change() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  expected public.transactions;
begin
  -- Lists the columns that may change, so that columns added later are protected too.
  expected := old;
  expected.category := new.category;
  expected.is_void := new.is_void;
  if old.recorded_by = 'customer' then
    expected := jsonb_populate_record(expected, private.editable(new));
    expected.amount := new.amount;
    expected.date := new.date;
  elsif new.description <> old.description then
    raise exception 'La descripción es la del banco y no se puede cambiar.' using errcode = '42501';
  end if;
  if new is distinct from expected then
    raise exception 'Este dato del movimiento no se puede cambiar.' using errcode = '42501';
  end if;
  return new;
end
$$;
comment on function private.refuse_transaction_change() is
  'Allows every role to change only the columns category and is_void. If the customer recorded the transaction, its amount, its date and the columns of private.editable can also change. private.post_changed_transactions posts changes of amount or date.';

-- Every change of a customer's existing rows takes its locks in the same order: the user, then the budget, then the
-- rows. Closing an account also locks first the user and then the budget.

create function private.lock_account() returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform from auth.users u where u.id = (select auth.uid()) for key share;
  perform from public.budgets b where b.user_id = (select auth.uid()) for no key update;
  return found;
end
$$;
comment on function private.lock_account() is
  'Locks the caller''s account, so that only one writer at a time changes its rows. Must be called before any row is locked. Returns false if the account is closed. Inserts do not call this function, because an insert locks the budget last, when it posts.';
grant execute on function private.lock_account() to authenticated;

create function private.lock_open_account() returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.lock_account() then
    raise exception 'El cliente no tiene una cuenta abierta.' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.lock_open_account() is
  'Locks the caller''s account (private.lock_account). Raises PT404 if the account is closed. Of several concurrent calls by one customer that begin with this lock, only one runs at a time.';

create function private.lock_account_first() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_account();
  return null;
end
$$;
comment on function private.lock_account_first() is
  'Locks the account before a customer''s own statement locks rows, because the statement''s plan may lock the rows in any order. Functions that do not run with the caller''s rights call private.lock_account themselves if they need the lock.';

create function private.begin_change_of_limit() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.lock_account();
  perform private.consume('rows written', auth.uid()::text);
  return null;
end
$$;
comment on function private.begin_change_of_limit() is
  'Locks the account first, as private.lock_account_first does, and then counts the one row of the statement toward the limit "rows written". Runs before the statement, because the rows of a refused write stay in the database files until the next vacuum.';

create function private.begin_write() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_account();
  perform private.has_rows_left();
  return null;
end
$$;
comment on function private.begin_write() is
  'Locks the account first, as private.lock_account_first does, and then refuses a customer who has used up the limit "rows written".';

-- Written in PL/pgSQL, because an SQL function would set up its query for every row of an import.
create function private.is_possible_date(at timestamptz) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return at between now() - interval '10 years' and now() + interval '1 day';
end
$$;
comment on function private.is_possible_date(timestamptz) is 'Returns whether a new transaction may have this date.';

-- Runs once for each statement. A statement that inserts many rows therefore locks and updates the customer's balance
-- only once.
create function private.post_added_transactions() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer uuid;
  postings ledger.posting[];
  is_own boolean;
  has_impossible_date boolean;
  posted ledger.journal;
begin
  for customer, postings, is_own, has_impossible_date in
    select
      p.user_id,
      array_agg(row(p.kind, p.origin, p.origin_id, p.id, p.delta, p.dated_at)::ledger.posting order by p.date, p.id),
      bool_or(p.is_own),
      bool_or(p.has_impossible_date)
    from (
      select
        a.user_id, a.id, a.date, a.origin, a.origin_id,
        case
          when d.id is not null then 'restoration'
          when a.recorded_by = 'customer' and a.type = 'expense' then 'note'
          else a.type
        end as kind,
        coalesce(-d.delta, case a.type when 'deposit' then a.amount else -a.amount end) as delta,
        -- A correction is posted with the date of the mistake, so that both amounts cancel each other on the same day.
        coalesce(
          case when a.origin in ('correction', 'return') and d.id is null then (
            select c.dated_at from public.corrections c where c.user_id = a.user_id and c.id = a.id
          ) end,
          a.date
        ) as dated_at,
        a.recorded_by = 'customer' or d.id is not null as is_own,
        -- The range of dates is not a CHECK constraint, because a backup must remain restorable when its rows are more
        -- than ten years old.
        d.id is null and not private.is_possible_date(a.date) as has_impossible_date
      from added a
      -- Only restore_transaction sets restored_in; clients cannot. `limit 1` makes the planner look up the
      -- key, even if the table has grown since the plan was made.
      left join lateral (
        select kept.id, kept.delta from ledger.deleted_transactions kept
        where kept.user_id = a.user_id and kept.id = a.id and kept.restored_in = pg_current_xact_id() limit 1
      ) d on true
    ) p
    group by p.user_id
    order by p.user_id
  loop
    if has_impossible_date then
      raise exception 'La fecha debe estar entre hace diez años y mañana.' using errcode = '23514';
    end if;
    -- Transactions that the bank records, and rows that an operator's tool writes without an actor, are not the
    -- caller's own.
    posted := ledger.post_all(customer, postings, is_own and customer = auth.uid());
    if private.chosen_topics(customer) <> '{}' then
      perform private.tell_money(customer, array(
        select row(
          case
            -- private.tell_transfer reports transfers and their returns.
            when a.recorded_by = 'customer' or a.origin in ('transfer', 'return') then null
            -- A restored transaction is not new.
            when exists (
              select from ledger.deleted_transactions kept
              where kept.user_id = a.user_id and kept.id = a.id and kept.restored_in = pg_current_xact_id()
            ) then null
            when a.is_void then 'correction' when a.type = 'deposit' then 'deposit' else 'large_expense'
          end,
          case when a.type = 'expense' and not a.is_void then a.category end, a.amount, a.date
        )::private.money_news
        from added a where a.user_id = customer
      ), posted.balance_after - (select sum(p.delta) from unnest(postings) p), posted.balance_after);
    end if;
  end loop;
  return null;
end
$$;
comment on function private.post_added_transactions() is
  'Posts new transactions in order of date. For a restored transaction, posts the opposite of its deletion. Refuses dates outside the allowed range (23514), except for restored rows. Also raises the errors of ledger.post_all.';

create function private.post_removed_transactions() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer uuid;
  postings ledger.posting[];
begin
  for customer, postings in
    select
      r.user_id,
      array_agg(
        -- A customer cannot undo a posting of the bank: the row disappears from their list, but the balance does not
        -- change.
        case
          when r.recorded_by = 'bank' then row('removal', r.origin, r.origin_id, r.id, 0, r.date)::ledger.posting
          else row(
            'reversal', r.origin, r.origin_id, r.id, case r.type when 'deposit' then -r.amount else r.amount end, r.date
          )::ledger.posting
        end
        order by r.date, r.id
      )
    from removed r
    -- If the budget no longer exists, the account has been closed. The account's transactions are deleted with the
    -- account, and nothing is posted.
    join public.budgets b on b.user_id = r.user_id
    group by r.user_id
    order by r.user_id
  loop
    perform ledger.post_all(customer, postings);
    -- Clients choose the ids and may reuse them. This table stores only the latest deletion of each id.
    insert into ledger.deleted_transactions as d (user_id, id, "row", delta)
    select
      r.user_id, r.id, to_jsonb(r),
      case when r.recorded_by = 'bank' then 0 when r.type = 'deposit' then -r.amount else r.amount end
    from removed r where r.user_id = customer
    on conflict (user_id, id) do update
    set "row" = excluded."row", delta = excluded.delta, deleted_at = excluded.deleted_at;
  end loop;
  return null;
end
$$;
comment on function private.post_removed_transactions() is
  'Posts, in order of date, a reversal for each deleted expense that the customer had recorded and a removal for each deleted bank transaction. Copies the deleted rows to ledger.deleted_transactions.';

create function ledger.purge_deleted_transactions(rows_max integer) returns setof ledger.deleted_transactions
  language sql security definer
  set search_path = ''
as $$
  with expired as (
    delete from ledger.deleted_transactions where ctid = any (array(
      -- The order makes the planner use the index on the time, even if its statistics are old.
      select due.ctid from ledger.deleted_transactions due where due.deleted_at < now() - interval '24 hours'
      order by due.deleted_at limit rows_max for update skip locked
    ))
    returning *
  ), forgotten as (
    delete from public.transaction_edits e using expired x where e.user_id = x.user_id and e.transaction_id = x.id
  )
  select * from expired
$$;
comment on function ledger.purge_deleted_transactions(integer) is
  'Purges up to rows_max deleted transactions that their owners can no longer restore, with their edits, and returns them.';

create function public.restore_transaction(id uuid) returns public.transactions
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  kept jsonb;
  restored public.transactions;
begin
  -- Locks only the user here. The budget is locked after the transaction's row, as in an insert, because a late retry
  -- of the original insert may run at the same time.
  perform from auth.users u where u.id = customer for key share;

  update ledger.deleted_transactions d
  set restored_in = pg_current_xact_id()
  where d.user_id = customer and d.id = restore_transaction.id and d.deleted_at >= now() - interval '24 hours'
    and not exists (select from public.transactions t where t.user_id = d.user_id and t.id = d.id)
  returning d."row" into kept;
  if found then
    restored := jsonb_populate_record(restored, kept);
    -- The bank may have corrected its transaction since the deletion, or may be correcting it now. No other insert has
    -- the id of a transaction of the bank, so that the budget may be locked before the row.
    if restored.recorded_by = 'bank' then
      perform from public.budgets b where b.user_id = customer for no key update;
      restored.is_void := exists (select from private.void_at(customer) v where v.transaction_id = restored.id);
    end if;
    insert into public.transactions select restored.*;
    delete from ledger.deleted_transactions d where d.user_id = customer and d.id = restore_transaction.id;
    return restored;
  end if;

  -- If the answer to an earlier call was lost or the customer clicked twice, the row is already restored, and this call
  -- posts nothing.
  select t.* into restored from public.transactions t where t.user_id = customer and t.id = restore_transaction.id;
  if not found then
    -- The answer is the same for another customer's id, an unknown id and an expired id, so that it reveals nothing.
    raise exception 'Este movimiento ya no se puede recuperar.' using errcode = 'PT404';
  end if;
  return restored;
end
$$;
comment on function public.restore_transaction(uuid) is
  'Restores a transaction that the caller deleted in the last 24 hours, exactly as it was, and returns the row. Also returns the row if it has already been restored. Raises PT404 for every other id.';
grant execute on function public.restore_transaction(uuid) to authenticated;
