-- A new function can be called by its owner only, and a new table of the schema public is closed to every other role, unless
-- a grant in these files says otherwise. By default, PostgreSQL would let every role call a function, and a hosted
-- project grants each new function and table in the schema public to three roles. A schema's default privileges are
-- added to the general ones, so both have to change. ground/end.sql gives them back, because they hold for everything
-- that this owner creates later.

do $$
declare
  general constant aclitem[] := coalesce(
    (
      select d.defaclacl from pg_catalog.pg_default_acl d
      where d.defaclrole = current_user::regrole and d.defaclnamespace = 0 and d.defaclobjtype = 'f'
    ),
    acldefault('f', current_user::regrole)
  );
begin
  perform set_config('finanzas.default_privileges', concat_ws('; ',
    (
      select 'alter default privileges grant execute on functions to public'
      where exists (select from aclexplode(general) a where a.grantee = 0)
    ),
    (
      select string_agg(format(
        'alter default privileges in schema public grant %s on %s to %s',
        a.privilege_type, case d.defaclobjtype when 'f' then 'functions' else 'tables' end, a.grantee::regrole
      ), '; ')
      from pg_catalog.pg_default_acl d, aclexplode(d.defaclacl) a
      where d.defaclrole = current_user::regrole and d.defaclnamespace = 'public'::regnamespace
        and d.defaclobjtype in ('f', 'r') and a.grantee::regrole::text in ('anon', 'authenticated', 'service_role')
    )
  ), false);
end
$$;
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
