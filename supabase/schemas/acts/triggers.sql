-- Triggers on the users of the platform. They stand here, because a user is opened, changed and deleted by acts of
-- many subjects.

-- Triggers of auth.users, in the order in which they fire:
--   Before each row: guard_authority, guard_ban, guard_new_role, guard_role, guard_second_admin,
--     guard_second_admin_stays, guarded_cancel_requests, guarded_close_account, refuse_reserved_name.
--   After each row: assign_account_number, end_links_of_role, forget_counters, mirror_user, note_opening,
--     open_budget.
--   At commit: audit_user_authority, audit_user_changes, note_hosted_password.
-- The triggers at commit lock the audit chain after all other locks, so that administrators cannot deadlock with each
-- other. The lock of the audit chain therefore lasts only during the commit.

create trigger guard_authority
  before update of raw_app_meta_data or delete on auth.users
  for each row execute function private.guard_authority();

create trigger guard_ban
  before update of banned_until on auth.users
  for each row
  when (
    old.raw_app_meta_data ->> 'role' = 'admin'
    and new.banned_until > now()
    and (old.banned_until is null or old.banned_until <= now())
  )
  execute function private.guard_ban();

create trigger guard_new_role before insert on auth.users
  for each row when (new.raw_app_meta_data ->> 'role' = 'admin')
  execute function private.guard_role();

create trigger guard_role before update of raw_app_meta_data on auth.users
  for each row when (
    (old.raw_app_meta_data ->> 'role' is not distinct from 'admin')
    <> (new.raw_app_meta_data ->> 'role' is not distinct from 'admin')
  )
  execute function private.guard_role();

create trigger guard_second_admin before delete on auth.users
  for each row when (old.raw_app_meta_data ->> 'role' = 'admin')
  execute function private.guard_second_admin();

create trigger guard_second_admin_stays before update of raw_app_meta_data, banned_until on auth.users
  for each row when (
    old.raw_app_meta_data ->> 'role' = 'admin'
    and (
      new.raw_app_meta_data ->> 'role' is distinct from 'admin'
      or (new.banned_until > now() and new.banned_until is distinct from old.banned_until)
    )
  )
  execute function private.guard_second_admin();

-- PostgreSQL runs triggers in alphabetical order. This trigger must run after `guard_authority`, so that a refused
-- deletion ends nothing, and before `guarded_close_account`, which locks the budget.
create trigger guarded_cancel_requests before delete on auth.users
  for each row execute function private.end_requests_of_account();

-- PostgreSQL runs triggers in alphabetical order. This trigger must run after `guard_authority`, so that a refused
-- deletion posts nothing.
create trigger guarded_close_account before delete on auth.users
  for each row execute function ledger.close_account();

create trigger refuse_reserved_name before insert or update of raw_user_meta_data on auth.users
  for each row execute function private.refuse_reserved_name();

create trigger assign_account_number after insert on auth.users
  for each row execute function private.assign_account_number();

create trigger end_links_of_role after update of raw_app_meta_data on auth.users
  for each row when (
    (old.raw_app_meta_data ->> 'role' is not distinct from 'admin')
    <> (new.raw_app_meta_data ->> 'role' is not distinct from 'admin')
  )
  execute function private.end_links_of_role();

create trigger forget_counters after delete on auth.users
  for each row execute function private.forget_counters();

create trigger mirror_user
  after insert or update of email, last_sign_in_at, raw_app_meta_data, raw_user_meta_data on auth.users
  for each row execute function private.mirror_user();

create trigger note_opening after insert on auth.users for each row execute function private.note_opening();

create trigger open_budget after insert on auth.users
  for each row execute function private.open_budget();

create constraint trigger audit_user_authority
  after update of raw_app_meta_data, banned_until on auth.users
  deferrable initially deferred
  for each row
  when (
    old.raw_app_meta_data ->> 'role' is distinct from new.raw_app_meta_data ->> 'role'
    or old.banned_until is distinct from new.banned_until
  )
  execute function private.audit_user();

create constraint trigger audit_user_changes
  after insert or delete on auth.users
  deferrable initially deferred
  for each row execute function private.audit_user();

-- Runs at commit, after the authentication service has ended the other sessions.
create constraint trigger note_hosted_password after update of encrypted_password on auth.users
  deferrable initially deferred
  for each row when (new.encrypted_password <> '' and old.encrypted_password is distinct from new.encrypted_password)
  execute function private.note_hosted_password();
