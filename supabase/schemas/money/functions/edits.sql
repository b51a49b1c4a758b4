-- Functions of edits: a customer changes the texts, the amount or the date of their own transaction.

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
        row(c.user_id, 0, c.id, null, c.texts_before, c.texts_after)::public.transaction_edits
      ) filter (where c.is_edited), '{}'),
      array_agg(row('edit', c.origin, c.origin_id, c.id, 0, null)::ledger.posting) filter (where c.is_edited),
      (count(*) filter (where not c.is_edited))::integer,
      coalesce(array_agg(row(
        null, c.texts_after ->> 'category',
        c.amount_after - case
          when c.texts_before ->> 'category' = c.texts_after ->> 'category' then c.amount_before else 0
        end,
        c.date_after
      )::private.money_news) filter (
        where c.sign < 0 and not c.is_void and (
          c.texts_before -> 'category' <> c.texts_after -> 'category' or c.amount_before < c.amount_after
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
        (array_agg(v.texts) filter (where v.is_before))[1] as texts_before,
        (array_agg(v.texts) filter (where not v.is_before))[1] as texts_after,
        (array_agg(v.texts) filter (where v.is_before)) <> (array_agg(v.texts) filter (where not v.is_before)) as is_edited
      from (
        select b.*, private.editable(row(b.*)::public.transactions) as texts, true as is_before from before b
        union all
        select a.*, private.editable(row(a.*)::public.transactions), false from after a
      ) v
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
      (user_id, seq, transaction_id, recorded_at, before, after)
    select
      e.user_id, posted.seq - cardinality(edits) + e.place, e.transaction_id, posted.recorded_at, e.before, e.after
    from unnest(edits) with ordinality as e (user_id, seq, transaction_id, recorded_at, before, after, place);
  end loop;
  return null;
end
$$;
comment on function private.post_changed_transactions() is
  'For each transaction with a new amount or date, posts a reversal of the old amount on the old date, and an amendment with the new amount on the new date. Then posts an entry for each edited transaction, and stores the columns of private.editable before and after the edit. Counts rows that the caller wrote without an edit toward the limit "rows written". Also raises the errors of ledger.post_all.';

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

create function private.refuse_changes(changes jsonb) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  known constant jsonb := private.editable(null) || '{"amount": null, "date": null}';
  refused text;
begin
  if jsonb_typeof(changes) is distinct from 'object' then
    raise exception 'Los cambios deben ser un objeto JSON.' using errcode = 'PT422';
  end if;
  select left(c.key, 50) into refused
  from jsonb_each(changes) c
  left join pg_catalog.pg_attribute a
    on a.attrelid = 'public.transactions'::regclass and a.attname = c.key and known ? c.key
  where a.attname is null or not case jsonb_typeof(c.value)
    when 'null' then not a.attnotnull
    when 'number' then a.atttypid = 'numeric'::regtype
    when 'string' then a.atttypid <> 'numeric'::regtype or c.value #>> '{}' ~ '^-?[0-9]+(\.[0-9]+)?$'
    else false
  end
  limit 1;
  if found then
    raise exception 'El campo «%» no existe o no admite este valor.', refused using errcode = 'PT422';
  end if;
end
$$;
comment on function private.refuse_changes(jsonb) is
  'Refuses (PT422) a value that is not an object, and every key except amount, date and the columns of private.editable. Also refuses null in a column that is never null, and a value of the wrong kind.';

create function public.amend_expense(id uuid, changes jsonb) returns public.transactions
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  stored public.transactions;
  amended public.transactions;
begin
  perform private.refuse_changes(changes);
  perform private.lock_account();
  select t.* into stored from public.transactions t where t.user_id = customer and t.id = amend_expense.id;
  if not found then
    -- The answer is the same for another customer's id and for an unknown id, so that it reveals nothing.
    raise exception 'Este movimiento ya no está en tu lista.' using errcode = 'PT404';
  end if;
  if stored.recorded_by <> 'customer' then
    raise exception 'Lo registró el banco.' using errcode = 'PT403';
  end if;
  amended := jsonb_populate_record(stored, changes);
  -- A retry finds that its first call has already made the change.
  if amended is not distinct from stored then
    return stored;
  end if;
  -- The limits are checked before the update, because a refused row version would stay in the database files until the
  -- next vacuum.
  if (amended.amount, amended.date) is distinct from (stored.amount, stored.date) then
    if not private.is_possible_date(amended.date)
      -- An undo is allowed to restore an earlier date of the transaction, even if that date is now more than ten years
      -- old.
      and not exists (
        select from ledger.journal j
        where j.user_id = customer and j.transaction_id = stored.id and j.dated_at = amended.date
      )
    then
      raise exception 'La fecha debe estar entre hace diez años y mañana.' using errcode = '23514';
    end if;
    perform ledger.require_own_balance(
      (select b.balance from public.budgets b where b.user_id = customer), stored.amount - amended.amount
    );
    perform private.consume('own posting', customer::text, 1, 2);
  end if;
  if private.editable(amended) is distinct from private.editable(stored) then
    perform private.require_edits(1);
  end if;
  -- private.refuse_changes has checked the keys, which are the columns to set.
  execute (
    select format(
      'update public.transactions t set %s where t.user_id = $1.user_id and t.id = $1.id returning t.*',
      string_agg(format('%1$I = $1.%1$I', c.key), ', ')
    )
    from jsonb_object_keys(changes) c (key)
  ) into amended using amended;
  return amended;
end
$$;
comment on function public.amend_expense(uuid, jsonb) is
  'Changes an expense that the caller recorded, and returns its row. The argument changes is an object with the new values of amount, date and the columns of private.editable. A column that is missing from the object does not change, and null removes a value that may be missing. A new amount or date adds a reversal and an amendment to the journal, and a new value of another column adds an edit. A call with the current values changes nothing. Raises PT404 for an unknown transaction, PT403 for a bank transaction, PT422 for an invalid object and 23514 for an invalid value. Raises PT429 and FZ402 for the same reasons as a new expense.';
grant execute on function public.amend_expense(uuid, jsonb) to authenticated;
