-- Triggers on the lines of batches.

-- Triggers of public.batch_lines, in the order in which they fire:
--   Before each row: forget_batch_line.

create trigger forget_batch_line before update of user_id on public.batch_lines
  for each row when (new.user_id is null) execute function private.forget_batch_line();
