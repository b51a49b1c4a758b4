-- Papers: the signed monthly statement, the signed receipt and the signed certificate of the balance.
-- Uses: money, orders.
-- Promises: papers have no table. A paper shows the journal up to an entry that it names, and can be made again with
-- the same bytes.

-- Monthly statements list the transactions dated in a month in Bogotá, with the balance after each transaction. A
-- statement shows the customer's journal up to a particular entry. The statement contains the number and hash of this
-- entry, so that a printed statement can be verified later.

create function private.statement_lines(
  customer uuid, last_seq bigint, begins_at timestamptz, ends_at timestamptz
) returns table (
  seq bigint, is_note boolean, amount numeric, dated_at timestamptz, recorded_at timestamptz, transaction_id uuid,
  kind text, line bigint, balance numeric
)
  language plpgsql stable
  set search_path = ''
as $$
#variable_conflict use_column
begin
  return query
    with
    -- Compares the kind of each entry only once.
    entries as materialized (
      select
        j.seq, j.kind, j.transaction_id, j.delta, j.dated_at, j.recorded_at, j.is_note,
        j.kind in ('deposit', 'expense', 'note', 'amendment') as is_posting
      from public.journal_entries j
      where j.user_id = customer and j.seq <= last_seq and j.dated_at >= begins_at and j.dated_at < ends_at
    ),
    -- Groups the entries by transaction, because a reversal or restoration has the same date as its transaction. The
    -- last posting has the current amount and date.
    dated as (
      select
        j.transaction_id,
        max(j.seq) filter (where j.is_posting) as seq,
        (array_agg(j.dated_at order by j.seq desc) filter (where j.is_posting))[1] as dated_at,
        (array_agg(j.recorded_at order by j.seq desc) filter (where j.is_posting))[1] as recorded_at,
        sum(j.delta) as amount,
        case when sum(j.delta) > 0 then 'deposit' else 'expense' end as type,
        -- If the customer removed and restored a transaction of the bank, only some of its entries are notes. The row
        -- is then not a note.
        bool_and(j.is_note) as is_note,
        count(*) filter (where j.kind = 'removal') > count(*) filter (where j.kind = 'restoration') as is_unlisted
      from entries j
      group by j.transaction_id
      -- Leaves out deleted expenses.
      having sum(j.delta) <> 0
    ),
    void as materialized (
      select v.transaction_id, v.is_correction from private.void_at(customer, last_seq) v
    )
    select
      d.seq, d.is_note, d.amount, d.dated_at, d.recorded_at, d.transaction_id,
      case
        when d.transaction_id in (select v.transaction_id from void v where v.is_correction) then 'correction'
        when d.transaction_id in (select v.transaction_id from void v) then 'corrected'
        when d.is_unlisted then 'unlisted'
        else d.type
      end as kind,
      row_number() over in_order as line,
      sum(d.amount) over in_order as balance
    from dated d
    -- Rows that were recorded after the end of the month come last, because the statement lists these rows under a
    -- separate heading.
    window in_order as (order by d.recorded_at >= ends_at, d.dated_at, d.seq rows unbounded preceding);
end
$$;
comment on function private.statement_lines(uuid, bigint, timestamptz, timestamptz) is
  'Returns the lines of a customer''s statement for a period, in their order, from the journal up to an entry. The balance is the sum of the amounts up to the line. Runs with the caller''s own rights.';
grant execute on function private.statement_lines(uuid, bigint, timestamptz, timestamptz) to authenticated;

-- Returns one json value instead of rows, so that a page of 5,000 rows is converted to JSON only once.
create function private.statement_of(customer uuid, month date, until_seq bigint, after_row integer) returns setof json
  language plpgsql stable
  set search_path = ''
as $$
declare
  begins_at timestamptz;
  ends_at timestamptz;
  head record;
  -- Maximum number of rows in a page. Without pages, a month with many transactions would delay all other customers of
  -- an embedded engine.
  page_max constant integer := 5000;
  page_begins constant integer := greatest(coalesce(after_row, 0), 0);
