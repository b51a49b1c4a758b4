-- Functions of audit: recording an entry, verifying the chain, and requiring an entry before a read.

-- Written in PL/pgSQL, because an SQL function would set up its query for every entry and take twice as long.
create function ledger.length_prefixed(variadic fields text[]) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
declare
  field text;
  encoded bytea := '';
begin
  foreach field in array fields loop
    encoded := encoded || case
      when field is null then int4send(-1)
      else int4send(octet_length(field)) || convert_to(field, 'UTF8')
    end;
  end loop;
  return encoded;
end
$$;
comment on function ledger.length_prefixed(text[]) is
  'Encodes each field as a four-byte length (big-endian, -1 for null) followed by the field in UTF-8. Two different lists of fields therefore never have the same encoding.';

create function ledger.refuse_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'The % is append-only.', tg_table_name using errcode = '42501';
end
$$;
comment on function ledger.refuse_change() is 'Refuses every change to an append-only table, even by the table''s owner.';

create function ledger.audit_hash(entry ledger.audit) returns bytea
  language sql immutable
  set search_path = ''
  return sha256(ledger.length_prefixed(
    entry.cell::text,
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

create function private.audit_context(part text) returns text
  language sql stable
  set search_path = ''
  return nullif(current_setting('audit.context', true), '')::jsonb ->> part;
comment on function private.audit_context(text) is
  'Returns a part of the setting audit.context, which describes the current database transaction: `request_id`, or `origin` and `actor` (private.act_as). Returns null if nothing set this part.';

create function private.add_to_audit_context(parts jsonb) returns void
  language sql
  set search_path = ''
  return set_config(
    'audit.context', (coalesce(nullif(current_setting('audit.context', true), '')::jsonb, '{}') || parts)::text, true
  );
comment on function private.add_to_audit_context(jsonb) is
  'Sets parts of the setting audit.context for the rest of this database transaction, and keeps its other parts.';

create function private.is_operator() returns boolean
  language sql stable
  set search_path = ''
  return (select auth.uid()) is null and coalesce(private.audit_context('origin') = 'operator', false);
comment on function private.is_operator() is
  'Returns whether a command of the operator acts at present (private.act_as). A signed-in caller is never the operator.';

create function private.author_of(asked_by uuid, out actor uuid, out origin text, out session_id uuid) returns record
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  actor := coalesce(asked_by, (select auth.uid()));
  if actor is null then
    actor := private.audit_context('actor')::uuid;
    origin := coalesce(private.audit_context('origin'), 'system');
  else
    origin := 'request';
    session_id := case when asked_by is null then ((select auth.jwt()) ->> 'session_id')::uuid end;
  end if;
end
$$;
comment on function private.author_of(uuid) is
  'Returns who acts at present: the administrator who asked for an approved act, the request''s caller, or the person named by private.act_as. Also returns the origin of the act, and the session of the caller.';

create function private.record_audit(
  action text, target uuid, before jsonb, after jsonb, asked_by uuid default null
) returns bigint
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry ledger.audit;
begin
  select a.actor, a.origin, a.session_id into entry.actor, entry.origin, entry.session_id
  from private.author_of(asked_by) a;
  entry.request_id := private.audit_context('request_id');
  entry.action := action;
  entry.target := target;
  entry.before := before;
  entry.after := after;

  -- Ensures that only one writer at a time appends to the chain; the lock is held until that writer commits. Recording
  -- a customer's own transactions never takes this lock.
  perform pg_advisory_xact_lock(hashtext('finanzas.audit'));
  entry.cell := private.cell();
  select a.id, a.hash into entry.id, entry.previous_hash
  from ledger.audit a where a.cell = entry.cell order by a.id desc limit 1;
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
  language sql security definer
  set search_path = ''
  return private.add_to_audit_context(jsonb_build_object('origin', origin, 'actor', actor));
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
grant execute on function public.record_audit(text, uuid, uuid, jsonb, jsonb) to service_role;

create function private.audited_role(app_metadata jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  return jsonb_build_object('role', case app_metadata ->> 'role' when 'admin' then 'admin' else 'user' end);
comment on function private.audited_role(jsonb) is 'Returns a user''s role in the form that the audit records.';

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
    -- Also reads the last entry of the previous portion, because each entry is checked against its predecessor.
    select a.*, a as entry from ledger.audit a
    where after_id is null or a.id >= after_id
    order by a.id, a.cell
    limit rows_max + 1
  ),
  pairs as (
    select p.*, lag(p.id) over chain as id_before, lag(p.hash) over chain as hash_before
    from portion p
    window chain as (order by p.id, p.cell)
  ),
  checked as materialized (
    select
      p.id,
      case
        -- Only this cell may write to its table.
        when p.cell <> private.cell() then 'sequence'
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
  'Checks the next audit entries, each against its predecessor. If an entry is invalid, fault names the check that failed: `sequence`, `link` or `hash`. Returns the number of entries checked, the last entry checked and the first broken entry. If fewer than rows_max entries were checked, the call has reached the end of the audit.';
grant execute on function ledger.check_audit(bigint, integer) to service_role;

create function private.require_opened(customer uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  if not exists (
    select from ledger.audit a
    where a.target = customer and a.action = 'read_customer'
      and a.session_id = ((select auth.jwt()) ->> 'session_id')::uuid
      and a.recorded_at > now() - interval '1 hour'
  ) then
    raise exception 'Abre otra vez la página del cliente.' using errcode = '42501';
  end if;
end
$$;
comment on function private.require_opened(uuid) is
  'Refuses (42501) every caller except an administrator who, within the last hour, opened this customer''s page in the same session (public.open_customer).';
