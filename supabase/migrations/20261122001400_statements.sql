-- Monthly statements: the entries that the journal recorded in one month in Bogotá, with the balance after each, and
-- the head of the chain, by which the printed statement can be verified later.

-- Returns json and not rows, because a page of 5,000 entries is then built only once.
create function public.statement(month date, until_seq bigint default null, after_seq bigint default 0) returns json
  language plpgsql stable
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  first_day timestamp;
  before record;
  head record;
  is_whole boolean := true;
  -- Entries of the chain in one page. Without pages, a long month would delay every other customer of an embedded
  -- engine.
  page_max constant integer := 5000;
  page_begins bigint;
  page_ends bigint;
begin
  if (month between '0001-01-01' and '9999-12-31') is not true then
    raise exception 'El mes no es válido.' using errcode = 'PT422';
  end if;
  first_day := date_trunc('month', month::timestamp);
  -- Finds the month's limits in the chain, whose order a clock that was set back cannot change: all entries after the
  -- last one of an earlier month belong to this month.
  select j.seq, j.balance_after into before from public.journal_entries j
  where j.user_id = me and j.recorded_at < first_day at time zone 'America/Bogota'
  order by j.seq desc limit 1;
  select j.seq, j.balance_after, j.hash into head from public.journal_entries j
  where j.user_id = me and j.recorded_at < (first_day + interval '1 month') at time zone 'America/Bogota'
  order by j.seq desc limit 1;
  if until_seq < head.seq then
    is_whole := false;
    -- An until_seq from before the month gives an empty statement.
    until_seq := greatest(until_seq, before.seq);
    select j.seq, j.balance_after, j.hash into head from public.journal_entries j where j.user_id = me and j.seq = until_seq;
  end if;

  page_begins := greatest(least(coalesce(after_seq, 0), coalesce(head.seq, 0)), before.seq, 0);
  page_ends := least(page_begins + page_max, coalesce(head.seq, 0));

  return json_build_object(
    'account', me,
    'month', to_char(first_day, 'YYYY-MM'),
    'opening', coalesce(before.balance_after, 0),
    'closing', coalesce(head.balance_after, 0),
    'first_seq', coalesce(before.seq, 0) + 1,
    'last_seq', coalesce(head.seq, 0),
    'hash', coalesce(head.hash, repeat('0', 64)),
    'is_whole', is_whole,
    'next_after_seq', case when page_ends < head.seq then page_ends end,
    'entries', (
      with recursive corrections as (
        select c.id, 1 as length from public.corrections c
        where c.user_id = me and not exists (
          select from public.corrections earlier where earlier.user_id = me and earlier.id = c.corrected_id
        )
        union all
        select c.id, h.length + 1
        from corrections h join public.corrections c on c.user_id = me and c.corrected_id = h.id
      )
      -- The cost grows only with the entries of the page, which are limited.
      select coalesce(json_agg(json_build_object(
        'seq', j.seq,
        'kind', case
          when c.id is null or j.kind not in ('deposit', 'expense') then j.kind
          -- Named by the original mistake: the corrections of a chain alternate between the two types.
          when (j.kind = 'deposit') = (c.length % 2 = 0) then 'deposit_correction'
          else 'expense_correction'
        end,
        'amount', j.delta, 'balance', j.balance_after, 'recorded_at', j.recorded_at,
        'date', t.date, 'description', t.description,
        -- Customers may change the category of a transaction that the bank recorded; on a statement it would look like
        -- the bank's own.
        'category', case when t.recorded_by = 'customer' then t.category end
      ) order by j.seq), '[]')
      from public.journal_entries j
      left join public.transactions t on t.user_id = j.user_id and t.id = j.transaction_id
      left join corrections c on c.id = j.transaction_id
      where j.user_id = me and j.seq > page_begins and j.seq <= page_ends and j.kind <> 'edit'
    )
  );
end
$$;
comment on function public.statement(date, bigint, bigint) is
  'Returns the caller''s own statement of a month in Bogotá as the journal recorded it: opening + amounts = closing, each entry with its balance. Edits are left out, because they move no money. Date, description and category come from the list at the time of the call; they are null for a transaction that left the list, and the category is null for a transaction that the bank recorded. The kind comes from the journal, except for a correction by the bank: it is deposit_correction or expense_correction, by the type of the original mistake. A page holds 5,000 entries of the chain. The next page takes next_after_seq as after_seq; the last page has null there. first_seq to last_seq is the month''s part of the chain, and hash is the hash of its last entry. With until_seq, the statement ends at that entry, as it did when that entry was the last one, except for description and category. Raises PT422 for an invalid month. Runs with the caller''s own rights.';
revoke execute on function public.statement(date, bigint, bigint) from public, anon, service_role;
grant execute on function public.statement(date, bigint, bigint) to authenticated;
