-- Gives back the default privileges that ground/begin.sql took away, and enables row-level security on every table, also
-- for the owner.

do $$
declare
  unprotected regclass;
begin
  execute current_setting('finanzas.default_privileges');
  for unprotected in
    select c.oid from pg_catalog.pg_class c
    where c.relkind in ('r', 'p') and c.relowner = current_user::regrole
      and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'ledger'::regnamespace)
      and not (c.relrowsecurity and c.relforcerowsecurity)
  loop
    execute format('alter table %s enable row level security, force row level security', unprotected);
  end loop;
end
$$;
