-- The part of a hosted project's `auth` schema that the product and its server use: the tables, and the functions that
-- read the claims of a request. The columns are named as in GoTrue. Two differences from GoTrue are intended.
-- First, the database stores no usable secret: it stores SHA-256 hashes of one-time tokens, HMACs of codes, encrypted
-- authenticator secrets, and for each session a counter in place of a refresh token. All keys are kept outside the
-- database. Second, ending a session deletes its row.

create schema if not exists auth authorization supabase_auth_admin;
grant usage on schema auth to anon, authenticated, service_role, supabase_realtime_admin;
grant usage, create on schema auth to current_user;

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  email_change text,
  email_change_sent_at timestamptz,
  email_change_confirm_status smallint not null default 0,
  reauthentication_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{"provider": "email", "providers": ["email"]}',
  raw_user_meta_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  banned_until timestamptz,
  deleted_at timestamptz,
  factors_end_at timestamptz,
  is_anonymous boolean not null default false,
  constraint users_email_is_folded check (email = lower(email))
);
create unique index users_email_key on auth.users (email);
create index users_factors_end_at on auth.users (factors_end_at) where factors_end_at is not null;
create index users_email_change on auth.users (email_change_sent_at) where email_change is not null;
comment on index auth.users_email_change is 'Finds requested changes whose links have expired, so that auth.purge_expired can delete them.';
create index users_unconfirmed on auth.users (created_at) where email_confirmed_at is null;
comment on index auth.users_unconfirmed is 'Finds accounts that were never confirmed, so that private.purge_expired can delete them.';

comment on table auth.users is 'People who can sign in. The authentication service owns this table; product SQL only refers to it.';
comment on column auth.users.email is 'The e-mail address in lower case; unique.';
comment on column auth.users.encrypted_password is 'The argon2id hash of the password as a PHC string; null for accounts without a password.';
comment on column auth.users.email_confirmed_at is 'Time at which the address was confirmed; null until then. Without a confirmed address, the user cannot open a session.';
comment on column auth.users.raw_app_meta_data is 'Only the server can write this column. For an administrator, the column contains "role": "admin".';
comment on column auth.users.raw_user_meta_data is 'The user can write this column, so authorization must not depend on it.';
comment on column auth.users.banned_until is 'Until this time the user can neither sign in nor send requests.';
comment on column auth.users.factors_end_at is
  'Time at which all second factors of the account will be removed, as its owner requested after a sign-in through a recovery link; null without a request.';
comment on column auth.users.email_change is 'The new address that the user requested; null if no change is pending.';
comment on column auth.users.email_change_confirm_status is 'Which address has confirmed the change: 1 for the current address, 2 for the new address, 0 for neither.';

alter table auth.users owner to supabase_auth_admin, enable row level security;

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null default 'email',
  provider_id text not null,
  identity_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_id)
);
create index identities_user_id on auth.identities (user_id);
comment on table auth.identities is 'The ways in which users sign in. Each user has one row, with the provider "email".';
alter table auth.identities owner to supabase_auth_admin, enable row level security;

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type text not null check (factor_type in ('totp', 'webauthn', 'recovery_code')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  secret bytea,
  last_step bigint,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  failed_tries integer not null default 0,
  locked_until timestamptz,
  last_challenged_at timestamptz,
  begun_in uuid,
  undo_hash text unique,
  undo_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The constraint transactions_description_is_a_line has the same rule for descriptions. The name is empty if the user
  -- did not choose a name.
  constraint mfa_factors_name_is_a_line check (
    friendly_name = '' or (
      char_length(friendly_name) <= 100
      and friendly_name is nfc normalized
      and friendly_name !~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]'
      and friendly_name ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
    )
  ),
  constraint mfa_factors_undo_is_whole check ((undo_hash is null) = (undo_expires_at is null)),
  constraint mfa_factors_secret_is_totps check ((factor_type = 'totp') = (secret is not null)),
  constraint mfa_factors_credential_is_webauthns check (
    (factor_type = 'webauthn' and status = 'verified') = (web_authn_credential is not null)
  )
);
create unique index mfa_factors_friendly_name_key on auth.mfa_factors (user_id, friendly_name)
  where btrim(friendly_name) <> '';
