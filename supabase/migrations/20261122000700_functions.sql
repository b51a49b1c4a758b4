-- The actions of administrators. Each action has a single entry point: a function (supabase/functions) or a call of the
-- table API (docs/decisions/0032). A call that is sent twice takes effect once, because the idempotency key and the
-- answer are stored in the same database transaction as the change. A second call waits for the first and gets the same
-- answer.

create table ledger.idempotency_keys (
  actor uuid not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  status integer not null,
  response text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (actor, route, key),
  constraint idempotency_keys_key_is_visible check (key ~ '^[\u0021-\u007E]{1,255}$'),
  constraint idempotency_keys_body_hash_is_one check (octet_length(body_hash) = 32)
);
create index idempotency_keys_oldest_first on ledger.idempotency_keys (created_at);

comment on table ledger.idempotency_keys is 'The idempotency keys and answers of the calls that took effect in the last 48 hours.';
comment on column ledger.idempotency_keys.actor is 'Id of the person who sent the key; that person may have been deleted since. Different actors may use the same key.';
comment on column ledger.idempotency_keys.route is 'Name of the function in its URL, or "rpc/…" for a call of the table API. The same key may be used on different routes.';
comment on column ledger.idempotency_keys.key is 'The key as the client sent it: 1 to 255 visible ASCII characters.';
comment on column ledger.idempotency_keys.body_hash is 'For a function, HMAC-SHA-256 of the body, keyed with a secret outside the database: a body may contain a password, which could be guessed from a plain hash. For a call of the table API, SHA-256 of the arguments.';
comment on column ledger.idempotency_keys.status is 'HTTP status of the answer. Refusals are not stored: their database transaction is rolled back, and the key becomes free again.';
comment on column ledger.idempotency_keys.response is 'The body of the answer, byte for byte.';
comment on column ledger.idempotency_keys.created_at is 'Time at which the call took effect. The key becomes free again 48 hours later.';

alter table ledger.idempotency_keys enable row level security, force row level security;

