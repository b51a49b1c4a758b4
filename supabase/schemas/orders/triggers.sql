-- Triggers on requests.

-- Triggers of public.requests, in the order in which they fire:
--   After each row: end_held_batch, tell_transfer.
--   At commit: audit_approval_request.

create trigger end_held_batch after update of status on public.requests
  for each row when (new.kind = 'batch' and new.status in ('declined', 'cancelled', 'expired', 'failed'))
  execute function private.end_held_batch();

create trigger tell_transfer after update of status on public.requests
  for each row when (
    new.status is distinct from old.status and new.status in ('done', 'declined', 'returned', 'failed', 'expired')
  ) execute function private.note_event();

create constraint trigger audit_approval_request
  after insert on public.requests deferrable initially deferred
  for each row when (new.kind <> 'transfer' and new.status = 'waiting') execute function private.audit_approval_request();
