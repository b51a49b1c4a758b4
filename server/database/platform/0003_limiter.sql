-- The rate limiter of the server (docs/decisions/0023): counts attempts of a network, an address or a person.

create schema throttle authorization supabase_auth_admin;
comment on schema throttle is 'Counters of attempts, which all servers of a bank share. The counters are not accessible through the table API.';
grant usage, create on schema throttle to current_user;

-- The table is unlogged, so that counting does not wait for the disk. If the database crashes, all counters are reset.
create unlogged table throttle.buckets (
  key text primary key,
  used integer not null,
  strikes integer not null,
  ends_at timestamptz not null
);
create index buckets_ends_at on throttle.buckets (ends_at);
comment on table throttle.buckets is 'One row for each limit and each subject (such as a user or a network) for which the limit was recently used.';
comment on column throttle.buckets.key is 'SHA-256 of the limit''s name and its subject, so that e-mail addresses and networks are not stored in plain text.';
comment on column throttle.buckets.used is 'Number of uses in the current window.';
comment on column throttle.buckets.strikes is 'For limits with a back-off: number of consecutive windows before the current window in which the bucket was used up.';
comment on column throttle.buckets.ends_at is 'The end of the window. Until then, a bucket that has no uses left refuses every attempt.';
alter table throttle.buckets owner to supabase_auth_admin;

create function throttle.consume(
  bucket text, capacity integer, window_seconds integer, wait_seconds_max integer default null,
  moment timestamptz default clock_timestamp()
) returns integer
  language plpgsql
  set search_path = ''
as $$
-- A window begins with its first use. If `wait_seconds_max` is given, an exhausted bucket allows one use after each
-- wait. Each wait is twice as long as the previous wait, up to `wait_seconds_max`. If the bucket is not used for an
-- hour after a wait, it starts again with its full capacity.
declare
  wait interval;
begin
  insert into throttle.buckets as b (key, used, strikes, ends_at)
  values (bucket, 1, 0, moment + make_interval(secs => window_seconds))
  on conflict (key) do update
  set (used, strikes, ends_at) = (
    select case when b.ends_at > moment then b.used + 1 else 1 end, next.strikes,
      case
        when b.ends_at > moment then b.ends_at
        when next.strikes = 0 then moment + make_interval(secs => window_seconds)
        else moment + make_interval(secs => least(window_seconds * 2 ^ least(next.strikes - 1, 20), wait_seconds_max))
      end
    from (
      select case
        when b.ends_at > moment then b.strikes
        when wait_seconds_max is null or moment >= b.ends_at + interval '1 hour' then 0
        when b.strikes > 0 or b.used >= capacity then b.strikes + 1
        else 0
      end as strikes
    ) as next
  )
  where b.ends_at <= moment or (b.strikes = 0 and b.used < capacity);
  if found then
    return 0;
  end if;
  select b.ends_at - moment into wait from throttle.buckets b where b.key = bucket;
  return greatest(1, ceil(extract(epoch from wait)));
end
$$;
comment on function throttle.consume(text, integer, integer, integer, timestamptz) is
  'Consumes one use of the bucket''s capacity and returns 0. If the bucket is used up, consumes nothing and returns the number of seconds until it has capacity again.';

create function throttle.refund(bucket text) returns void
  language sql
  set search_path = ''
begin atomic
  update throttle.buckets b
  set used = case when b.strikes = 0 then b.used - 1 else b.used end,
      -- During a back-off, a refund ends the current wait at once. The next wait is as long as the wait that the refund
      -- ended.
      strikes = case when b.strikes > 1 then b.strikes - 1 else b.strikes end,
      ends_at = case when b.strikes = 0 then b.ends_at else least(b.ends_at, clock_timestamp()) end
  where b.key = bucket and b.used > 0;
end;
comment on function throttle.refund(text) is 'Gives one consumed use back to the bucket.';

create function throttle.clear(bucket text) returns void
  language sql
  set search_path = ''
begin atomic
  delete from throttle.buckets b where b.key = bucket;
end;
comment on function throttle.clear(text) is 'Deletes the bucket and thereby ends its back-off.';

create function throttle.consume_all(uses jsonb) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  wanted record;
  wait_seconds integer;
  consumed text[] := '{}';
begin
  for wanted in
    select * from jsonb_to_recordset(uses)
      as u (bucket text, capacity integer, window_seconds integer, wait_seconds_max integer)
  loop
    wait_seconds := throttle.consume(wanted.bucket, wanted.capacity, wanted.window_seconds, wanted.wait_seconds_max);
    if wait_seconds > 0 then
      -- A request that exceeds the limit per minute must not also count toward the limit per hour. Otherwise an
      -- attacker could use up a customer's hourly limit.
      perform throttle.refund(t.bucket) from unnest(consumed) as t (bucket);
      return wait_seconds;
    end if;
    consumed := consumed || wanted.bucket;
  end loop;
  return 0;
end
$$;
comment on function throttle.consume_all(jsonb) is
  'Consumes one use of every given bucket and returns 0. If a bucket is used up, consumes nothing and returns the number of seconds until the first such bucket has capacity again.';

create function auth.limit_refused_writes(bucket text, capacity integer) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  wait interval;
begin
  select b.ends_at - clock_timestamp() into wait from throttle.buckets b where b.key = bucket and b.used >= capacity;
  if wait > interval '0' then
    raise exception 'Se rechazaron demasiados cambios seguidos. Espera unos minutos.'
      using errcode = 'FZ429', detail = ceil(extract(epoch from wait));
  end if;
end
$$;
comment on function auth.limit_refused_writes(text, integer) is
  'Refuses with FZ429 if the bucket counts at least this many uses; the error''s detail is the number of seconds to wait. The bucket counts a customer''s refused writes, and this function runs before each of the customer''s writes.';
alter function auth.limit_refused_writes(text, integer) owner to supabase_auth_admin;

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
comment on function throttle.is_known(text, text) is 'Whether the user with this e-mail address has signed in from this network during the last 90 days.';

revoke execute on all functions in schema throttle from public;
grant execute on all functions in schema throttle to supabase_auth_admin;
