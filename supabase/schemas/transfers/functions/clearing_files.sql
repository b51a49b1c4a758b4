-- Clearing files, for administrators only: one call puts the transfers that are not in a file yet into a new file and
-- closes the file. A closed file can be read again at any time (docs/decisions/0070).

create type public.unreturned_transfer as (id uuid, amount numeric, reason text);
comment on type public.unreturned_transfer is 'A transfer that the return of its clearing file left out.';
comment on column public.unreturned_transfer.id is 'Id of the transfer, as the file states it.';
comment on column public.unreturned_transfer.amount is 'Amount of the transfer, in units of currency.';
comment on column public.unreturned_transfer.reason is 'Why the transfer was left out.';

create type public.clearing_file as (
  number integer, closed_at timestamptz, closed_by_name text, transfers integer, amount numeric,
  csv text, xml text, csv_hash text, xml_hash text, returned bigint, unreturned public.unreturned_transfer[]
);
comment on type public.clearing_file is 'A file with transfers that the bank hands over for clearing.';
comment on column public.clearing_file.number is 'Number of the file; the numbers have no gaps.';
comment on column public.clearing_file.closed_at is 'Time at which the file was closed.';
comment on column public.clearing_file.closed_by_name is 'The name of the administrator who closed the file; null if they had no name.';
comment on column public.clearing_file.transfers is 'Number of transfers in the file.';
comment on column public.clearing_file.amount is 'Sum of the transfers, in units of currency.';
comment on column public.clearing_file.csv is 'The file as comma-separated values; null unless public.read_clearing_file returns the file.';
comment on column public.clearing_file.xml is 'The file as ISO 20022 pain.001.001.09; null unless public.read_clearing_file returns the file.';
comment on column public.clearing_file.csv_hash is 'SHA-256 of the CSV file in hex; null in a list. The audit entry contains the same hash.';
comment on column public.clearing_file.xml_hash is 'SHA-256 of the XML file in hex; null in a list. The audit entry contains the same hash.';

comment on column public.clearing_file.returned is 'Number of transfers in the file that administrators have returned; null unless the file is in a list.';
comment on column public.clearing_file.unreturned is 'Up to 20 transfers that the last return of the file left out and that were not returned since; null unless the file is in a list.';

create type public.clearing as (
  next_number integer, waiting bigint, waiting_amount numeric, waiting_since timestamptz, handed_amount numeric,
  files public.clearing_file[], has_account boolean
);
comment on type public.clearing is 'The state of the clearing.';
comment on column public.clearing.next_number is 'Number of the next file.';
comment on column public.clearing.waiting is 'Number of transfers that are not in a file yet.';
comment on column public.clearing.waiting_amount is 'Sum of the transfers that are not in a file yet, in units of currency. The amount has left the customers'' accounts, but the bank has not handed it over.';
comment on column public.clearing.waiting_since is 'Time at which the oldest transfer that is not in a file yet left the payer''s account; null if all transfers are in files.';
comment on column public.clearing.handed_amount is 'Sum of all transfers in files, except those that the other banks have sent back, in units of currency.';
comment on column public.clearing.files is 'The last 50 files, newest first, without their contents.';
comment on column public.clearing.has_account is 'Whether the next file states the bank''s account at the clearing.';

create function private.require_clearing_reader() returns void
  language sql stable security definer
  set search_path = ''
as $$
  select private.require_feature('transferencias');
  select private.require_second_factor();
  select private.require_admin();
$$;
comment on function private.require_clearing_reader() is
  'Refuses callers who are not administrators, and administrators who have a second factor but have not passed it. Raises PT404 while the bank has not enabled transfers.';