create unique index mfa_factors_one_recovery on auth.mfa_factors (user_id) where factor_type = 'recovery_code';
create unique index mfa_factors_credential_key on auth.mfa_factors ((web_authn_credential ->> 'id'));
create index mfa_factors_user_id on auth.mfa_factors (user_id);
comment on table auth.mfa_factors is 'Second factors: authenticator apps, passkeys, and at most one set of recovery codes.';
comment on column auth.mfa_factors.status is 'The value is verified after the first correct answer, and unverified before it. Only a verified factor protects the account.';
comment on column auth.mfa_factors.secret is 'The authenticator secret, encrypted with AES-256-GCM. The key is kept outside the database, so that a copy of the database reveals no codes. The factor''s id is the additional authenticated data of this encryption.';
comment on column auth.mfa_factors.last_step is 'The 30-second time step of the last accepted code. Codes of this step or an earlier step are refused.';
comment on column auth.mfa_factors.web_authn_credential is
  'The public part of a passkey: its id and public key (base64url), its transports, and the signature counter in its last answer.';
comment on column auth.mfa_factors.web_authn_aaguid is 'The identifier of the authenticator''s model; all zeros if the authenticator does not report it.';
comment on column auth.mfa_factors.begun_in is 'The session that began to add the factor. Until the factor is verified, other sessions can neither see it nor verify it.';
comment on column auth.mfa_factors.undo_hash is 'SHA-256 (hex) of the token in the mail that tells the owner about this factor. With this token, the owner can remove the factor.';
comment on column auth.mfa_factors.failed_tries is 'Number of consecutive wrong codes. From the fifth wrong code on, each wrong code locks the factor, and each lock lasts twice as long as the previous lock, up to an hour.';
alter table auth.mfa_factors owner to supabase_auth_admin, enable row level security;

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  session_id uuid not null,
  web_authn_session_data jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index mfa_challenges_factor_id on auth.mfa_challenges (factor_id);
comment on table auth.mfa_challenges is 'Challenges that have not been answered yet. Each challenge can be answered only once.';
comment on column auth.mfa_challenges.session_id is 'The session that requested the challenge. Answers from other sessions are refused.';
comment on column auth.mfa_challenges.web_authn_session_data is
  'For a passkey: the random bytes that it must sign (base64url), and whether the browser creates the passkey (create) or uses it (request).';
alter table auth.mfa_challenges owner to supabase_auth_admin, enable row level security;

create table auth.mfa_recovery_codes (
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  code_mac text not null,
  used_at timestamptz,
  primary key (factor_id, code_mac)
);
comment on table auth.mfa_recovery_codes is 'Recovery codes, which users print and use if they lose their app or passkey. Each code works once.';
comment on column auth.mfa_recovery_codes.code_mac is 'HMAC-SHA-256 of the code, in hex. The key is kept outside the database.';
alter table auth.mfa_recovery_codes owner to supabase_auth_admin, enable row level security;

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  refreshed_at timestamptz,
  refresh_counter bigint not null default 0,
  recent_refreshes timestamptz[] not null default '{}',
  aal text not null default 'aal1',
  factor_id uuid references auth.mfa_factors (id) on delete set null,
  amr jsonb not null default '[]',
  not_after timestamptz,
  user_agent text,
  ip text,
  constraint sessions_aal_known check (aal in ('aal1', 'aal2'))
);
create index sessions_user_id on auth.sessions (user_id);
create index sessions_factor_id on auth.sessions (factor_id);

comment on table auth.sessions is 'One row for each open session. Ending a session deletes its row.';
comment on column auth.sessions.refresh_counter is 'Number of the active refresh token. A refresh token consists of this number and the session id, signed with a key outside the database.';
comment on column auth.sessions.not_after is 'The session ends at this time at the latest; null without such a limit.';
comment on column auth.sessions.aal is 'The authenticator assurance level: aal2 once a second factor has been verified in this session, otherwise aal1.';
comment on column auth.sessions.factor_id is 'The second factor that was verified in this session; null if the session has not verified a factor.';
comment on column auth.sessions.recent_refreshes is 'Times of the latest refreshes, newest first. A token that was replaced only a few seconds ago is still accepted, and these times show which tokens those are.';

alter table auth.sessions owner to supabase_auth_admin, enable row level security;

create table auth.one_time_tokens (
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type text not null check (
    token_type in (
      'signup', 'recovery', 'magiclink', 'invite', 'email_change_current', 'email_change_new', 'reauthentication'
    )
  ),
  relates_to text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  code_mac text,
  code_expires_at timestamptz,
  code_tries integer not null default 0,
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  unique (user_id, token_type),
  constraint one_time_tokens_code_is_whole check ((code_mac is null) = (code_expires_at is null)),
  constraint one_time_tokens_challenge_is_whole check ((code_challenge is null) = (code_challenge_method is null))
);
create index one_time_tokens_relates_to on auth.one_time_tokens (relates_to) where code_mac is not null;

