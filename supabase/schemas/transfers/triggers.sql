-- Triggers on the tables of transfers.

-- Triggers of private.clearing_files, in the order in which they fire:
--   Before the statement: clearing_files_are_append_only.

create trigger clearing_files_are_append_only before update or delete or truncate on private.clearing_files
  for each statement execute function ledger.refuse_change();

-- Triggers of private.clearing_transfers, in the order in which they fire:
--   Before the statement: clearing_transfers_are_not_emptied.
--   Before each row: clearing_transfers_stay.

create trigger clearing_transfers_are_not_emptied before truncate on private.clearing_transfers
  for each statement execute function ledger.refuse_change();

create trigger clearing_transfers_stay before update or delete on private.clearing_transfers
  for each row execute function private.keep_clearing_transfer();
