-- Triggers on the tables of transfers.

-- Triggers of private.clearing_files, in the order in which they fire:
--   Before the statement: clearing_files_are_append_only.

create trigger clearing_files_are_append_only before update or delete or truncate on private.clearing_files
  for each statement execute function ledger.refuse_change();

-- Triggers of private.clearing_transfers, in the order in which they fire:
--   Before the statement: clearing_transfers_stay.
--   Before each row: clearing_transfers_do_not_change.

create trigger clearing_transfers_stay before delete or truncate on private.clearing_transfers
  for each statement execute function ledger.refuse_change();

-- The only permitted change puts a transfer into a file, once.
create trigger clearing_transfers_do_not_change before update on private.clearing_transfers
  for each row when (old.file is not null or to_jsonb(new) - 'file' is distinct from to_jsonb(old) - 'file')
  execute function ledger.refuse_change();