begin
  if (month between '0001-01-01' and '9999-12-31') is not true then
    raise exception 'El mes no es válido.' using errcode = 'PT422';
  end if;
  begins_at := date_trunc('month', month::timestamp) at time zone 'America/Bogota';
  ends_at := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'America/Bogota';
  select j.seq, j.hash into head from public.journal_entries j
  where j.user_id = customer and (until_seq is null or j.seq <= until_seq) order by j.seq desc limit 1;

  return query
    -- Adds each entry to only one of the sums, because every sum over a long history takes time.
    with opened as (
      select s.booked + s.noted as balance, s.noted
      from (
        select
          coalesce(sum(j.delta) filter (where not j.is_note), 0) as booked,
          coalesce(sum(j.delta) filter (where j.is_note), 0) as noted
        from public.journal_entries j where j.user_id = customer and j.seq <= head.seq and j.dated_at < begins_at
      ) s
    ),
    lines as materialized (select * from private.statement_lines(customer, head.seq, begins_at, ends_at))
    select json_build_object(
      'account', customer,
      'month', to_char(month, 'YYYY-MM'),
      'opening', o.balance,
      'closing', o.balance + coalesce((select sum(l.amount) from lines l), 0),
      'noted', o.noted + coalesce((select sum(l.amount) from lines l where l.is_note), 0),
      'last_seq', coalesce(head.seq, 0),
      'hash', coalesce(head.hash, repeat('0', 64)),
      'is_whole', not exists (
        select from public.journal_entries j where j.user_id = customer and j.seq > coalesce(head.seq, 0) and j.dated_at < ends_at
      ),
      'next_after_row', case
        when (select count(*) from lines) > page_begins::bigint + page_max then page_begins + page_max
      end,
      'entries', (
        select coalesce(json_agg(json_build_object(
          'seq', l.seq, 'kind', l.kind, 'is_note', l.is_note, 'amount', l.amount, 'balance', o.balance + l.balance,
          'recorded_at', l.recorded_at, 'date', l.dated_at, 'description', t.description,
          -- Omits the category of bank transactions. Customers may change that category, but on a statement it would
          -- look like the bank's choice.
          'category', case when l.is_note then t.category end
        ) order by l.line), '[]')
        from lines l
        -- `limit 1` makes the plan use the key, independently of the size of the table at planning time.
        left join lateral (
          select w.description, w.category
          from public.transactions w where w.user_id = customer and w.id = l.transaction_id limit 1
        ) t on true
        where l.line > page_begins and l.line <= page_begins::bigint + page_max
      )
    )
    from opened o
    -- Returns no row about an account that the caller is not allowed to read.
    where customer = (select auth.uid()) or exists (select from public.budgets b where b.user_id = customer);
end
$$;
comment on function private.statement_of(uuid, date, bigint, integer) is
  'Returns a customer''s statement for a month as public.statement does. Runs with the caller''s own rights, and returns no row if the caller is not allowed to read the account.';
grant execute on function private.statement_of(uuid, date, bigint, integer) to authenticated;

create function public.statement(month date, until_seq bigint default null, after_row integer default 0) returns json
  language sql stable
  set search_path = ''
  return (select s from private.statement_of((select auth.uid()), month, until_seq, after_row) s);
comment on function public.statement(date, bigint, integer) is
  'Returns the caller''s own statement for a month in Bogotá, ordered by transaction date. The opening balance plus all amounts equals the closing balance, and each row has the balance after its transaction. Rows that were recorded after the month ended come last. Deleted expenses are omitted. A row is a note if the customer recorded the expense. The part of the closing balance that consists of notes is `noted`. A correction has the same date as its mistake. Descriptions and categories are read from the customer''s list at the time of the call. The description and category are null for a transaction that is no longer in the list. The category is also null for a bank transaction. The kind is `deposit`, `expense`, `corrected`, `correction` or `unlisted`. A `corrected` row and its `correction` cancel each other out and are excluded from totals. An `unlisted` row is a transaction that the customer removed from their list. A page has 5,000 rows. To read the next page, pass next_after_row as after_row and last_seq as until_seq; on the last page, next_after_row is null. last_seq and hash describe the last entry that the statement takes into account. If until_seq is given, the statement ignores all later entries, but the descriptions and categories are current. In this case, is_whole is false if a later entry changes the statement. Raises PT422 for an invalid month. Runs with the caller''s own rights.';
