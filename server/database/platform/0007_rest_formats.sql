-- What the table API calls in its own statements (server/rest/sql/body.ts, sql-write.ts, sql-call.ts).

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

create function rest.csv_cell(value text) returns text
  language sql immutable
  set search_path = ''
as $$
  select case
    when cell ~ '[",\r\n]' or cell ~ '^\s|\s$' then '"' || replace(cell, '"', '""') || '"'
    else cell
  end
  from (
    select case
      -- A spreadsheet would calculate it: other than a number, such a text gets an apostrophe in front.
      when value ~ '^[=+@\t\r-]' and value !~ '^[+-]?\d+(\.\d+)?$' then '''' || value
      else coalesce(value, '')
    end as cell
  ) cells
$$;
comment on function rest.csv_cell(text) is
  'The value as a cell of a CSV table (RFC 4180), never a formula; empty for null.';

create function rest.csv_line(cells text[]) returns text
  language sql immutable
  set search_path = ''
as $$
  select coalesce(string_agg(rest.csv_cell(cell), ',' order by place), '')
  from unnest(cells) with ordinality as line (cell, place)
$$;
comment on function rest.csv_line(text[]) is 'The values as a line of a CSV table, without its end.';
