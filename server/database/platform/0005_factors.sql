-- Second factors: apps, passkeys and recovery codes, and the proof that a person was there recently
-- (docs/decisions/0021).

create function auth.has_factor(person uuid) returns boolean
  language sql stable
  set search_path = ''
begin atomic
  select exists (
    select from auth.mfa_factors f where f.user_id = person and f.factor_type <> 'recovery_code' and f.status = 'verified'
  );
end;
comment on function auth.has_factor(uuid) is 'Whether the user has a verified app or passkey.';

create function auth.last_shown_at(session auth.sessions, methods text[]) returns timestamptz
  language sql stable
  set search_path = ''
begin atomic
  select max(to_timestamp((a.entry ->> 'timestamp')::double precision))
  from jsonb_array_elements(session.amr) as a (entry)
  where a.entry ->> 'method' = any (methods);
end;
comment on function auth.last_shown_at(auth.sessions, text[]) is
  'Returns the latest time in whole seconds at which the session used one of the methods, according to its `amr`. Returns null if the session has not used any of the methods.';

create function auth.proof_ends_at(session uuid) returns timestamptz
  language sql stable
  set search_path = ''
begin atomic
  select auth.last_shown_at(s, '{password,otp,recovery,invite}') + interval '10 minutes'
  from auth.sessions s where s.id = session;
end;
comment on function auth.proof_ends_at(uuid) is
  'Time at which the session''s last proof expires: ten minutes after the user entered the password or used a mailed link or code. Null without a proof.';

create function auth.require_proof(session uuid) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  if coalesce(auth.proof_ends_at(session), '-infinity') <= now() then
    raise exception 'Confirma tu contraseña para continuar.'
      using errcode = '42501', hint = 'reauthentication_needed';
  end if;
end
$$;
comment on function auth.require_proof(uuid) is
  'Refuses with 42501 and the hint reauthentication_needed, unless the user entered the password or used a mailed link or code in this session within the last ten minutes. A stolen session alone can therefore not add or remove second factors.';

