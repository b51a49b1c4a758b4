-- The checks at the start of every guarded staff action. The administrator must have entered the password or a mailed
-- code recently (a proof), and the bank's own rules must allow the action.

create table private.staff_rules (
  is_only boolean primary key default true,
  proof_above numeric not null,
  self_dealing text not null,
  approval_above numeric,
  asks_proof boolean not null default true,
  constraint staff_rules_is_only_one check (is_only),
  constraint staff_rules_proof_above_is_an_amount check (proof_above >= 0),
  constraint staff_rules_self_dealing_known check (self_dealing in ('allow', 'refuse')),
  constraint staff_rules_approval_above_is_an_amount check (approval_above >= 0)
);
comment on table private.staff_rules is 'A single row with this bank''s rules for its administrators. Our own server writes the row at each start. On a hosted project, the operator calls private.set_staff_rules.';
comment on column private.staff_rules.is_only is 'Always true, so that the table cannot have a second row.';
comment on column private.staff_rules.proof_above is 'The total amount, in units of currency, that an administrator may order in a session before they must enter the password or a mailed code again (private.require_proof_of).';
comment on column private.staff_rules.self_dealing is 'Whether administrators may record transactions in their own accounts: "allow" or "refuse".';
comment on column private.staff_rules.approval_above is 'The total amount, in units of currency, that an administrator may move on one day in Bogotá without a second administrator (private.needs_approval); null if the bank needs no second administrator.';
comment on column private.staff_rules.asks_proof is 'Whether the actions of administrators that the specification names require a recent entry of the password or a mailed code (private.requires_proof). If false, proof_above has no effect on them.';
alter table private.staff_rules enable row level security, force row level security;
insert into private.staff_rules (proof_above, self_dealing) values (10000000, 'allow');

create function private.set_staff_rules(
  proof_above numeric, self_dealing text, approval_above numeric, asks_proof boolean default true
) returns void
  language sql security definer
  set search_path = ''
as $$
  -- Updates the row only if a rule changed, so that servers that start with the same rules do not wait for each other.
  update private.staff_rules r
  set proof_above = set_staff_rules.proof_above, self_dealing = set_staff_rules.self_dealing,
    approval_above = set_staff_rules.approval_above, asks_proof = set_staff_rules.asks_proof
  where (r.proof_above, r.self_dealing, r.approval_above, r.asks_proof) is distinct from (
    set_staff_rules.proof_above, set_staff_rules.self_dealing, set_staff_rules.approval_above, set_staff_rules.asks_proof
  )
$$;
comment on function private.set_staff_rules(numeric, text, numeric, boolean) is
  'Sets the bank''s rules for its administrators. If asks_proof is false, the specified actions require no recent password, whatever their amount. Above the amount proof_above, an administrator must enter the password or a mailed code again. Administrators may record transactions in their own account unless self_dealing is "refuse". An administrator needs a second administrator to move more than approval_above; if approval_above is null, no second administrator is needed.';
grant execute on function private.set_staff_rules(numeric, text, numeric, boolean) to supabase_auth_admin;

create function private.proof_ends_at() returns timestamptz
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- A hosted project does not record when the password or a mailed code was entered.
  if private.is_hosted() then
    return 'infinity';
  end if;
  return coalesce(auth.proof_ends_at(((select auth.jwt()) ->> 'session_id')::uuid), '-infinity');
end
$$;
comment on function private.proof_ends_at() is
  'Returns the time until which the last entry of the password or a mailed code in the caller''s session counts as recent. Returns -infinity if neither was entered in this session, and infinity on a hosted project.';

create function private.requires_proof(is_specified boolean) returns boolean
  language sql stable security definer
  set search_path = ''
  return not is_specified or exists (select from private.staff_rules r where r.asks_proof);
comment on function private.requires_proof(boolean) is
  'Returns false if the bank''s rules ask for no proof and the specification names the action. Every other action requires a proof.';

create function private.require_proof(is_specified boolean default false) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_admin();
  if private.requires_proof(is_specified) and not private.is_hosted() then
    perform auth.require_proof(((select auth.jwt()) ->> 'session_id')::uuid);
  end if;
end
$$;
comment on function private.require_proof(boolean) is
  'Guards the actions that must remain impossible for a person who has stolen an administrator''s session. Raises 42501 for a caller who is not an administrator. Raises 42501 with the hint reauthentication_needed unless the password or a mailed code was entered in this session within the last ten minutes. If is_specified is true, asks for no proof where the bank''s rules ask for none (private.requires_proof).';
grant execute on function private.require_proof(boolean) to authenticated;

create function private.require_proof_of(amount numeric, is_specified boolean default false) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  session constant uuid := ((select auth.jwt()) ->> 'session_id')::uuid;
  proven_until constant timestamptz := private.proof_ends_at();
  ordered numeric;
begin
  if proven_until > now() or not private.requires_proof(is_specified) then
    return;
  end if;
  -- If a session orders two amounts concurrently, the second call waits here for the first. Otherwise, neither sum
  -- would include the amount of the concurrent call.
  perform pg_advisory_xact_lock(hashtext('finanzas.orders'), hashtext(session::text));
  select coalesce(sum((a.after ->> 'amount')::numeric), 0) into ordered
  from ledger.audit a
  where a.session_id = session and a.recorded_at > proven_until
    and a.action in (
      'register_transaction', 'correct_transaction', 'register_batch', 'reverse_batch', 'decide_request', 'return_transfer',
      'return_clearing_file'
    )
    -- A declined transfer moves no money.
    and a.after ->> 'decision' is distinct from 'declined';
  if ordered + amount > (select r.proof_above from private.staff_rules r) then
    perform private.require_proof();
  end if;
