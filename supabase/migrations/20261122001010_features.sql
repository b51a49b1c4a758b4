-- Features that a bank may enable. They are disabled by default. The database refuses every call of a disabled feature.

create table private.features (
  name text primary key,
  constraint features_name_known check (name in ('transferencias', 'notificaciones'))
);
comment on table private.features is 'The enabled features. Our own server writes the table at each start. On a hosted project, the operator calls private.set_features.';
comment on column private.features.name is 'Name of the feature, as in the setting FEATURES.';
alter table private.features enable row level security, force row level security;

create function private.set_features(names text[]) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Writes only the differences, so that servers that start with the same settings do not wait for each other.
  delete from private.features f where f.name <> all (names);
  insert into private.features (name) select n from unnest(names) n on conflict do nothing;
end
$$;
comment on function private.set_features(text[]) is 'Enables exactly the named features.';
grant execute on function private.set_features(text[]) to supabase_auth_admin;

create function private.require_feature(name text) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not exists (select from private.features f where f.name = require_feature.name) then
    raise exception 'Función no implementada.' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.require_feature(text) is 'Refuses (PT404) a call of a feature that the bank has not enabled.';

revoke execute on all functions in schema private from public;