create function private.replay_answer(route text, key text, body_hash text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  kept ledger.idempotency_keys;
begin
  perform private.require_admin();
  select k.* into kept
  from ledger.idempotency_keys k
  where k.actor = (select auth.uid()) and k.route = replay_answer.route and k.key = replay_answer.key
    and k.created_at > now() - interval '48 hours';
  if not found then
    return;
  end if;
  if kept.body_hash <> decode(body_hash, 'hex') then
    raise exception 'Esta clave de idempotencia ya se usó con otra solicitud.' using errcode = 'FZ422';
  end if;
  -- Raises an error, because the caller sends all statements of the action at once, and only an error prevents the
  -- later statements from making the change again.
  raise exception 'This call took effect before.'
    using errcode = 'FZ208', detail = jsonb_build_object('status', kept.status, 'response', kept.response)::text;
end
$$;
comment on function private.replay_answer(text, text, text) is
  'Does nothing if the key is null or if the calling administrator has not used the key before. If the same call already took effect, raises FZ208, whose detail contains the earlier answer. Raises FZ422 if the key was used with a different body.';
grant execute on function private.replay_answer(text, text, text) to authenticated;

create function private.claim_answer(route text, key text, body_hash text, answered uuid) returns void
  language plpgsql security definer
  set search_path = ''
  -- The longest wait for the first call with this key. After this time, the second call fails with 55P03 ("in flight").
  set lock_timeout = '2s'
as $$
begin
  perform private.require_admin();
  if key is null then
    return;
  end if;
  if body_hash is null or body_hash !~ '^[0-9a-f]{64}$' then
    raise exception 'Una clave de idempotencia va con el SHA-256 del cuerpo: 64 dígitos hexadecimales.' using errcode = '22023';
  end if;
  -- The order makes the planner use the index on the time, even if its statistics are old.
  perform private.purge_rows(
    'ledger.idempotency_keys', $due$due.created_at <= now() - interval '48 hours' order by due.created_at$due$, 1000
  );
  -- The unique index makes a second call wait until the first one has been committed or rolled back.
  insert into ledger.idempotency_keys as k (actor, route, key, body_hash, status, response)
  values ((select auth.uid()), route, key, decode(body_hash, 'hex'), 200, format('{"id":"%s"}', answered))
  on conflict on constraint idempotency_keys_pkey do update set
    body_hash = excluded.body_hash, status = excluded.status, response = excluded.response, created_at = excluded.created_at
    where k.created_at <= now() - interval '48 hours';
  if not found then
    perform private.replay_answer(route, key, body_hash);
  end if;
end
$$;
comment on function private.claim_answer(text, text, text, uuid) is
  'First step of an administrator''s action. If a key is given, claims it for the caller in this database transaction, and stores the answer `{"id": …}` that the call will return. Raises 42501 if the caller is not an administrator, 22023 if the hash of the body is missing, and 55P03 while the first call is still running. Also raises the errors of private.replay_answer. Deletes up to 1,000 expired keys, so that the table cannot grow without limit.';
grant execute on function private.claim_answer(text, text, text, uuid) to authenticated;

create function private.claim_call(route text, key text, arguments jsonb, answered uuid) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  earlier text;
begin
  perform private.claim_answer(route, key, encode(sha256(convert_to(arguments::text, 'UTF8')), 'hex'), answered);
  return null;
exception
  when sqlstate 'FZ208' then
    get stacked diagnostics earlier = pg_exception_detail;
    return ((earlier::jsonb ->> 'response')::jsonb ->> 'id')::uuid;
  when lock_not_available then
    raise exception 'La misma solicitud se está procesando todavía. Inténtalo de nuevo en unos segundos.' using errcode = 'PT409';
end
$$;
comment on function private.claim_call(text, text, jsonb, uuid) is
  'First step of an administrator''s call of the table API. For a call of a function, private.claim_answer is this step. Returns null for a new call, and the id from the earlier answer for a call that already took effect. Raises PT409 while the first call is still running.';

-- On a hosted project the functions reach the database through the table API, with the service key. The functions pass
-- the id of the administrator whose token they have verified. The database then makes the same checks as in that
-- administrator's own request.

create function private.act_for(actor uuid, session_id uuid) returns void
  language sql
  set search_path = ''
as $$
  select set_config(
    'request.jwt.claims', jsonb_build_object('sub', actor, 'session_id', session_id, 'role', 'authenticated')::text, true
  )
$$;
comment on function private.act_for(uuid, uuid) is
  'For the rest of this database transaction, treats the given person and session as the caller, instead of the service key. The function grants no rights: an unknown or ended session is refused, exactly as in the person''s own request.';

-- On a hosted project the authentication service creates users, in its own database transactions (docs/decisions/0032).

create function public.begin_user_creation(
  actor uuid, session_id uuid, user_id uuid, role text, idempotency_key text default null, body_hash text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.claim_answer('manage-users', idempotency_key, body_hash, user_id);
  if role = 'admin' then
    perform private.require_proof(is_specified => true);
  end if;
  -- The user does not exist yet, and the authentication service does not know who asks for it.
  perform private.record_access_act('open', user_id);
  perform private.record_audit(
    'begin_user_creation', user_id, null, private.audited_role(jsonb_build_object('role', role))
  );
end
$$;
comment on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) is
  'First step when another service creates a user on behalf of an administrator: records the intent in the audit and claims the key for the new user''s id. To create an administrator, the caller must have entered the password or a mailed code recently (private.require_proof). Also raises the errors of private.claim_answer. On a hosted project, the server function manage-users calls this SQL function with the service key.';
revoke execute on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) from public, anon, authenticated;
grant execute on function public.begin_user_creation(uuid, uuid, uuid, text, text, text) to service_role;

create function public.abort_user_creation(actor uuid, session_id uuid, idempotency_key text) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_for(actor, session_id);
  perform private.require_admin();
  delete from ledger.idempotency_keys k
  where k.actor = abort_user_creation.actor and k.route = 'manage-users' and k.key = idempotency_key
    -- Keeps the key if the user with the claimed id was created.
    and not exists (select from auth.users u where u.id = (k.response::jsonb ->> 'id')::uuid);
end
$$;
comment on function public.abort_user_creation(uuid, uuid, text) is
  'Frees an administrator''s idempotency key if the creation of a user failed, so that the administrator can use the key again. Keeps the key if the user exists. On a hosted project, the server function manage-users calls this SQL function with the service key.';
revoke execute on function public.abort_user_creation(uuid, uuid, text) from public, anon, authenticated;
grant execute on function public.abort_user_creation(uuid, uuid, text) to service_role;

create function public.erase_account(user_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.act_as('service', user_id);
  delete from auth.users u where u.id = user_id;
end
$$;
comment on function public.erase_account(uuid) is
  'Erases a person''s account at their own request. On a hosted project, the server function delete-account checks the person''s password and then calls this SQL function with the service key. Raises PT403 for the last administrator.';
revoke execute on function public.erase_account(uuid) from public, anon, authenticated;
grant execute on function public.erase_account(uuid) to service_role;

revoke execute on all functions in schema private from public;
