-- Audit and mails of the acts that other programs may also do, such as the deletion of a user.

create function private.enqueue_access_notice() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- On a hosted project, the platform sends all mails, but it does not send mails about these actions.
  if not private.is_hosted() then
    perform auth.enqueue_notice(new.target, new.action, new.after);
  end if;
  return null;
end
$$;
comment on function private.enqueue_access_notice() is
  'Mails a person about each change of their access that the audit records, whichever program made the change.';

create function private.enqueue_power_notices() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  person auth.users;
begin
  select u.* into person from auth.users u where u.id = new.target;
  if new.action <> 'ban_user' or person.raw_app_meta_data ->> 'role' = 'admin' then
    perform private.enqueue_staff_notices(new, private.name_of(person));
  end if;
  return null;
end
$$;
comment on function private.enqueue_power_notices() is
  'Mails every administrator when a role changes, when an administrator is created or blocked, and when an administrator records a transaction in their own account. private.audit_user sends the mails about deletions, because it still has the deleted person''s name.';

create function private.enqueue_deletion_notices(person auth.users, entry_id bigint) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry ledger.audit;
begin
  select a.* into entry from ledger.audit a where a.id = entry_id;
  if entry.actor is distinct from entry.target and not private.is_hosted() then
    perform auth.enqueue_notices(
      array[person.email::text], jsonb_build_object('action', entry.action, 'after', entry.after)
    );
  end if;
  -- Staff get no mail when a customer closes their own account.
  if entry.actor is distinct from entry.target or entry.before ->> 'role' = 'admin' then
    perform private.enqueue_staff_notices(entry, private.name_of(person));
  end if;
end
$$;
comment on function private.enqueue_deletion_notices(auth.users, bigint) is
  'Mails a deleted person and all administrators while the person''s address is still known. Staff get no mail when a customer closes their own account.';

create function private.audit_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the writing session uses.
  set timezone = 'UTC'
as $$
declare
  written_off text;
  owed text;
  approved public.requests;
  is_administration constant boolean :=
    (select auth.uid()) is not null or coalesce(current_setting('audit.origin', true), '') <> '';
begin
  if tg_op = 'DELETE' then
    -- Purging unconfirmed accounts is not recorded in the audit.
    if is_administration or old.email_confirmed_at is not null then
      -- The budget no longer exists, but the closing entry still has the amount that was written off.
      select to_char(-j.delta, 'FM999999999999990.00') into written_off
      from ledger.journal j where j.user_id = old.id and j.kind = 'closing' order by j.seq desc limit 1;
      -- The customer's own notes may hide money that the bank owed.
      select to_char(sum(j.delta), 'FM999999999999990.00') into owed
      from ledger.journal j where j.user_id = old.id and j.kind in ('deposit', 'expense')
      having sum(j.delta) > abs(written_off::numeric);
      approved := private.approval_of('deletion', old.id);
      perform private.enqueue_deletion_notices(old, private.record_audit(
        'delete_user', old.id,
        private.audited_role(old.raw_app_meta_data) || jsonb_strip_nulls(jsonb_build_object('balance', written_off, 'booked', owed)),
        private.approved_by(approved), approved.asked_by
      ));
    end if;
  elsif tg_op = 'INSERT' then
    -- A person's own sign-up is not recorded, but a new administrator is always recorded.
    if is_administration or new.raw_app_meta_data ->> 'role' = 'admin' then
      perform private.record_audit('create_user', new.id, null, private.audited_role(new.raw_app_meta_data));
    end if;
  else
    if private.audited_role(old.raw_app_meta_data) <> private.audited_role(new.raw_app_meta_data) then
      approved := private.approval_of(
        case when new.raw_app_meta_data ->> 'role' = 'admin' then 'promotion' else 'demotion' end, new.id
      );
      perform private.record_audit(
        'change_role', new.id, private.audited_role(old.raw_app_meta_data),
        private.audited_role(new.raw_app_meta_data) || coalesce(private.approved_by(approved), '{}'), approved.asked_by
      );
    end if;
    if old.banned_until is distinct from new.banned_until then
      approved := private.approval_of('block', new.id);
      perform private.record_audit(
        case when new.banned_until > now() then 'ban_user' else 'unban_user' end,
        new.id,
        jsonb_build_object('banned_until', old.banned_until),
        jsonb_build_object('banned_until', new.banned_until)
          || case
            -- One decision can approve several blocks with different reasons.
            when new.banned_until > now() then jsonb_strip_nulls(jsonb_build_object(
              'reason', coalesce(approved.details ->> 'reason', nullif(current_setting('audit.reason', true), ''))
            ))
            else '{}'
          end
          || coalesce(private.approved_by(approved), '{}'),
        approved.asked_by
      );
    end if;
  end if;
  return null;
end
$$;
comment on function private.audit_user() is 'Records changes of users in the audit, whichever actor or program made them.';

-- Audit of the transactions that the bank recorded individually, and of corrections. Each batch and each decision about a
-- transfer has its own audit entry.

create function private.audit_transaction() returns trigger
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the writing session uses.
  set timezone = 'UTC'
as $$
declare
  correction public.corrections;
  approved public.requests;
begin
  if new.origin = 'correction' then
    select c.* into correction from public.corrections c where c.user_id = new.user_id and c.id = new.origin_id;
    -- The reversal of a batch has a single audit entry, which is written when the reversal is ordered. The origin of its
    -- corrections is the batch.
    if not found or new.id not in (correction.id, correction.replacement_id) then
      return null;
    end if;
  end if;
  -- Restoring a bank transaction is not audited, because the customer changes only their own list.
  if (
    select j.kind from ledger.journal j
    where j.user_id = new.user_id and j.transaction_id = new.id and j.kind <> 'edit' order by j.seq desc limit 1
  ) = 'restoration' then
    return null;
  end if;
  select r.* into approved from public.requests r
  where r.id = new.origin_id and r.about = new.user_id and r.kind in ('transaction', 'correction') and r.status = 'done';
  perform private.record_audit(
    case when new.id = correction.id then 'correct_transaction' else 'register_transaction' end, new.user_id, null,
    jsonb_strip_nulls(jsonb_build_object(
      'id', new.id,
      'corrects', case when new.id = correction.id then correction.corrected_id end,
      'replaces', case when new.id = correction.replacement_id then correction.corrected_id end,
      'type', new.type, 'amount', to_char(new.amount, 'FM999999999999990.00'), 'date', new.date
    )) || coalesce(private.approved_by(approved), '{}'),
    approved.asked_by
  );
  return null;
end
$$;
comment on function private.audit_transaction() is
  'Records the transactions that administrators registered and the corrections that they ordered in the audit. If a second administrator approved the transaction, the actor of the entry is the administrator who requested it. The entry also names the administrator who approved it. Omits the description, because it is free text about a person.';

revoke execute on all functions in schema private from public;