create function public.list_clearing() returns public.clearing
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  answer public.clearing;
begin
  perform private.require_clearing_reader();
  answer.next_number := (select coalesce(max(f.number), 0) + 1 from private.clearing_files f);
  select count(*), coalesce(sum(t.amount), 0), min(t.posted_at)
  into answer.waiting, answer.waiting_amount, answer.waiting_since
  from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
  where t.file is null and r.status = 'done';
  answer.handed_amount := (select coalesce(sum(f.amount), 0) from private.clearing_files f) - (
    select coalesce(sum(r.amount), 0) from public.requests r
    join private.clearing_transfers t on t.transfer_id = r.id
    where r.status = 'returned' and t.file is not null
  );
  answer.files := array(
    select row(
      f.number, f.closed_at, f.closed_by_name, f.transfers, f.amount, null, null, null, null, coalesce(b.returned, 0),
      array(
        select row(t.transfer_id, t.amount, u.reason)::public.unreturned_transfer
        from private.unreturned_transfers u
        join private.clearing_transfers t on t.transfer_id = u.transfer_id
        join public.requests r on r.id = u.transfer_id
        where t.file = f.number and r.status = 'done'
        order by t.transfer_id limit 20
      )
    )::public.clearing_file
    from private.clearing_files f
    -- Most files contain no returned transfer, so this query begins at the returned transfers.
    left join (
      select t.file, count(*) as returned from public.requests r
      join private.clearing_transfers t on t.transfer_id = r.id
      where r.status = 'returned' and t.file is not null group by t.file
    ) b on b.file = f.number
    order by f.number desc limit 50
  );
  answer.has_account := coalesce(private.setting('clearing_account') <> 'NOTPROVIDED', false);
  return answer;
end
$$;
comment on function public.list_clearing() is
  'Returns the state of the clearing and its last files. The answer contains sums but no data of customers, so the call adds no audit entry. For administrators only, with their second factor if they have one. Raises PT404 while the bank has not enabled transfers. Reads at most the transfers to other banks that are not in a file yet, and 50 files.';
grant execute on function public.list_clearing() to authenticated;

create function private.decimal_text(amount numeric) returns text
  language sql immutable
  set search_path = ''
  return to_char(amount, 'FM999999999999999990.00');
comment on function private.decimal_text(numeric) is 'Returns an amount as text with a decimal point and two decimals.';

create function private.clearing_identity(kind text, document text) returns text
  language sql immutable
  set search_path = ''
  -- A NIT identifies an organisation, and every other document identifies a person.
  return format(
    '<Id><%1$s><Othr><Id>%2$s</Id><SchmeNm><Prtry>%3$s</Prtry></SchmeNm></Othr></%1$s></Id>',
    case kind when 'NIT' then 'OrgId' else 'PrvtId' end, document, kind
  );
comment on function private.clearing_identity(text, text) is
  'Returns an identity document as the element Id of ISO 20022 pain.001.001.09.';

create function private.clearing_csv(transfers private.clearing_transfers[], number integer, currency text) returns text
  language sql stable security definer
  set search_path = ''
as $$
  -- No cell contains a separator or a quotation mark, and none begins like a formula (private.clearing_text).
  select 'archivo;transferencia;fecha;banco;tipo_cuenta;cuenta;titular;tipo_identificacion;identificacion;monto;moneda;ordenante;tipo_identificacion_ordenante;identificacion_ordenante;concepto'
    || E'\r\n' || string_agg(
      concat_ws(
        ';', clearing_csv.number, replace(t.transfer_id::text, '-', ''),
        to_char(t.posted_at at time zone 'America/Bogota', 'YYYY-MM-DD'),
        t.destination ->> 'bank',
        case t.destination ->> 'kind' when 'savings' then 'ahorros' when 'checking' then 'corriente' else 'deposito' end,
        t.destination ->> 'number', coalesce(private.clearing_text(t.payee_name, 80), ''),
        t.destination ->> 'document_kind', t.destination ->> 'document', private.decimal_text(t.amount),
        clearing_csv.currency, coalesce(private.clearing_text(t.payer_name, 70), ''),
        coalesce(t.payer_document_kind, ''), coalesce(t.payer_document, ''),
        coalesce(private.clearing_text(t.concept, 140), '')
      ) || E'\r\n', '' order by t.posted_at, t.transfer_id
    )
  from unnest(transfers) t
