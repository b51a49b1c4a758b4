-- A crash or a failover may give the ids of lost database transactions out again, so ids and snapshots can be compared
-- within one lifetime of the database only (docs/decisions/0011). An unlogged table is empty after either.

create unlogged table realtime.lifetimes (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);
comment on table realtime.lifetimes is 'One row, which is gone after a crash or a failover of the database.';
comment on column realtime.lifetimes.id is 'Made by the first server that finds the table empty.';
alter table realtime.lifetimes owner to supabase_realtime_admin;
alter table realtime.lifetimes enable row level security;
