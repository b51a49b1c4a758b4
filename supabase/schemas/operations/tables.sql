-- Operations: the state of the servers, the alarms, the export of own data, and the periodic work.
-- Uses: planning, staff.
-- Promises: the rows describe the present state and no customer. Old rows are purged.

-- The state of the bank for its operator and its administrators: the servers, the alarms and the last backup
-- (docs/decisions/0072). Our own servers write these tables. On a hosted project, the tables stay empty.

create table private.servers (
  process uuid primary key,
  name text not null,
  version text not null,
  engine text not null,
  started_at timestamptz not null,
  known_since timestamptz not null,
  serving_since timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  disk_free_bytes bigint,
  backup_interval_minutes integer,
  last_backup_at timestamptz,
  constraint servers_name_length check (char_length(name) between 1 and 300)
);
comment on table private.servers is 'The bank''s servers. Each server updates its row once a minute and when it shuts down.';
comment on column private.servers.process is 'Random id of the process.';
comment on column private.servers.name is 'Machine name and port of the server.';
comment on column private.servers.version is 'Release of this software.';
comment on column private.servers.engine is 'Engine of the database, as the server names it: "pglite" or "postgres".';
comment on column private.servers.started_at is 'Time at which the process started.';
comment on column private.servers.known_since is 'Start of the first process with this name. Remains the same when the server restarts within a week.';
comment on column private.servers.serving_since is 'Time since which at least one server has been running, apart from gaps of less than three minutes.';
comment on column private.servers.seen_at is 'Time of the last report.';
comment on column private.servers.ended_at is 'Time at which the server shut down regularly; null while the server is running, and after a crash.';
comment on column private.servers.disk_free_bytes is 'Free space on the disk of DATA_DIR; null if the server cannot measure it.';
comment on column private.servers.backup_interval_minutes is 'Interval of the regular backups; 0 if the server makes no backups, and null if BACKUP_INTERVAL_MINUTES is unset on PostgreSQL.';
comment on column private.servers.last_backup_at is 'Time of the last backup, as recorded in the server''s DATA_DIR; null before the first backup.';

create table private.alarms (
  id uuid primary key default gen_random_uuid(),
  code text not null,
  process uuid,
  begun_at timestamptz not null,
  open_until timestamptz not null,
  constraint alarms_code_is_a_word check (code ~ '^[a-z-]{1,40}$')
);
comment on table private.alarms is 'The alarms of the last 30 days. The details of an alarm are only in the log.';
comment on column private.alarms.id is 'Random id of the alarm.';
comment on column private.alarms.code is 'A code from contract/operations/alarms.ts.';
comment on column private.alarms.process is 'The server that the alarm is about; null for an alarm of the whole bank.';
comment on column private.alarms.begun_at is 'Time at which the alarm began.';
comment on column private.alarms.open_until is 'Time at which the alarm ended, or at which it will count as over unless a server reports it again.';
create index alarms_by_end on private.alarms (open_until);
comment on index private.alarms_by_end is 'Finds the alarms of the last day.';

create table private.mailed_alarms (
  code text primary key,
  is_open boolean not null,
  mailed_at timestamptz not null
);
comment on table private.mailed_alarms is 'The last mail to the operator about each alarm.';
comment on column private.mailed_alarms.code is 'The value of the same column in private.alarms.';
comment on column private.mailed_alarms.is_open is 'Whether the last mail said that the alarm began.';
comment on column private.mailed_alarms.mailed_at is 'Time at which the last mail about the beginning of this alarm was stored or sent.';

create table private.synchronous_standby (
  is_only boolean primary key default true,
  gone_since timestamptz,
  constraint synchronous_standby_is_one_row check (is_only)
);
comment on table private.synchronous_standby is 'One row after PostgreSQL had a synchronous standby for the first time; otherwise empty. An operator who removes the standby for good deletes the row.';
comment on column private.synchronous_standby.is_only is 'Always true, so that the table has at most one row.';
comment on column private.synchronous_standby.gone_since is 'Time of the first report that found no synchronous standby; null while there is one.';
