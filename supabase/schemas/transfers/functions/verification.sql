-- Verification of transfers: each request must agree with the journals of the payer and of the payee. The checks of the
-- chains and of the balances read one customer at a time, and therefore accept a transfer with only one posting. Only a
-- transfer to an account at another bank may have a single posting.

create function ledger.check_transfers(
  after_id uuid, rows_max integer,
  out rows integer, out last_id uuid,
  out broken_customer uuid, out broken_seq bigint, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
begin
  with portion as materialized (
    select r.* from public.requests r
    where r.kind = 'transfer' and (after_id is null or r.id > after_id)
    order by r.id
    limit rows_max
  ),
  sides as (
    select p.id, p.status, p.payer, p.payee, s.customer, s.delta,
      -- Only a transfer to an account at another bank has a single posting. Its amount must then be in the clearing.
      coalesce(p.payee is null <> (p.details is not null), true) or (
        select t.amount from private.clearing_transfers t where t.transfer_id = p.id
      ) is distinct from (
        case when p.payee is null and p.status in ('done', 'returned') then p.amount end
      ) as is_wrong_in_clearing
    from portion p
    cross join lateral (values (p.payer, -p.amount), (p.payee, p.amount)) s (customer, delta)
    where s.customer is not null
  ),
  checked as (
    select s.customer, posted.seq,
      case
        when s.is_wrong_in_clearing then true
        -- A customer may record a note under the id of a transfer that moved no money. A note is not a posting of the
        -- bank.
        when s.status not in ('done', 'returned') then posted.delta is not null
        when posted.delta is distinct from s.delta then true
        when s.status = 'done' then returned.delta is not null
        else returned.delta is distinct from -s.delta
      end as is_broken
    from sides s
    left join lateral (
      select j.seq, j.delta from ledger.journal j
      where j.user_id = s.customer and j.transaction_id = s.id and j.kind in ('deposit', 'expense')
        and (j.origin, j.origin_id) = ('transfer', s.id)
      limit 1
    ) posted on true
    left join lateral (
      select j.delta from ledger.journal j
      where j.user_id = s.customer and j.origin = 'return' and j.origin_id = s.id and j.kind in ('deposit', 'expense')
      limit 1
    ) returned on true
  )
  select c.counted, c.last, b.customer, b.seq, case when b.customer is not null then 'transfer' end
  into rows, last_id, broken_customer, broken_seq, fault
  from (select count(*) as counted, (array_agg(p.id order by p.id desc))[1] as last from portion p) c
  left join (
    select k.customer, k.seq from checked k where k.is_broken order by k.customer, k.seq limit 1
  ) b on true;
end
$$;
comment on function ledger.check_transfers(uuid, integer) is
  'Checks the next transfers, ordered by id. A transfer that is done or returned must have its posting in the journal of the payer and in that of the payee. A transfer to an account at another bank has no payee. Its amount must instead be recorded in private.clearing_transfers. A returned transfer must also have the opposite postings, with the origin `return`. Any other transfer must have neither postings nor a row in private.clearing_transfers. Returns the number of checked transfers and the id of the last checked transfer. If a check failed, also returns the fault `transfer`, the first affected customer, and the number of the wrong posting, if there is one. If the number of checked transfers is less than rows_max, no more transfers remain to be checked.';
grant execute on function ledger.check_transfers(uuid, integer) to service_role;
