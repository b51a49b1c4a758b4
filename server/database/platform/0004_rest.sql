-- What the table API calls in its own statements (server/rest/sql-write.ts).

create schema rest;
comment on schema rest is 'For the statements of /rest/v1; not reachable through it.';
grant usage on schema rest to anon, authenticated, service_role;

create function rest.require_single(rows_written bigint) returns bigint
  language plpgsql
  set search_path = ''
as $$
begin
  if rows_written <> 1 then
    raise exception 'One row was asked for.'
      using errcode = 'FZ406', detail = format('The result contains %s rows', rows_written);
  end if;
  return rows_written;
end
$$;
comment on function rest.require_single(bigint) is
  'The number, which must be one: otherwise FZ406, which undoes the write that it counts.';

create function rest.require_at_most(rows_written bigint, rows_max bigint) returns bigint
  language plpgsql
  set search_path = ''
as $$
begin
  if rows_written > rows_max then
    raise exception 'Too many rows for one write.'
      using errcode = 'FZ413', detail = format('The write touches %s rows', rows_written);
  end if;
  return rows_written;
end
$$;
comment on function rest.require_at_most(bigint, bigint) is
  'The number, unless it is over the other one: then FZ413, which undoes the write before its after triggers run.';

create function rest.merged_count() returns bigint
  language sql volatile
  set search_path = ''
as $$
  select coalesce(nullif(current_setting('rest.merged', true), ''), '0')::bigint
$$;

create function rest.count_merged() returns boolean
  language sql volatile
  set search_path = ''
as $$
  select set_config('rest.merged', (rest.merged_count() + 1)::text, true) <> ''
$$;
comment on function rest.count_merged() is
  'Counts one row that an upsert found there, as its condition: rows of a view or a partitioned table do not say themselves that they are new. Always true.';
comment on function rest.merged_count() is 'How many rows the upsert of this database transaction found there.';