end
$$;
comment on function private.require_proof_of(numeric, boolean) is
  'Must be called before an administrator moves an amount. Adds this amount to the total that was ordered in the session since the password or a mailed code was last entered. If the total exceeds the bank''s limit, calls private.require_proof. Does nothing if is_specified is true and the bank''s rules ask for no proof.';

create index audit_orders on ledger.audit (session_id, recorded_at)
  where action in (
    'register_transaction', 'correct_transaction', 'register_batch', 'reverse_batch', 'decide_request', 'return_transfer',
    'return_clearing_file'
  );
comment on index ledger.audit_orders is 'Finds the orders in a session since the password or a mailed code was last entered (private.require_proof_of).';

-- A second administrator ------------------------------------------------------------------------------------------

create index audit_moved on ledger.audit (actor, recorded_at)
  where action in (
    'register_transaction', 'correct_transaction', 'register_batch', 'reverse_batch', 'delete_user', 'return_transfer',
    'decide_request', 'return_clearing_file'
  );
comment on index ledger.audit_moved is 'Finds the amounts that an administrator moved on a day (private.moved_today).';

create function private.moved_today(clerk uuid) returns numeric
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(sum(abs(coalesce(a.after ->> 'amount', a.before ->> 'booked', a.before ->> 'balance')::numeric)), 0)
  from ledger.audit a
  where a.actor = clerk
    and a.recorded_at >= date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota'
    and a.action in (
      'register_transaction', 'correct_transaction', 'register_batch', 'reverse_batch', 'delete_user', 'return_transfer',
      'decide_request', 'return_clearing_file'
    )
    -- Only the approval of a transfer counts, and not the approval of another administrator's act.
    and (a.action <> 'decide_request' or (a.after ->> 'decision' = 'approved' and not a.after ?| '{kind,first_approved_by}'))
    -- The return of a transfer between customers does not change the bank's total.
    and (a.action <> 'return_transfer' or a.after ? 'elsewhere')
    and a.after ->> 'approved_by' is null
$$;
comment on function private.moved_today(uuid) is
  'Returns the sum of the amounts that an administrator moved today in Bogotá without a second administrator, in units of currency. Includes the transfers that the administrator approved alone, and the returns of transfers to other banks. For each account that the administrator deleted, includes the balance. If the audit also recorded the balance without the customer''s notes, includes that balance instead.';

create function private.needs_approval(amount numeric) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  above constant numeric := (select r.approval_above from private.staff_rules r);
begin
  if above is null or clerk is null or amount <= 0 then
    return false;
  end if;
  -- Concurrent orders of one administrator wait for each other here, even if they come from different sessions.
  -- Otherwise, the sum that is checked for one order would not include the other order.
  perform pg_advisory_xact_lock(hashtext('finanzas.approvals'), hashtext(clerk::text));
  -- Limits the sum of all orders of a day, because an administrator could avoid a limit for each order by splitting an
  -- order.
  return private.moved_today(clerk) + amount > above;
end
$$;
comment on function private.needs_approval(numeric) is
  'Returns true if this amount would raise the total that the caller moved today above the bank''s limit. The caller then needs a second administrator. Must be called after private.require_proof_of and before other locks.';

create function private.refuses_self_dealing() returns boolean
  language sql stable security definer
  set search_path = ''
  return exists (select from private.staff_rules r where r.self_dealing = 'refuse');
comment on function private.refuses_self_dealing() is 'Returns whether this bank forbids its administrators to record transactions in their own accounts.';

create function private.refuse_self_dealing(person uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if person = (select auth.uid()) and private.refuses_self_dealing() then
    raise exception 'El banco no permite registrar movimientos en la propia cuenta.' using errcode = 'PT403';
  end if;
end
$$;
comment on function private.refuse_self_dealing(uuid) is
  'Refuses (PT403) a transaction in the caller''s own account if the bank''s rules forbid it.';

create index audit_acts on ledger.audit (actor, recorded_at)
  where action in (
    'ban_user', 'unban_user', 'revoke_sessions', 'reset_factor', 'cancel_email_change', 'correct_transaction',
    'return_transfer', 'correct_holder'
  );
comment on index ledger.audit_acts is 'Finds the actions of an administrator in the last ten minutes (private.limit_acts).';

create function private.limit_acts() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- Equals the server's limit functionCallsPerUser.
  if (
    select count(*) >= 600
    from ledger.audit a
    where a.actor = (select auth.uid()) and a.recorded_at > now() - interval '10 minutes'
      and a.action in (
        'ban_user', 'unban_user', 'revoke_sessions', 'reset_factor', 'cancel_email_change', 'correct_transaction',
        'return_transfer', 'correct_holder'
      )
  ) then
    raise exception 'Hiciste demasiadas solicitudes. Espera un momento e inténtalo de nuevo.'
      using errcode = 'PT429', detail = 'Retry-After: 60';
  end if;
end
$$;
comment on function private.limit_acts() is
  'Limits an administrator to 600 actions in ten minutes (PT429): corrections of transactions or personal data, returns of transfers, and access changes. Each of these actions sends a mail or moves money.';

revoke execute on all functions in schema private from public;
