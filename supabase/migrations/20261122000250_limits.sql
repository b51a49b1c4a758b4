-- The rate limiter: counts uses of a limit, such as the rows that a customer writes, for each subject in a time window.

create table private.limits (
  name text primary key,
  uses_max integer not null check (uses_max > 0),
  window_seconds integer not null check (window_seconds > 0),
  slots integer not null check (slots between 1 and 100),
  is_counted_afterwards boolean not null default false,
  sentence text not null
);
comment on table private.limits is 'The limits that private.consume enforces.';
comment on column private.limits.uses_max is 'Maximum number of uses of one subject in the window.';
comment on column private.limits.window_seconds is 'Length of the window.';
comment on column private.limits.slots is 'Number of equal parts into which the window is divided. A use counts until the end of the window, and for at most one part longer.';
comment on column private.limits.is_counted_afterwards is 'Whether the number of uses is known only after the work is done. The limit then refuses a database transaction only if the limit was used up before that transaction began. The last transaction may therefore exceed the limit.';
comment on column private.limits.sentence is 'The refusal that the client shows.';
alter table private.limits enable row level security, force row level security;

create table private.counters (
  subject text not null,
  limit_name text not null,
  slot bigint not null,
  used integer[] not null,
  counted_in xid8 not null default pg_current_xact_id(),
  primary key (subject, limit_name)
-- Leaves room on each page, so that an update does not need a new index entry.
) with (fillfactor = 50);
comment on table private.counters is 'One row for each limit and each subject for which the limit was recently used.';
comment on column private.counters.subject is 'The id of the person or of another subject that is counted.';
comment on column private.counters.limit_name is 'As in private.limits.';
comment on column private.counters.slot is 'Number of the newest part of the window, counted from 1970.';
comment on column private.counters.used is 'Uses in the newest part of the window and in the parts before it, newest first. The number of elements is one more than the number of parts.';
comment on column private.counters.counted_in is 'The database transaction that last counted a use.';
alter table private.counters enable row level security, force row level security;

create function private.moved_slots(used integer[], steps bigint) returns integer[]
  language sql immutable
  set search_path = ''
  return case
    when steps <= 0 then used
    else array_fill(0, array[least(steps, cardinality(used))::integer])
      || used[:(cardinality(used) - least(steps, cardinality(used)))::integer]
  end;
comment on function private.moved_slots(integer[], bigint) is 'Moves the uses to older parts of the window, and drops the uses that leave the window.';

create function private.total_uses(used integer[]) returns bigint
  language sql immutable
  set search_path = ''
  return (select sum(u) from unnest(used) u);
comment on function private.total_uses(integer[]) is 'Returns the number of uses in all parts of the window.';

create function private.consume(limit_name text, subject text, uses integer default 1) returns void
  language plpgsql security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  rule private.limits;
  present bigint;
  counted private.counters;
  -- The number of earlier uses at which the limit still admits this call.
  earlier_max integer;
  total bigint;
  leaves_in double precision;
begin
  if current_setting('ledger.quota', true) = 'off' then
    return;
  end if;
  select l.* into strict rule from private.limits l where l.name = consume.limit_name;
  present := floor(extract(epoch from clock_timestamp()) * rule.slots / rule.window_seconds);
  earlier_max := rule.uses_max - case when rule.is_counted_afterwards then 1 else uses end;
  if uses > 0 and earlier_max >= 0 then
    insert into private.counters as c (subject, limit_name, slot, used)
    values (consume.subject, consume.limit_name, present, array[uses] || array_fill(0, array[rule.slots]))
    on conflict (subject, limit_name) do update set
      slot = greatest(c.slot, present),
      used = array[(private.moved_slots(c.used, present - c.slot))[1] + uses]
        || (private.moved_slots(c.used, present - c.slot))[2:],
      counted_in = pg_current_xact_id()
    where private.total_uses(private.moved_slots(c.used, present - c.slot)) <= earlier_max
      or rule.is_counted_afterwards and c.counted_in = pg_current_xact_id();
    if found then
      return;
    end if;
  end if;
  select c.* into counted from private.counters c
  where c.subject = consume.subject and c.limit_name = consume.limit_name;
  if not found and earlier_max >= 0
    or rule.is_counted_afterwards and counted.counted_in = pg_current_xact_id_if_assigned()
  then
    return;
  end if;
  counted.used := private.moved_slots(coalesce(counted.used, '{0}'), present - coalesce(counted.slot, present));
  total := private.total_uses(counted.used);
  if uses = 0 and total <= earlier_max then
    return;
  end if;
  leaves_in := rule.window_seconds;
  -- Finds the time at which enough of the oldest uses have left the window.
  for place in reverse cardinality(counted.used) .. 1 loop
    total := total - counted.used[place];
    if total <= earlier_max then
      leaves_in := (greatest(counted.slot, present) - place + 1 + rule.slots + 1) * rule.window_seconds::double precision
        / rule.slots - extract(epoch from clock_timestamp());
      exit;
    end if;
  end loop;
  raise exception using message = format(rule.sentence, rule.uses_max), errcode = 'PT429',
    detail = 'Retry-After: ' || greatest(1, ceil(leaves_in))::integer;
