-- What several servers of one bank tell each other, so that broadcast and presence reach the sockets of all
-- (docs/decisions/0038). Unlogged: worth nothing after a crash, and a commit waits for no disk. What clients wrote is
-- kept as text that the database never reads: it may hold what `jsonb` refuses. A hosted project's Realtime has its own way.

create unlogged table realtime.lifetimes (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);
comment on table realtime.lifetimes is 'One row, which is gone when the database has crashed or another server has taken over: numbers of database transactions may then be given out a second time, and no snapshot of before tells what is new.';
comment on column realtime.lifetimes.id is 'Made anew by whoever looks first.';
alter table realtime.lifetimes owner to supabase_realtime_admin;
alter table realtime.lifetimes enable row level security;

create unlogged table realtime.relayed_messages (
  xid xid8 primary key default pg_current_xact_id(),
  server uuid not null,
  at timestamptz not null default clock_timestamp(),
  messages text not null
);
comment on table realtime.relayed_messages is 'What one server tells the others: broadcasts, and who came and went; kept for 20 seconds.';
comment on column realtime.relayed_messages.xid is 'The writing database transaction: a reader has not had what its last snapshot did not see.';
comment on column realtime.relayed_messages.server is 'Who tells it, and does not want to hear it.';
comment on column realtime.relayed_messages.messages is 'JSON of everything that was said meanwhile, in its order.';
-- Read once or twice and thrown away: nothing is won by compressing it.
alter table realtime.relayed_messages alter column messages set storage external;
alter table realtime.relayed_messages owner to supabase_realtime_admin;
alter table realtime.relayed_messages enable row level security;

create unlogged table realtime.servers (
  server uuid primary key,
  seen_at timestamptz not null default clock_timestamp()
);
comment on table realtime.servers is 'Servers at which somebody is present.';
comment on column realtime.servers.seen_at is 'The last sign of life: who gives none for ten seconds is believed dead, with everybody present there.';
alter table realtime.servers owner to supabase_realtime_admin;
alter table realtime.servers enable row level security;

create unlogged table realtime.presences (
  server uuid not null references realtime.servers on delete cascade,
  ref text not null,
  present text not null,
  primary key (server, ref)
);
comment on table realtime.presences is 'Who is present at which server, for servers that begin to listen.';
comment on column realtime.presences.ref is 'The name of this telling of it, which the client knows as phx_ref.';
comment on column realtime.presences.present is 'JSON of topic, key and what was told.';
alter table realtime.presences owner to supabase_realtime_admin;
alter table realtime.presences enable row level security;
