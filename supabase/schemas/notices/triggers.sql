-- Triggers on the tables of notices, and on the sessions of the platform, because notices report a new device.

-- Triggers of auth.sessions, in the order in which they fire:
--   After each row: note_session.

-- On a hosted project, the platform might refuse a trigger on this table.
do $$
begin
  if has_table_privilege('auth.sessions', 'trigger') then
    execute 'create trigger note_session after insert on auth.sessions
      for each row execute function private.note_session()';
  end if;
end
$$;
