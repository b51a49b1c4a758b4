-- A new function can be called by its owner only, unless a grant in these files says otherwise. By default, PostgreSQL
-- would let every role call it, and a hosted project grants each new function in the schema public to three roles. A
-- schema's default privileges are added to the general ones, so both have to change. ground/end.sql gives them back,
-- because they hold for every later function of this owner.

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
  perform set_config('finanzas.default_callers', jsonb_build_object(
    'is_public', exists (select from aclexplode(general) a where a.grantee = 0),
    'in_public', (
      select coalesce(jsonb_agg(a.grantee::regrole::text), '[]')
      from pg_catalog.pg_default_acl d, aclexplode(d.defaclacl) a
      where d.defaclrole = current_user::regrole and d.defaclnamespace = 'public'::regnamespace and d.defaclobjtype = 'f'
        and a.grantee::regrole::text in ('anon', 'authenticated', 'service_role')
    )
  )::text, false);
end
$$;
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;