$$;
comment on function private.clearing_csv(private.clearing_transfers[], integer, text) is
  'Returns a clearing file as comma-separated values, with one line for each transfer.';

create function private.clearing_xml(
  transfers private.clearing_transfers[], number integer, closed_at timestamptz
) returns text
  language sql stable security definer
  set search_path = ''
as $$
  -- Texts need no escaping, because private.clearing_text leaves no character that XML reserves.
  select format(
    '<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
<CstmrCdtTrfInitn>
<GrpHdr><MsgId>%1$s</MsgId><CreDtTm>%2$s</CreDtTm><NbOfTxs>%3$s</NbOfTxs><CtrlSum>%4$s</CtrlSum><InitgPty><Nm>%5$s</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>%1$s</PmtInfId><PmtMtd>TRF</PmtMtd><NbOfTxs>%3$s</NbOfTxs><CtrlSum>%4$s</CtrlSum><ReqdExctnDt><Dt>%6$s</Dt></ReqdExctnDt>'
    || '<Dbtr><Nm>%5$s</Nm></Dbtr><DbtrAcct><Id><Othr><Id>%7$s</Id></Othr></Id></DbtrAcct>'
    || '<DbtrAgt><FinInstnId><Nm>%5$s</Nm></FinInstnId></DbtrAgt>
%8$s</PmtInf>
</CstmrCdtTrfInitn>
</Document>
',
    'FZ' || to_char(closed_at at time zone 'America/Bogota', 'YYYYMMDD') || lpad(clearing_xml.number::text, 9, '0'),
    to_char(closed_at at time zone 'America/Bogota', 'YYYY-MM-DD"T"HH24:MI:SS') || '-05:00',
    count(*), private.decimal_text(sum(t.amount)),
    coalesce(private.clearing_text(private.setting('brand_name'), 140), 'NOTPROVIDED'),
    to_char(closed_at at time zone 'America/Bogota', 'YYYY-MM-DD'), private.setting('clearing_account'),
    string_agg(
      concat(
        '<CdtTrfTxInf><PmtId><EndToEndId>', replace(t.transfer_id::text, '-', ''), '</EndToEndId></PmtId>',
        '<Amt><InstdAmt Ccy="', c.currency, '">', private.decimal_text(t.amount), '</InstdAmt></Amt>',
        '<UltmtDbtr><Nm>' || private.clearing_text(t.payer_name, 140) || '</Nm>'
          || case when t.payer_document is null then '' else
            private.clearing_identity(t.payer_document_kind, t.payer_document)
          end || '</UltmtDbtr>',
        '<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>', t.destination ->> 'bank', '</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>',
        '<Cdtr><Nm>', private.clearing_text(t.payee_name, 140), '</Nm>',
        private.clearing_identity(t.destination ->> 'document_kind', t.destination ->> 'document'), '</Cdtr>',
        '<CdtrAcct><Id><Othr><Id>', t.destination ->> 'number', '</Id></Othr></Id><Tp>',
        case t.destination ->> 'kind'
          when 'savings' then '<Cd>SVGS</Cd>' when 'checking' then '<Cd>CACC</Cd>' else '<Prtry>DEPOSITO</Prtry>'
        end, '</Tp></CdtrAcct>',
        '<RmtInf><Ustrd>' || private.clearing_text(t.concept, 140) || '</Ustrd></RmtInf>',
        '</CdtTrfTxInf>', E'\n'
      ), '' order by t.posted_at, t.transfer_id
    )
  )
  from unnest(transfers) t
  -- Reads the setting once for the whole file.
  cross join (select private.setting('display_currency') as currency offset 0) c
$$;
comment on function private.clearing_xml(private.clearing_transfers[], integer, timestamptz) is
  'Returns a clearing file as ISO 20022 pain.001.001.09, with one CdtTrfTxInf for each transfer.';

create function private.clearing_file_of(file private.clearing_files, has_texts boolean) returns public.clearing_file
  language sql immutable
  set search_path = ''
  return row(
    file.number, file.closed_at, file.closed_by_name, file.transfers, file.amount,
    case when has_texts then file.csv end, case when has_texts then file.xml end,
    encode(sha256(convert_to(file.csv, 'UTF8')), 'hex'), encode(sha256(convert_to(file.xml, 'UTF8')), 'hex'), null, null
  )::public.clearing_file;
