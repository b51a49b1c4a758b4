-- The acts by which an administrator could sign in as a customer, or could pass for one. For 90 days, that administrator
-- decides no transfer of the customer (docs/decisions/0080).

create table private.access_acts (
  person uuid not null,
  clerk uuid not null,
  act text not null,
  acted_at timestamptz not null default clock_timestamp(),
  primary key (person, clerk, act),
  constraint access_acts_act_known check (act in ('open', 'invite', 'holder', 'address', 'factor', 'link', 'block'))
);
create index access_acts_of_a_clerk on private.access_acts (clerk);
comment on index private.access_acts_of_a_clerk is 'Finds the rows of a deleted administrator.';
create index access_acts_oldest_first on private.access_acts (acted_at);
comment on index private.access_acts_oldest_first is 'Finds the acts that no longer count (private.purge_expired).';
comment on table private.access_acts is 'One row for each kind of act by which an administrator gave or changed a person''s access. Rows are purged after 90 days.';
comment on column private.access_acts.person is 'The person whose access was changed. On a hosted project, this person may not exist yet. The row is deleted together with the account.';
comment on column private.access_acts.clerk is 'The administrator who acted. The row is deleted together with the account.';
comment on column private.access_acts.act is '`open`: opened the account. `invite`: invited the person. `holder`: corrected the name, document or telephone. `address`: began or cancelled a change of the e-mail address. `factor`: removed the second factors. `link`: mailed a link again. `block`: blocked or unblocked the person.';
comment on column private.access_acts.acted_at is 'Time of the last act of this kind.';
alter table private.access_acts enable row level security, force row level security;

create function private.record_access_act(act text, person uuid, clerk uuid default auth.uid()) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into private.access_acts as a (person, clerk, act)
  select record_access_act.person, record_access_act.clerk, record_access_act.act
  where record_access_act.clerk is not null and record_access_act.clerk <> record_access_act.person
  on conflict on constraint access_acts_pkey do update set acted_at = excluded.acted_at
$$;
comment on function private.record_access_act(text, uuid, uuid) is
  'Records that an administrator gave or changed a person''s access. Each act calls this function in its own database transaction. Does nothing if no administrator acts, for example in a command of the operator.';

create function private.holds_keys(clerk uuid, payer uuid, payee uuid) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (
    select from private.access_acts a
    where a.person in (holds_keys.payer, holds_keys.payee) and a.clerk = holds_keys.clerk
      and a.acted_at > now() - interval '90 days'
      and (a.person = holds_keys.payer or a.act not in ('open', 'invite'))
  )
$$;
comment on function private.holds_keys(uuid, uuid, uuid) is
  'Returns whether an administrator gave or changed the access of a transfer''s payer within the last 90 days, or changed the access of its payee. To have opened or invited the payee''s account does not count.';

create table private.staff_passwords (
  user_id uuid primary key references auth.users (id) on delete cascade
);
comment on table private.staff_passwords is 'The accounts whose present password an administrator typed. These customers can neither confirm a beneficiary nor request a transfer until they set a password through a link that was mailed to their address (private.require_own_password).';
alter table private.staff_passwords enable row level security, force row level security;

create function private.note_opening() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.record_access_act('open', new.id);
  -- On a hosted project, the authentication service creates the user. The row of private.access_acts was written before
  -- (public.begin_user_creation).
  if nullif(new.encrypted_password, '') is not null and ((select auth.uid()) is not null or exists (
    select from private.access_acts a where a.person = new.id and a.act = 'open'
  )) then
    insert into private.staff_passwords (user_id) values (new.id);
  end if;
  return null;
end
$$;
comment on function private.note_opening() is
  'Records which administrator created a user, and that this administrator knows the user''s password.';

create function private.note_own_password(person uuid, session uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- A session in which the password was entered may belong to the administrator who typed it.
  delete from private.staff_passwords p
  where p.user_id = person and exists (
    select from auth.sessions s
    where s.id = note_own_password.session and s.user_id = person
      and jsonb_path_exists(s.amr, '$[*] ? (@.method == "recovery" || @.method == "invite" || @.method == "otp")')
      and not jsonb_path_exists(s.amr, '$[*] ? (@.method == "password")')
  );
end
$$;
comment on function private.note_own_password(uuid, uuid) is
  'Records that a person set a password in this session. The password is then the person''s own if the session used a link or a code that was mailed to their address, and was never proven by a password. The authentication service calls this function before auth.settle_password.';
grant execute on function private.note_own_password(uuid, uuid) to supabase_auth_admin;

create function private.note_hosted_password() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if not private.is_hosted() then
    return null;
  end if;
  -- The authentication service has ended all sessions except the one that set the password. A session of a mailed link
  -- has the method otp.
  delete from private.staff_passwords p
  where p.user_id = new.id and (
    select bool_or(c.authentication_method in ('otp', 'recovery', 'invite', 'magiclink'))
      and not bool_or(c.authentication_method = 'password')
    from auth.sessions s join auth.mfa_amr_claims c on c.session_id = s.id
    where s.user_id = new.id
  );
  return null;
end
$$;
comment on function private.note_hosted_password() is
  'On a hosted project, does the work of private.note_own_password when the authentication service has stored a password.';

-- Runs at commit, after the authentication service has ended the other sessions.
create constraint trigger note_hosted_password after update of encrypted_password on auth.users
  deferrable initially deferred
  for each row when (new.encrypted_password <> '' and old.encrypted_password is distinct from new.encrypted_password)
  execute function private.note_hosted_password();

create function private.require_own_password() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if exists (select from private.staff_passwords p where p.user_id = (select auth.uid())) then
    raise exception 'El banco escribió tu contraseña. Para transferir, elige una tú con «¿Olvidaste tu contraseña?».'
      using errcode = 'PT403', hint = 'own_password_needed';
  end if;
end
$$;
comment on function private.require_own_password() is
  'Refuses (PT403 with the hint own_password_needed) a caller whose present password an administrator typed.';

create trigger note_opening after insert on auth.users for each row execute function private.note_opening();

revoke execute on all functions in schema private from public;
