-- Whether a session may be used: after 0006, which says how long one lasts, and with the second factors of
-- 0005. Whoever has a second factor and has not shown it may do nothing but finish signing in; the database
-- refuses, so no surface has to remember to ask.

-- Becomes part of the query that asks, as auth.session_ends_at does: every request asks.
create function auth.is_open(session auth.sessions, person auth.users) returns boolean
  language sql stable
  return auth.session_ends_at(
      session.created_at, session.refreshed_at, session.not_after,
      person.raw_app_meta_data ->> 'role' is not distinct from 'admin'
    ) > now()
    and (person.banned_until is null or person.banned_until <= now())
    and person.deleted_at is null;
comment on function auth.is_open(auth.sessions, auth.users) is
  'Whether the session is not over yet, and its user neither banned nor deleted.';
revoke execute on function auth.is_open(auth.sessions, auth.users) from public;

create function auth.require_open_session(session uuid, person uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not exists (
    select from auth.sessions s
    join auth.users u on u.id = s.user_id
    where s.id = session and s.user_id = person and auth.is_open(s, u)
  ) then
    raise exception 'Session from session_id claim in JWT does not exist' using errcode = 'FZ401';
  end if;
end
$$;
comment on function auth.require_open_session(uuid, uuid) is
  'Refuses (FZ401) unless the session is alive and its user neither banned nor deleted, whether the second factor was shown or not: for signing out, reading oneself, and showing it.';
revoke execute on function auth.require_open_session(uuid, uuid) from public;

create or replace function auth.require_session(session uuid, person uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  lacks_second_factor boolean;
begin
  -- One query for both questions: a second one would cost each request as much again.
  select s.aal = 'aal1' and exists (
    select from auth.mfa_factors f
    where f.user_id = s.user_id and f.factor_type = 'totp' and f.status = 'verified'
  )
  into lacks_second_factor
  from auth.sessions s
  join auth.users u on u.id = s.user_id
  where s.id = session and s.user_id = person and auth.is_open(s, u);

  if not found then
    raise exception 'Session from session_id claim in JWT does not exist' using errcode = 'FZ401';
  elsif lacks_second_factor then
    raise exception 'Escribe el código de tu aplicación de autenticación para continuar.'
      using errcode = '42501', hint = 'insufficient_aal';
  end if;
end
$$;
comment on function auth.require_session(uuid, uuid) is
  'Refuses (FZ401) unless the session is alive and its user neither banned nor deleted, and (42501 with the hint insufficient_aal) while a person with a second factor has not shown it. Runs before anything else of every request with a user''s token.';
