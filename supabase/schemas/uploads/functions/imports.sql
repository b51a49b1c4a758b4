-- Functions of imports.

create function private.forget_import_descriptions(gone ledger.deleted_transactions[]) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.import_lines l set description = null
  from unnest(gone) g where l.user_id = g.user_id and l.transaction_id = g.id
$$;
comment on function private.forget_import_descriptions(ledger.deleted_transactions[]) is
  'Deletes the descriptions of imported transactions that their owners can no longer restore. The date and amount stay because the journal also has them, and the reference stays because it is not free text.';

create function private.read_import(body json)
  returns table (line bigint, description text, amount numeric, date timestamptz, category text, reference text)
  language sql stable
  set search_path = ''
as $$
  with lines as materialized (
    select
      l.*,
      case when l.date ~ '^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' then
        make_date(left(l.date, 4)::integer, substr(l.date, 6, 2)::integer, 1) + right(l.date, 2)::integer - 1
      end as day
    from rows from (
      json_to_recordset(body) as (date text, description text, amount jsonb, category text, reference text)
    ) with ordinality as l (date, description, amount, category, reference, line)
  )
  select
    l.line,
    l.description,
    case jsonb_typeof(l.amount) when 'number' then l.amount::numeric end,
    -- The calculation of `day` above turns 31 April into 1 May. If the result differs from the text, the day does not
    -- exist, and the date is null.
    case
      when to_char(l.day, 'YYYY-MM-DD') = l.date and l.day <= (now() at time zone 'America/Bogota')::date
        then least((l.day + time '12:00') at time zone 'America/Bogota', now())
    end,
    l.category,
    l.reference
  from lines l
$$;
comment on function private.read_import(json) is
  'Returns the lines of an import as expenses. Each expense is dated at noon of its day in Bogotá, or now if that noon is in the future. A value that cannot be parsed is null.';

create function private.ascending_ids(count integer) returns table (place bigint, id uuid)
  language sql volatile
  set search_path = ''
as $$
  with drawn as materialized (select gen_random_uuid() as id from generate_series(1, count))
  select row_number() over (order by d.id), d.id from drawn d
$$;
comment on function private.ascending_ids(integer) is
  'Returns random ids in ascending order, each with its place, beginning with 1. The history and the statement order the transactions of one moment by id, so that rows with these ids keep their order on every device.';

create function private.refuse_import(body json) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  perform private.refuse_faulty_lines(body, format(
    $query$
      select i.line, case
        when i.date is null or i.date <= now() - interval '10 years' then 'La fecha debe ser un día entre hace diez años y hoy.'
        when i.description is null then 'Falta la descripción.'
        when i.amount is null then 'Falta el monto.'
        %s
      end as message
      from (select r.*, 'expense' as type, 'customer' as recorded_by, 'own' as origin, null::uuid as origin_id from private.read_import($1) r) i
    $query$, private.conditions_of('{public.transactions,public.import_lines}')
  ), 'Hay %s líneas que no se pueden importar. No se importó ninguna.');
end
$$;
comment on function private.refuse_import(json) is
  'Refuses an import unless every line is a valid expense (private.refuse_faulty_lines).';

create function public.import_transactions(id uuid, rows json) returns public.imports
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  hash constant bytea := private.require_lines(
    rows, 10000, 'Una importación tiene entre 1 y %s gastos.', 'Cada gasto es un objeto.'
  );
  imported public.imports;
begin
  -- A second call with the same id waits here for the first.
  perform private.lock_open_account();
  select i.* into imported from public.imports i where i.user_id = customer and i.id = import_transactions.id;
  if found then
    perform private.require_same_upload(imported.body_hash = hash, 'Esta importación ya se hizo con otros gastos.');
    return imported;
  end if;
  perform private.consume('imported line', customer::text, json_array_length(rows));
  -- Checks before the first row is written, because ten thousand refused rows would stay in the database files until
  -- the next vacuum.
  perform private.refuse_import(rows);
  perform ledger.require_own_balance(
    (select b.balance from public.budgets b where b.user_id = customer),
    (select -sum(r.amount) from json_to_recordset(rows) as r (amount numeric))
  );
  perform set_config('realtime.skip_table', 'transactions', true);
  with expenses as materialized (
    select r.*, i.id from private.read_import(rows) r
    join private.ascending_ids(json_array_length(rows)) i on i.place = r.line
  ), lines as (
    insert into public.import_lines (user_id, transaction_id, date, amount, description, reference)
    select
      customer, e.id, (e.date at time zone 'America/Bogota')::date, e.amount, e.description, e.reference
    from expenses e
  ), imports as (
    insert into public.imports (user_id, id, entries, amount, first_seq, body_hash)
    select
      customer, import_transactions.id, count(*), sum(e.amount),
      coalesce((select j.seq from ledger.journal j where j.user_id = customer order by j.seq desc limit 1), 0) + 1,
      hash
    from expenses e
  )
  insert into public.transactions (user_id, id, type, description, amount, date, category, origin, origin_id)
  select
    customer, e.id, 'expense', e.description, e.amount, e.date, e.category, 'import', import_transactions.id
  from expenses e;
  perform set_config('realtime.skip_table', '', true);
  select i.* into imported from public.imports i where i.user_id = customer and i.id = import_transactions.id;
  return imported;
end
$$;
comment on function public.import_transactions(uuid, json) is
  'Records up to 10,000 of the caller''s own expenses, either all or none, once for each id. The list begins with the oldest expense, and expenses of one day keep their order: [{"date": "2026-11-20", "description": "Café", "amount": 12.5, "category": "Comida", "reference": "A-17"}, …]. Returns the import, even if the same import was recorded before. Raises PT409 for an id that was used for other expenses, and PT413 for an empty list or too many lines. Raises PT422 for invalid lines, which its detail lists. Raises PT429 for more than 20,000 expenses in 24 hours, or 10,000 in an account''s first 24 hours, and FZ402 for the same reason as a single expense.';
grant execute on function public.import_transactions(uuid, json) to authenticated;

create function public.undo_import(id uuid) returns public.imports
  language plpgsql security definer
  set search_path = ''
as $$
declare
  customer constant uuid := (select auth.uid());
  imported public.imports;
  brought uuid[];
begin
  perform private.lock_account();
  select i.* into imported from public.imports i where i.user_id = customer and i.id = undo_import.id for no key update;
  if not found then
    -- The answer is the same for another customer's id and for an unknown id, so that it reveals nothing.
    raise exception 'Esta importación no existe.' using errcode = 'PT404';
  end if;
  if imported.undone_at is not null then
    return imported;
  end if;
  brought := array(
    select j.transaction_id from ledger.journal j
    where j.user_id = customer and j.seq >= imported.first_seq and j.seq < imported.first_seq + imported.entries
  );
  perform set_config('realtime.skip_table', 'transactions', true);
  delete from public.import_lines l where l.user_id = customer and l.transaction_id = any (brought);
  delete from public.transactions t where t.user_id = customer and t.id = any (brought);
  perform set_config('realtime.skip_table', '', true);
  update public.imports i set undone_at = clock_timestamp()
  where i.user_id = customer and i.id = undo_import.id
  returning * into imported;
  return imported;
end
$$;
comment on function public.undo_import(uuid) is
  'Deletes the remaining transactions of one of the caller''s imports and returns the import. A repeated call changes nothing. The undo has no time limit, because a customer may delete individual expenses at any time. Raises PT404 for an unknown import.';
grant execute on function public.undo_import(uuid) to authenticated;