comment on function private.clearing_file_of(private.clearing_files, boolean) is
  'Returns a file with the hashes of its contents (CSV and XML), and with the contents if has_texts is true. An administrator can read the contents only through public.read_clearing_file, which adds an audit entry.';

create function private.take_transfers() returns setof private.clearing_transfers
  language plpgsql
  set search_path = ''
as $$
declare
  -- A file with 1,000 transfers takes up about one megabyte.
  transfers_max constant integer := 1000;
  ids uuid[];
begin
  -- A posting is final: the amount has left the account, and the payer has a receipt. The file therefore also contains
  -- the transfers of payers who were blocked later. If the bank does not want to send a transfer, an administrator
  -- returns it.
  ids := array(
    select t.transfer_id from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
    where t.file is null and r.status = 'done'
    order by t.posted_at, t.transfer_id limit transfers_max
  );
  perform from public.requests r where r.id = any (ids) order by r.id for no key update;
  -- Another administrator may have returned a transfer while this call waited for its lock.
  return query
    select t.* from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
    where t.transfer_id = any (ids) and r.status = 'done';
end
$$;
comment on function private.take_transfers() is
  'Locks and returns the transfers of the next clearing file: the oldest ones that are in no file, at most 1,000.';

create function public.close_clearing_file(number integer) returns public.clearing_file
  language plpgsql security definer
  set search_path = ''
as $$
declare
  at constant timestamptz := clock_timestamp();
  transfers private.clearing_transfers[];
  closed private.clearing_files;
  answer public.clearing_file;
begin
  perform private.require_clearing_reader();
  -- This lock lets only one administrator at a time close a file. No call waits for this lock while it holds the lock
  -- of a request.
  perform pg_advisory_xact_lock(hashtext('finanzas.clearing'));
  select f.* into closed from private.clearing_files f where f.number = close_clearing_file.number;
  if found then
    return private.clearing_file_of(closed, false);
  end if;
  if number is distinct from (select coalesce(max(f.number), 0) + 1 from private.clearing_files f) then
    raise exception 'Este no es el número del siguiente archivo.' using errcode = 'PT409';
  end if;
  if num_nulls(private.setting('brand_name'), private.setting('clearing_account'), private.setting('display_currency')) > 0 then
    raise exception 'Falta decir el nombre, la cuenta y la moneda del banco en sus archivos (private.set_settings).'
      using errcode = 'PT409';
  end if;
  -- The bank cannot take back a file that it has handed over, and the file moves the money of many customers.
  perform private.require_proof();
  transfers := array(select t from private.take_transfers() t);
  if cardinality(transfers) = 0 then
    raise exception 'No hay transferencias por enviar.' using errcode = 'PT409';
  end if;
  insert into private.clearing_files (number, closed_at, closed_by, closed_by_name, transfers, amount, csv, xml)
  select
    close_clearing_file.number, at, (select auth.uid()),
    (select p.full_name from public.profiles p where p.id = (select auth.uid())), count(*), sum(t.amount),
    private.clearing_csv(transfers, close_clearing_file.number, private.setting('display_currency')),
    private.clearing_xml(transfers, close_clearing_file.number, at)
  from unnest(transfers) t
  returning * into closed;
  update private.clearing_transfers t set file = closed.number
  where t.transfer_id in (select c.transfer_id from unnest(transfers) c);
  answer := private.clearing_file_of(closed, false);
  perform private.record_audit('close_clearing_file', null, null, jsonb_build_object(
    'number', closed.number, 'transfers', closed.transfers, 'amount', private.decimal_text(closed.amount),
    'csv_sha256', answer.csv_hash, 'xml_sha256', answer.xml_hash
  ));
  return answer;