create function auth.refuse_partial_update(refusal text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if refusal is not null then
    raise exception 'The change is refused.' using hint = refusal;
  end if;
end
$$;
comment on function auth.refuse_partial_update(text) is
  'Raises P0001 with the refusal as its hint. The error rolls back the whole change. Does nothing if the refusal is null.';

create function auth.settle_password(person uuid, session uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.sessions s
  set amr = coalesce((
    select jsonb_agg(
      case when a.entry ->> 'method' in ('recovery', 'invite')
        then jsonb_set(a.entry, '{method}', '"otp"') else a.entry end
      order by a.position)
    from jsonb_array_elements(s.amr) with ordinality as a (entry, position)
  ), '[]')
  where s.id = session and s.user_id = person;
  if not found then
    -- Another request ended the session while this change waited for the lock on the account.
    raise exception 'Session from session_id claim in JWT does not exist' using errcode = 'FZ401';
  end if;
  delete from auth.sessions s where s.user_id = person and s.id <> session;
  perform auth.end_links(person);
end
$$;
comment on function auth.settle_password(uuid, uuid) is
  'Runs after the user has set a new password in this session. Ends the user''s other sessions and voids all mailed links and codes. A recovery link allows only one new password, so this session no longer counts as opened by a recovery link. Raises FZ401 if this session has ended. Must run as a separate statement: a statement sees only rows that were committed before its start, and the password change may have waited for the lock on the account.';

create function auth.end_factors(person uuid, since timestamptz) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from auth.mfa_factors f where f.user_id = person and f.created_at >= since;
  if not auth.has_factor(person) then
    delete from auth.mfa_factors f where f.user_id = person;
  end if;
  -- Deletes the sessions after the factors, because the deletion of a factor waits for any request that is verifying
  -- this factor. This statement therefore also deletes the session of that request.
  delete from auth.sessions s where s.user_id = person;
  perform auth.end_links(person);
  -- Also removes the password, because the person who added the factor may know it. The owner can set a new password
  -- through a recovery link.
  update auth.users u
  set encrypted_password = null, factors_end_at = null, updated_at = now()
  where u.id = person;
end
$$;
comment on function auth.end_factors(uuid, timestamptz) is
  'Removes the second factors that were created since the given time, and all factors if no verified app or passkey remains. Also removes the password, all sessions, and all mailed links and codes. Afterwards, the owner can sign in only through a recovery link.';

create function auth.undo_factor(hash text) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  added auth.mfa_factors;
begin
  -- Locks the account first, like every other function that removes factors.
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
  'Processes the link that a mail about a new factor contains: calls auth.end_factors for this factor and all factors added after it. Returns the factor''s owner; null for an invalid link.';

create function auth.request_factors_end(person uuid, session uuid) returns timestamptz
  language sql
  set search_path = ''
begin atomic
  update auth.users u
  set factors_end_at = coalesce(u.factors_end_at, now() + interval '72 hours')
  where u.id = person and exists (
    select
    from auth.sessions s
    where s.id = session and s.user_id = person
      and auth.last_shown_at(s, '{recovery}') > now() - interval '30 minutes'
  )
  returning u.factors_end_at;
end;
comment on function auth.request_factors_end(uuid, uuid) is
  'Records the request of an account''s owner who cannot use any factor, so that all factors are removed in 72 hours. Returns the time of the removal. Returns null unless a recovery link opened this session within the last 30 minutes.';

create function auth.cancel_factors_end(person uuid, session uuid) returns void
  language sql
  set search_path = ''
begin atomic
  -- Requires both a factor and access to the mailbox. Otherwise a thief who added a factor could lock the owner out
  -- forever.
  update auth.users u
  set factors_end_at = null
  where u.id = person and u.factors_end_at > now() and exists (
    select
    from auth.sessions s
    where s.id = session and s.user_id = person and s.aal = 'aal2'
      and auth.last_shown_at(s, '{otp,recovery,invite}') >= date_trunc('second', u.factors_end_at - interval '72 hours')
  );
end;
comment on function auth.cancel_factors_end(uuid, uuid) is
  'Cancels the requested removal of the factors. Does so only if the session has verified a factor and the user has used a mailed link or code in it since the request.';

create function auth.forget_factors_end(person uuid) returns void
  language sql
  set search_path = ''
begin atomic
  update auth.users u set factors_end_at = null where u.id = person;
end;
comment on function auth.forget_factors_end(uuid) is
  'Cancels the requested removal of the factors. Called after the bank itself has removed the factors: otherwise a factor that the owner adds within the 72 hours would be removed too.';

create function auth.record_proof(person uuid, session uuid, method text) returns void
  language sql
  set search_path = ''
begin atomic
  update auth.sessions s
  set updated_at = now(),
      amr = auth.amr_of(method) || coalesce((
        select jsonb_agg(a.entry order by a.position)
        from jsonb_array_elements(s.amr) with ordinality as a (entry, position)
        where a.entry ->> 'method' <> method
      ), '[]')
  where s.id = session and s.user_id = person;
  select auth.cancel_factors_end(person, session);
end;
comment on function auth.record_proof(uuid, uuid, text) is
  'Records in the session that the caller has again entered the password (method password) or a mailed code (method otp).';

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
  'Removes a user''s second factors if the requested time of their removal has come. Returns true if the factors were removed. Called before each sign-in and by the purge.';

create function auth.is_visible_in(factor auth.mfa_factors, session uuid) returns boolean
  language sql stable
  return factor.status = 'verified'
    or (factor.begun_in = session and factor.created_at > now() - interval '10 minutes');
comment on function auth.is_visible_in(auth.mfa_factors, uuid) is
  'Whether a session can see and use a factor: the factor must be verified, or this session must have created it within the last ten minutes.';

create function auth.require_right_to_add(person uuid, session uuid, factor uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if not exists (
    select from auth.mfa_factors f
    where f.id = factor and f.user_id = person and f.status = 'unverified' and auth.is_visible_in(f, session)
  ) then
    return;
  end if;
  -- Checks the session's level (aal1 or aal2) in this step too. Another session may have verified a factor since this
  -- session began to add its factor.
  if auth.has_factor(person)
    and not exists (select from auth.sessions s where s.id = session and s.user_id = person and s.aal = 'aal2')
  then
    raise exception 'Completa la verificación en dos pasos para continuar.'
      using errcode = '42501', hint = 'insufficient_aal';
  end if;
  perform auth.require_proof(session);
end
$$;
comment on function auth.require_right_to_add(uuid, uuid, uuid) is
  'Runs before each step that verifies a new factor. Refuses with 42501 and the hint insufficient_aal if the account has a verified factor and this session is not at aal2. Refuses with 42501 and the hint reauthentication_needed unless the user has just entered the password or a mailed code (auth.require_proof). Does nothing if the factor is already verified or the session cannot see the factor.';

create function auth.try_factor(person uuid, session uuid, factor uuid, challenge uuid)
  returns table (outcome text, wait_seconds integer, secret bytea, last_step bigint)
  language plpgsql
  set search_path = ''
as $$
declare
  found_factor auth.mfa_factors;
begin
  perform auth.require_right_to_add(person, session, factor);
  select * into found_factor
  from auth.mfa_factors f
  where f.id = factor and f.user_id = person and f.factor_type <> 'webauthn' and auth.is_visible_in(f, session)
  for update;
  if found_factor.id is null then
    return query select 'unknown', 0, null::bytea, null::bigint;
  elsif found_factor.locked_until > now() then
    return query select
      'locked', ceil(extract(epoch from found_factor.locked_until - now()))::integer, null::bytea, null::bigint;
  elsif found_factor.factor_type = 'totp' and not exists (
    select from auth.mfa_challenges c
    where c.id = challenge and c.factor_id = factor and c.session_id = session and c.expires_at > now()
  ) then
    return query select
      case
        when exists (select from auth.mfa_challenges c where c.id = challenge and c.factor_id = factor) then 'expired'
        else 'unknown challenge'
      end,
      0, null::bytea, null::bigint;
  else
    -- The attempt is counted before the code is checked, so that concurrent attempts count as well. A correct code
    -- resets the count.
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
comment on function auth.try_factor(uuid, uuid, uuid, uuid) is
  'Counts an attempt to enter a factor''s code, and returns the data needed to check the code. The outcome is "open" if the code can be checked now, and "unknown" if the session cannot see such a factor. After too many wrong codes, the outcome is "locked", with the number of seconds to wait. The outcome is "unknown challenge" if the challenge was already answered or belongs to another factor, and "expired" if the challenge has expired or belongs to another session. Raises the errors of auth.require_right_to_add.';

create function auth.raise_session(person uuid, session uuid, factor uuid, method text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.mfa_factors f
  set failed_tries = 0, locked_until = null, last_challenged_at = now(), updated_at = now()
  where f.id = factor;
  delete from auth.mfa_factors f where f.user_id = person and f.status = 'unverified';
  update auth.sessions s
  set aal = 'aal2', factor_id = factor, refresh_counter = s.refresh_counter + 1, refreshed_at = now(),
      recent_refreshes = (now() || s.recent_refreshes)[1:100], updated_at = now(), amr = auth.amr_of(method) || s.amr
  where s.id = session and s.user_id = person;
  if not found then
    -- Another request ended the session while this statement waited. The error also rolls back the new factor, which
    -- could otherwise lock the owner out.
    raise exception 'Session from session_id claim in JWT does not exist' using errcode = 'FZ401';
  end if;
  delete from auth.sessions s where s.user_id = person and s.id <> session and s.aal = 'aal1';
  perform auth.bound_sessions(person, 'aal2');
  perform auth.cancel_factors_end(person, session);
end
$$;
comment on function auth.raise_session(uuid, uuid, uuid, text) is
  'Raises a session to aal2 after the session has verified the factor, and gives the session a new refresh token. Ends the user''s other sessions that are still at aal1. Raises FZ401 if the session has ended.';

create function auth.activate_factor(factor uuid, undo text) returns void
  language sql
  set search_path = ''
begin atomic
  update auth.mfa_factors f
  set status = 'verified', undo_hash = undo, undo_expires_at = now() + interval '72 hours'
  where f.id = factor;
end;
comment on function auth.activate_factor(uuid, text) is
  'Marks a factor as verified, and stores the hash of the link that can remove the factor within the next 72 hours.';

create function auth.accept_totp(person uuid, session uuid, factor uuid, challenge uuid, step bigint, undo text)
  returns text
  language plpgsql
  set search_path = ''
as $$
declare
  found_factor auth.mfa_factors;
begin
  perform auth.require_right_to_add(person, session, factor);
  select * into found_factor
  from auth.mfa_factors f
  where f.id = factor and f.user_id = person and auth.is_visible_in(f, session)
  for no key update;
  if found_factor.id is null or found_factor.last_step >= step then
    return 'refused';
  end if;
  delete from auth.mfa_challenges c where c.id = challenge and c.factor_id = factor and c.session_id = session;
  if not found then
    return 'refused';
  end if;
  if found_factor.status = 'unverified' then
    -- The first correct answer verifies the factor and deletes its other challenges.
    delete from auth.mfa_challenges c where c.factor_id = factor;
    perform auth.activate_factor(factor, undo);
  end if;
  update auth.mfa_factors f set last_step = step where f.id = factor;
  perform auth.raise_session(person, session, factor, 'totp');
  return case found_factor.status when 'unverified' then 'added' else 'shown' end;
end
$$;
comment on function auth.accept_totp(uuid, uuid, uuid, uuid, bigint, text) is
  'Accepts a correct code: marks its time step and its challenge as used, and raises the session to aal2. The outcome is "added" if this call verified the factor, and "shown" if the factor was already verified. The outcome is "refused" if the code or the challenge had already been used. `undo` is the hash of the link that removes an added factor. Raises the errors of auth.require_right_to_add.';

create function auth.accept_new_passkey(
  person uuid, session uuid, factor uuid, credential jsonb, aaguid uuid, undo text
) returns text
  language plpgsql
  set search_path = ''
as $$
begin
  perform auth.require_right_to_add(person, session, factor);
  perform from auth.mfa_factors f
  where f.id = factor and f.user_id = person and f.factor_type = 'webauthn' and f.status = 'unverified'
    and auth.is_visible_in(f, session)
  for no key update;
  if not found then
    return 'refused';
  end if;
  delete from auth.mfa_challenges c where c.factor_id = factor;
  update auth.mfa_factors f
  set web_authn_credential = credential, web_authn_aaguid = aaguid, status = 'verified'
  where f.id = factor;
  perform auth.activate_factor(factor, undo);
  perform auth.raise_session(person, session, factor, 'mfa/webauthn');
  return 'added';
end
$$;
comment on function auth.accept_new_passkey(uuid, uuid, uuid, jsonb, uuid, text) is
  'Stores the public part of a passkey that this session began to add, and raises the session to aal2. The outcome is "added", or "refused" if the session cannot see such a factor or the factor is already verified. `undo` is the hash of the link that removes the passkey. Raises 23505 if the passkey already belongs to an account. Also raises the errors of auth.require_right_to_add.';

create function auth.accept_passkey(person uuid, session uuid, factor uuid, sign_count bigint) returns text
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.mfa_factors f
  set web_authn_credential = jsonb_set(f.web_authn_credential, '{authenticator,signCount}', to_jsonb(sign_count))
  where f.id = factor and f.user_id = person and f.factor_type = 'webauthn' and f.status = 'verified'
    -- Many authenticators do not count signatures and always send zero.
    and (
      (f.web_authn_credential #>> '{authenticator,signCount}')::bigint < sign_count
      or (sign_count = 0 and (f.web_authn_credential #>> '{authenticator,signCount}')::bigint = 0)
    );
  if not found then
    return 'refused';
  end if;
  perform auth.raise_session(person, session, factor, 'mfa/webauthn');
  return 'shown';
end
$$;
comment on function auth.accept_passkey(uuid, uuid, uuid, bigint) is
  'Records the signature counter of a passkey that the user has just used, and raises the session to aal2. The outcome is "refused" if the counter has not increased, because the passkey may have been copied. Otherwise the outcome is "shown".';

create function auth.accept_recovery_code(person uuid, session uuid, factor uuid, mac text) returns text
  language plpgsql
  set search_path = ''
as $$
begin
  update auth.mfa_recovery_codes r set used_at = now()
  where r.factor_id = factor and r.code_mac = mac and r.used_at is null;
  if not found then
    return 'refused';
  end if;
  perform auth.raise_session(person, session, factor, 'mfa/recovery_code');
  return 'shown';
end
$$;
comment on function auth.accept_recovery_code(uuid, uuid, uuid, text) is
  'Uses up one recovery code and raises the session to aal2. The outcome is "refused" if the code is unknown or has already been used, and "shown" if the code was accepted.';

create function auth.remove_factor(person uuid, factor uuid) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  -- Locks the factor first, so that the next statement also finds a session that is just being raised to aal2 with this
  -- factor.
  perform from auth.mfa_factors f where f.id = factor and f.user_id = person for update;
  update auth.sessions s
  set aal = 'aal1', factor_id = null, updated_at = now(),
      amr = coalesce((
        select jsonb_agg(a.entry order by a.position)
        from jsonb_array_elements(s.amr) with ordinality as a (entry, position)
        where a.entry ->> 'method' not in ('totp', 'mfa/webauthn', 'mfa/recovery_code')
      ), '[]')
  where s.user_id = person and s.factor_id = factor;
  delete from auth.mfa_factors f where f.id = factor and f.user_id = person;
  if not found then
    return false;
  end if;
  if not auth.has_factor(person) then
    -- Without an app or a passkey, recovery codes have no use, and all sessions return to aal1.
    delete from auth.mfa_factors f where f.user_id = person and f.factor_type = 'recovery_code';
    update auth.sessions s set aal = 'aal1' where s.user_id = person and s.aal = 'aal2';
  end if;
  return true;
end
$$;
comment on function auth.remove_factor(uuid, uuid) is
  'Removes a factor. Sessions in which the factor was verified return to aal1. Removing the last factor also removes the recovery codes. Returns false if the user has no such factor.';

create function auth.renew_recovery_codes(
  person uuid, factor uuid, name text, macs text[], must_exist boolean, undo text
)
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
    select factor, person, name, 'recovery_code', 'verified' where auth.has_factor(person);
  end if;
  -- Sets the creation time of the set of recovery codes to now. The link that removes the set also removes all factors
  -- that are newer than the set. With the old creation time, this link would remove factors that are older than the new
  -- codes.
  update auth.mfa_factors f
  set failed_tries = 0, locked_until = null, created_at = now(), updated_at = now()
  where f.user_id = person and f.factor_type = 'recovery_code'
  returning f.* into kept;
  if kept.id is null then
    return;
  end if;
  delete from auth.mfa_recovery_codes r where r.factor_id = kept.id;
  insert into auth.mfa_recovery_codes (factor_id, code_mac) select kept.id, m.mac from unnest(macs) as m (mac);
  perform auth.activate_factor(kept.id, undo);
  return query select kept.id, kept.friendly_name;
end
$$;
comment on function auth.renew_recovery_codes(uuid, uuid, text, text[], boolean, text) is
  'Replaces the user''s recovery codes, or creates the first set, and stores the hash of the link that removes the set. Returns no row if `must_exist` is true and the user has no set yet. Also returns no row if the user has no verified app or passkey.';