grant execute on function public.statement(date, bigint, integer) to authenticated;

-- Papers that staff make for a customer, for example for a customer without an e-mail address. The audit says who made
-- each of them, and why.

create function private.paper_reasons() returns text[]
  language sql immutable
  set search_path = ''
  return array['in_person', 'by_telephone', 'in_writing', 'authority', 'other'];
comment on function private.paper_reasons() is
  'The reasons why staff make a paper for a customer, which contract/database-types.ts lists too. The list is fixed: the audit is kept after the customer''s account is deleted, and must not contain free text about the customer.';

create function private.require_paper_reason(reason text) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if (reason = any (private.paper_reasons())) is not true then
    raise exception 'Elige por qué haces el documento.' using errcode = 'PT422';
  end if;
end
$$;
comment on function private.require_paper_reason(text) is
  'Raises PT422 if the reason why staff make a paper is not one of the known reasons.';

create function private.paper_holder(customer uuid) returns table (
  full_name text, typed_name text, email text, account_number text, document_kind text, document_number text
)
  language sql stable security definer
  set search_path = ''
begin atomic
  select
    h.full_name, btrim(u.raw_user_meta_data ->> 'full_name'), u.email, h.account_number, h.document_kind, h.document_number
  from auth.users u left join public.account_holders h on h.user_id = u.id where u.id = paper_holder.customer;
end;
comment on function private.paper_holder(uuid) is
  'Returns the names and numbers of the holder for a paper, or no row for a closed account. `full_name` is null if the bank has not verified the name.';

create function public.issue_statement(user_id uuid, month date, reason text) returns json
  language plpgsql security definer
  set search_path = ''
as $$
declare
  holder json;
begin
  perform private.require_opened(issue_statement.user_id);
  perform private.require_paper_reason(reason);
  if (month between '0001-01-01' and '9999-12-31') is not true then
    raise exception 'El mes no es válido.' using errcode = 'PT422';
  end if;
  select to_json(h) into holder from private.paper_holder(issue_statement.user_id) h;
  perform private.record_audit('issue_statement', user_id, null, jsonb_build_object(
    'month', to_char(month, 'YYYY-MM'), 'reason', reason
  ));
  return holder;
end
$$;
comment on function public.issue_statement(uuid, date, text) is
  'Begins a statement of a month that an administrator makes for a customer: adds an audit entry with the month and the reason, and returns the names and numbers of the holder. `full_name` is null if the bank has not verified the name. public.read_customer_statement returns the rows. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page, and PT422 for an unknown reason or an invalid month. Reads at most one person.';
grant execute on function public.issue_statement(uuid, date, text) to authenticated;

create function public.read_customer_statement(
  user_id uuid, month date, until_seq bigint default null, after_row integer default 0
) returns json
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_opened(read_customer_statement.user_id);
  return (select s from private.statement_of(user_id, month, until_seq, after_row) s);
end
$$;
comment on function public.read_customer_statement(uuid, date, bigint, integer) is
  'Returns a page of a customer''s statement for a month to staff, as public.statement does for the customer. Raises 42501 unless the caller is an administrator whose session has opened the customer''s page. Reads at most one customer.';
grant execute on function public.read_customer_statement(uuid, date, bigint, integer) to authenticated;

-- Receipts: a single transaction on one page, signed like a statement (docs/decisions/0059). The receipt of a transfer
-- names both customers, but shows each customer only the data that the customer's own pages already show.

