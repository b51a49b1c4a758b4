-- Monthly statements list the transactions dated in a month in Bogotá, with the balance after each transaction. A
-- statement shows the customer's journal up to a particular entry. The statement contains the number and hash of this
-- entry, so that a printed statement can be verified later.

create index journal_by_date on ledger.journal (user_id, dated_at, seq) include (delta, is_note);
comment on index ledger.journal_by_date is 'Finds the entries of a month, and sums the entries before that month (public.statement). With 100,000 entries, a statement took 120 ms without this index and 45 ms with it.';

-- Returns one json value instead of rows, so that a page of 5,000 rows is converted to JSON only once.
create function public.statement(month date, until_seq bigint default null, after_row integer default 0) returns json
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
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
  where j.user_id = me and (until_seq is null or j.seq <= until_seq) order by j.seq desc limit 1;

  return (
    -- Adds each entry to only one of the sums, because every sum over a long history takes time.
    with opened as (
      select s.booked + s.noted as balance, s.noted
      from (
        select
          coalesce(sum(j.delta) filter (where not j.is_note), 0) as booked,
          coalesce(sum(j.delta) filter (where j.is_note), 0) as noted
        from public.journal_entries j where j.user_id = me and j.seq <= head.seq and j.dated_at < begins_at
      ) s
    ),
    -- Compares the kind of each entry only once.
    entries as materialized (
      select
        j.seq, j.kind, j.transaction_id, j.delta, j.dated_at, j.recorded_at, j.is_note,
        j.kind in ('deposit', 'expense', 'note', 'amendment') as is_posting
      from public.journal_entries j
      where j.user_id = me and j.seq <= head.seq and j.dated_at >= begins_at and j.dated_at < ends_at
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
    -- Reads the corrections up to the statement's last entry. A mistake is void while it has an odd number of
    -- corrections.
    corrections as (
      select c.id, c.mistake_id from public.corrections c
      where c.user_id = me and exists (
        select from public.journal_entries j
        where j.user_id = me and j.transaction_id = c.id and j.seq <= head.seq
      )
    ),
    mistakes as (
      select c.mistake_id from corrections c group by c.mistake_id having count(*) % 2 = 1
    ),
    lines as (
      select
        d.*,
        case
          when d.transaction_id in (select c.id from corrections c) then 'correction'
          when d.transaction_id in (select c.mistake_id from mistakes c) then 'corrected'
          when d.is_unlisted then 'unlisted'
          else d.type
        end as kind,
        row_number() over in_order as line,
        sum(d.amount) over in_order as balance
      from dated d
      -- Rows that were recorded after the end of the month come last, because the statement lists these rows under a
      -- separate heading.
      window in_order as (order by d.recorded_at >= ends_at, d.dated_at, d.seq rows unbounded preceding)
    )
    select json_build_object(
      'account', me,
      'month', to_char(month, 'YYYY-MM'),
      'opening', o.balance,
      'closing', o.balance + coalesce((select sum(d.amount) from dated d), 0),
      'noted', o.noted + coalesce((select sum(d.amount) from dated d where d.is_note), 0),
      'last_seq', coalesce(head.seq, 0),
      'hash', coalesce(head.hash, repeat('0', 64)),
      'is_whole', not exists (
        select from public.journal_entries j where j.user_id = me and j.seq > coalesce(head.seq, 0) and j.dated_at < ends_at
      ),
      'next_after_row', case
        when (select count(*) from dated) > page_begins::bigint + page_max then page_begins + page_max
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
          from public.transactions w where w.user_id = me and w.id = l.transaction_id limit 1
        ) t on true
        where l.line > page_begins and l.line <= page_begins::bigint + page_max
      )
    )
    from opened o
  );
end
$$;
comment on function public.statement(date, bigint, integer) is
  'Returns the caller''s own statement for a month in Bogotá, ordered by transaction date. The opening balance plus all amounts equals the closing balance, and each row has the balance after its transaction. Rows that were recorded after the month ended come last. Deleted expenses are omitted. A row is a note if the customer recorded the expense. The part of the closing balance that consists of notes is `noted`. A correction has the same date as its mistake. Descriptions and categories are read from the customer''s list at the time of the call. The description and category are null for a transaction that is no longer in the list. The category is also null for a bank transaction. The kind is `deposit`, `expense`, `corrected`, `correction` or `unlisted`. A `corrected` row and its `correction` cancel each other out and are excluded from totals. An `unlisted` row is a transaction that the customer removed from their list. A page has 5,000 rows. To read the next page, pass next_after_row as after_row and last_seq as until_seq; on the last page, next_after_row is null. last_seq and hash describe the last entry that the statement takes into account. If until_seq is given, the statement ignores all later entries, but the descriptions and categories are current. In this case, is_whole is false if a later entry changes the statement. Raises PT422 for an invalid month. Runs with the caller''s own rights.';
revoke execute on function public.statement(date, bigint, integer) from public, anon, service_role;
grant execute on function public.statement(date, bigint, integer) to authenticated;