comment on table auth.one_time_tokens is 'Mailed links and codes that have not been used yet. A user has at most one of each type.';
comment on column auth.one_time_tokens.token_hash is 'SHA-256 of the token, in hex, so that a copy of the database cannot be used to sign in.';
comment on column auth.one_time_tokens.relates_to is 'The e-mail address to which the token was sent.';
comment on column auth.one_time_tokens.code_mac is 'HMAC-SHA-256 of the type, the address and the six-digit code, in hex; null without a code. The key is kept outside the database.';
comment on column auth.one_time_tokens.code_expires_at is 'When the code expires. The link in the same mail may remain valid for longer than the code.';
comment on column auth.one_time_tokens.code_tries is 'Number of wrong codes entered for this address. After five wrong codes, the code is refused, but the link remains valid.';
comment on column auth.one_time_tokens.code_challenge is 'The PKCE challenge (RFC 7636). With a challenge, the link returns a code that only the holder of the verifier can exchange for a session.';

alter table auth.one_time_tokens owner to supabase_auth_admin, enable row level security;

create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  auth_code_hash text not null unique,
  code_challenge text not null,
  code_challenge_method text not null check (code_challenge_method in ('s256', 'plain')),
  authentication_method text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index flow_state_user_id on auth.flow_state (user_id);
comment on table auth.flow_state is 'PKCE: mailed links that the user has followed, but whose codes have not been exchanged for a session yet.';
comment on column auth.flow_state.auth_code_hash is 'SHA-256, in hex, of the code that the link returned.';
comment on column auth.flow_state.authentication_method is 'The method that the resulting session will list in `amr`.';

alter table auth.flow_state owner to supabase_auth_admin, enable row level security;

create table auth.address_changes (
  user_id uuid primary key references auth.users (id) on delete cascade,
  email text not null check (email = lower(email)),
  begun_at timestamptz not null default now(),
  counts_at timestamptz not null default now() + interval '72 hours',
  confirmed_at timestamptz,
  confirm_hash text not null unique,
  cancel_hash text not null unique
);
create index address_changes_counts_at on auth.address_changes (counts_at);
comment on table auth.address_changes is 'Changes of a user''s e-mail address that the bank requested, at most one per user. First the new mailbox must confirm the change. The change then takes effect 72 hours after the request, or earlier if the account''s owner accepts the change in a session in which the owner has just entered the password or a mailed code (docs/decisions/0060). A change that the user requested is stored in auth.users.';
comment on column auth.address_changes.counts_at is 'At this time, a confirmed change takes effect even if the account''s owner has not accepted it, and an unconfirmed change is deleted.';
comment on column auth.address_changes.confirmed_at is 'Time at which the owner of the new address followed the link; null until then. The link does not open a session.';
comment on column auth.address_changes.confirm_hash is 'SHA-256, in hex, of the token in the mail to the new address.';
comment on column auth.address_changes.cancel_hash is 'SHA-256, in hex, of the token in the mail to the current address.';
alter table auth.address_changes owner to supabase_auth_admin, enable row level security;