create type public.receipt as (
  account uuid,
  holder_name text,
  holder_is_verified boolean,
  holder_email text,
  holder_account_number text,
  holder_document_kind text,
  holder_document_number text,
  transaction_id uuid,
  seq bigint,
  type text,
  amount numeric,
  dated_at timestamptz,
  recorded_at timestamptz,
  recorded_by text,
  description text,
  state text,
  reason text,
  hash text,
  transfer_id uuid,
  counterparty text,
  counterparty_masked text,
  concept text,
  return_id uuid
);
comment on type public.receipt is 'The journal''s data about one transaction, and the transaction''s current state.';
comment on column public.receipt.account is 'Id of the customer.';
comment on column public.receipt.holder_name is 'The holder''s verified name, or the name that the customer typed; null if the customer gave no name.';
comment on column public.receipt.holder_is_verified is 'Whether the bank verified the holder''s name; null for a closed account.';
comment on column public.receipt.holder_email is 'The customer''s e-mail address; null for a closed account.';
comment on column public.receipt.holder_account_number is 'The number of the customer''s account, twelve digits; null for a closed account.';
comment on column public.receipt.holder_document_kind is 'Kind of the holder''s identity document; null until staff enter the document, and for a closed account.';
comment on column public.receipt.holder_document_number is 'Number of the holder''s identity document; null until staff enter it, and for a closed account.';
comment on column public.receipt.transaction_id is 'Id of the transaction.';
comment on column public.receipt.seq is 'Number of the journal entry that posted the transaction with this amount and date.';
comment on column public.receipt.type is '"deposit" or "expense".';
comment on column public.receipt.amount is 'Units of currency, positive.';
comment on column public.receipt.dated_at is 'Date of the transaction. A correction has the same date as the mistake that it corrects.';
comment on column public.receipt.recorded_at is 'Time at which the entry was written.';
comment on column public.receipt.recorded_by is '"bank" or "customer"; null for a closed account.';
comment on column public.receipt.description is 'The current description; null if the transaction is no longer in the customer''s list.';
comment on column public.receipt.state is '`valid`: the entry stands. `corrected` and `correction`: the bank reversed a transaction, and the transaction and its reversal cancel each other out. `cancelled`: a correction that the bank itself corrected, so that the transaction is valid again. `unlisted`: the customer removed the bank transaction from their list. `returned` and `return`: the bank returned a transfer, and the transfer and its return cancel each other out. `deleted`: the customer deleted the expense. `amended`: a later amendment replaced the entry. The state is null for a closed account.';
comment on column public.receipt.reason is 'Reason for the correction; for a cancelled correction, the reason for its cancellation; null if the transaction was not corrected.';
comment on column public.receipt.hash is 'The hash of the entry in hex.';
comment on column public.receipt.transfer_id is 'Id of the request of the transfer that the transaction carried out or returned; null for other transactions, and for the return of a closed account.';
comment on column public.receipt.counterparty is 'For the payer, the name that the payer gave to the beneficiary; for the payee, the name of the payer; null for other transactions, if the payer had no name, or if the payer''s account has been deleted.';
comment on column public.receipt.counterparty_masked is 'The masked name of the payee''s account, for the payer; null for the payee, for other transactions, or if the account of the payer or of the payee has been deleted.';
comment on column public.receipt.concept is 'The text that the payer wrote for the payee; null for other transactions, if the payer wrote no text, or if the payer''s account has been deleted.';
comment on column public.receipt.return_id is 'Id of the transaction that returned the transfer; null for a transfer that was not returned, and for other transactions.';

create function private.posting_of(customer uuid, transaction_id uuid, wanted_seq bigint default null) returns ledger.journal
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return (
    select j from ledger.journal j
    where j.user_id = customer and j.transaction_id = posting_of.transaction_id
      and j.kind in ('deposit', 'expense', 'note', 'amendment') and (wanted_seq is null or j.seq = wanted_seq)
    order by j.seq desc limit 1
  );
end
$$;
comment on function private.posting_of(uuid, uuid, bigint) is
  'Returns the last posting of a transaction, which has the current amount and date, or the posting with the wanted seq.';

create function private.state_of(posted ledger.journal) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  own_correction public.corrections;
  is_mistake_void boolean;
  latest text;
begin
  if not exists (select from public.budgets b where b.user_id = posted.user_id) then
    return null;
  end if;
  if posted.seq <> (private.posting_of(posted.user_id, posted.transaction_id)).seq then
    return 'amended';
  end if;
  select c.* into own_correction from public.corrections c where c.user_id = posted.user_id and c.id = posted.transaction_id;
  is_mistake_void := exists (
    select from private.void_at(posted.user_id) v
    where v.transaction_id = coalesce(own_correction.mistake_id, posted.transaction_id) and not v.is_correction
  );
  select j.kind into latest from ledger.journal j
  where j.user_id = posted.user_id and j.transaction_id = posted.transaction_id order by j.seq desc limit 1;
  return case
    -- Later corrections have cancelled a correction if they left the mistake as it was before.
    when own_correction.id is not null
      then case when own_correction.makes_void = is_mistake_void then 'correction' else 'cancelled' end
    when is_mistake_void then 'corrected'
    when latest = 'removal' then 'unlisted'
    when latest = 'reversal' then 'deleted'
    else 'valid'
  end;
