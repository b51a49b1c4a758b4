-- Triggers on the audit.

-- Triggers of ledger.audit, in the order in which they fire:
--   Before the statement: audit_is_append_only.

create trigger audit_is_append_only
  before update or delete or truncate on ledger.audit
  for each statement execute function ledger.refuse_change();

-- Triggers of ledger.audit_targets, in the order in which they fire:
--   Before the statement: audit_targets_are_append_only.

create trigger audit_targets_are_append_only
  before update or delete or truncate on ledger.audit_targets
  for each statement execute function ledger.refuse_change();
