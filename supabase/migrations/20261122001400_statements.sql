-- Monthly statements: the entries that the journal booked in a month in Bogotá, with the balance after each and the
-- head of the chain, which verifies the paper later.

-- As json: a page is 5,000 entries, built once.
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
  -- Of the chain: whole months would hold up every other customer of an embedded engine.
  page_max constant integer := 5000;
  page_begins bigint;
  page_ends bigint;
begin
  if (month between '0001-01-01' and '9999-12-31') is not true then
    raise exception 'El mes no es válido.' using errcode = 'PT422';
  end if;
  first_day := date_trunc('month', month::timestamp);
  -- Follows the chain, which a clock that was set back cannot reorder: entries after the last one of before belong to
  -- the month.
  select j.seq, j.balance_after into before from public.journal_entries j
  where j.user_id = me and j.recorded_at < first_day at time zone 'America/Bogota'
  order by j.seq desc limit 1;
  select j.seq, j.balance_after, j.hash into head from public.journal_entries j
  where j.user_id = me and j.recorded_at < (first_day + interval '1 month') at time zone 'America/Bogota'
  order by j.seq desc limit 1;
  if until_seq < head.seq then
    is_whole := false;
    -- Before the month there is nothing of it.
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
      -- Nothing here grows with anything but the entries: a page has its limit whatever else the customer did.
      select coalesce(json_agg(json_build_object(
        'seq', j.seq,
        'kind', case
          when c.id is null or j.kind not in ('deposit', 'expense') then j.kind
          -- By the mistake that it goes back to: each correction is of the other type than the one before.
          when (j.kind = 'deposit') = (c.length % 2 = 0) then 'deposit_correction'
          else 'expense_correction'
        end,
        'amount', j.delta, 'balance', j.balance_after, 'recorded_at', j.recorded_at,
        'date', t.date, 'description', t.description,
        -- The customer may change the category of what the bank recorded: beside it, it would read as the bank's word.
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
  'The caller''s own month in Bogotá as the journal booked it: opening + amounts = closing, each entry with its balance, without edits, which move nothing; date and words of what is still listed, null of what is not. The category is null for what the bank recorded. A kind is the journal''s; a correction of the bank is deposit_correction or expense_correction, by the mistake that it goes back to. A page holds 5,000 entries of the chain. The next page takes next_after_seq as after_seq; the last page has null there. Date and words beside the entries are of the moment of their page. first_seq to last_seq is the month''s part of the chain, hash that of its last entry. Until an entry of the month it is what it was when that was the last one, but for the words. PT422 for no month. With the caller''s own rights.';
revoke execute on function public.statement(date, bigint, bigint) from public, anon, service_role;
grant execute on function public.statement(date, bigint, bigint) to authenticated;
