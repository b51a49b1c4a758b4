-- Audit and notices of the acts that other programs may also do, such as the deletion of a user.

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
  act text;
  before jsonb;
  after jsonb;
  is_own boolean;
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
      before := private.audited_role(old.raw_app_meta_data)
        || jsonb_strip_nulls(jsonb_build_object('balance', written_off, 'booked', owed));
      after := private.approved_by(approved);
      perform private.record_audit('delete_user', old.id, before, after, approved.asked_by);
      is_own := old.id is not distinct from (private.author_of(approved.asked_by)).actor;
      if not is_own then
        perform private.mail(array[old.email::text], 'delete_user', '{}');
      end if;
      -- Staff get no mail when a customer closes their own account.
      if not is_own or before ->> 'role' = 'admin' then
        perform private.tell_staff(
          'delete_user', '{}', old.id, private.name_of(old), approved.asked_by, before ->> 'role' = 'admin'
        );
      end if;
    end if;
  elsif tg_op = 'INSERT' then
    -- A person's own sign-up is not recorded, but a new administrator is always recorded.
    if is_administration or new.raw_app_meta_data ->> 'role' = 'admin' then
      after := private.audited_role(new.raw_app_meta_data);
      perform private.record_audit('create_user', new.id, null, after);
      if after ->> 'role' = 'admin' then
        perform private.tell_staff('create_user', '{}', u.id, private.name_of(u)) from auth.users u where u.id = new.id;
      end if;
    end if;
  else
    before := private.audited_role(old.raw_app_meta_data);
    after := private.audited_role(new.raw_app_meta_data);
    if before <> after then
      approved := private.approval_of(case after ->> 'role' when 'admin' then 'promotion' else 'demotion' end, new.id);
      perform private.record_audit(
        'change_role', new.id, before, after || coalesce(private.approved_by(approved), '{}'), approved.asked_by
      );
      perform private.tell(array[new.id], 'change_role', after);
      perform private.tell_staff('change_role', after, u.id, private.name_of(u), approved.asked_by)
      from auth.users u where u.id = new.id;
    end if;
    if old.banned_until is distinct from new.banned_until then
      approved := private.approval_of('block', new.id);
      act := case when new.banned_until > now() then 'ban_user' else 'unban_user' end;
      after := jsonb_build_object('banned_until', new.banned_until)
        || case
          -- One decision can approve several blocks with different reasons.
          when act = 'ban_user' then jsonb_strip_nulls(jsonb_build_object(
            'reason', coalesce(approved.details ->> 'reason', nullif(current_setting('audit.reason', true), ''))
          ))
          else '{}'
        end;
      perform private.record_audit(
        case when new.banned_until > now() then 'ban_user' else 'unban_user' end, new.id,
        jsonb_build_object('banned_until', old.banned_until), after || coalesce(private.approved_by(approved), '{}'), approved.asked_by
      );
      perform private.tell(array[new.id], act, after);
      if act = 'ban_user' then
        perform private.tell_staff('ban_user', '{}', u.id, private.name_of(u), approved.asked_by)
        from auth.users u where u.id = new.id and u.raw_app_meta_data ->> 'role' = 'admin';
      end if;
    end if;
  end if;
  return null;
end
$$;
comment on function private.audit_user() is 'Records changes of users in the audit, whichever actor or program made them. Tells the person, and tells the administrators about changes that concern administrators and about deletions.';

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
  after jsonb;
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
  after := jsonb_strip_nulls(jsonb_build_object(
    'id', new.id,
    'corrects', case when new.id = correction.id then correction.corrected_id end,
    'replaces', case when new.id = correction.replacement_id then correction.corrected_id end,
    'type', new.type, 'amount', to_char(new.amount, 'FM999999999999990.00'), 'date', new.date
  ));
  perform private.record_audit(
    case when new.id = correction.id then 'correct_transaction' else 'register_transaction' end, new.user_id, null,
    after || coalesce(private.approved_by(approved), '{}'), approved.asked_by
  );
  if new.user_id = (private.author_of(approved.asked_by)).actor then
    perform private.tell_staff(
      case when new.id = correction.id then 'correct_transaction' else 'register_transaction' end,
      jsonb_build_object('amount', after -> 'amount'), u.id, private.name_of(u), approved.asked_by
    )
    from auth.users u where u.id = new.user_id;
  end if;
  return null;
end
$$;
comment on function private.audit_transaction() is
  'Records the transactions that administrators registered and the corrections that they ordered in the audit. If a second administrator approved the transaction, the actor of the entry is the administrator who requested it. The entry also names the administrator who approved it. Omits the description, because it is free text about a person. Tells every administrator if an administrator records a transaction in their own account.';
