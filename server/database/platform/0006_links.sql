-- Links and codes by mail: one-time tokens, PKCE, and changes of address.

create function auth.store_one_time_token(
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
comment on function auth.store_one_time_token(uuid, text, text, text, integer, text, integer, text, text) is
  'Stores a token, together with its code if it has one. Replaces the user''s earlier token of the same type.';

create function auth.request_email_change(
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
      -- If only one address gets a new link, the other address stays confirmed.
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
    perform auth.store_one_time_token(
      person, 'email_change_current', own_email, current_hash, life_seconds, current_mac, mac_life_seconds,
      challenge, challenge_method);
  end if;
  if new_hash is not null then
    perform auth.store_one_time_token(
      person, 'email_change_new', next_email, new_hash, life_seconds, new_mac, mac_life_seconds,
      challenge, challenge_method);
  end if;
end
$$;
comment on function auth.request_email_change(uuid, text, text, text, text, text, integer, integer, text, text) is
  'Records the new address that a user requests. Stores the tokens of the two links, as far as they are given. Does nothing if the account has no current address.';

create function auth.consume_one_time_token(kinds text[], hash text, address text, mac text)
  returns setof auth.one_time_tokens
  language plpgsql
  set search_path = ''
as $$
-- Counts an attempt to enter a code in a separate statement, so that the attempt counts even if the code matches no
-- token.
declare
  matching text[];
  tries integer;
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
    select array_agg(c.token_hash) filter (where c.code_mac = mac), count(*) into matching, tries from counted c;
    if tries = 0 then
      -- A request that counts an attempt waits for the disk. This statement makes requests for unknown addresses wait
      -- as well, so that the response time does not reveal which addresses have accounts.
      perform pg_logical_emit_message(true, 'auth', '');
    end if;
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
comment on function auth.consume_one_time_token(text[], text, text, text) is
  'Deletes and returns the token with this hash, or the token with this address and code. Returns nothing if the token is unknown or expired, if five wrong codes were entered, if the user''s address has since changed, or if the user is banned or deleted.';

create function auth.can_confirm_email_change(person auth.users) returns boolean
  language sql stable
  return person.email_change is not null and exists (
    select from auth.one_time_tokens t
    where t.user_id = person.id and t.token_type in ('email_change_current', 'email_change_new')
      and t.expires_at > now()
  );
comment on function auth.can_confirm_email_change(auth.users) is
  'Whether a change that the user requested is still pending. A change whose links have expired is not pending, and POST /resend sends no new links for it.';

create function auth.confirm_identity_email(person uuid) returns void
  language sql
  set search_path = ''
begin atomic
  update auth.identities i
  set identity_data = i.identity_data || jsonb_build_object('email', u.email, 'email_verified', true), updated_at = now()
  from auth.users u
  where i.user_id = person and i.provider = 'email' and u.id = person;
end;
comment on function auth.confirm_identity_email(uuid) is 'Copies a user''s confirmed address into the row in auth.identities.';

-- Changes of address that the bank requests ------------------------------------------------------------

create function auth.begin_address_change(person uuid, next_email text, confirm_hash text, cancel_hash text, seed uuid)
  returns void
  language plpgsql
  set search_path = ''
as $$
declare
  begun auth.address_changes;
begin
  perform from auth.users u where u.id = person for update;
  if not found then
    return;
  end if;
  perform auth.cancel_address_change(person);
  insert into auth.address_changes (user_id, email, confirm_hash, cancel_hash)
  values (person, next_email, confirm_hash, cancel_hash)
  returning * into begun;
  perform auth.enqueue_notice(
    person, 'begin_email_change', jsonb_build_object('email', next_email, 'seed', seed, 'counts_at', begun.counts_at));
  insert into auth.outgoing_mails (notice)
  values (jsonb_build_object(
    'to', next_email, 'topic', 'confirm_email_change', 'at', now(),
    'facts', jsonb_build_object('seed', seed, 'counts_at', begun.counts_at)));
end
$$;
comment on function auth.begin_address_change(uuid, text, text, text, uuid) is
  'Begins a change of address that the bank requested, replaces any pending change, and queues mails to both addresses. The current address gets a link that cancels the change, and the new address gets a link that confirms it. The server derives the links from the seed and a key outside the database.';

create function auth.cancel_address_change(person uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  was_waiting boolean;
begin
  perform from auth.users u where u.id = person for update;
  delete from auth.address_changes c where c.user_id = person;
  was_waiting := found;
  update auth.users u
  set email_change = null, email_change_confirm_status = 0, updated_at = now()
  where u.id = person and u.email_change is not null;
  was_waiting := was_waiting or found;
  delete from auth.one_time_tokens t
  where t.user_id = person and t.token_type in ('email_change_current', 'email_change_new');
  return was_waiting;
end
$$;
comment on function auth.cancel_address_change(uuid) is
  'Cancels a pending change of address, whether the bank or the user requested it. Returns false if the user has no pending change.';

create function auth.waiting_address_change(person uuid) returns json
  language sql stable
  set search_path = ''
begin atomic
  select coalesce(
    (
      select json_build_object(
        'email', c.email, 'begun_at', c.begun_at, 'counts_at', c.counts_at, 'is_confirmed', c.confirmed_at is not null)
      from auth.address_changes c where c.user_id = person
    ),
    (
      select json_build_object(
        'email', u.email_change, 'begun_at', u.email_change_sent_at, 'counts_at', null, 'is_confirmed', false)
      from auth.users u where u.id = person and auth.can_confirm_email_change(u)
    )
  );
end;
comment on function auth.waiting_address_change(uuid) is
  'Returns the pending change of address for staff: the new address, the time of the request, and whether the new mailbox has confirmed the change. Also contains the time at which the change takes effect; this time is null if the user requested the change. Returns null if no change is pending.';

create function auth.set_email(person uuid, confirmed_email text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.users u
  set email = confirmed_email,
      email_confirmed_at = coalesce(u.email_confirmed_at, now()),
      -- As in auth.redeem_one_time_token, an account's first confirmation removes the password, because an attacker may
      -- have chosen the password (decision 0022).
      encrypted_password = case when u.email_confirmed_at is not null then u.encrypted_password end,
      updated_at = now()
  where u.id = person;
  -- Links that were mailed to the former address become invalid.
  perform auth.end_links(person);
  perform auth.confirm_identity_email(person);
end
$$;
comment on function auth.set_email(uuid, text) is
  'Replaces a user''s address by an address that they confirmed. Raises 23505 if another account uses this address.';

create function auth.apply_address_change(person uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
declare
  changed auth.address_changes;
begin
  perform from auth.users u where u.id = person for update;
  delete from auth.address_changes c where c.user_id = person and c.confirmed_at is not null returning c.* into changed;
  if changed.user_id is null then
    return false;
  end if;
  begin
    perform auth.enqueue_notice(person, 'set_email', jsonb_build_object('email', changed.email));
    perform auth.set_email(person, changed.email);
  exception
    -- Another account has taken this address since the change was requested.
    when unique_violation then
      return false;
  end;
  return true;
end
$$;
comment on function auth.apply_address_change(uuid) is
  'Applies a change of address that the bank requested and the new mailbox confirmed, and notifies the former address. Returns false if the user has no confirmed change, or if another account has the address.';

create function auth.accept_address_change(person uuid, session uuid, next_email text) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  if not exists (
    select from auth.address_changes c
    where c.user_id = person and c.email = next_email and c.confirmed_at is not null
  ) then
    return false;
  end if;
  perform auth.require_proof(session);
  return auth.apply_address_change(person);
end
$$;
comment on function auth.accept_address_change(uuid, uuid, text) is
  'Applies a confirmed change of address immediately when the user accepts the change. Raises 42501 with the hint reauthentication_needed unless the user has just entered the password or a mailed code (auth.require_proof). Returns false if no change to this address is pending, or if the new mailbox has not confirmed it.';

create function auth.answer_address_change(hash text) returns table (outcome text, person uuid)
  language plpgsql
  set search_path = ''
as $$
declare
  change auth.address_changes;
  is_without_owner boolean;
begin
  -- Locks the account first, like every other function that changes an address. An unconfirmed account with a password
  -- comes from a sign-up. An account that the bank opened has no password before its first confirmation. An account
  -- that the bank opened may already hold money, so its customer can object to the change.
  select u.email_confirmed_at is null and u.encrypted_password is not null into is_without_owner
  from auth.users u
  where u.id = (select c.user_id from auth.address_changes c where hash in (c.confirm_hash, c.cancel_hash))
  for update;
  select * into change from auth.address_changes c where hash in (c.confirm_hash, c.cancel_hash);
  if change.cancel_hash = hash then
    perform auth.cancel_address_change(change.user_id);
    return query select 'cancelled', change.user_id;
  elsif change.counts_at > now() then
    update auth.address_changes c
    set confirmed_at = coalesce(c.confirmed_at, now())
    where c.user_id = change.user_id;
    -- A sign-up that was never confirmed has no owner who could object, so the change of its address applies at once.
    if is_without_owner and not auth.apply_address_change(change.user_id) then
      return;
    end if;
    return query select 'confirmed', change.user_id;
  end if;
end
$$;
comment on function auth.answer_address_change(text) is
  'Processes a click on a link about a change of address that the bank requested. Returns the user and the outcome: "confirmed" if the link was mailed to the new address, otherwise "cancelled". Does not open a session. Returns nothing for an invalid link.';

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
  -- Locks the account first. A concurrent request that ends the account's sessions therefore runs completely before
  -- this function, and voids the token, or completely after it, and ends the new session too.
  perform from auth.users u
  where u.id in (
    select t.user_id from auth.one_time_tokens t
    where t.token_hash = hash
      or (mac is not null and t.code_mac is not null and t.relates_to = address and t.token_type = any (kinds))
  )
  order by u.id
  for update;
  select * into token from auth.consume_one_time_token(kinds, hash, address, mac) limit 1;
  if token.token_hash is null then
    return;
  end if;
  perform auth.end_due_factors(token.user_id);
  select * into person from auth.users u where u.id = token.user_id for update;

  agreed := case token.token_type when 'email_change_current' then 1 when 'email_change_new' then 2 end;
  -- Both addresses must confirm the change. A second confirmation by the same address does not count as the other
  -- address's confirmation.
  if agreed is not null and person.email_change_confirm_status in (0, agreed) then
    update auth.users u set email_change_confirm_status = agreed, updated_at = now() where u.id = person.id;
    return query select 'partly confirmed', null::text;
    return;
  end if;

  if agreed is not null then
    begin
      perform auth.set_email(person.id, person.email_change);
    exception
      -- Another account has taken this address since the change was requested.
      when unique_violation then
        return;
    end;
    update auth.users u set last_sign_in_at = now() where u.id = person.id;
  else
    update auth.users u
    set email_confirmed_at = coalesce(u.email_confirmed_at, now()),
        -- If the account was not confirmed before, only the sign-up link keeps the password. Every other link removes
        -- the password, because an attacker may have chosen the password (decision 0022).
        encrypted_password = case
          when u.email_confirmed_at is null and token.token_type <> 'signup' then null
          else u.encrypted_password
        end,
        raw_user_meta_data = u.raw_user_meta_data || '{"email_verified": true}',
        last_sign_in_at = now(),
        updated_at = now()
    where u.id = person.id;
    -- An invitation is for the first sign-in. Its link is valid for days, and other people may read the mail in that
    -- time.
    delete from auth.one_time_tokens t where t.user_id = person.id and t.token_type = 'invite';
    perform auth.confirm_identity_email(person.id);
  end if;
  update auth.identities i set last_sign_in_at = now() where i.user_id = person.id and i.provider = 'email';

  method := case
    -- The account has no password if several sign-ups used its address with different passwords. The mailbox's owner
    -- must then choose a password.
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
  'Consumes a token, confirms its address and opens a session if the token allows it. Returns no row for an unknown token. Otherwise the outcome is "partly confirmed" (only one of two addresses has confirmed), "code" (with PKCE, the client must exchange a code) or "signed in" (the session is open). `method` is the method that the session lists in `amr`.';
