-- The rest of GoTrue's identity that the product's server speaks (wire-contract §1.5): codes beside links,
-- changes of address, PKCE, second factors. As in 0002 nothing usable is stored: codes and recovery codes
-- are kept as HMAC, secrets of authenticator apps encrypted, both with keys that are not in the database.

alter table auth.users
  add column email_change_confirm_status smallint not null default 0,
  add column factors_end_at timestamptz;
create index users_factors_end_at on auth.users (factors_end_at) where factors_end_at is not null;
comment on column auth.users.factors_end_at is
  'When all second factors of the account end, because its owner came by a recovery link and cannot show one; null when that was not asked for.';
comment on column auth.users.email_change is 'The address that the person wants next; null when none is asked for.';
comment on column auth.users.email_change_confirm_status is 'Which address has agreed to the change: 1 the present one, 2 the next one, 0 none yet.';

alter table auth.one_time_tokens
  drop constraint one_time_tokens_token_type_check,
  add constraint one_time_tokens_token_type_check check (
    token_type in (
      'signup', 'recovery', 'magiclink', 'invite', 'email_change_current', 'email_change_new', 'reauthentication'
    )
  ),
  add column code_mac text,
  add column code_expires_at timestamptz,
  add column code_tries integer not null default 0,
  add column code_challenge text,
  add column code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  add constraint one_time_tokens_code_is_whole check ((code_mac is null) = (code_expires_at is null)),
  add constraint one_time_tokens_challenge_is_whole check ((code_challenge is null) = (code_challenge_method is null));
comment on column auth.one_time_tokens.code_mac is 'HMAC-SHA-256 of type, address and the six digits, hex, with a key outside of the database; null where nobody was told a code.';
comment on column auth.one_time_tokens.code_expires_at is 'The code is worthless from then on, also while the link still works.';
comment on column auth.one_time_tokens.code_tries is 'How often somebody typed a code for this address; five is the end of the code, not of the link.';
comment on column auth.one_time_tokens.code_challenge is 'PKCE (RFC 7636): the link then leads to a code that only the holder of the verifier can exchange.';

create index one_time_tokens_relates_to on auth.one_time_tokens (relates_to) where code_mac is not null;

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
comment on table auth.flow_state is 'Links that were followed under PKCE and whose code was not exchanged yet.';
comment on column auth.flow_state.auth_code_hash is 'SHA-256 of the code in the address, hex.';
comment on column auth.flow_state.authentication_method is 'What the session that comes of it was opened by, as `amr` names it.';

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text check (char_length(friendly_name) <= 100),
  factor_type text not null check (factor_type in ('totp', 'recovery_code')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  secret bytea,
  last_step bigint,
  failed_tries integer not null default 0,
  locked_until timestamptz,
  last_challenged_at timestamptz,
  undo_hash text unique,
  undo_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mfa_factors_undo_is_whole check ((undo_hash is null) = (undo_expires_at is null)),
  constraint mfa_factors_secret_is_totps check ((factor_type = 'totp') = (secret is not null))
);
create unique index mfa_factors_friendly_name_key on auth.mfa_factors (user_id, friendly_name)
  where btrim(friendly_name) <> '';
create unique index mfa_factors_one_recovery on auth.mfa_factors (user_id) where factor_type = 'recovery_code';
create index mfa_factors_user_id on auth.mfa_factors (user_id);
comment on table auth.mfa_factors is 'Second factors: authenticator apps, and at most one set of recovery codes.';
comment on column auth.mfa_factors.status is 'A factor counts from its first right code on.';
comment on column auth.mfa_factors.secret is 'AES-256-GCM with a key outside of the database and the id as additional data: a copy of the database shows no code.';
comment on column auth.mfa_factors.last_step is 'The 30-second step of the last code that was accepted: neither it nor an older one is accepted again.';
comment on column auth.mfa_factors.undo_hash is 'SHA-256 of the token, hex, in the mail that told the owner of this factor: it takes the factor away.';
comment on column auth.mfa_factors.failed_tries is 'Wrong codes in a row. From the fifth on each is followed by a wait that doubles, up to an hour.';

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index mfa_challenges_factor_id on auth.mfa_challenges (factor_id);
comment on table auth.mfa_challenges is 'Questions for a code that were not answered yet; each is answered once.';

