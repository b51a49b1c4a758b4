-- The outbox that feeds `/realtime/v1` (docs/decisions/0011). Row triggers record each change in the database
-- transaction that makes it, and the server reads the changes after the commit. The trigger does not send a NOTIFY:
-- with one notification per row, the throughput of concurrent writes would fall to a quarter.

create schema if not exists realtime authorization supabase_realtime_admin;
grant usage, create on schema realtime to current_user;

create table realtime.outbox (
  seq bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  schema_name text not null,
  table_name text not null,
  operation text not null check (operation in ('INSERT', 'UPDATE', 'DELETE')),
  record jsonb,
  old_record jsonb
);
create index outbox_order on realtime.outbox (xid, seq);
comment on table realtime.outbox is 'The changes to the tables in the publication supabase_realtime, and the sessions that ended. Rows are kept for ten minutes.';
comment on column realtime.outbox.xid is 'The database transaction that wrote the row. A reader reads only rows of database transactions that began before the oldest database transaction that is still open. A row that commits later is therefore not skipped.';
comment on column realtime.outbox.record is 'The new row, for INSERT and UPDATE.';
comment on column realtime.outbox.old_record is 'The old row, for UPDATE and DELETE.';
alter table realtime.outbox owner to supabase_realtime_admin, enable row level security;

create function realtime.record_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  -- Formats times in UTC, regardless of the time zone that the writer has set.
  set timezone = 'UTC'
as $$
begin
  -- A database transaction that changes many rows, such as an import, sets this table's name. A single row in another
  -- table then announces all these changes.
  if current_setting('realtime.skip_table', true) = tg_table_name then
    return null;
  end if;
  insert into realtime.outbox (schema_name, table_name, operation, record, old_record)
  values (
    -- For a partitioned table, the arguments contain the table's own schema and name. The publication lists the
    -- partitioned table, but the changed rows belong to its partitions.
    coalesce(tg_argv[0], tg_table_schema),
    coalesce(tg_argv[1], tg_table_name),
    tg_op,
    case when tg_op <> 'DELETE' then to_jsonb(new) end,
    case when tg_op <> 'INSERT' then to_jsonb(old) end
  );
  return null;
end
$$;
alter function realtime.record_change() owner to supabase_realtime_admin;
comment on function realtime.record_change() is 'Records the change of one row in the outbox, unless the setting realtime.skip_table names its table.';

create function realtime.capture_published_tables() returns void
  language plpgsql security definer
  set search_path = ''
  -- Does not wait long for the lock on a busy table. A later call adds the missing trigger.
  set lock_timeout = '1s'
as $$
declare
  published text;
  names text;
begin
  for published, names in
    select format('%I.%I', p.schemaname, p.tablename), format('%L, %L', p.schemaname, p.tablename)
    from pg_catalog.pg_publication_tables p
    -- The outbox gets no trigger, because it must not record its own changes.
    where p.pubname = 'supabase_realtime' and p.schemaname <> 'realtime'
  loop
    -- The bank must be able to start even if another role owns a published table.
    begin
      -- A separate query looks for the trigger: a join might also resolve the names of unpublished tables, for which
      -- this role lacks the privileges.
      if not exists (
        select from pg_catalog.pg_trigger t where t.tgrelid = published::regclass and t.tgname = 'zz_realtime_capture'
      ) then
        -- Row triggers run in alphabetical order, so this trigger records the change after the table's other row
        -- triggers. PostgreSQL runs statement triggers, such as those that post to the ledger, after all row triggers.
        -- The outbox therefore announces a transaction before the balance that the transaction changes.
        execute format(
          'create trigger zz_realtime_capture after insert or update or delete on %s for each row execute function realtime.record_change(%s)',
          published,
          case when (select c.relkind = 'p' from pg_catalog.pg_class c where c.oid = published::regclass) then names end
        );
      end if;
    exception
      -- Another server created the trigger at the same time.
      when duplicate_object then null;
      when insufficient_privilege then raise warning 'Changes of % are not sent: %. Its owner has to grant trigger on it to %.', published, sqlerrm, current_user;
    end;
  end loop;
end
$$;
comment on function realtime.capture_published_tables() is
  'Adds the missing outbox triggers to those tables in the publication supabase_realtime on which this function''s owner may create triggers. Servers call this function at each start and after a table has been added to the publication. The server refuses subscriptions to a table without the trigger.';

create function realtime.record_revocation() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into realtime.outbox (schema_name, table_name, operation, record)
  values (
    'realtime', 'revocations', 'INSERT', jsonb_build_object('user_id', old.user_id, 'session_id', old.id)
  );
  return null;
end
$$;
alter function realtime.record_revocation() owner to supabase_realtime_admin;
comment on function realtime.record_revocation() is
  'Informs the servers that a session has ended, so that they close its channels at once.';

create trigger zz_realtime_revocation after delete on auth.sessions
  for each row execute function realtime.record_revocation();

-- After a crash or a failover, PostgreSQL may reuse the ids of lost database transactions. Ids and snapshots can
-- therefore be compared only within one epoch (docs/decisions/0011). An unlogged table is empty after a crash or a
-- failover, so a new row begins a new epoch.

create unlogged table realtime.epochs (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);
comment on table realtime.epochs is 'Contains one row, which disappears when the database crashes or fails over.';
comment on column realtime.epochs.id is 'The id of the current epoch. The first server that finds the table empty begins the epoch.';
alter table realtime.epochs owner to supabase_realtime_admin, enable row level security;

revoke execute on all functions in schema realtime from public;
grant execute on function realtime.capture_published_tables() to supabase_realtime_admin;
