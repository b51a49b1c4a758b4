-- What keeps signing in within bounds: throttles, how long a session lasts, mails that wait to be sent,
-- and the end of all that is over (security.md AN-07, SE-06, DO-04, PR-05; docs/decisions/0023 and 0024).

create schema throttle authorization supabase_auth_admin;
comment on schema throttle is 'Who asked how often; shared by all servers of a bank. Not reachable through the table API.';
grant usage, create on schema throttle to current_user;

-- Unlogged: counting waits for no disk. A crash of the database empties it, and everybody starts anew.
create unlogged table throttle.buckets (
  key text primary key,
  taken integer not null,
  strikes integer not null,
  ends_at timestamptz not null
);
create index buckets_ends_at on throttle.buckets (ends_at);
comment on table throttle.buckets is 'One row for each subject of a limit that was used lately.';
comment on column throttle.buckets.key is 'SHA-256 of limit and subject, so that no e-mail address and no network is kept.';
comment on column throttle.buckets.taken is 'How many of the window''s places are taken.';
comment on column throttle.buckets.strikes is 'How many windows before this one were used up one after the other, where waits grow.';
comment on column throttle.buckets.ends_at is 'The end of the window: until then a full one refuses.';
alter table throttle.buckets owner to supabase_auth_admin;

create function throttle.take(
  bucket text, places integer, window_seconds integer, wait_seconds_max integer default null,
  moment timestamptz default clock_timestamp()
) returns integer
  language plpgsql
  set search_path = ''
as $$
-- A window opens with the first place that is taken. With `wait_seconds_max`, who has used up all places gets
-- one more for each wait, and the waits double up to that many seconds, until an hour has been quiet.
declare
  wait interval;
begin
  insert into throttle.buckets as b (key, taken, strikes, ends_at)
  values (bucket, 1, 0, moment + make_interval(secs => window_seconds))
  on conflict (key) do update
  set (taken, strikes, ends_at) = (
    select case when b.ends_at > moment then b.taken + 1 else 1 end, next.strikes,
      case
        when b.ends_at > moment then b.ends_at
        when next.strikes = 0 then moment + make_interval(secs => window_seconds)
        else moment + make_interval(secs => least(window_seconds * 2 ^ least(next.strikes - 1, 20), wait_seconds_max))
      end
    from (
      select case
        when b.ends_at > moment then b.strikes
        when wait_seconds_max is null or moment >= b.ends_at + interval '1 hour' then 0
        when b.strikes > 0 or b.taken >= places then b.strikes + 1
        else 0
      end as strikes
    ) as next
  )
  where b.ends_at <= moment or (b.strikes = 0 and b.taken < places);
  if found then
    return 0;
  end if;
  select b.ends_at - moment into wait from throttle.buckets b where b.key = bucket;
  return greatest(1, ceil(extract(epoch from wait)));
end
$$;
comment on function throttle.take(text, integer, integer, integer, timestamptz) is
  'Takes one place of the bucket and answers 0; when there is none, takes nothing and answers the seconds until there is.';

create function throttle.give_back(bucket text) returns void
  language sql
  set search_path = ''
begin atomic
  update throttle.buckets b
  set taken = case when b.strikes = 0 then b.taken - 1 else b.taken end,
      -- The single place after a wait: there is one at once again, and the waits are as long as they were.
      strikes = case when b.strikes > 1 then b.strikes - 1 else b.strikes end,
      ends_at = case when b.strikes = 0 then b.ends_at else least(b.ends_at, clock_timestamp()) end
  where b.key = bucket and b.taken > 0;
end;
comment on function throttle.give_back(text) is 'Makes one place free that turned out to be nobody''s fault.';

create function throttle.clear(bucket text) returns void
  language sql
  set search_path = ''
begin atomic
  delete from throttle.buckets b where b.key = bucket;
end;
comment on function throttle.clear(text) is 'Forgets the bucket, with its waits.';

create function throttle.take_each(uses jsonb) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  wanted record;
  wait_seconds integer;
  taken text[] := '{}';
