-- Functions of edits: a customer changes the text, the category, the amount or the date of their own transaction.

create function ledger.refuse_to_forget_edits() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if exists (
    select from removed r
    join public.budgets b on b.user_id = r.user_id
    where exists (select from public.transactions t where t.user_id = r.user_id and t.id = r.transaction_id)
      or exists (select from ledger.deleted_transactions d where d.user_id = r.user_id and d.id = r.transaction_id)
  ) then
    raise exception 'The % is append-only.', tg_table_name using errcode = '42501';
  end if;
  return null;
end
$$;
comment on function ledger.refuse_to_forget_edits() is
  'While the account is open, refuses to delete the edits of a transaction that exists or can be restored. The refusal also applies to the table''s owner.';

-- A statement trigger calls this function, because public.apply_category_rule changes many transactions in one
-- statement.
create function private.post_changed_transactions() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer uuid;
  amendments ledger.posting[];
  edits public.transaction_edits[];
  postings ledger.posting[];
  unchanged integer;
  is_own boolean;
  amended ledger.journal;
  posted ledger.journal;
  grown private.money_news[];
begin
  for customer, amendments, edits, postings, unchanged, grown in
    select
      c.user_id,
      array_agg(array[
        row('reversal', c.origin, c.origin_id, c.id, -c.sign * c.amount_before, c.date_before)::ledger.posting,
        row('amendment', c.origin, c.origin_id, c.id, c.sign * c.amount_after, c.date_after)::ledger.posting
      ]) filter (where c.amount_before <> c.amount_after or c.date_before <> c.date_after),
      coalesce(array_agg(
        row(
          c.user_id, 0, c.id, null, c.description_before, c.description_after, c.category_before, c.category_after
        )::public.transaction_edits
      ) filter (where c.is_edited), '{}'),
      array_agg(row('edit', c.origin, c.origin_id, c.id, 0, null)::ledger.posting) filter (where c.is_edited),
      (count(*) filter (where not c.is_edited))::integer,
      coalesce(array_agg(row(
        null, c.category_after,
        c.amount_after - case when c.category_before = c.category_after then c.amount_before else 0 end, c.date_after
      )::private.money_news) filter (
        where c.sign < 0 and not c.is_void and (
          c.category_before is distinct from c.category_after or c.amount_before < c.amount_after
        )
      ), '{}')
    from (
      -- Pairs the old and new version of each row by grouping. A join that was planned for a single row could become a
      -- nested loop over thousands of rows. Each aggregate sees a single value, so that no texts are compared.
      select
        v.user_id, v.id,
        min(v.origin) filter (where v.is_before) as origin,
        (min(v.origin_id::text) filter (where v.is_before))::uuid as origin_id,
        case min(v.type) filter (where v.is_before) when 'deposit' then 1 else -1 end as sign,
        bool_or(v.is_void) filter (where not v.is_before) as is_void,
        min(v.amount) filter (where v.is_before) as amount_before,
        min(v.amount) filter (where not v.is_before) as amount_after,
        min(v.date) filter (where v.is_before) as date_before,
        min(v.date) filter (where not v.is_before) as date_after,
        min(v.description) filter (where v.is_before) as description_before,
        min(v.description) filter (where not v.is_before) as description_after,
        min(v.category) filter (where v.is_before) as category_before,
        min(v.category) filter (where not v.is_before) as category_after,
        (min(v.description) filter (where v.is_before), min(v.category) filter (where v.is_before)) is distinct from
          (min(v.description) filter (where not v.is_before), min(v.category) filter (where not v.is_before)) as is_edited
      from (select b.*, true as is_before from before b union all select a.*, false from after a) v
      group by v.user_id, v.id
      -- Sorted once, and not once for each of the arrays.
      order by v.user_id, min(v.date) filter (where v.is_before), v.id
    ) c
    group by c.user_id
    order by c.user_id
  loop
    is_own := customer = auth.uid();
    if is_own and unchanged > 0 then
      perform private.consume('rows written', customer::text, unchanged);
    end if;
    amended := null;
    if amendments is not null then
      amended := ledger.post_all(customer, amendments, is_own);
    end if;
    if private.chosen_topics(customer) <> '{}' then
      perform private.tell_money(
        customer, grown, amended.balance_after - (select sum(a.delta) from unnest(amendments) a), amended.balance_after
      );
    end if;
    if cardinality(edits) = 0 then
      continue;
    end if;
    posted := ledger.post_all(customer, postings, is_own);
    insert into public.transaction_edits
      (user_id, seq, transaction_id, recorded_at, description_before, description_after, category_before, category_after)
    select
      e.user_id, posted.seq - cardinality(edits) + e.place, e.transaction_id, posted.recorded_at,
      e.description_before, e.description_after, e.category_before, e.category_after
    from unnest(edits) with ordinality as e (
      user_id, seq, transaction_id, recorded_at, description_before, description_after, category_before, category_after, place
    );
  end loop;
  return null;
