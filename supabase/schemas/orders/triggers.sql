-- Triggers on requests.

-- Triggers of public.requests, in the order in which they fire:
--   After each row: end_held_batch.
--   At commit: audit_approval_request.

create trigger end_held_batch after update of status on public.requests
  for each row when (new.kind = 'batch' and new.status in ('declined', 'cancelled', 'expired', 'failed'))
  execute function private.end_held_batch();

create constraint trigger audit_approval_request
  after insert on public.requests deferrable initially deferred
  for each row when (new.kind <> 'transfer' and new.status = 'waiting') execute function private.audit_approval_request();
