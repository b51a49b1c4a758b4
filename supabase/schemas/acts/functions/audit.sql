-- Audit of the acts. Each order has its entry from private.audit_act. The entries of a role, a ban and a deletion come from
-- the triggers of auth.users, because other programs write there, too.

create function private.audit_posting(
  entry private.orders, approved public.requests, posted uuid, correction public.corrections default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  act constant text := case when posted = correction.id then 'correct_transaction' else 'register_transaction' end;
  found_row public.transactions;
  facts jsonb;
begin
  select t.* into found_row from public.transactions t where t.user_id = entry.about and t.id = posted;
  if not found then
    -- The same decision has also deleted the account, but not its journal.
    select j.kind, abs(j.delta), j.dated_at into found_row.type, found_row.amount, found_row.date
    from ledger.journal j
    where j.user_id = entry.about and j.transaction_id = posted and j.kind in ('deposit', 'expense');
  end if;
  facts := jsonb_strip_nulls(jsonb_build_object(
    'id', posted,
    'corrects', case when posted = correction.id then correction.corrected_id end,
    'replaces', case when posted = correction.replacement_id then correction.corrected_id end,
    'type', found_row.type,
    'amount', to_char(found_row.amount, 'FM999999999999990.00'),
    'date', found_row.date
  ));
  perform private.record_audit(
    act, entry.about, null, facts || coalesce(private.approved_by(approved), '{}'), approved.asked_by
  );
  if entry.about = (private.author_of(approved.asked_by)).actor then
    perform private.tell_staff(
      act, jsonb_build_object('amount', facts -> 'amount'), u.id, private.name_of(u), approved.asked_by
    )
    from auth.users u where u.id = entry.about;
  end if;
end
$$;
comment on function private.audit_posting(private.orders, public.requests, uuid, public.corrections) is
  'Adds the audit entry of one transaction that an administrator registered, or of a correction or its replacement. Omits the description, because it is free text about a person. Tells every administrator if an administrator records a transaction in their own account.';

create function private.audit_correction(entry private.orders, approved public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  correction public.corrections;
begin
  select c.* into correction from public.corrections c where c.user_id = entry.about and c.id = entry.thing;
  -- The same decision may have deleted the account, too, but not its journal.
  if not found then
    correction.id := entry.thing;
    correction.corrected_id := (approved.details ->> 'transaction_id')::uuid;
    correction.replacement_id := (
      select j.transaction_id from ledger.journal j
      where j.user_id = entry.about and j.origin = 'correction' and j.origin_id = entry.thing
        and j.transaction_id <> entry.thing and j.kind in ('deposit', 'expense')
    );
  end if;
  perform private.audit_posting(entry, approved, correction.id, correction);
  if correction.replacement_id is not null then
    perform private.audit_posting(entry, approved, correction.replacement_id, correction);
  end if;
end
$$;
comment on function private.audit_correction(private.orders, public.requests) is
  'Adds the audit entries of a correction and of its replacement.';

create function private.audit_creation(entry private.orders) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- On a hosted project, the authentication service creates the user after this order.
  if not exists (select from auth.users u where u.id = entry.about) then
    perform private.record_audit('begin_user_creation', entry.about, null, entry.details);
    return;
  end if;
  perform private.record_audit('create_user', entry.about, null, entry.details);
  if entry.details ->> 'role' is not distinct from 'admin' then
    perform private.tell_staff('create_user', '{}', u.id, private.name_of(u)) from auth.users u where u.id = entry.about;
  end if;
end
$$;
comment on function private.audit_creation(private.orders) is
  'Adds the audit entry of a new user, or of the order to create one on a hosted project. Tells the administrators about a new administrator.';

create function private.audit_request(
  action text, request public.requests, decision text, approved public.requests default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry bigint;
begin
  entry := private.record_audit(action, coalesce(request.payer, request.about), null, jsonb_strip_nulls(jsonb_build_object(
    'id', request.id, 'kind', nullif(request.kind, 'transfer'), 'decision', decision,
    'amount', to_char(request.amount, 'FM999999999999999990.00'),
    'elsewhere', case when request.kind = 'transfer' and request.payee is null then true end,
    'first_approved_by', case when request.decided_by is not null then request.first_approved_by end
  )) || coalesce(private.approved_by(approved), '{}'), approved.asked_by);
  -- The payee is also affected.
  insert into ledger.audit_targets (entry, target, lines, amount)
  select entry, request.payee, 1, request.amount where request.payee is not null;
end
$$;
comment on function private.audit_request(text, public.requests, text, public.requests) is
  'Adds the audit entry of a decision or of a return, whether or not another administrator approved it. The entry is about the payer and the payee of a transfer, or about the person affected by an act. Omits the description and the reason, because they are free text about a person.';

create function private.audit_file_return(request public.requests, approved public.requests) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  transfers constant public.requests[] := array(
    select t from private.returnable_in(
      (request.details ->> 'file')::integer, array_remove(array[request.asked_by, request.decided_by], null),
      -- A call that needs no approval has returned the first transfers already.
      case when approved.id is null then request.ended_at else 'infinity' end
    ) t
  );
  entry bigint;
begin
  entry := private.record_audit('return_clearing_file', null, null, jsonb_build_object(
    'number', (request.details ->> 'file')::integer, 'transfers', cardinality(transfers),
    'amount', to_char(request.amount, 'FM999999999999999990.00')
  ) || coalesce(private.approved_by(approved), '{}'), approved.asked_by);
  insert into ledger.audit_targets (entry, target, lines, amount)
  select entry, t.payer, count(*), sum(t.amount) from unnest(transfers) t group by t.payer;
end
$$;
comment on function private.audit_file_return(public.requests, public.requests) is
  'Adds the audit entry of the return of a clearing file, whether or not another administrator approved it. The entry concerns every payer.';

create function private.audit_act(entry private.orders, approved public.requests default null) returns void
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the writing session uses.
  set timezone = 'UTC'
as $$
begin
  case entry.kind
    when 'register_transaction' then perform private.audit_posting(entry, approved, entry.thing);
    when 'correct_transaction' then perform private.audit_correction(entry, approved);
    when 'register_batch' then perform private.audit_batch('register_batch', entry.thing, 'waiting', approved);
    when 'reverse_batch' then perform private.audit_batch('reverse_batch', entry.thing, 'reversing');
    when 'return_transfer' then
      perform private.audit_request('return_transfer', r, null, approved) from public.requests r where r.id = entry.thing;
    when 'return_clearing_file' then
      perform private.audit_file_return(r, approved) from public.requests r where r.id = entry.thing;
    when 'create_user' then perform private.audit_creation(entry);
    when 'end_sessions' then perform private.record_audit('revoke_sessions', entry.about, null, null);
    when 'reset_factor' then
      perform private.record_audit('reset_factor', entry.about, null, private.approved_by(approved), approved.asked_by);
    when 'reset_access' then perform private.record_audit('reset_access', entry.about, null, null);
    when 'send_link' then perform private.record_audit('send_link', entry.about, null, entry.details);
    when 'begin_email_change' then perform private.record_audit('begin_email_change', entry.about, null, entry.details);
    when 'cancel_email_change' then perform private.record_audit('cancel_email_change', entry.about, null, null);
    when 'correct_holder' then
      -- The order changed nothing if it names no field.
      if entry.details is not null then
        perform private.record_audit('correct_holder', entry.about, null, entry.details);
      end if;
    -- A role, a ban and a deletion have their entries from private.audit_authority and private.audit_deletion, and an
    -- approval has its entry from public.decide_requests.
    when 'promotion', 'demotion', 'block_user', 'unblock_user', 'delete_user', 'approve_request' then null;
  end case;
end
$$;
comment on function private.audit_act(private.orders, public.requests) is
  'Adds the audit entry of an order that took effect; the only function that does. If another administrator approved the order, the actor of the entry is the administrator who gave it, and the entry also names the approver.';

create function private.audit_order() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The user that an order creates exists at once, even if the role of an administrator waits.
  if new.request_id is null or new.kind = 'create_user' then
    perform private.audit_act(new);
  end if;
  perform private.record_audit('request_approval', r.about, null, jsonb_strip_nulls(jsonb_build_object(
    'id', r.id, 'kind', r.kind, 'amount', to_char(r.amount, 'FM999999999999999990.00')
  )))
  from public.requests r
  -- If the same act is ordered again, both orders wait for the same request.
  where r.id = new.request_id and not exists (
    select from private.orders o where o.request_id = r.id and o.id <> new.id and o.asked_at < new.asked_at
  );
  return null;
end
$$;
comment on function private.audit_order() is
  'Adds the audit entry of an order: of the act if it took effect at once, and of the request for an approval if the order waits. An approved act has its entry from public.decide_requests.';

create function private.audit_role(before auth.users, after auth.users) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  granted constant jsonb := private.audited_role(after.raw_app_meta_data);
  approved constant public.requests := private.approval_of(
    case granted ->> 'role' when 'admin' then 'promotion' else 'demotion' end, after.id
  );
begin
  perform private.record_audit(
    'change_role', after.id, private.audited_role(before.raw_app_meta_data),
    granted || coalesce(private.approved_by(approved), '{}'), approved.asked_by
  );
  perform private.tell(array[after.id], 'change_role', granted);
  perform private.tell_staff('change_role', granted, u.id, private.name_of(u), approved.asked_by)
  from auth.users u where u.id = after.id;
end
$$;
comment on function private.audit_role(auth.users, auth.users) is
  'Adds the audit entry of a change of the administrator role, and tells the person and the administrators.';

create function private.audit_ban(before auth.users, after auth.users) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  act constant text := case when after.banned_until > now() then 'ban_user' else 'unban_user' end;
  approved constant public.requests := private.approval_of('block', after.id);
  facts constant jsonb := jsonb_strip_nulls(jsonb_build_object(
    'reason', case act when 'ban_user' then private.block_reason_of(after.id) end
  )) || jsonb_build_object('banned_until', after.banned_until);
begin
  perform private.record_audit(
    act, after.id,
    jsonb_build_object('banned_until', before.banned_until), facts || coalesce(private.approved_by(approved), '{}'),
    approved.asked_by
  );
  perform private.tell(array[after.id], act, facts);
  if act = 'ban_user' then
    perform private.tell_staff('ban_user', '{}', u.id, private.name_of(u), approved.asked_by)
    from auth.users u where u.id = after.id and u.raw_app_meta_data ->> 'role' = 'admin';
  end if;
end
$$;
comment on function private.audit_ban(auth.users, auth.users) is
  'Adds the audit entry of a ban, or of its end, and tells the person. Tells the administrators if the person is one of them.';

create function private.audit_authority() returns trigger
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the writing session uses.
  set timezone = 'UTC'
as $$
begin
  if private.audited_role(old.raw_app_meta_data) <> private.audited_role(new.raw_app_meta_data) then
    perform private.audit_role(old, new);
  end if;
  if old.banned_until is distinct from new.banned_until then
    perform private.audit_ban(old, new);
  end if;
  return null;
end
$$;
comment on function private.audit_authority() is
  'Records each change of a role and of a ban in the audit, whichever actor or program made it.';

create function private.audit_deletion() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  written_off text;
  owed text;
  approved constant public.requests := private.approval_of('deletion', old.id);
  before jsonb;
  is_own constant boolean := old.id is not distinct from (private.author_of(approved.asked_by)).actor;
begin
  -- Purging unconfirmed accounts is not recorded in the audit.
  if (select auth.uid()) is null and private.audit_context('origin') is null
    and old.email_confirmed_at is null
  then
    return null;
  end if;
  -- The budget no longer exists, but the closing entry still has the amount that was written off.
  select to_char(-j.delta, 'FM999999999999990.00') into written_off
  from ledger.journal j where j.user_id = old.id and j.kind = 'closing' order by j.seq desc limit 1;
  -- The customer's own notes may hide money that the bank owed.
  select to_char(sum(j.delta), 'FM999999999999990.00') into owed
  from ledger.journal j where j.user_id = old.id and j.kind in ('deposit', 'expense')
  having sum(j.delta) > abs(written_off::numeric);
  before := private.audited_role(old.raw_app_meta_data)
    || jsonb_strip_nulls(jsonb_build_object('balance', written_off, 'booked', owed));
  perform private.record_audit('delete_user', old.id, before, private.approved_by(approved), approved.asked_by);
  if not is_own then
    perform private.mail(array[old.email::text], 'delete_user', '{}');
  end if;
  -- Staff get no mail when a customer closes their own account.
  if not is_own or before ->> 'role' = 'admin' then
    perform private.tell_staff(
      'delete_user', '{}', old.id, private.name_of(old), approved.asked_by, before ->> 'role' = 'admin'
    );
  end if;
  return null;
end
$$;
comment on function private.audit_deletion() is
  'Records the deletion of a user in the audit, whichever actor or program deleted the user. Tells the person, unless they closed their own account, and the administrators.';
