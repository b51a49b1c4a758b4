-- The daily check of the ledger, one for all servers of a bank: whose turn it is, and what the last one found. A row and
-- not a lock of the session: a pooler hands each database transaction to another connection.

create table ledger.daily_check (
  is_only boolean primary key default true,
  holder uuid,
  held_until timestamptz,
  ended_at timestamptz,
  is_broken boolean not null default false,
  constraint daily_check_is_one_row check (is_only),
  constraint daily_check_is_held_until_a_time check ((holder is null) = (held_until is null))
);
comment on table ledger.daily_check is 'Which server verifies the ledger, and what the last verification found. One row, none before the first.';
comment on column ledger.daily_check.is_only is 'Always true: there is one row.';
comment on column ledger.daily_check.holder is 'The server that is at it, by a number that it made up when it began; null when nobody is.';
comment on column ledger.daily_check.held_until is 'When somebody else may take over: the holder moves it ahead while it works.';
comment on column ledger.daily_check.ended_at is 'When the last verification of all entries ended; null before the first.';
comment on column ledger.daily_check.is_broken is 'Whether it found an entry that does not hold.';

alter table ledger.daily_check enable row level security;
alter table ledger.daily_check force row level security;

create function ledger.read_daily_check(
  server uuid, out is_free boolean, out age_seconds double precision, out is_broken boolean
)
  language sql stable security definer
  set search_path = ''
as $$
  -- Of no row: nobody is at it, and there was none.
  select
    coalesce(bool_and(c.held_until is null or c.held_until <= now() or c.holder = server), true),
    extract(epoch from now() - max(c.ended_at))::double precision,
    coalesce(bool_or(c.is_broken), false)
  from ledger.daily_check c
$$;
comment on function ledger.read_daily_check(uuid) is
  'What the last verification found, how long ago it ended, and whether this server may begin another: nobody else is at it.';
revoke execute on function ledger.read_daily_check(uuid) from public;

create function ledger.hold_daily_check(server uuid, fresh_seconds integer, seconds integer) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into ledger.daily_check as c (holder, held_until) values (server, now() + make_interval(secs => seconds))
  on conflict (is_only) do update set holder = excluded.holder, held_until = excluded.held_until
    where c.holder = server or (
      (c.held_until is null or c.held_until <= now())
      -- Somebody else may have been at it, and done, since this server looked.
      and (c.ended_at is null or c.ended_at <= now() - make_interval(secs => fresh_seconds))
    );
  return found;
end
$$;
comment on function ledger.hold_daily_check(uuid, integer, integer) is
  'Takes the verification for this server, or goes on holding it, for so many seconds; false when another server has it, or did it less than so many seconds ago.';
revoke execute on function ledger.hold_daily_check(uuid, integer, integer) from public;

create function ledger.end_daily_check(server uuid, found_broken boolean) returns void
  language sql security definer
  set search_path = ''
as $$
  update ledger.daily_check c
  set holder = null, held_until = null,
    ended_at = case when found_broken is null then c.ended_at else now() end,
    is_broken = coalesce(found_broken, c.is_broken)
  where c.holder = server
$$;
comment on function ledger.end_daily_check(uuid, boolean) is
  'Keeps what this server found and lets go; null was broken off and found nothing. Nothing when another server has taken over.';
revoke execute on function ledger.end_daily_check(uuid, boolean) from public;

grant execute on function
  ledger.read_daily_check(uuid), ledger.hold_daily_check(uuid, integer, integer), ledger.end_daily_check(uuid, boolean)
  to service_role;