create table auth.mfa_recovery_codes (
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  code_mac text not null,
  used_at timestamptz,
  primary key (factor_id, code_mac)
);
comment on table auth.mfa_recovery_codes is 'Codes on paper for whoever lost their authenticator app; each works once.';
comment on column auth.mfa_recovery_codes.code_mac is 'HMAC-SHA-256 of the code, hex, with a key outside of the database.';

alter table auth.sessions
  add column factor_id uuid references auth.mfa_factors (id) on delete set null,
  add column recent_refreshes timestamptz[] not null default '{}',
  add constraint sessions_aal_known check (aal in ('aal1', 'aal2'));
create index sessions_factor_id on auth.sessions (factor_id);
comment on column auth.sessions.aal is 'aal2 once a second factor was shown in this session.';
comment on column auth.sessions.factor_id is 'The second factor that was shown.';
comment on column auth.sessions.recent_refreshes is 'When the newest refresh tokens took the place of the ones before, newest first: a token that was replaced seconds ago is still answered.';

alter table auth.flow_state owner to supabase_auth_admin;
alter table auth.mfa_factors owner to supabase_auth_admin;
alter table auth.mfa_challenges owner to supabase_auth_admin;
alter table auth.mfa_recovery_codes owner to supabase_auth_admin;
alter table auth.flow_state enable row level security;
alter table auth.mfa_factors enable row level security;
alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_recovery_codes enable row level security;

-- Links and codes ---------------------------------------------------------------------------------------

create function auth.keep_one_time_token(
  person uuid, kind text, address text, hash text, life_seconds integer, mac text, mac_life_seconds integer,
  challenge text, challenge_method text
)
  returns uuid
  language sql
  set search_path = ''
begin atomic
  insert into auth.one_time_tokens as t (
    token_hash, user_id, token_type, relates_to, expires_at,
    code_mac, code_expires_at, code_challenge, code_challenge_method)
  values (
    hash, person, kind, address, now() + make_interval(secs => life_seconds),
    mac, case when mac is not null then now() + make_interval(secs => mac_life_seconds) end,
    challenge, challenge_method)
  on conflict (user_id, token_type) do update
  set token_hash = excluded.token_hash, relates_to = excluded.relates_to, created_at = excluded.created_at,
      expires_at = excluded.expires_at, code_mac = excluded.code_mac, code_expires_at = excluded.code_expires_at,
      code_tries = 0, code_challenge = excluded.code_challenge,
      code_challenge_method = excluded.code_challenge_method
  returning t.user_id;
end;
comment on function auth.keep_one_time_token(uuid, text, text, text, integer, text, integer, text, text) is
  'Keeps a token, and the code beside it where there is one, in the place of the person''s earlier one of its kind.';

create function auth.ask_for_email_change(
  person uuid, next_email text, current_hash text, current_mac text, new_hash text, new_mac text,
  life_seconds integer, mac_life_seconds integer, challenge text, challenge_method text
)
  returns void
  language plpgsql
  set search_path = ''
as $$
declare
  own_email text;
begin
  if next_email is null then
    return;
  end if;
  update auth.users u
  set email_change = next_email,
      email_change_sent_at = now(),
      updated_at = now(),
      -- A single new link leaves what the other address has said.
      email_change_confirm_status = case
        when u.email_change = next_email and (current_hash is null or new_hash is null)
          then u.email_change_confirm_status
        else 0
      end
  where u.id = person
  returning u.email into own_email;
  if own_email is null then
    return;
  end if;
  if current_hash is not null then
    perform auth.keep_one_time_token(
      person, 'email_change_current', own_email, current_hash, life_seconds, current_mac, mac_life_seconds,
      challenge, challenge_method);
  end if;
  if new_hash is not null then
    perform auth.keep_one_time_token(
      person, 'email_change_new', next_email, new_hash, life_seconds, new_mac, mac_life_seconds,
      challenge, challenge_method);
  end if;
