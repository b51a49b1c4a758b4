-- Gives back the default privileges that ground/begin.sql took away.

do $$
declare
  callers constant jsonb := current_setting('finanzas.default_callers')::jsonb;
  role text;
begin
  if (callers ->> 'is_public')::boolean then
    alter default privileges grant execute on functions to public;
  end if;
  for role in select jsonb_array_elements_text(callers -> 'in_public') loop
    execute format('alter default privileges in schema public grant execute on functions to %s', role);
  end loop;
end
$$;
