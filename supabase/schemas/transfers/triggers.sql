-- Triggers on the tables of transfers.

-- Triggers of private.transfer_limits, in the order in which they fire:
--   Before the statement: refuse_more_rows.
--   After the statement: zy_count_rows_delete, zy_count_rows_insert, zy_count_rows_update.

select private.limit_written_rows('private.transfer_limits');

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

-- Triggers of public.beneficiaries, in the order in which they fire:
--   Before the statement: refuse_more_rows.
--   After the statement: zy_count_rows_delete, zy_count_rows_insert, zy_count_rows_update.

select private.limit_written_rows('public.beneficiaries');
