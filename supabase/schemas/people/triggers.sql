-- Triggers on the tables of people. The triggers on the users of the platform are in acts/triggers.sql.

-- Triggers of public.profiles, in the order in which they fire:
--   Before the statement: refuse_customers_request.
--   Before each row: role_is_ordered.

create trigger refuse_customers_request before update on public.profiles
  for each statement execute function private.refuse_customers_request();

create trigger role_is_ordered before update of role on public.profiles
  for each row when (old.role is distinct from new.role) execute function private.role_is_ordered();

-- Triggers of public.account_holders, in the order in which they fire:
--   Before each row: keep_account_number.

create trigger keep_account_number before update of user_id, account_number on public.account_holders
  for each row when ((old.user_id, old.account_number) is distinct from (new.user_id, new.account_number))
  execute function private.keep_account_number();
