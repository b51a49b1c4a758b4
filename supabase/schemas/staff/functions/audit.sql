-- Reading the audit.

create view public.audit_entries with (security_invoker = true) as
select
  a.id,
  a.recorded_at,
  a.origin,
  a.actor,
  (select p.full_name from public.profiles p where p.id = a.actor) as actor_name,
  a.session_id,
  a.request_id,
  a.action,
  a.target,
  (select p.full_name from public.profiles p where p.id = a.target) as target_name,
  a.before,
  a.after,
  encode(a.previous_hash, 'hex') as previous_hash,
  encode(a.hash, 'hex') as hash
from ledger.audit a
-- With the policy alone, a customer would get an empty result. This check raises an error instead, even if the audit is
-- empty.
where (select private.require_admin());

comment on view public.audit_entries is 'The audit log, for administrators only. Clients read the rows in pages, ordered by id, newest first. Raises 42501 for every other caller.';
comment on column public.audit_entries.id is '1, 2, 3, … without gaps.';
comment on column public.audit_entries.recorded_at is 'Time at which the entry was written, to the microsecond.';
comment on column public.audit_entries.origin is 'request, service, operator or system.';
comment on column public.audit_entries.actor is 'Id of the person who acted.';
comment on column public.audit_entries.actor_name is 'The actor''s current name; null once the actor is deleted.';
comment on column public.audit_entries.session_id is 'The actor''s session.';
comment on column public.audit_entries.request_id is 'X-Request-Id of the answer; null if unknown.';
comment on column public.audit_entries.action is 'The action. docs/logging.md lists all actions.';
comment on column public.audit_entries.target is 'Id of the person affected by the action, who may have been deleted since; null if the action did not affect a single person.';
comment on column public.audit_entries.target_name is 'The target''s current name; null once the target is deleted.';
comment on column public.audit_entries.before is 'The previous value.';
comment on column public.audit_entries.after is 'The new value.';
comment on column public.audit_entries.previous_hash is 'The hash of the previous entry in hex; 64 zeros in the first entry.';
comment on column public.audit_entries.hash is 'The hash of this entry in hex, as ledger.audit_hash computes it.';

grant select on public.audit_entries to authenticated;

create function public.audit_of(
  user_id uuid default null, actor uuid default null, action text default null,
  since timestamptz default '-infinity', until timestamptz default 'infinity',
  before_entry bigint default 9223372036854775807, rows_max integer default 1000, kind text default null
) returns setof public.audit_entries
  language plpgsql stable security definer
  set search_path = ''
  -- A generic plan would scan the whole audit.
  set plan_cache_mode = force_custom_plan
as $$
declare
  found_max constant integer := greatest(least(rows_max, 1000), 0);
  first_entry bigint;
  end_entry bigint;
begin
  perform private.require_admin();
  -- The ids are in the same order as the times, because only one writer at a time appends to the chain.
  first_entry := coalesce((
    select a.id from ledger.audit a where a.recorded_at >= coalesce(since, '-infinity') order by a.recorded_at, a.id limit 1
  ), before_entry);
  -- If the argument `until` is null, the subquery finds no entry and returns null, and least() ignores nulls.
  end_entry := least(before_entry, (
    select a.id from ledger.audit a where a.recorded_at >= until order by a.recorded_at, a.id limit 1
  ));
  return query
    select entries.* from (
      (
        select a.* from public.audit_entries a
        where (audit_of.user_id is null or a.target = audit_of.user_id)
          and (audit_of.actor is null or a.actor = audit_of.actor)
          and (audit_of.action is null or a.action = audit_of.action)
          and (audit_of.kind is distinct from 'changes' or a.action !~ '^(read|list|search)_')
          and (audit_of.kind is distinct from 'reads' or a.action ~ '^(read|list|search)_')
          and a.id >= first_entry and a.id < end_entry
        order by a.id desc limit found_max
      )
      union all
      (
        select
          a.id, a.recorded_at, a.origin, a.actor, a.actor_name, a.session_id, a.request_id, a.action, t.target,
          (select p.full_name from public.profiles p where p.id = t.target), a.before,
          jsonb_strip_nulls(jsonb_build_object(
            'id', a.after ->> 'id', 'lines', t.lines, 'amount', to_char(t.amount, 'FM999999999999999990.00')
          )),
          a.previous_hash, a.hash
        from ledger.audit_targets t join public.audit_entries a on a.id = t.entry
        where t.target = audit_of.user_id
          and (audit_of.actor is null or a.actor = audit_of.actor)
          and (audit_of.action is null or a.action = audit_of.action)
          and (audit_of.kind is distinct from 'changes' or a.action !~ '^(read|list|search)_')
          and (audit_of.kind is distinct from 'reads' or a.action ~ '^(read|list|search)_')
          and t.entry >= first_entry and t.entry < end_entry
        order by t.entry desc limit found_max
      )
    ) entries
    order by entries.id desc
    limit found_max;
end
$$;
comment on function public.audit_of(uuid, uuid, text, timestamptz, timestamptz, bigint, integer, text) is
  'Returns up to 1,000 audit entries that are older than before_entry, newest first. Entries can be filtered by person, actor, action and time. An entry written at exactly the time `since` is included, and an entry written at exactly the time `until` is not. The kind `changes` leaves out the entries that record a reading, and the kind `reads` returns only these. A filter that is null matches every entry. An entry is about a person if the person is its target, if it orders or reverses a batch with deposits for the person, or if it records a search that found the person''s transactions. If the entries are filtered by person, the entry of a batch shows only this person''s deposits. For administrators only. Reads at most the entries of one of the filters.';
grant execute on function public.audit_of(uuid, uuid, text, timestamptz, timestamptz, bigint, integer, text) to authenticated;
