-- Triggers on the audit.

-- Triggers of ledger.audit, in the order in which they fire:
--   Before the statement: audit_is_append_only.
--   After each row: enqueue_access_notice, enqueue_power_notices.

create trigger audit_is_append_only
  before update or delete or truncate on ledger.audit
  for each statement execute function ledger.refuse_change();

create trigger enqueue_access_notice after insert on ledger.audit
  for each row when (
    new.action in ('ban_user', 'unban_user', 'revoke_sessions', 'reset_factor', 'cancel_email_change', 'change_role', 'correct_holder')
  )
  execute function private.enqueue_access_notice();

create trigger enqueue_power_notices after insert on ledger.audit
  for each row when (
    new.action in ('change_role', 'ban_user')
    or (new.action = 'create_user' and new.after ->> 'role' = 'admin')
    or (new.action in ('register_transaction', 'correct_transaction') and new.actor = new.target)
  )
  execute function private.enqueue_power_notices();

-- Triggers of ledger.audit_targets, in the order in which they fire:
--   Before the statement: audit_targets_are_append_only.

create trigger audit_targets_are_append_only
  before update or delete or truncate on ledger.audit_targets
  for each statement execute function ledger.refuse_change();
