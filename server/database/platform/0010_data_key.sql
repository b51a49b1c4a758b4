-- The key behind what the server keeps sealed or as a code: authenticator secrets, recovery codes, six digits, mails that
-- wait, fingerprints of requests. The key is itself sealed with one that follows from JWT_SECRET, so that a
-- change of that seals one row anew, and nothing else.

create table auth.data_keys (
  version integer primary key check (version > 0),
  sealed bytea not null,
  created_at timestamptz not null default now()
);
comment on table auth.data_keys is
  'The key of what is kept sealed or as a code. More than one row is there only where a JWT_SECRET was lost.';
comment on column auth.data_keys.version is
  'The highest that a server can open is its key. Two that begin at once cannot both make the same.';
comment on column auth.data_keys.sealed is 'Encrypted with a key that is not in the database.';
alter table auth.data_keys owner to supabase_auth_admin;
alter table auth.data_keys enable row level security;
