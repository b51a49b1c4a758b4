-- The audit log records the actor, action and target of each administrative action, in one hash chain for the whole
-- bank. No role can change or delete an entry. Triggers record the changes of users and transactions in the same
-- database transaction as the change, so that no code path can omit an entry.

create table ledger.audit (
  id bigint primary key,
  recorded_at timestamptz not null,
  origin text not null,
  actor uuid,
  session_id uuid,
  request_id text,
  action text not null,
  target uuid,
  before jsonb,
  after jsonb,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_origin_known check (origin in ('request', 'service', 'operator', 'system')),
  constraint audit_action_is_a_name check (action ~ '^[a-z][a-z_]{0,49}$'),
  constraint audit_request_id_is_short check (char_length(request_id) <= 100)
);
-- For every filter of public.audit_of, one of these indexes returns the newest entries first.
create index audit_by_target on ledger.audit (target, id);
create index audit_by_actor on ledger.audit (actor, id);
create index audit_by_action on ledger.audit (action, id);
create index audit_by_actor_and_action on ledger.audit (actor, action, id);
create index audit_by_time on ledger.audit (recorded_at, id);

comment on table ledger.audit is 'Append-only. One row for each action by which staff or an operator exercises authority over another person. Rows identify people only by id, and can therefore be kept after the people''s accounts are deleted.';
comment on column ledger.audit.id is 'Numbers the entries of the single chain 1, 2, 3, … without gaps.';
comment on column ledger.audit.recorded_at is 'Time at which the entry was written, to the microsecond.';
comment on column ledger.audit.origin is '`request`: the actor acted in their own session. `service`: a service acted on the actor''s behalf. `operator`: an operator ran a command. `system`: the actor is unknown, for example at the first start or when SQL was run directly.';
comment on column ledger.audit.actor is 'Id of the person who acted, who may have been deleted since; null if the person is unknown.';
comment on column ledger.audit.session_id is 'The actor''s session; null outside a request.';
comment on column ledger.audit.request_id is 'X-Request-Id of the answer; null if unknown.';
comment on column ledger.audit.action is 'The action, such as read_customer or register_transaction. docs/logging.md lists all actions.';
comment on column ledger.audit.target is 'Id of the person affected by the action, who may have been deleted since; null if the action did not affect a single person.';
comment on column ledger.audit.before is 'The previous value as JSON; null if none was recorded.';
comment on column ledger.audit.after is 'The new value as JSON; null if none was recorded. Amounts are strings with two decimals.';
comment on column ledger.audit.previous_hash is 'The hash of the previous entry; 32 zero bytes in the first entry.';
comment on column ledger.audit.hash is 'SHA-256 of all other columns (ledger.audit_hash).';

alter table ledger.audit enable row level security, force row level security;

create trigger audit_is_append_only
  before update or delete or truncate on ledger.audit
  for each statement execute function ledger.refuse_change();

grant select on ledger.audit to authenticated;
create policy "administrators read the audit" on ledger.audit
  for select to authenticated using ((select private.is_admin()));
comment on policy "administrators read the audit" on ledger.audit is 'Administrators read the audit only through public.audit_entries, because requests cannot address this schema.';

create function ledger.audit_hash(entry ledger.audit) returns bytea
  language sql immutable
  set search_path = ''
  return sha256(ledger.length_prefixed(
    entry.id::text,
    (extract(epoch from entry.recorded_at) * 1000000)::bigint::text,
    entry.origin,
    entry.actor::text,
    entry.session_id::text,
    entry.request_id,
    entry.action,
    entry.target::text,
    entry.before::text,
    entry.after::text,
    encode(entry.previous_hash, 'hex')
  ));
comment on function ledger.audit_hash(ledger.audit) is
  'Computes the hash of an audit entry. The time is encoded as microseconds since 1970, JSON as PostgreSQL prints jsonb, and the previous hash in hex.';

create function private.record_audit(
  action text, target uuid, before jsonb, after jsonb, asked_by uuid default null
) returns bigint
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry ledger.audit;
begin
  entry.actor := coalesce(asked_by, (select auth.uid()));
  if asked_by is not null then
    entry.origin := 'request';
  elsif entry.actor is not null then
    entry.origin := 'request';
    entry.session_id := ((select auth.jwt()) ->> 'session_id')::uuid;
  else
    entry.actor := nullif(current_setting('audit.actor', true), '')::uuid;
    entry.origin := coalesce(nullif(current_setting('audit.origin', true), ''), 'system');
  end if;
  entry.request_id := nullif(current_setting('audit.request_id', true), '');
  entry.action := action;
  entry.target := target;
  entry.before := before;
  entry.after := after;

  -- Ensures that only one writer at a time appends to the chain; the lock is held until that writer commits. Recording
  -- a customer's own transactions never takes this lock.
  perform pg_advisory_xact_lock(hashtext('finanzas.audit'));
  select a.id, a.hash into entry.id, entry.previous_hash from ledger.audit a order by a.id desc limit 1;
  entry.id := coalesce(entry.id, 0) + 1;
  entry.previous_hash := coalesce(entry.previous_hash, decode(repeat('00', 32), 'hex'));
  entry.recorded_at := clock_timestamp();
  entry.hash := ledger.audit_hash(entry);
  insert into ledger.audit select entry.*;
  return entry.id;
end
$$;
comment on function private.record_audit(text, uuid, jsonb, jsonb, uuid) is
  'Appends an audit entry for a change that no trigger can see, and returns the entry''s id. The actor is the request''s caller, or the person named by private.act_as. For an act that another administrator approved, the actor is the administrator who requested the act (requests.asked_by), and the entry has no session. Call this function last, because the chain stays locked until the commit.';
grant execute on function private.record_audit(text, uuid, jsonb, jsonb, uuid) to service_role, supabase_auth_admin;

create function private.act_as(origin text, actor uuid default null) returns void
  language sql
  set search_path = ''
as $$
  select set_config('audit.origin', origin, true), set_config('audit.actor', coalesce(actor::text, ''), true)
$$;
comment on function private.act_as(text, uuid) is
  'Sets the actor that the audit records for the rest of this database transaction: ''operator'' for a command, or ''service'' with the person on whose behalf a service acts. A signed-in caller takes precedence.';
grant execute on function private.act_as(text, uuid) to service_role, supabase_auth_admin;

create function public.record_audit(action text, actor uuid, target uuid, before jsonb, after jsonb) returns bigint
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.act_as('service', actor);
  return private.record_audit(action, target, before, after);
end
$$;
comment on function public.record_audit(text, uuid, uuid, jsonb, jsonb) is
  'Appends an audit entry on behalf of a person. Services that hold the service key call this function for changes that the database cannot see.';
revoke execute on function public.record_audit(text, uuid, uuid, jsonb, jsonb) from public, anon, authenticated;
grant execute on function public.record_audit(text, uuid, uuid, jsonb, jsonb) to service_role;

create function private.audited_role(app_metadata jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return jsonb_build_object('role', case app_metadata ->> 'role' when 'admin' then 'admin' else 'user' end);
comment on function private.audited_role(jsonb) is 'Returns a user''s role in the form that the audit records.';

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

revoke all on public.audit_entries from public, anon, authenticated, service_role;
grant select on public.audit_entries to authenticated;

revoke execute on all functions in schema private, ledger from public;