end
$$;
comment on function private.post_changed_transactions() is
  'For each transaction with a new amount or date, posts a reversal of the old amount on the old date, and an amendment with the new amount on the new date. Then posts an entry for each edited transaction, and stores the old and new description and category. Counts rows that the caller wrote without an edit toward the limit "rows written". Also raises the errors of ledger.post_all.';

create function private.require_edits(added integer) returns void
  language sql security definer
  set search_path = ''
as $$
  select private.consume('edit', (select auth.uid())::text, added, only_checks => true)
$$;
comment on function private.require_edits(integer) is
  'Refuses (PT429) the given number of additional edits if the caller would exceed the limit "edit". Must be called before the first edit is written.';
grant execute on function private.require_edits(integer) to authenticated;

-- Amount and date ---------------------------------------------------------------------------------------------

create function public.amend_expense(
  id uuid, amount numeric default null, date timestamptz default null, description text default null, category text default null
) returns public.transactions
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  amended public.transactions;
begin
  perform private.lock_account();
  select t.* into amended from public.transactions t where t.user_id = customer and t.id = amend_expense.id;
  if not found then
    -- The answer is the same for another customer's id and for an unknown id, so that it reveals nothing.
    raise exception 'Este movimiento ya no está en tu lista.' using errcode = 'PT404';
  end if;
  if amended.recorded_by <> 'customer' then
    raise exception 'Lo registró el banco.' using errcode = 'PT403';
  end if;
  amount := coalesce(amend_expense.amount, amended.amount);
  date := coalesce(amend_expense.date, amended.date);
  description := coalesce(amend_expense.description, amended.description);
  category := nullif(coalesce(amend_expense.category, amended.category), '');
  -- A retry finds that its first call has already made the change.
  if (amended.amount, amended.date, amended.description, amended.category)
    is not distinct from (amend_expense.amount, amend_expense.date, amend_expense.description, amend_expense.category)
  then
    return amended;
  end if;
  -- The limits are checked before the update, because a refused row version would stay in the database files until the
  -- next vacuum.
  if (amended.amount, amended.date) is distinct from (amend_expense.amount, amend_expense.date) then
    if not private.is_possible_date(amend_expense.date)
      -- An undo is allowed to restore an earlier date of the transaction, even if that date is now more than ten years
      -- old.
      and not exists (
        select from ledger.journal j
        where j.user_id = customer and j.transaction_id = amended.id and j.dated_at = amend_expense.date
      )
    then
      raise exception 'La fecha debe estar entre hace diez años y mañana.' using errcode = '23514';
    end if;
    perform ledger.require_own_balance(
      (select b.balance from public.budgets b where b.user_id = customer), amended.amount - amend_expense.amount
    );
    perform private.consume('own posting', customer::text, 1, 2);
  end if;
  if (amended.description, amended.category) is distinct from (amend_expense.description, amend_expense.category) then
    perform private.require_edits(1);
  end if;
  update public.transactions t
  set amount = amend_expense.amount, date = amend_expense.date,
    description = amend_expense.description, category = amend_expense.category
  where t.user_id = customer and t.id = amended.id
  returning t.* into amended;
  return amended;
end
$$;
comment on function public.amend_expense(uuid, numeric, timestamptz, text, text) is
  'Sets the given values of an expense that the caller recorded, and returns its row. A field whose argument is null does not change, and an empty category removes the category. The id does not change. A new amount or date adds a reversal and an amendment to the journal, and a new description or category adds an edit. A call with the current values changes nothing. Raises PT404 for an unknown transaction, PT403 for a bank transaction and 23514 for an invalid value. Raises PT429 and FZ402 for the same reasons as a new expense.';
grant execute on function public.amend_expense(uuid, numeric, timestamptz, text, text) to authenticated;
