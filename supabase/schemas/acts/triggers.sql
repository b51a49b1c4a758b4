-- Triggers on the users of the platform. They stand here, because a user is opened, changed and deleted by acts of
-- many subjects.

-- Triggers of auth.users, in the order in which they fire:
--   Before each row: new_person, person_leaves.
--   After each row: access_changed, mirror_person, open_person, role_changed.
--   At commit: audit_user_authority, audit_user_deletion.
-- The triggers at commit lock the audit chain after all other locks, so that administrators cannot deadlock with each
-- other. The lock of the audit chain therefore lasts only during the commit.

create trigger new_person before insert on auth.users
  for each row execute function private.check_new_person();

create trigger person_leaves before delete on auth.users
  for each row execute function private.person_leaves();

create trigger access_changed after update of banned_until, deleted_at on auth.users
  for each row when (new.banned_until > now() or new.deleted_at is not null)
  execute function private.access_changed();

create trigger mirror_person
  after update of email, last_sign_in_at, raw_user_meta_data, raw_app_meta_data, email_confirmed_at, banned_until
  on auth.users
  for each row execute function private.mirror_person();

create trigger open_person after insert on auth.users
  for each row execute function private.open_person();

create trigger role_changed after update of raw_app_meta_data on auth.users
  for each row when (
    (old.raw_app_meta_data ->> 'role' is not distinct from 'admin')
    <> (new.raw_app_meta_data ->> 'role' is not distinct from 'admin')
  )
  execute function private.role_changed();

create constraint trigger audit_user_authority
  after update of raw_app_meta_data, banned_until on auth.users
  deferrable initially deferred
  for each row
  when (
    old.raw_app_meta_data ->> 'role' is distinct from new.raw_app_meta_data ->> 'role'
    or old.banned_until is distinct from new.banned_until
  )
  execute function private.audit_authority();

create constraint trigger audit_user_deletion
  after delete on auth.users
  deferrable initially deferred
  for each row execute function private.audit_deletion();

-- On a hosted project, the authentication service stores the password. The trigger runs at commit, after the service has
-- ended the other sessions.
do $$
begin
  if private.is_hosted() then
    execute $trigger$
      create constraint trigger note_hosted_password after update of encrypted_password on auth.users
        deferrable initially deferred
        for each row when (new.encrypted_password <> '' and old.encrypted_password is distinct from new.encrypted_password)
        execute function private.note_hosted_password()
    $trigger$;
  end if;
end
$$;
