-- Triggers on the tables of notices, and on the sessions of the platform, because notices report a new device.

-- Triggers of auth.sessions, in the order in which they fire:
--   After each row: tell_new_device, warn_of_many_sessions.

-- On a hosted project, the platform might refuse a trigger on this table.
do $$
begin
  if has_table_privilege('auth.sessions', 'trigger') then
    execute 'create trigger tell_new_device after insert on auth.sessions for each row execute function private.note_session()';
    execute 'create trigger warn_of_many_sessions after insert or update of aal on auth.sessions
      for each row execute function private.warn_of_many_sessions()';
  end if;
end
$$;
