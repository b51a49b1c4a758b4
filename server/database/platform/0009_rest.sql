-- Functions that the table API uses in its own statements (server/rest/sql).

create schema rest;
comment on schema rest is 'Functions that the statements of /rest/v1 call. Clients cannot call these functions through /rest/v1.';
grant usage on schema rest to anon, authenticated, service_role;

create function rest.require_single(rows_written bigint) returns bigint
  language plpgsql
  set search_path = ''
as $$
begin
  if rows_written <> 1 then
    raise exception 'One row was requested.'
      using errcode = 'FZ406', detail = format('The result contains %s rows', rows_written);
  end if;
  return rows_written;
end
$$;
comment on function rest.require_single(bigint) is
  'Returns the number of written rows if exactly one row was written. Otherwise raises FZ406, which rolls back the write.';

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
  'Returns the body of an answer unchanged. Raises FZ431 if the body is too long, which also rolls back a write.';

-- The planner evaluates expensive conditions last. Because of this function's high cost, the planner evaluates this
-- condition after all others.
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
  'The last condition of an update or a deletion. Returns true for the first `rows_max` rows, then raises FZ413. The write stops at the limit and not at its end, because even a rolled-back write leaves new row versions in the table''s files.';

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
  'Returns the number of written rows. Raises FZ424 if the number exceeds the client''s limit, which rolls back the write before its `after` triggers run.';

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
  'Counts calls of rest.has_time after the time limit. Returns true for the first hundred calls in a database transaction, and then raises FZ408. A statement with only a few checks therefore does not fail when the machine stalls.';

-- Does not set search_path, so that PostgreSQL can inline the function into the statement.
create function rest.has_time(milliseconds_max integer) returns boolean
  language sql volatile
  return clock_timestamp() - statement_timestamp() < milliseconds_max * interval '1 ms' or rest.count_slow_checks();
comment on function rest.has_time(integer) is
  'Called before each expensive check of a row, and for each row of a one-to-many embed (server/rest/sql/clauses.ts). Returns true until the statement has run for this many milliseconds, and raises FZ408 soon afterwards. The function is needed because the embedded engine has no statement timeout.';

create function rest.merged_count() returns bigint
  language sql volatile
  set search_path = ''
  return coalesce(nullif(current_setting('rest.merged', true), ''), '0')::bigint;
comment on function rest.merged_count() is 'The number of existing rows that the upsert in this database transaction has updated.';

create function rest.count_merged() returns boolean
  language sql volatile
  set search_path = ''
  return set_config('rest.merged', (rest.merged_count() + 1)::text, true) <> '';
comment on function rest.count_merged() is
  'Counts one existing row that an upsert updates, and always returns true. The update calls the function as a condition. The count is needed, because in a view or a partitioned table a returned row does not show whether the upsert added it.';

create function rest.csv_cell(value text) returns text
  language sql immutable
  set search_path = ''
as $$
  select case
    -- Upstream builds CSV lines from PostgreSQL's text form of a row, so this function follows the quoting rules of
    -- that text form.
    when cell = '' or cell ~ '[",\\() \t\n\v\f\r]' then '"' || replace(cell, '"', '""') || '"'
    else cell
  end
  from (
    select case
      -- The same rule as in contract/format/csv.ts: text that a spreadsheet would evaluate gets a leading apostrophe. Blank
      -- characters are listed one by one, because a character class for blanks would depend on the locale. Numbers get
      -- no apostrophe, even if they begin with a minus sign.
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
  'Returns the value as a cell of a CSV table (RFC 4180), with the quoting of upstream. The cell is never a formula. Returns null for a null value.';

create function rest.csv_line(cells text[]) returns text
  language sql immutable
  set search_path = ''
as $$
  select coalesce(string_agg(coalesce(rest.csv_cell(cell), ''), ',' order by place), '')
  from unnest(cells) with ordinality as line (cell, place)
$$;
comment on function rest.csv_line(text[]) is 'Returns the values as one line of a CSV table, without the line break.';