end
$$;
comment on function private.consume(text, text, integer) is
  'Counts the uses of a limit by a subject. Refuses the call (PT429, whose detail states the seconds to wait) and counts nothing if the window would then contain more uses than the limit allows. With 0 uses, only checks the limit, without a lock. Call this function after the lock that makes the subject''s calls run one after another, and before the first row is written if the number of uses is known.';

-- Rows that customers write ----------------------------------------------------------------------------------------

insert into private.limits (name, uses_max, window_seconds, slots, is_counted_afterwards, sentence) values
  -- Enough to put 200 rules in order fifteen times. Transactions have limits of their own (ledger.require_quota).
  ('rows written', 3000, 600, 10, true, 'Hiciste muchos cambios seguidos. Espera unos minutos.');

create function private.refuse_more_rows() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The statements of a trigger belong to a statement that was checked. Closing an account is never refused.
  if (select auth.uid()) is not null and pg_trigger_depth() = 1 then
    perform private.consume('rows written', (select auth.uid())::text, 0);
  end if;
  return null;
end
$$;
comment on function private.refuse_more_rows() is 'Refuses (PT429) a statement of a person who has used up the limit "rows written". Runs before the statement, because the rows of a refused write stay in the database files until the next vacuum.';

create function private.count_written_rows() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  own constant integer := case when me is not null then (select count(*) from written w where w.user_id = me) else 0 end;
begin
  -- The rows of a closed account are deleted after the user.
  if own > 0 and exists (select from auth.users u where u.id = me) then
    perform private.consume('rows written', me::text, own);
  end if;
  return null;
end
$$;
comment on function private.count_written_rows() is 'Counts the rows of the caller that a statement wrote toward the limit "rows written".';

create function private.limit_written_rows(relation regclass, condition text default 'true') returns void
  language plpgsql
  set search_path = ''
as $$
declare
  event record;
begin
  -- Triggers run in alphabetical order, so the check runs after lock_account_first.
  execute format(
    'create trigger refuse_more_rows before insert or update or delete on %s
     for each statement when (%s) execute function private.refuse_more_rows()', relation, condition
  );
  for event in
    select * from (values ('insert', 'new'), ('update', 'new'), ('delete', 'old')) as e (name, version)
  loop
    execute format(
      'create trigger zy_count_rows_%1$s after %1$s on %2$s referencing %3$s table as written
       for each statement when (%4$s) execute function private.count_written_rows()',
      event.name, relation, event.version, condition
    );
  end loop;
end
$$;
comment on function private.limit_written_rows(regclass, text) is
  'Adds the triggers that count the rows of a table toward the limit "rows written". The table has the column user_id. The condition is SQL text; statements that do not meet it are not counted.';

create function private.forget_counters() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from private.counters c where c.subject = old.id::text;
  return null;
end
$$;
comment on function private.forget_counters() is 'Deletes the counters of a deleted user.';

create trigger forget_counters after delete on auth.users
  for each row execute function private.forget_counters();

revoke execute on all functions in schema private from public;