end
$$;
comment on function public.close_clearing_file(integer) is
  'Closes the next clearing file with up to 1,000 transfers that are not in a file yet, the oldest first. Returns the file without its contents. The file includes the transfers of payers who have been blocked or deleted since, but not transfers that an administrator has returned. The argument is the number of the next file. A repeated call therefore returns the same file, and so does a simultaneous call by a second administrator. For administrators only, with their second factor if they have one. To close a new file, the caller must have entered the password or a mailed code within the last ten minutes (private.require_proof). Adds one audit entry with the hashes of the file. Raises PT409 if the number is neither that of a closed file nor that of the next file, or if no transfer is left for a new file. Also raises PT409 until the operator of a hosted project has set the bank''s name, account and currency. Raises PT404 while the bank has not enabled transfers. Reads at most the 1,000 transfers of the new file, whose CSV and XML have at most 2 MB each.';
grant execute on function public.close_clearing_file(integer) to authenticated;

create function public.read_clearing_file(number integer) returns public.clearing_file
  language plpgsql security definer
  set search_path = ''
as $$
declare
  closed private.clearing_files;
begin
  perform private.require_clearing_reader();
  select f.* into closed from private.clearing_files f where f.number = read_clearing_file.number;
  if not found then
    raise exception 'Este archivo no existe.' using errcode = 'PT404';
  end if;
  perform private.record_audit('read_clearing_file', null, null, jsonb_build_object('number', closed.number));
  return private.clearing_file_of(closed, true);
end
$$;
comment on function public.read_clearing_file(integer) is
  'Returns a clearing file with the same bytes as when it was closed. For administrators only, with their second factor if they have one. Adds one audit entry, because the file contains data of customers. Raises PT404 for an unknown number, and while the bank has not enabled transfers. Reads at most one file, whose CSV and XML have at most 2 MB each.';
grant execute on function public.read_clearing_file(integer) to authenticated;

create function ledger.check_clearing_files(
  after_number integer, rows_max integer,
  out rows integer, out last_number integer, out broken_number integer, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
begin
  with portion as materialized (
    select f.* from private.clearing_files f
    where after_number is null or f.number > after_number
    order by f.number
    limit rows_max
  ),
  numbered as (
    select p.*, coalesce(lag(p.number) over (order by p.number), after_number, 0) + 1 as expected_number from portion p
  ),
  broken as (
    -- A missing number has no row. The number that the next row should have is therefore reported.
    select n.expected_number as number from numbered n
    where n.number <> n.expected_number
      or (n.transfers, n.amount) is distinct from (
        select (count(*)::integer, sum(t.amount)) from private.clearing_transfers t where t.file = n.number
      )
      or not exists (
        select from ledger.audit a
        where a.action = 'close_clearing_file' and a.after ->> 'number' = n.number::text
          and a.after ->> 'csv_sha256' = encode(sha256(convert_to(n.csv, 'UTF8')), 'hex')
          and a.after ->> 'xml_sha256' = encode(sha256(convert_to(n.xml, 'UTF8')), 'hex')
      )
    union all
    -- Files that were deleted from the end leave no gap. The audit still has them.
    select (a.after ->> 'number')::integer from ledger.audit a
    where a.action = 'close_clearing_file' and after_number is null
      and not exists (select from private.clearing_files f where f.number::text = a.after ->> 'number')
  )
  select c.counted, c.last, b.first, case when b.first is not null then 'clearing_file' end
  into rows, last_number, broken_number, fault
  from (select count(*) as counted, max(p.number) as last from portion p) c
  cross join (select min(k.number) as first from broken k) b;
end
$$;
comment on function ledger.check_clearing_files(integer, integer) is
  'Checks the next clearing files, ordered by number. The number of each file must follow the previous number. The file must state the correct count and sum of its transfers. Its contents must have the hashes that the audit recorded when it was closed. The first call also checks that every file in the audit still exists. Returns the number of checked files and the number of the last checked file. If a check failed, also returns the fault `clearing_file` and the number of the first broken or missing file. If fewer than rows_max files were checked, no more files remain to be checked.';
grant execute on function ledger.check_clearing_files(integer, integer) to service_role;
