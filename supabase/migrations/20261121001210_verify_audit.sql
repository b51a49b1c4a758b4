-- Verification of the audit: one chain for the whole bank, checked like the customers' own.

create function ledger.check_audit(
  after_id bigint, rows_max integer,
  out rows integer, out last_id bigint, out broken_id bigint, out fault text
)
  language plpgsql stable security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
begin
  with portion as materialized (
    -- The row before the first one comes along.
    select a.*, a as entry from ledger.audit a
    where after_id is null or a.id >= after_id
    order by a.id
    limit rows_max + 1
  ),
  pairs as (
    select p.*, lag(p.id) over (order by p.id) as id_before, lag(p.hash) over (order by p.id) as hash_before
    from portion p
  ),
  checked as materialized (
    select
      p.id,
      case
        when p.id <> coalesce(p.id_before, 0) + 1 then 'sequence'
        when p.previous_hash <> coalesce(p.hash_before, decode(repeat('00', 32), 'hex')) then 'link'
        when p.recorded_at not between '2000-01-01' and '9999-12-31' then 'hash'
        when p.hash <> ledger.audit_hash(p.entry) then 'hash'
      end as fault
    from pairs p
    where p.id is distinct from after_id
  )
  select c.counted, c.last, b.id, b.fault
  into rows, last_id, broken_id, fault
  from (select count(*) as counted, max(k.id) as last from checked k) c
  left join (select k.* from checked k where k.fault is not null order by k.id limit 1) b on true;
end
$$;
comment on function ledger.check_audit(bigint, integer) is
  'Checks the next rows of the audit, each against the one before it: sequence, link, hash. Answers how many, the last one, and the first broken one. Fewer than asked for means that these were the last.';
revoke execute on function ledger.check_audit(bigint, integer) from public;
grant execute on function ledger.check_audit(bigint, integer) to service_role;
