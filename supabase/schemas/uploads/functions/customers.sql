-- Customers: staff open many accounts with one file, and correct the data of an account holder. A file of new customers
-- is stored as a batch, and the amounts of its lines are the opening balances (docs/decisions/0075).

create function private.read_customers(body json)
  returns table (
    line integer, full_name text, email text, document_kind text, document_number text, phone text, amount numeric
  )
  language sql stable
  set search_path = ''
as $$
  select
    case when l.line ~ '^\d{1,9}$' then l.line::integer end,
    case when char_length(l.full_name) <= 120 then private.sanitize_name(l.full_name) end,
    l.email, l.document_kind, l.document_number, l.phone,
    case coalesce(jsonb_typeof(l.amount), 'null') when 'number' then l.amount::numeric when 'null' then 0 end
  from json_to_recordset(body) as l (
    line text, full_name text, email text, document_kind text, document_number text, phone text, amount jsonb
  )
$$;
comment on function private.read_customers(json) is
  'Returns the lines of a file of customers as the client sent them. A value that cannot be parsed is null, and a missing amount is zero.';

create function private.refuse_customers(body json) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  perform private.refuse_faulty_lines(body, format(
    $query$
      select i.line, case
        when i.line is null or i.line < 1 then 'Falta el número de la línea.'
        when count(*) over (partition by i.line) > 1 then 'El número de la línea está repetido.'
        when i.full_name is null then 'Falta el nombre, o pasa de 120 caracteres.'
        when i.document_number is null and private.is_reserved(private.words_of(i.full_name))
          then 'El nombre está reservado para el banco. Con el documento del cliente se puede usar.'
        when private.is_email(i.email) is not true then 'El email no es válido.'
        when count(*) over (partition by i.email) > 1 then 'El email está repetido en el archivo.'
        when exists (select from auth.users u where u.email = i.email and not private.is_unclaimed(u)) then 'Ya hay un usuario con este email.'
        when i.document_number is not null
          and count(*) over (partition by i.document_kind, i.document_number) > 1
          then 'El documento está repetido en el archivo.'
        when exists (
          select from public.account_holders h
          where h.document_kind = i.document_kind and h.document_number = i.document_number
        ) then 'Ya hay un cliente con este documento.'
        when i.amount is null then 'El saldo inicial no es un monto.'
        %s
      end as message
      from (
        select r.*, d.account_number, nullif(r.amount, 0) as amount_or_null
        from private.read_customers($1) r
        cross join (select null::text as account_number) d
      ) i
      cross join lateral (
        select
          'deposit' as type, 'bank' as recorded_by, 'batch' as origin, '00000000-0000-0000-0000-000000000000'::uuid as origin_id,
          'Deposito' as category, 'Saldo inicial' as description
      ) t
    $query$,
    private.conditions_of('{public.account_holders}')
      -- An opening balance of zero is not a transaction.
      || replace(' ' || private.conditions_of('{public.transactions}'), 'when (', 'when i.amount <> 0 and (')
  ), 'Hay %s líneas con las que no se puede abrir una cuenta. No se abrió ninguna.');
end
$$;
comment on function private.refuse_customers(json) is
  'Refuses a file of customers unless each line describes an account that can be opened (private.refuse_faulty_lines).';

create function public.create_customers(id uuid, title text, lines json) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
  sheet public.batches;
begin
  perform private.require_admin();
  sheet.id := create_customers.id;
  sheet.title := create_customers.title;
  sheet.opens_accounts := true;
  sheet.body_hash := private.require_lines(lines, 10000, 'Un archivo tiene entre 1 y %s clientes.', 'Cada cliente es un objeto.');
  ordered := private.earlier_batch(sheet.id, sheet.body_hash);
  if ordered.id is not null then
    return ordered;
  end if;
  -- The bank later mails a sign-in link for each account to an address that the caller chose.
  perform private.require_proof();
  perform private.consume('batch line', (select auth.uid())::text, json_array_length(lines));
  perform private.refuse_customers(lines);
  select count(*), coalesce(sum(r.amount), 0) into sheet.lines, sheet.amount
  from json_to_recordset(create_customers.lines) as r (amount numeric);
  ordered := private.place_batch(sheet);
  with read_lines as materialized (
    select r.* from private.read_customers(create_customers.lines) r
  ), stored as (
    insert into public.batch_lines (batch_id, line, amount, description)
    select ordered.id, r.line, r.amount, 'Saldo inicial' from read_lines r
  )
  insert into public.new_accounts (batch_id, line, full_name, email, document_kind, document_number, phone)
  select ordered.id, r.line, r.full_name, r.email, r.document_kind, r.document_number, r.phone from read_lines r;
  perform private.announce_batch(ordered);
  return ordered;
end
$$;
comment on function public.create_customers(uuid, text, json) is
  'Orders up to 10,000 new accounts as one batch, either all or none, once for each id: [{"line": 2, "full_name": "…", "email": "…", "document_kind": "CC", "document_number": "…", "phone": "+57…", "amount": 12.5}, …]. The document, the telephone and the amount are optional. private.post_batch_piece opens the accounts later, and deposits each amount as the opening balance. The caller must be an administrator who has recently entered the password or a mailed code (private.require_proof). If the sum exceeds the bank''s limit, the whole batch is held until another administrator approves it. Raises the errors of public.create_batch. Reads at most 10,000 lines, for which the server opens accounts in pieces of 10.';
grant execute on function public.create_customers(uuid, text, json) to authenticated;

create type public.failed_account as (
  line integer, amount numeric, full_name text, email text, document_kind text, document_number text, phone text
);
comment on type public.failed_account is 'A line of a file of customers whose account could not be opened.';
comment on column public.failed_account.line is 'Number of the line in the file.';
comment on column public.failed_account.amount is 'The opening balance in units of currency.';
comment on column public.failed_account.full_name is 'As in new_accounts.';
comment on column public.failed_account.email is 'As in new_accounts.';
comment on column public.failed_account.document_kind is 'As in new_accounts.';
comment on column public.failed_account.document_number is 'As in new_accounts.';
comment on column public.failed_account.phone is 'As in new_accounts.';

create function public.read_failed_accounts(id uuid, after_line integer default 0) returns setof public.failed_account
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select n.line, l.amount, n.full_name, n.email, n.document_kind, n.document_number, n.phone
    from public.new_accounts n join public.batch_lines l on l.batch_id = n.batch_id and l.line = n.line
    where n.batch_id = read_failed_accounts.id and n.line > after_line and l.status = 'failed'
    order by n.line limit 1000;
  if found then
    perform private.record_audit(
      'read_failed_accounts', null, null, jsonb_build_object('id', read_failed_accounts.id)
    );
  end if;
end
$$;
comment on function public.read_failed_accounts(uuid, integer) is
  'Returns up to 1,000 failed lines that follow the given line, with the documents and telephones, so that staff can correct them. A line has failed if its account could not be opened. For administrators only. Adds an audit entry if at least one line is returned. Reads at most 1,000 lines of one batch.';
grant execute on function public.read_failed_accounts(uuid, integer) to authenticated;
