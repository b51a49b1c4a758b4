-- Functions that the table API calls in its own statements (server/rest/sql).

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

create function rest.require_length(body text, bytes_max integer) returns text
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if octet_length(body) > bytes_max then
    raise exception 'The answer is too long.'
      using errcode = 'FZ431', detail = format('The answer has %s bytes', octet_length(body));
  end if;
  return body;
end
$$;
comment on function rest.require_length(text, integer) is
  'The body of an answer, unless it is longer: then FZ431, which undoes what a write has done.';

-- The planner asks expensive conditions last: the declared cost puts this one behind the others.
create function rest.limit_written_rows(rows_max bigint) returns boolean
  language plpgsql volatile cost 10000
  set search_path = ''
as $$
declare
  written constant bigint := coalesce(nullif(current_setting('rest.written_rows', true), ''), '0')::bigint + 1;
begin
  if written > rows_max then
    raise exception 'Too many rows for one write.'
      using errcode = 'FZ413', detail = format('The write touches more than %s rows', rows_max);
  end if;
  perform set_config('rest.written_rows', written::text, true);
  return true;
end
$$;
comment on function rest.limit_written_rows(bigint) is
  'The last condition of an update or a deletion: true for so many rows, then FZ413. It writes no further row, because refused rows stay in the files.';

create function rest.require_max_affected(rows_written bigint, rows_max bigint) returns bigint
  language plpgsql
  set search_path = ''
as $$
begin
  if rows_written > rows_max then
    raise exception 'More rows than the client allows.'
      using errcode = 'FZ424', detail = format('The query affects %s rows', rows_written);
  end if;
  return rows_written;
end
$$;
comment on function rest.require_max_affected(bigint, bigint) is
  'The number, unless it is over what the client allows: then FZ424, which undoes the write before its after triggers run.';

create function rest.count_slow_checks() returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  times constant integer := coalesce(nullif(current_setting('rest.slow_checks', true), ''), '0')::integer + 1;
begin
  if times > 100 then
    raise exception 'The tests of the statement take too long.' using errcode = 'FZ408';
  end if;
  perform set_config('rest.slow_checks', times::text, true);
  return true;
end
$$;
comment on function rest.count_slow_checks() is
  'True a hundred times in one database transaction, then FZ408: a machine that stalls ends no statement that has little to do.';

-- Without a search path of its own it becomes part of the statement.
create function rest.has_time(milliseconds_max integer) returns boolean
  language sql volatile
as $$
  select clock_timestamp() - statement_timestamp() < milliseconds_max * interval '1 ms' or rest.count_slow_checks()
$$;
comment on function rest.has_time(integer) is
  'Called before each expensive test of a row, and for each row of a one-to-many embed (server/rest/sql/clauses.ts). Returns true until the statement has taken this long, and raises FZ408 soon afterwards. The embedded engine has no statement timeout.';

create function rest.merged_count() returns bigint
  language sql volatile
  set search_path = ''
as $$
  select coalesce(nullif(current_setting('rest.merged', true), ''), '0')::bigint
$$;
comment on function rest.merged_count() is 'How many rows the upsert of this database transaction found there.';

create function rest.count_merged() returns boolean
  language sql volatile
  set search_path = ''
as $$
  select set_config('rest.merged', (rest.merged_count() + 1)::text, true) <> ''
$$;
comment on function rest.count_merged() is
  'Counts one row that an upsert found there, as its condition: rows of a view or a partitioned table do not say themselves that they are new. Always true.';

create function rest.csv_cell(value text) returns text
  language sql immutable
  set search_path = ''
as $$
  select case
    -- PostgreSQL quotes the same in the text of a row, of which upstream makes its lines.
    when cell = '' or cell ~ '[",\\() \t\n\v\f\r]' then '"' || replace(cell, '"', '""') || '"'
    else cell
  end
  from (
    select case
      -- The rule of contract/csv.ts: an apostrophe stands before a text that a spreadsheet would calculate. Blanks are
      -- listed, because a class of them depends on the locale. A column of numbers has negative ones.
      when value ~ (
          '^[ \t\n\v\f\r\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]*'
          || '[=+@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n-]'
        )
        and value !~ '^[+-]?\d+(\.\d+)?$'
      then '''' || value
      else value
    end as cell
  ) cells
$$;
comment on function rest.csv_cell(text) is
  'The value as a cell of a CSV table (RFC 4180), quoted where upstream quotes, never a formula; null for null.';

create function rest.csv_line(cells text[]) returns text
  language sql immutable
  set search_path = ''
as $$
  select coalesce(string_agg(coalesce(rest.csv_cell(cell), ''), ',' order by place), '')
  from unnest(cells) with ordinality as line (cell, place)
$$;
comment on function rest.csv_line(text[]) is 'The values as a line of a CSV table, without its end.';
