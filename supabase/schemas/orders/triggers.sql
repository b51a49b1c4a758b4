-- Triggers on orders and requests.

-- Triggers of private.orders, in the order in which they fire:
--   At commit: audit_order.

-- An order that waits has its entry when it is decided. The user that an order creates exists at once, even if the
-- role of an administrator waits.
create constraint trigger audit_order
  after insert on private.orders deferrable initially deferred
  for each row when (new.request_id is null or new.kind = 'create_user') execute function private.audit_order();

-- Triggers of public.requests, in the order in which they fire:
--   At commit: audit_approval_request.

create constraint trigger audit_approval_request
  after insert on public.requests deferrable initially deferred
  for each row when (new.kind <> 'transfer' and new.status = 'waiting') execute function private.audit_approval_request();