end
$$;
comment on function auth.ask_for_email_change(uuid, text, text, text, text, text, integer, integer, text, text) is
  'Notes the address that a person wants next and keeps the tokens of the two links, where they are given; nothing without an address.';

create function auth.spend_one_time_token(kinds text[], hash text, address text, mac text)
  returns setof auth.one_time_tokens
  language plpgsql
  set search_path = ''
as $$
-- A statement of its own counts the try: it stays counted when nothing is found.
declare
  matching text[];
begin
  if mac is null then
    matching := array[hash];
  else
    with counted as (
      update auth.one_time_tokens t
      set code_tries = t.code_tries + 1
      where t.relates_to = address
        and t.token_type = any (kinds)
        and t.code_expires_at > now()
        and t.code_tries < 5
      returning t.token_hash, t.code_mac
    )
    select array_agg(c.token_hash) into matching from counted c where c.code_mac = mac;
  end if;
  return query
    delete from auth.one_time_tokens t
    using auth.users u
    where t.token_hash = any (matching)
      and t.token_type = any (kinds)
      and t.expires_at > now()
      and t.relates_to = coalesce(address, t.relates_to)
      and u.id = t.user_id
      and t.relates_to = case when t.token_type = 'email_change_new' then u.email_change else u.email end
      and (u.banned_until is null or u.banned_until <= now())
      and u.deleted_at is null
    returning t.*;
end
$$;
comment on function auth.spend_one_time_token(text[], text, text, text) is
  'Takes away and answers the token that has this hash, or this address and code; nothing when there is none, it has expired, its code was tried five times, it went to an address that the person has given up, or they are banned.';

create function auth.redeem_one_time_token(
  kinds text[], hash text, address text, mac text, new_session uuid, new_auth_code_hash text, device jsonb
)
  returns table (outcome text, method text)
  language plpgsql
  set search_path = ''
as $$
declare
  token auth.one_time_tokens;
  person auth.users;
  agreed smallint;
begin
  select * into token from auth.spend_one_time_token(kinds, hash, address, mac) limit 1;
  if token.token_hash is null then
    return;
  end if;
  perform auth.end_due_factors(token.user_id);
  select * into person from auth.users u where u.id = token.user_id for update;

  agreed := case token.token_type when 'email_change_current' then 1 when 'email_change_new' then 2 end;
  -- The same address may have agreed before, by an earlier link: that makes it no two.
  if agreed is not null and person.email_change_confirm_status in (0, agreed) then
    update auth.users u set email_change_confirm_status = agreed, updated_at = now() where u.id = person.id;
    return query select 'half', null::text;
    return;
  end if;

  if agreed is not null then
    begin
      update auth.users u
      set email = u.email_change, email_change = null, email_change_confirm_status = 0,
          last_sign_in_at = now(), updated_at = now()
      where u.id = person.id;
    exception
      -- Somebody else has the address by now.
      when unique_violation then
        return;
    end;
    -- What was mailed to the former address opens nothing any more.
    delete from auth.one_time_tokens t where t.user_id = person.id;
    delete from auth.flow_state f where f.user_id = person.id;
  else
    update auth.users u
    set email_confirmed_at = coalesce(u.email_confirmed_at, now()),
        -- Only its own link confirms the password of a sign-up: a stranger may have chosen it (decision 0022).
        encrypted_password = case
          when u.email_confirmed_at is null and token.token_type <> 'signup' then null
          else u.encrypted_password
        end,
        raw_user_meta_data = u.raw_user_meta_data || '{"email_verified": true}',
        last_sign_in_at = now(),
        updated_at = now()
    where u.id = person.id;
  end if;
  update auth.identities i
  set identity_data = i.identity_data || jsonb_build_object('email', u.email, 'email_verified', true),
      last_sign_in_at = now(), updated_at = now()
  from auth.users u
  where i.user_id = person.id and i.provider = 'email' and u.id = person.id;

  method := case
    -- An address that several people signed up with has no password: whoever reads its mail chooses one.
    when token.token_type = 'recovery' or (token.token_type = 'signup' and person.encrypted_password is null)
      then 'recovery'
    when token.token_type = 'invite' then 'invite'
    else 'otp'
  end;
  if token.code_challenge is not null and new_auth_code_hash is not null then
    delete from auth.flow_state f where f.user_id = person.id and f.expires_at <= now();
    insert into auth.flow_state
      (user_id, auth_code_hash, code_challenge, code_challenge_method, authentication_method, expires_at)
    values (
      person.id, new_auth_code_hash, token.code_challenge, token.code_challenge_method, method,
      now() + interval '5 minutes'
    );
    return query select 'code', method;
  else
    perform auth.open_session(new_session, person.id, method, device);
    return query select 'signed in', method;
  end if;