create table auth.known_networks (
  user_id uuid not null references auth.users (id) on delete cascade,
  network text not null,
  last_seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
comment on table auth.known_networks is 'Networks from which a user has signed in during the last 90 days. Wrong passwords from other networks do not prevent the user from signing in from these known networks.';
comment on column auth.known_networks.network is 'An IPv4 address, or the first half of an IPv6 address.';
comment on column auth.known_networks.last_seen_at is 'Time of the user''s last sign-in from this network, accurate to the day.';
alter table auth.known_networks owner to supabase_auth_admin, enable row level security;

create table auth.outgoing_mails (
  id uuid primary key default gen_random_uuid(),
  sealed bytea,
  notice jsonb,
  attempts integer not null default 0,
  next_try_at timestamptz default now(),
  created_at timestamptz not null default now(),
  invited uuid,
  constraint outgoing_mails_hold_one check ((sealed is null) <> (notice is null))
);
create index outgoing_mails_due on auth.outgoing_mails (next_try_at) where next_try_at is not null;
comment on table auth.outgoing_mails is 'Mails that the mail server has not accepted yet. Once a mail is sent, its row is deleted.';
comment on column auth.outgoing_mails.sealed is 'The mail, encrypted with a key outside the database, because the mail may contain a sign-in link.';
comment on column auth.outgoing_mails.notice is 'An event without secrets, from which the server composes the mail: {"to": address, "topic": name of the text, "facts": what the text needs, "at": time}.';
comment on column auth.outgoing_mails.next_try_at is 'Time at which the next attempt is due; null after the last attempt. A server that begins an attempt moves this time into the future, so that other servers do not send the same mail.';
comment on column auth.outgoing_mails.invited is 'Id of the customer of a file, if the mail invites this customer; null for all other mails.';
alter table auth.outgoing_mails owner to supabase_auth_admin, enable row level security;

create function auth.waiting_mails(out count bigint, out oldest_at timestamptz)
  language sql stable security definer
  set search_path = ''
as $$
  select count(*), min(m.created_at) from auth.outgoing_mails m where m.next_try_at is not null
$$;
comment on function auth.waiting_mails() is
  'Returns the number of waiting mails, and the time since which the oldest of these mails has waited. Mails that the servers no longer try to send are not counted.';
alter function auth.waiting_mails() owner to supabase_auth_admin;

create function auth.enqueue_notices(addresses text[], notice jsonb) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into auth.outgoing_mails (notice)
  select notice || jsonb_build_object('to', address, 'at', now())
  from unnest(addresses) as address where address is not null
$$;
comment on function auth.enqueue_notices(text[], jsonb) is
  'Queues a mail about a topic to each of these addresses. Must be called in the database transaction of the event. The server composes the mail''s text.';
alter function auth.enqueue_notices(text[], jsonb) owner to supabase_auth_admin;

create function auth.enqueue_notice(person uuid, topic text, facts jsonb) returns void
  language sql security definer
  set search_path = ''
as $$
  select auth.enqueue_notices(array[u.email::text], jsonb_build_object('topic', topic, 'facts', facts))
  from auth.users u where u.id = person
$$;
comment on function auth.enqueue_notice(uuid, text, jsonb) is
  'Queues a mail about a topic to a user. Must be called in the database transaction of the event. Does nothing if the user no longer exists. The server composes the mail''s text.';
alter function auth.enqueue_notice(uuid, text, jsonb) owner to supabase_auth_admin;

create table auth.data_keys (
  version integer primary key check (version > 0),
  sealed bytea not null,
  created_at timestamptz not null default now()
);
comment on table auth.data_keys is
  'The data key. The keys that seal values and compute MACs are derived from the data key. The table contains several rows only if a JWT_SECRET was lost.';
comment on column auth.data_keys.version is
  'A server uses the highest version that it can decrypt. Versions are unique, so two servers that start at the same time cannot create two keys with the same version.';
comment on column auth.data_keys.sealed is 'The data key, encrypted with a key outside the database.';
alter table auth.data_keys owner to supabase_auth_admin, enable row level security;

create table auth.statement_keys (
  kid text primary key check (kid ~ '^[0-9a-f]{32}$'),
  public_key jsonb not null,
  created_at timestamptz not null default now()
);
comment on table auth.statement_keys is
  'The public keys of all account statements. Rows are never changed or deleted, so that old statements can always be verified.';
comment on column auth.statement_keys.kid is 'The key id that account statements contain. The key id is the beginning of the public key''s thumbprint or, for a certificate of the bank''s own, of the certificate''s SHA-256.';
comment on column auth.statement_keys.public_key is 'The public key as a JSON Web Key. The bank publishes it.';
alter table auth.statement_keys owner to supabase_auth_admin, enable row level security;

create function auth.keep_statement_keys() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'The keys of statements stay.' using errcode = '42501';
end
$$;
comment on function auth.keep_statement_keys() is 'Refuses every change to the keys, even if the table''s owner makes the change.';
alter function auth.keep_statement_keys() owner to supabase_auth_admin;

create trigger statement_keys_are_append_only before update or delete or truncate on auth.statement_keys
  for each statement execute function auth.keep_statement_keys();

create table auth.signing_keys (
  kid text primary key references auth.statement_keys (kid),
  sealed bytea not null
);
create unique index signing_keys_only_one on auth.signing_keys ((true));
comment on table auth.signing_keys is
  'The private part of the key with which the bank signs account statements. The table has at most one row. Retiring the key deletes the row.';
comment on column auth.signing_keys.kid is 'The id of the key.';
comment on column auth.signing_keys.sealed is 'The private key (PKCS #8), encrypted with a key that is derived from the data key.';
comment on index auth.signing_keys_only_one is 'Prevents servers that start at the same time from creating two signing keys.';
alter table auth.signing_keys owner to supabase_auth_admin, enable row level security;

-- Request claims --------------------------------------------------------------------------------------

create function auth.jwt() returns jsonb
  language sql stable
  return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;
comment on function auth.jwt() is 'The claims in the request''s access token; an empty object without a token.';

create function auth.uid() returns uuid
  language sql stable
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid;
comment on function auth.uid() is 'The id of the signed-in user, or null.';

create function auth.role() returns text
  language sql stable
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role';
comment on function auth.role() is 'The database role in the access token.';

create function auth.email() returns text
  language sql stable
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email';
comment on function auth.email() is 'The e-mail address in the access token.';