end
$$;
comment on function private.state_of(ledger.journal) is 'Returns the state of a posting, as a receipt shows it, except that the sides of a returned transfer are `corrected` and `correction`.';

create function private.with_transfer(shown public.receipt, posted ledger.journal) returns public.receipt
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  request public.requests;
begin
  -- The amount and the descriptions in a request never change.
  select r.* into request from public.requests r
  where posted.origin in ('transfer', 'return') and r.id = posted.origin_id and posted.user_id in (r.payer, r.payee);
  if not found then
    return shown;
  end if;
  shown.transfer_id := request.id;
  shown.concept := request.description;
  if posted.user_id = request.payer then
    shown.counterparty := request.payee_name;
    shown.counterparty_masked := request.payee_masked;
  else
    shown.counterparty := request.payer_name;
  end if;
  select c.id into shown.return_id from public.corrections c
  where c.user_id = posted.user_id and c.corrected_id = request.id;
  shown.state := case shown.state when 'corrected' then 'returned' when 'correction' then 'return' else shown.state end;
  return shown;
end
$$;
comment on function private.with_transfer(public.receipt, ledger.journal) is
  'Adds to a receipt the transfer that the posting carried out or returned. Changes no other receipt.';

create function public.receipt(
  transaction_id uuid, user_id uuid default null, posted_seq bigint default null, reason text default null
) returns public.receipt
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  customer constant uuid := coalesce(receipt.user_id, me);
  posted ledger.journal;
  given public.receipt;
begin
  if customer is distinct from me then
    perform private.require_admin();
    perform private.require_paper_reason(reason);
  end if;
  posted := private.posting_of(customer, receipt.transaction_id, posted_seq);
  if posted.seq is null then
    raise exception 'El movimiento no existe.' using errcode = 'PT404';
  end if;
  given.account := customer;
  select
    coalesce(h.full_name, h.typed_name), h.full_name is not null, h.email,
    h.account_number, h.document_kind, h.document_number
  into
    given.holder_name, given.holder_is_verified, given.holder_email,
    given.holder_account_number, given.holder_document_kind, given.holder_document_number
  from private.paper_holder(customer) h;
  given.transaction_id := posted.transaction_id;
  given.seq := posted.seq;
  given.type := case when posted.delta > 0 then 'deposit' else 'expense' end;
  given.amount := abs(posted.delta);
  given.dated_at := posted.dated_at;
  given.recorded_at := posted.recorded_at;
  given.hash := encode(posted.hash, 'hex');
  given.state := private.state_of(posted);
  given.recorded_by := case when given.state is not null then case when posted.is_note then 'customer' else 'bank' end end;
  select t.description into given.description from public.transactions t
  where t.user_id = customer and t.id = posted.transaction_id;
  select c.reason into given.reason from public.corrections c
  where c.user_id = customer and (
    (given.state = 'correction' and c.id = posted.transaction_id)
    or (given.state in ('corrected', 'cancelled') and c.corrected_id = posted.transaction_id)
  );
  given := private.with_transfer(given, posted);
  if customer is distinct from me then
    perform private.record_audit('issue_receipt', customer, null, jsonb_build_object(
      'id', posted.transaction_id, 'reason', reason
    ));
  end if;
  return given;
end
$$;
comment on function public.receipt(uuid, uuid, bigint, text) is
  'Returns the receipt for one of the caller''s own transactions with its current amount and date, even if the transaction is no longer in the list. For a transfer, also returns the id of its request, the other customer''s name and the text that the payer wrote. With posted_seq, returns the amount and date that this entry posted, so that an issued receipt can be verified. An administrator may name another customer and one of the reasons of private.paper_reasons, which adds an audit entry with the reason. Any other caller who does so is refused (42501). Raises PT422 for an unknown reason, and PT404 for an unknown transaction or entry.';
