-- The outbox that feeds `/realtime/v1` (docs/decisions/0011): row triggers record changes in the same database
-- transaction, and the server reads them after the commit. The trigger sends no NOTIFY, because a notification for each
-- row divides concurrent write throughput by four.

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
comment on table realtime.outbox is 'Changes to the tables of the publication supabase_realtime, and sessions that ended; kept for ten minutes.';
comment on column realtime.outbox.xid is 'The database transaction that wrote the row. Readers stop before the oldest open database transaction, so that they do not skip a change.';
comment on column realtime.outbox.record is 'The new row, for INSERT and UPDATE.';
comment on column realtime.outbox.old_record is 'The old row, for UPDATE and DELETE.';
alter table realtime.outbox owner to supabase_realtime_admin, enable row level security;

create function realtime.record_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  -- Formats times the same way for every writer's time zone.
  set timezone = 'UTC'
as $$
begin
  -- Set for a database transaction, such as an import, that announces its many changed rows by one row of another
  -- table.
  if current_setting('realtime.skip_table', true) = tg_table_name then
    return null;
  end if;
  insert into realtime.outbox (schema_name, table_name, operation, record, old_record)
  values (
    -- Uses the names of the partitioned table, because the publication names the table, but the changed rows belong to
    -- its partitions.
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
  -- Does not wait for a busy table; a later call adds its trigger.
  set lock_timeout = '1s'
as $$
declare
  published text;
  names text;
begin
  for published, names in
    select format('%I.%I', p.schemaname, p.tablename), format('%L, %L', p.schemaname, p.tablename)
    from pg_catalog.pg_publication_tables p
    -- The outbox must not record itself.
    where p.pubname = 'supabase_realtime' and p.schemaname <> 'realtime'
  loop
    -- The bank must start even if another role owns a table.
    begin
      -- Not part of the query above, because a join might resolve names of tables outside the publication, which this
      -- role may not do.
      if not exists (
        select from pg_catalog.pg_trigger t where t.tgrelid = published::regclass and t.tgname = 'zz_realtime_capture'
      ) then
        -- Triggers run in the order of their names, so this one records the change after all others have run.
        execute format(
          'create trigger zz_realtime_capture after insert or update or delete on %s for each row execute function realtime.record_change(%s)',
          published,
          case when (select c.relkind = 'p' from pg_catalog.pg_class c where c.oid = published::regclass) then names end
        );
      end if;
    exception
      -- Another server has created the trigger at the same time.
      when duplicate_object then null;
      when insufficient_privilege then raise warning 'Changes of % are not sent: %. Its owner has to grant trigger on it to %.', published, sqlerrm, current_user;
    end;
  end loop;
end
$$;
comment on function realtime.capture_published_tables() is
  'Adds missing outbox triggers to the tables of the publication supabase_realtime that this function''s owner may change. Servers call it at each start and for each table published later. Subscriptions to other tables are refused.';

create function realtime.record_revocation() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into realtime.outbox (schema_name, table_name, operation, record)
  values (
    'realtime',
    'revocations',
    'INSERT',
    case tg_op
      -- Reads the column through JSON, because PostgreSQL checks this branch for both tables and only one has the
      -- column.
      when 'DELETE' then jsonb_build_object('user_id', to_jsonb(old) -> 'user_id', 'session_id', old.id)
      else jsonb_build_object('user_id', new.id, 'session_id', null)
    end
  );
  return null;
end
$$;
alter function realtime.record_revocation() owner to supabase_realtime_admin;
comment on function realtime.record_revocation() is
  'Tells the servers that a session has ended, so that its channels close at once. A null session_id stands for all sessions of a banned or deleted user.';

create trigger zz_realtime_revocation after delete on auth.sessions
  for each row execute function realtime.record_revocation();
create trigger zz_realtime_revocation after update of banned_until, deleted_at on auth.users
  for each row when (new.banned_until > now() or new.deleted_at is not null)
  execute function realtime.record_revocation();

-- After a crash or a failover, PostgreSQL may assign ids of lost database transactions again, so ids and snapshots
-- are comparable only within one lifetime of the database (docs/decisions/0011). An unlogged table is empty after
-- either.

create unlogged table realtime.epochs (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);
comment on table realtime.epochs is 'One row, which a crash or a failover of the database deletes.';
comment on column realtime.epochs.id is 'Created by the first server that finds the table empty.';
alter table realtime.epochs owner to supabase_realtime_admin, enable row level security;

revoke execute on all functions in schema realtime from public;
grant execute on function realtime.capture_published_tables() to supabase_realtime_admin;