begin
  for wanted in
    select * from jsonb_to_recordset(uses)
      as u (bucket text, places integer, window_seconds integer, wait_seconds_max integer)
  loop
    wait_seconds := throttle.take(wanted.bucket, wanted.places, wanted.window_seconds, wanted.wait_seconds_max);
    if wait_seconds > 0 then
      -- Or who is refused by the minute would use up the hour: anybody could, with somebody else's address.
      perform throttle.give_back(t.bucket) from unnest(taken) as t (bucket);
      return wait_seconds;
    end if;
    taken := taken || wanted.bucket;
  end loop;
  return 0;
end
$$;
comment on function throttle.take_each(jsonb) is
  'Takes a place of each bucket, in their order, and answers 0; when one has none, takes nothing of any and answers the seconds until it has.';

alter function throttle.take(text, integer, integer, integer, timestamptz) owner to supabase_auth_admin;
alter function throttle.take_each(jsonb) owner to supabase_auth_admin;
alter function throttle.give_back(text) owner to supabase_auth_admin;
alter function throttle.clear(text) owner to supabase_auth_admin;
revoke execute on all functions in schema throttle from public;

create table auth.known_networks (
  user_id uuid not null references auth.users (id) on delete cascade,
  network text not null,
  last_seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
comment on table auth.known_networks is 'From where a person has signed in during the last 90 days: strangers who guess their password do not keep them out there.';
comment on column auth.known_networks.network is 'An IPv4 address, or the first half of an IPv6 address.';
comment on column auth.known_networks.last_seen_at is 'Kept to the day.';
alter table auth.known_networks owner to supabase_auth_admin;
alter table auth.known_networks enable row level security;

create function throttle.is_known(email text, network text) returns boolean
  language sql stable
  set search_path = ''
begin atomic
  select exists (
    select from auth.known_networks n
    join auth.users u on u.id = n.user_id
    where u.email = is_known.email and n.network = is_known.network
  );
end;
comment on function throttle.is_known(text, text) is 'Whether the owner of the address has signed in from that network during the last 90 days.';
alter function throttle.is_known(text, text) owner to supabase_auth_admin;
revoke execute on function throttle.is_known(text, text) from public;

create index users_unconfirmed on auth.users (created_at) where email_confirmed_at is null;
comment on index auth.users_unconfirmed is 'For the sweep of accounts that were never confirmed (private.forget_what_is_over).';

create function auth.session_ends_at(
  created_at timestamptz, refreshed_at timestamptz, not_after timestamptz, is_administrator boolean
) returns timestamptz
  -- No search_path: the body's names were resolved when it was made, and what has settings of its own cannot become
  -- part of the query that asks. This is asked at every request.
  language sql stable
  -- Hours, not days: a day may have 23 of them.
  return least(
    not_after,
    created_at + case when is_administrator then interval '12 hours' else interval '720 hours' end,
    coalesce(refreshed_at, created_at)
      + case when is_administrator then interval '30 minutes' else interval '168 hours' end
  );
comment on function auth.session_ends_at(timestamptz, timestamptz, timestamptz, boolean) is
  'When a session is over: after 30 days, or 7 days without a refresh; an administrator''s after 12 hours, or 30 minutes without one. Whoever has not been refreshed for an instant of that length is out at that instant.';

create or replace function auth.refresh_session(session uuid, presented bigint, reuse_seconds integer)
  returns table (outcome text, user_id uuid, counter bigint)
  language plpgsql
  set search_path = ''
as $$
-- The reuse rules of wire-contract §1.6, with the counter in the place of stored tokens.
declare
  current record;
begin
  select s.user_id, s.refresh_counter, u.banned_until,
    (
      select count(*) from unnest(s.recent_refreshes) as r (at)
      where r.at > now() - make_interval(secs => reuse_seconds)
    ) as refreshed_lately,
    auth.session_ends_at(
      s.created_at, s.refreshed_at, s.not_after, u.raw_app_meta_data ->> 'role' is not distinct from 'admin'
    ) as ends_at
  into current
  from auth.sessions s
  join auth.users u on u.id = s.user_id
  where s.id = session
  for update of s;

  if not found or presented > current.refresh_counter then
    return query select 'not_found', null::uuid, null::bigint;
  elsif current.ends_at <= now() then
    delete from auth.sessions s where s.id = session;
    return query select 'expired', null::uuid, null::bigint;
  elsif current.banned_until > now() then
    return query select 'banned', null::uuid, null::bigint;
  elsif presented = current.refresh_counter then
    update auth.sessions s
    set refresh_counter = s.refresh_counter + 1, refreshed_at = now(), updated_at = now(),
        recent_refreshes = (
          now() || array(
            select r.at from unnest(s.recent_refreshes) as r (at)
            where r.at > now() - make_interval(secs => reuse_seconds)
          )
        )[1:100]
    where s.id = session;
    return query select 'rotated', current.user_id, current.refresh_counter + 1;
  elsif presented >= current.refresh_counter - greatest(1, current.refreshed_lately) then
    -- The answer was lost, or another tab was first: everybody gets the one active token. Beside the token before
    -- the active one, those count that were replaced a moment ago, whenever the newest refresh was.
    return query select 'reused', current.user_id, current.refresh_counter;
  else
    -- An old token turned up: somebody copied it. The whole session ends.
    delete from auth.sessions s where s.id = session;
    return query select 'already_used', null::uuid, null::bigint;
  end if;
end
$$;

create table auth.outgoing_mails (
  id uuid primary key default gen_random_uuid(),
  sealed bytea not null,
  attempts integer not null default 0,
  next_try_at timestamptz default now(),
  created_at timestamptz not null default now()
);
create index outgoing_mails_due on auth.outgoing_mails (next_try_at) where next_try_at is not null;
comment on table auth.outgoing_mails is 'Mails that the mail server has not taken yet. A row goes when the mail went.';
comment on column auth.outgoing_mails.sealed is 'The mail, encrypted with a key that is not in the database: it may hold a link that signs in.';
comment on column auth.outgoing_mails.next_try_at is 'Moved ahead by whoever begins to send, so that nobody else does; null when it was given up.';
alter table auth.outgoing_mails owner to supabase_auth_admin;
alter table auth.outgoing_mails enable row level security;

create function auth.forget_what_is_over(rows_max integer default 1000, moment timestamptz default now()) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  removed integer;
  total integer := 0;
begin
  perform auth.end_due_factors(u.id, moment)
  from (select o.id from auth.users o where o.factors_end_at <= moment limit rows_max) as u;
  get diagnostics removed = row_count;
  total := total + removed;
  delete from auth.sessions s where s.id in (
    select o.id from auth.sessions o
    join auth.users u on u.id = o.user_id
    where auth.session_ends_at(
      o.created_at, o.refreshed_at, o.not_after, u.raw_app_meta_data ->> 'role' is not distinct from 'admin'
    ) <= moment
    limit rows_max
  );
  get diagnostics removed = row_count;
  total := total + removed;
  delete from auth.one_time_tokens t where t.token_hash in (
    select o.token_hash from auth.one_time_tokens o where o.expires_at <= moment limit rows_max
  );
  get diagnostics removed = row_count;
  total := total + removed;
  delete from auth.flow_state f where f.id in (
    select o.id from auth.flow_state o where o.expires_at <= moment limit rows_max
  );
  get diagnostics removed = row_count;
  total := total + removed;
  delete from auth.mfa_challenges c where c.id in (
    select o.id from auth.mfa_challenges o where o.expires_at <= moment limit rows_max
  );
  get diagnostics removed = row_count;
  total := total + removed;
  delete from auth.known_networks k where (k.user_id, k.network) in (
    select o.user_id, o.network from auth.known_networks o
    where o.last_seen_at <= moment - interval '90 days' limit rows_max
  );
  get diagnostics removed = row_count;
  total := total + removed;
  delete from auth.outgoing_mails m where m.id in (
    select o.id from auth.outgoing_mails o
    where o.next_try_at is null and o.created_at <= moment - interval '7 days' limit rows_max
  );
  get diagnostics removed = row_count;
  total := total + removed;
  delete from throttle.buckets b where b.key in (
    select o.key from throttle.buckets o where o.ends_at <= moment - interval '1 hour' limit rows_max
  );
  get diagnostics removed = row_count;
  return total + removed;
end
$$;
comment on function auth.forget_what_is_over(integer, timestamptz) is
  'Removes what nobody needs any more (docs/privacy.md), up to a number of rows of each kind, and answers how many in all.';
alter function auth.forget_what_is_over(integer, timestamptz) owner to supabase_auth_admin;
revoke execute on function auth.forget_what_is_over(integer, timestamptz) from public;