grant execute on function public.receipt(uuid, uuid, bigint, text) to authenticated;

-- Certificates of the balance, signed like a statement (docs/decisions/0114).

create type public.balance_certificate as (
  account uuid,
  holder_name text,
  holder_is_verified boolean,
  holder_email text,
  holder_account_number text,
  holder_document_kind text,
  holder_document_number text,
  booked numeric,
  certified_at timestamptz,
  seq bigint,
  hash text,
  is_current boolean
);
comment on type public.balance_certificate is 'The facts about an account that a certificate of the balance states.';
comment on column public.balance_certificate.account is 'Id of the customer.';
comment on column public.balance_certificate.holder_name is 'The holder''s verified name, or the name that the customer typed; null if the customer gave no name.';
comment on column public.balance_certificate.holder_is_verified is 'Whether the bank verified the holder''s name; null for a closed account.';
comment on column public.balance_certificate.holder_email is 'The customer''s e-mail address; null for a closed account.';
comment on column public.balance_certificate.holder_account_number is 'The number of the customer''s account, twelve digits; null for a closed account.';
comment on column public.balance_certificate.holder_document_kind is 'Kind of the holder''s identity document; null until staff enter the document, and for a closed account.';
comment on column public.balance_certificate.holder_document_number is 'Number of the holder''s identity document; null until staff enter it, and for a closed account.';
comment on column public.balance_certificate.booked is 'The balance according to the bank in units of currency: the sum of the entries that are not notes of the customer.';
comment on column public.balance_certificate.certified_at is 'Time at which the balance was read.';
comment on column public.balance_certificate.seq is 'Number of the last entry that the balance takes into account; 0 without entries.';
comment on column public.balance_certificate.hash is 'The hash of this entry in hex; 64 zeros without entries.';
comment on column public.balance_certificate.is_current is 'Whether the bank has recorded nothing after this entry.';

create function public.balance_certificate(
  user_id uuid default null, until_seq bigint default null, reason text default null
) returns public.balance_certificate
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  customer constant uuid := coalesce(balance_certificate.user_id, me);
  given public.balance_certificate;
begin
  if customer is distinct from me then
    perform private.require_opened(customer);
    perform private.require_paper_reason(reason);
  end if;
  select
    coalesce(h.full_name, h.typed_name), h.full_name is not null, h.email,
    h.account_number, h.document_kind, h.document_number
  into
    given.holder_name, given.holder_is_verified, given.holder_email,
    given.holder_account_number, given.holder_document_kind, given.holder_document_number
  from private.paper_holder(customer) h;
  given.account := customer;
  given.certified_at := statement_timestamp();
  -- One query, so that an entry that is posted meanwhile counts in all columns or in none.
  select
    coalesce(sum(j.delta) filter (where not j.is_note and j.seq <= l.seq), 0), l.seq, l.hash,
    coalesce(bool_and(j.is_note or j.seq <= l.seq), true)
  into given.booked, given.seq, given.hash, given.is_current
  from (
    select coalesce(max(e.seq), 0) as seq, coalesce(encode((array_agg(e.hash order by e.seq desc))[1], 'hex'), repeat('0', 64)) as hash
    from (
      select k.seq, k.hash from ledger.journal k
      where k.user_id = customer and (until_seq is null or k.seq <= until_seq) order by k.seq desc limit 1
    ) e
  ) l
  left join ledger.journal j on j.user_id = customer
  group by l.seq, l.hash;
  if customer is distinct from me then
    perform private.record_audit('issue_balance_certificate', customer, null, jsonb_build_object('reason', reason));
  end if;
  return given;
end
$$;
comment on function public.balance_certificate(uuid, bigint, text) is
  'Returns the balance of the caller''s own account according to the bank, which the customer''s own notes do not change, with the names and numbers of the holder. With until_seq, returns the balance after this entry, so that an issued certificate can be verified. An administrator whose session has opened the customer''s page may name the customer and one of the reasons of private.paper_reasons, which adds an audit entry with the reason. Any other caller who does so is refused (42501). Raises PT422 for an unknown reason.';
grant execute on function public.balance_certificate(uuid, bigint, text) to authenticated;
