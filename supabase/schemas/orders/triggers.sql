-- Triggers on orders.

-- Triggers of private.orders, in the order in which they fire:
--   At commit: audit_order.

-- If the entry were added earlier, the audit chain would stay locked while the statement waits for other rows.
create constraint trigger audit_order
  after insert on private.orders deferrable initially deferred
  for each row execute function private.audit_order();