end
$$;
comment on function auth.redeem_one_time_token(text[], text, text, text, uuid, text, jsonb) is
  'Spends a token for what it is for. Outcome: no row (no such token), half (one of two addresses has agreed), code (PKCE: to be exchanged), signed in (the session is open); method is what `amr` will say.';

create function auth.bound_sessions(person uuid, level text) returns void
  language sql
  set search_path = ''
begin atomic
  -- Each level for itself: who knows the password alone ends no session that has shown a second factor.
  delete from auth.sessions s
  where s.id in (
    select o.id from auth.sessions o
    where o.user_id = person and o.aal = level
    order by o.created_at desc, o.id
    offset 50
  );
end;
comment on function auth.bound_sessions(uuid, text) is 'Keeps the newest fifty sessions of a person at one level (limits.ts: sessionsPerPersonMax) and ends the others.';

create function auth.open_session(new_session uuid, person uuid, method text, device jsonb) returns void
  language sql
  set search_path = ''
begin atomic
  insert into auth.sessions (id, user_id, amr, user_agent, ip)
  values (
    new_session, person,
    jsonb_build_array(jsonb_build_object('method', method, 'timestamp', floor(extract(epoch from now()))::bigint)),
    device ->> 'userAgent', device ->> 'ip'
  );
  select auth.bound_sessions(person, 'aal1');
end;
comment on function auth.open_session(uuid, uuid, text, jsonb) is 'A session that begins now, opened by the method and from the device.';

-- Second factors ----------------------------------------------------------------------------------------

create function auth.require_proof(session uuid) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if not exists (
    select
    from auth.sessions s
    cross join jsonb_array_elements(s.amr) as a (entry)
    where s.id = session
      and a.entry ->> 'method' in ('password', 'otp', 'recovery', 'invite')
      and to_timestamp((a.entry ->> 'timestamp')::double precision) > now() - interval '10 minutes'
  ) then
    raise exception 'Confirma tu contraseña para continuar.'
      using errcode = '42501', hint = 'reauthentication_needed';
  end if;
end
$$;
comment on function auth.require_proof(uuid) is
  'Refuses (42501 with the hint reauthentication_needed) unless the password or a mailed link or code was shown in this session within ten minutes: whoever has a session alone adds and removes no second factor.';

