-- Runs the attempts of the authorization tests. Each attempt runs in a subtransaction that is rolled back. Each
-- schema change is also rolled back, together with its attempts.

create schema probe;

create table probe.cells (
  number integer primary key,
  object text not null,
  cell jsonb not null,
  verdict text
);

-- Makes an attempt and returns its verdict. If the attempt is refused, the verdict is the SQLSTATE and the object that
-- refused it. Otherwise the verdict is the number of affected rows and the observed effect. `sql` runs with the role,
-- the claims and the live session of `cell`. `prepare` runs before `sql`, and `observe` runs after it. `prepare` and
-- `observe` run as the owner.
create function probe.attempt(cell jsonb) returns text language plpgsql as $$
declare
  affected bigint;
  seen text;
  context text;
begin
  if cell ->> 'prepare' is not null then
    execute cell ->> 'prepare';
  end if;
  if cell ->> 'session' is not null then
    perform auth.require_session((cell ->> 'session')::uuid, (cell ->> 'person')::uuid);
  end if;
  perform set_config('request.jwt.claims', coalesce(cell ->> 'claims', ''), true);
  perform set_config('role', cell ->> 'role', true);
  execute cell ->> 'sql';
  get diagnostics affected = row_count;
  perform set_config('role', 'none', true);
  if cell ->> 'observe' is not null then
    set constraints all immediate;
    execute cell ->> 'observe' into seen;
  end if;
  raise exception using errcode = 'PRB00', message = affected || ' row' || coalesce(': ' || seen, '');
exception
  when sqlstate 'PRB00' then return sqlerrm;
  when others then
    get stacked diagnostics context = pg_exception_context;
    -- The verdict contains the missing right and the function, so that two different defences produce different
    -- verdicts.
    return sqlstate || coalesce(' ' || substring(sqlerrm from '^permission denied for (.*)$')
        || ' in ' || substring(context from 'function "?([a-z_.]+)'), '')
      || case when sqlerrm like '%row-level security%' then ' policy' else '' end;
end
$$;

-- Makes the change, repeats the attempts on the related objects, and returns the first attempt whose verdict differs.
-- If `gone` is given, the function first executes it to remove another defence. If `on_others` is true, the function
-- repeats only the attempts on all other objects.
create function probe.first_difference(change text, related text[], gone text, on_others boolean) returns text
  language plpgsql
as $$
declare
  -- The verb of a grant or of a revoked right, such as "insert". The text of the change ends with the name of the role.
  verb constant text := lower(split_part(change, ' ', 2));
  each record;
  verdict text;
begin
  if gone is not null then
    execute gone;
    update probe.cells c set verdict = probe.attempt(c.cell) where c.object = any (related);
  end if;
  execute change;
  -- Tries first the attempts that the change probably affects. A grant changes refusals, and most other changes affect
  -- attempts that were not refused.
  for each in
    select c.* from probe.cells c
    where (c.object = any (related)) <> on_others
    order by change like '% ' || (c.cell ->> 'role') desc, c.cell ->> 'sql' like verb || ' %' desc,
      (c.verdict like '%row%') <> (change like 'grant %') desc, c.verdict <> 'FZ401' desc, c.number
  loop
    verdict := probe.attempt(each.cell);
    if verdict is distinct from each.verdict then
      raise exception using errcode = 'PRB01', message = each.number || '|' || verdict;
    end if;
  end loop;
  raise exception using errcode = 'PRB02';
exception
  when sqlstate 'PRB01' then return sqlerrm;
  when sqlstate 'PRB02' then return null;
end
$$;
