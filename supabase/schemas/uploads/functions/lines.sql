-- Uploads: the common part of imports and batches. An upload is one call that sends
-- many lines under one id. An upload is refused or stored as a whole, and its lines count toward a 24-hour quota.

create function private.require_lines(body json, lines_max integer, size_message text, shape_message text) returns bytea
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if json_typeof(body) is distinct from 'array' or json_array_length(body) not between 1 and lines_max then
    raise exception using message = format(size_message, lines_max), errcode = 'PT413';
  end if;
  if exists (select from json_array_elements(body) as line where json_typeof(line) <> 'object') then
    raise exception using message = shape_message, errcode = 'PT422';
  end if;
  return sha256(convert_to(body::text, 'UTF8'));
end
$$;
comment on function private.require_lines(json, integer, text, text) is
  'Returns the SHA-256 of an upload in the form in which the client sent it. Refuses a body that is not an array of 1 to lines_max lines (PT413) or that has a line that is not an object (PT422). Hashes the text, because converting it to jsonb would expand the number 1e131071 to 131,072 digits.';

create function private.conditions_of(tables regclass[]) returns text
  language sql stable
  set search_path = ''
as $$
  select string_agg(
    format('when (%s) is false then %L', pg_get_expr(c.conbin, c.conrelid), obj_description(c.oid, 'pg_constraint')), ' '
  )
  from pg_catalog.pg_constraint c where c.conrelid = any (tables) and c.contype = 'c'
$$;
comment on function private.conditions_of(regclass[]) is
  'Returns the tables'' check constraints as branches of a CASE expression, which yields the message of the first violated constraint. An upload is therefore refused for the same reasons as a single row.';

create function private.refuse_faulty_lines(body json, checked_lines text, message text) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  faults_max constant integer := 100;
  faults jsonb;
begin
  execute format(
    $query$
      select jsonb_agg(jsonb_build_object('line', f.line, 'message', f.message) order by f.line)
      -- A column of a transaction that an upload does not contain is null in private.conditions_of.
      from (select (null::public.transactions).*) absent, lateral (%s) f where f.message is not null
    $query$, checked_lines
  ) into faults using body;
  if faults is not null then
    raise exception using message = format(message, jsonb_array_length(faults)), errcode = 'PT422',
      detail = jsonb_path_query_array(faults, format('$[0 to %s]', faults_max - 1)::jsonpath)::text;
  end if;
end
$$;
comment on function private.refuse_faulty_lines(json, text, text) is
  'Refuses an upload that has invalid lines (PT422). checked_lines is a query over the body ($1). For each line, the query returns the number, and an error message if the line is invalid. The error''s detail contains the numbers and messages of up to 100 invalid lines, as JSON.';