create function auth.require_whole_change(refusal text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if refusal is not null then
    raise exception 'The change is refused.' using hint = refusal;
  end if;
end
$$;
comment on function auth.require_whole_change(text) is
  'Refuses a change that cannot be made whole (P0001, the hint says why): what was written beside it is rolled back.';

create function auth.end_factors(person uuid, since timestamptz) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from auth.sessions s where s.user_id = person;
  delete from auth.mfa_factors f where f.user_id = person and f.created_at >= since;
  if not exists (
    select from auth.mfa_factors f where f.user_id = person and f.factor_type = 'totp' and f.status = 'verified'
  ) then
    delete from auth.mfa_factors f where f.user_id = person;
  end if;
  delete from auth.one_time_tokens t where t.user_id = person;
  delete from auth.flow_state f where f.user_id = person;
  -- Whoever added a factor knew the password or read the mail: the next password is chosen by a link.
  update auth.users u
  set encrypted_password = null, factors_end_at = null, email_change = null, email_change_confirm_status = 0,
      updated_at = now()
  where u.id = person;
end
$$;
comment on function auth.end_factors(uuid, timestamptz) is
  'Takes away the second factors that were begun since then, all sessions, the password and whatever was mailed: what remains is the way by a recovery link.';

create function auth.undo_factor(hash text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  added auth.mfa_factors;
begin
  -- The account is locked first, as by everything else that ends factors.
  perform from auth.users u
  where u.id = (select f.user_id from auth.mfa_factors f where f.undo_hash = hash)
  for update;
  select * into added from auth.mfa_factors f where f.undo_hash = hash and f.undo_expires_at > now() for update;
  if added.id is not null then
    perform auth.end_factors(added.user_id, added.created_at);
  end if;
  return added.user_id;
end
$$;
comment on function auth.undo_factor(text) is
  'Takes a factor away, and those added after it, by the link in the mail that told of it; answers whose it was, or null when there is no such link any more.';

create function auth.ask_for_factors_end(person uuid, session uuid) returns timestamptz
  language sql
  set search_path = ''
begin atomic
  update auth.users u
  set factors_end_at = coalesce(u.factors_end_at, now() + interval '72 hours')
  where u.id = person and exists (
    select
    from auth.sessions s
    cross join jsonb_array_elements(s.amr) as a (entry)
    where s.id = session and s.user_id = person
      and a.entry ->> 'method' = 'recovery'
      and to_timestamp((a.entry ->> 'timestamp')::double precision) > now() - interval '30 minutes'
  )
  returning u.factors_end_at;
end;
comment on function auth.ask_for_factors_end(uuid, uuid) is
  'Notes that the owner of an account, who came by a recovery link, cannot show a factor: all of them end in 72 hours. Answers when; null for a session that was not opened by such a link within 30 minutes.';

create function auth.keep_factors(person uuid, session uuid) returns void
  language sql
  set search_path = ''
begin atomic
  -- Either alone is not enough: whoever added a factor to somebody's account could else keep its owner out for ever.
  update auth.users u
  set factors_end_at = null
  where u.id = person and u.factors_end_at > now() and exists (
    select
    from auth.sessions s
    cross join jsonb_array_elements(s.amr) as a (entry)
    where s.id = session and s.user_id = person and s.aal = 'aal2'
      and a.entry ->> 'method' in ('otp', 'recovery', 'invite')
      and to_timestamp((a.entry ->> 'timestamp')::double precision) >=
        -- `amr` counts whole seconds.
        date_trunc('second', u.factors_end_at - interval '72 hours')
  );
end;
comment on function auth.keep_factors(uuid, uuid) is
  'Calls off the end of the factors, where the session has shown a factor and, since that end was asked for, also followed a mailed link or typed a mailed code.';

create function auth.note_proof(person uuid, session uuid, method text) returns void
  language sql
  set search_path = ''
begin atomic
  update auth.sessions s
  set updated_at = now(),
      amr = jsonb_build_array(
        jsonb_build_object('method', method, 'timestamp', floor(extract(epoch from now()))::bigint)
      ) || coalesce((
        select jsonb_agg(a.entry order by a.position)
        from jsonb_array_elements(s.amr) with ordinality as a (entry, position)
        where a.entry ->> 'method' <> method
      ), '[]')
  where s.id = session and s.user_id = person;
  select auth.keep_factors(person, session);
end;
comment on function auth.note_proof(uuid, uuid, text) is
  'The caller has just shown their password (password) or a mailed code (otp) once more.';

create function auth.end_due_factors(person uuid, moment timestamptz default now()) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  perform from auth.users u where u.id = person and u.factors_end_at <= moment for update;
  if found then
    perform auth.end_factors(person, '-infinity');
  end if;
  return found;
end
$$;
comment on function auth.end_due_factors(uuid, timestamptz) is
  'Ends the factors of a person whose wait is over; asked before they sign in and by the sweep.';

create function auth.try_factor(person uuid, factor uuid, challenge uuid)
  returns table (outcome text, wait_seconds integer, secret bytea, last_step bigint)
  language plpgsql
  set search_path = ''
as $$
declare
  found_factor auth.mfa_factors;
begin
  select * into found_factor from auth.mfa_factors f where f.id = factor and f.user_id = person for update;
  if found_factor.id is null then
    return query select 'unknown', 0, null::bytea, null::bigint;
  elsif found_factor.locked_until > now() then
    return query select
      'locked', ceil(extract(epoch from found_factor.locked_until - now()))::integer, null::bytea, null::bigint;
  elsif found_factor.factor_type = 'totp' and not exists (
    select from auth.mfa_challenges c
    where c.id = challenge and c.factor_id = factor and c.expires_at > now()
  ) then
    return query select 'expired', 0, null::bytea, null::bigint;
  else
    -- Counted before the code is looked at, so that tries at the same moment count too; a right one clears it.
    update auth.mfa_factors f
    set failed_tries = f.failed_tries + 1,
        locked_until = case
          when f.failed_tries >= 4
            then now() + least(interval '1 hour', interval '30 seconds' * power(2, least(f.failed_tries - 4, 20)))
        end
    where f.id = factor;
    return query select 'open', 0, found_factor.secret, found_factor.last_step;
  end if;
end
$$;
comment on function auth.try_factor(uuid, uuid, uuid) is
  'Counts a try at a person''s factor and answers what the code is checked with. Outcome: open, unknown, expired (no such challenge, or answered before) or locked, with the seconds to wait.';

create function auth.raise_session(person uuid, session uuid, factor uuid, method text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.mfa_factors f
  set failed_tries = 0, locked_until = null, status = 'verified', last_challenged_at = now(), updated_at = now()
  where f.id = factor;
  delete from auth.mfa_factors f where f.user_id = person and f.status = 'unverified';
  update auth.sessions s
  set aal = 'aal2', factor_id = factor, refresh_counter = s.refresh_counter + 1, refreshed_at = now(),
      recent_refreshes = (now() || s.recent_refreshes)[1:100], updated_at = now(),
      amr = jsonb_build_array(
        jsonb_build_object('method', method, 'timestamp', floor(extract(epoch from now()))::bigint)
      ) || s.amr
  where s.id = session and s.user_id = person;
  delete from auth.sessions s where s.user_id = person and s.id <> session and s.aal = 'aal1';
  perform auth.bound_sessions(person, 'aal2');
  perform auth.keep_factors(person, session);
end
$$;
comment on function auth.raise_session(uuid, uuid, uuid, text) is
  'The factor was shown: the session is aal2 with a new refresh token, and the person''s sessions that have not shown one end.';

create function auth.accept_totp(person uuid, session uuid, factor uuid, challenge uuid, step bigint)
  returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  -- Asking for it when an app is begun is not enough: another one may have been confirmed at that very moment.
  if exists (select from auth.mfa_factors f where f.id = factor and f.status = 'unverified')
    and exists (
      select from auth.mfa_factors f where f.user_id = person and f.factor_type = 'totp' and f.status = 'verified'
    )
    and not exists (select from auth.sessions s where s.id = session and s.user_id = person and s.aal = 'aal2')
  then
    raise exception 'Escribe el código de tu aplicación de autenticación para continuar.'
      using errcode = '42501', hint = 'insufficient_aal';
  end if;
  update auth.mfa_factors f
  set last_step = step
  where f.id = factor and f.user_id = person and (f.last_step is null or f.last_step < step);
  if not found then
    return false;
  end if;
  delete from auth.mfa_challenges c where c.id = challenge and c.factor_id = factor;
  if not found then
    return false;
  end if;
  perform auth.raise_session(person, session, factor, 'totp');
  return true;
end
$$;
comment on function auth.accept_totp(uuid, uuid, uuid, uuid, bigint) is
  'Spends the code of a step and its challenge, and raises the session; false when either was spent before. 42501 with the hint insufficient_aal for an app that was begun, beside one that counts and was not shown.';

create function auth.accept_recovery_code(person uuid, session uuid, factor uuid, mac text) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.mfa_recovery_codes r set used_at = now()
  where r.factor_id = factor and r.code_mac = mac and r.used_at is null;
  if not found then
    return false;
  end if;
  perform auth.raise_session(person, session, factor, 'mfa/recovery_code');
  return true;
end
$$;
comment on function auth.accept_recovery_code(uuid, uuid, uuid, text) is
  'Spends one recovery code and raises the session; false when there is no such code or it was spent before.';

create function auth.remove_factor(person uuid, factor uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.sessions s
  set aal = 'aal1', factor_id = null, updated_at = now(),
      amr = coalesce((
        select jsonb_agg(a.entry order by a.position)
        from jsonb_array_elements(s.amr) with ordinality as a (entry, position)
        where a.entry ->> 'method' not in ('totp', 'mfa/recovery_code')
      ), '[]')
  where s.user_id = person and s.factor_id = factor;
  delete from auth.mfa_factors f where f.id = factor and f.user_id = person;
  if not found then
    return false;
  end if;
  if not exists (
    select from auth.mfa_factors f where f.user_id = person and f.factor_type = 'totp' and f.status = 'verified'
  ) then
    -- Recovery codes stand in for an app, never alone; without any factor every session is aal1.
    delete from auth.mfa_factors f where f.user_id = person and f.factor_type = 'recovery_code';
    update auth.sessions s set aal = 'aal1' where s.user_id = person and s.aal = 'aal2';
  end if;
  return true;
end
$$;
comment on function auth.remove_factor(uuid, uuid) is
  'Takes a factor away; sessions that showed it fall back to aal1, and with the last app the recovery codes go. False when the person has no such factor.';

create function auth.renew_recovery_codes(person uuid, factor uuid, name text, macs text[], must_exist boolean)
  returns table (id uuid, friendly_name text)
  language plpgsql
  set search_path = ''
as $$
#variable_conflict use_column
declare
  kept auth.mfa_factors;
begin
  if not must_exist then
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
    select factor, person, name, 'recovery_code', 'verified'
    where exists (
      select from auth.mfa_factors f where f.user_id = person and f.factor_type = 'totp' and f.status = 'verified'
    );
  end if;
  -- A set is as old as its codes: the link that takes it back leaves what was added before them.
  update auth.mfa_factors f
  set failed_tries = 0, locked_until = null, created_at = now(), updated_at = now()
  where f.user_id = person and f.factor_type = 'recovery_code'
  returning f.* into kept;
  if kept.id is null then
    return;
  end if;
  delete from auth.mfa_recovery_codes r where r.factor_id = kept.id;
  insert into auth.mfa_recovery_codes (factor_id, code_mac) select kept.id, m.mac from unnest(macs) as m (mac);
  return query select kept.id, kept.friendly_name;
end
$$;
comment on function auth.renew_recovery_codes(uuid, uuid, text, text[], boolean) is
  'Puts a new set of codes in the place of the old one, or makes the first; no row when there is none to renew, or no app beside it.';

do $$
declare
  routine regprocedure;
begin
  foreach routine in array array[
    'auth.keep_one_time_token(uuid, text, text, text, integer, text, integer, text, text)',
    'auth.ask_for_email_change(uuid, text, text, text, text, text, integer, integer, text, text)',
    'auth.spend_one_time_token(text[], text, text, text)',
    'auth.redeem_one_time_token(text[], text, text, text, uuid, text, jsonb)',
    'auth.bound_sessions(uuid, text)',
    'auth.open_session(uuid, uuid, text, jsonb)',
    'auth.require_proof(uuid)',
    'auth.require_whole_change(text)',
    'auth.keep_factors(uuid, uuid)',
    'auth.note_proof(uuid, uuid, text)',
    'auth.end_factors(uuid, timestamptz)',
    'auth.undo_factor(text)',
    'auth.ask_for_factors_end(uuid, uuid)',
    'auth.end_due_factors(uuid, timestamptz)',
    'auth.try_factor(uuid, uuid, uuid)',
    'auth.raise_session(uuid, uuid, uuid, text)',
    'auth.accept_totp(uuid, uuid, uuid, uuid, bigint)',
    'auth.accept_recovery_code(uuid, uuid, uuid, text)',
    'auth.remove_factor(uuid, uuid)',
    'auth.renew_recovery_codes(uuid, uuid, text, text[], boolean)'
  ]::regprocedure[] loop
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to supabase_auth_admin', routine);
  end loop;
end
$$;
