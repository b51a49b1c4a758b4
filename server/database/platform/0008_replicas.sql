-- Reading from replicas (docs/decisions/0031): a read runs there only when the replica has already applied what
-- the primary had written at that moment. A hosted project's servers read from its primary and need none of this.

create function auth.require_replayed(target pg_lsn, wait_ms integer) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  deadline timestamptz := clock_timestamp() + make_interval(secs => wait_ms / 1000.0);
begin
  -- A replica that was promoted is nobody's replica any more.
  if not pg_is_in_recovery() then
    raise exception 'Not a replica' using errcode = 'FZ503';
  end if;
  while pg_last_wal_replay_lsn() < target loop
    if clock_timestamp() > deadline then
      raise exception 'The replica is behind' using errcode = 'FZ503';
    end if;
    perform pg_sleep(0.001);
  end loop;
end
$$;
comment on function auth.require_replayed(pg_lsn, integer) is
  'Waits until this replica has applied the given position of the primary''s log; FZ503 when that takes longer than the given milliseconds or this is no replica.';
