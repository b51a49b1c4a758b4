-- Functions of people: names, documents, passwords that staff typed, and the sessions of a person.

create function private.refuse_customers_request() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Checks only updates made by requests. Updates by private.mirror_person are not checked, because this function runs
  -- with its owner's rights.
  if current_user = 'authenticated' then
    perform private.require_admin();
  end if;
  return null;
end
$$;
comment on function private.refuse_customers_request() is
  'Raises 42501 when a customer tries to change a role, even if no row matches.';

create function private.nit_check_digit(digits text) returns integer
  language sql immutable
  set search_path = ''
as $$
  select case when r.rest > 1 then 11 - r.rest else r.rest end
  from (
    select sum(d.digit::integer * ('{3,7,13,17,19,23,29,37,41,43,47,53,59,67,71}'::integer[])[d.place])::integer % 11 as rest
    from regexp_split_to_table(reverse(digits), '') with ordinality as d (digit, place)
  ) r
$$;
comment on function private.nit_check_digit(text) is
  'Returns the check digit of a Colombian tax number (NIT), which has up to 15 digits (DIAN, Orden Administrativa 4 of 1989).';

create function private.keep_account_number() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'El número de una cuenta no cambia.' using errcode = 'PT403';
end
$$;
comment on function private.keep_account_number() is
  'Refuses to change the number or the owner of an account, whichever program writes to the table. Other people may already use the number to pay the customer.';

create function private.verified_name_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select h.full_name from public.account_holders h where h.user_id = person
$$;
comment on function private.verified_name_of(uuid) is
  'Returns the name of a person that the bank verified; null if the person typed the name.';

create function private.shown_name(person auth.users) returns text
  language sql stable security definer
  set search_path = ''
  -- Users set `full_name` themselves, and an invalid name must not make the sign-up fail. It never replaces a name that
  -- the bank verified.
  return coalesce(private.verified_name_of(person.id), private.sanitize_name(person.raw_user_meta_data ->> 'full_name'));
comment on function private.shown_name(auth.users) is
  'Returns the name of a person in profiles: the name that the bank verified, or else the name that the person typed, cleaned with private.sanitize_name.';

create function private.list_person(person uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into private.listed_people as l (user_id, words, sorted_name, role, is_confirmed, banned_until)
  select
    p.id, private.folded(concat_ws(' ', p.full_name, s.email, r.admin)), private.folded(coalesce(p.full_name, s.email)),
    coalesce(r.admin, 'user'), u.email_confirmed_at is not null, u.banned_until
  from public.profiles p
  join public.user_safe s on s.id = p.id
  join auth.users u on u.id = p.id
  -- A role is written to auth.users before it is written to profiles.
  cross join lateral (select case when u.raw_app_meta_data ->> 'role' = 'admin' then 'admin' end as admin) r
  where p.id = person
  on conflict (user_id) do update set
    words = excluded.words, sorted_name = excluded.sorted_name, role = excluded.role, is_confirmed = excluded.is_confirmed,
    banned_until = excluded.banned_until
  where (l.words, l.sorted_name, l.role, l.is_confirmed, l.banned_until)
    is distinct from (excluded.words, excluded.sorted_name, excluded.role, excluded.is_confirmed, excluded.banned_until)
$$;
comment on function private.list_person(uuid) is 'Writes the row of a user in private.listed_people.';

create function private.show_name(person uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.profiles p set full_name = private.shown_name(u) from auth.users u
  where p.id = person and u.id = person and p.full_name is distinct from private.shown_name(u);
  select private.list_person(person);
$$;
comment on function private.show_name(uuid) is
  'Copies the name of a person to profiles (private.shown_name) and to private.listed_people. A function calls this function if it changes a verified name after the name in auth.users.';

create function private.mirror_person() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if new.raw_user_meta_data ->> 'full_name' is distinct from old.raw_user_meta_data ->> 'full_name' then
    perform private.require_free_name(new);
  end if;
  update public.profiles p set full_name = private.shown_name(new)
  where p.id = new.id and p.full_name is distinct from private.shown_name(new);
  update public.user_safe s set email = coalesce(new.email, ''), last_sign_in_at = new.last_sign_in_at
  where s.id = new.id
    and (s.email, s.last_sign_in_at) is distinct from (coalesce(new.email, ''), new.last_sign_in_at);
  -- A sign-in changes none of these columns.
  if (new.email, new.raw_user_meta_data, new.raw_app_meta_data, new.email_confirmed_at, new.banned_until)
    is distinct from (old.email, old.raw_user_meta_data, old.raw_app_meta_data, old.email_confirmed_at, old.banned_until)
  then
    perform private.list_person(new.id);
  end if;
  return null;
end
$$;
comment on function private.mirror_person() is 'Copies the name, the address and the last sign-in of a user to profiles and user_safe, and writes the row of the user in private.listed_people. Also raises the error of private.require_free_name.';

create function private.document_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select h.document_kind || ' ' || h.document_number from public.account_holders h where h.user_id = person
$$;
comment on function private.document_of(uuid) is
  'Returns the identity document of a person, such as "CC 1020304050"; null if the bank does not know it.';

create function private.is_reserved(skeleton text, is_alias boolean default false) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (
    select from (
      select w.words, false as is_brand from private.reserved_words w
      union all
      select b.words, true from private.words_of(private.setting('brand_name')) b (words)
      -- A name without letters of the skeleton would reserve every name.
      where btrim(b.words) <> ''
    ) r
    cross join lateral (select replace(r.words, ' ', '') as joined) l
    where position(r.words in skeleton) > 0
      or position(l.joined in replace(skeleton, ' ', '')) > 0 and case
        -- A short name of a bank stands inside many honest aliases, such as "uno" in "bruno".
        when is_alias then not r.is_brand or char_length(l.joined) >= 5
        -- The letters of a long name may be apart, as in "B a n c o F i n a n z a s".
        else r.is_brand and char_length(l.joined) >= 8
      end
  )
$$;
comment on function private.is_reserved(text, boolean) is
  'Returns whether a skeleton contains a reserved word or the name of the bank (private.reserved_words and the setting brand_name). In a name, whose skeleton is private.words_of, a reserved word counts as a whole word, and the name of the bank also if its letters are apart. In an alias, whose skeleton is private.alias_skeleton, both count anywhere, except for a bank''s name of fewer than five letters.';

create function private.require_free_name(person auth.users) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  -- Administrators act for the bank. A verified name hides the name that the person types.
  if person.raw_app_meta_data ->> 'role' = 'admin' or private.verified_name_of(person.id) is not null then
    return;
  end if;
  if private.is_reserved(private.words_of(person.raw_user_meta_data ->> 'full_name')) then
    raise exception 'Este nombre está reservado para el banco. Escribe otro.' using errcode = 'PT422', hint = 'reserved_name';
  end if;
end
$$;
comment on function private.require_free_name(auth.users) is
  'Refuses (PT422 with the hint reserved_name) a name with which a customer could pretend to be the bank.';

-- Written in PL/pgSQL, because auth.sessions of a hosted project does not have the column amr.
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

create function private.waiting_email_change(person uuid) returns json
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if private.is_hosted() then
    return null;
  end if;
  return auth.waiting_address_change(person);
end
$$;
comment on function private.waiting_email_change(uuid) is
  'Returns a person''s pending change of e-mail address in the format of auth.waiting_address_change, or null if no change is pending.';

create type public.own_session as (
  id uuid,
  is_present boolean,
  began_at timestamptz,
  last_used_at timestamptz,
  user_agent text,
  network text
);
comment on type public.own_session is 'A live session of the caller.';
comment on column public.own_session.id is 'Id of the session, which is the session_id claim of its access tokens.';
comment on column public.own_session.is_present is 'Whether this request belongs to the session.';
comment on column public.own_session.began_at is 'Time of the sign-in.';
comment on column public.own_session.last_used_at is 'Time of the last token refresh; time of the sign-in if the token was never refreshed.';
comment on column public.own_session.user_agent is 'User-Agent header of the sign-in; null if the browser sent none.';
comment on column public.own_session.network is 'IP address of the sign-in; null if unknown.';

create function public.own_sessions() returns setof public.own_session
  language sql stable security definer
  set search_path = ''
  -- A hosted project stores the time of the last refresh in UTC without a time zone. A hosted project stores the IP
  -- address as inet.
  set timezone = 'UTC'
as $$
  select s.id, s.id = ((select auth.jwt()) ->> 'session_id')::uuid, s.created_at,
    coalesce(s.refreshed_at::timestamptz, s.created_at), s.user_agent, split_part(s.ip::text, '/', 1)
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
  order by 2 desc, 4 desc, 1
$$;
comment on function public.own_sessions() is
  'Returns the caller''s sessions. The session of this request comes first; the others follow, most recently used first.';
grant execute on function public.own_sessions() to authenticated;

create function public.end_session(session_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions s where s.id = session_id and s.user_id = (select auth.uid());
  if not found then
    raise exception 'Esa sesión ya terminó.' using errcode = 'PT404';
  end if;
end
$$;
comment on function public.end_session(uuid) is
  'Ends one of the caller''s own sessions and revokes its refresh token. Raises PT404 for another person''s session and for a session that has already ended.';
grant execute on function public.end_session(uuid) to authenticated;

create function private.name_of(person auth.users) returns text
  language sql stable
  set search_path = ''
as $$
  select coalesce(
    private.verified_name_of(person.id), private.sanitize_name(person.raw_user_meta_data ->> 'full_name'), person.email::text
  )
$$;
comment on function private.name_of(auth.users) is 'Returns the name of a person for mails to staff, or the person''s e-mail address if the person has no name.';

create function private.tell_staff(
  act text, facts jsonb, target uuid, target_name text, asked_by uuid default null, was_admin boolean default false
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  author record;
begin
  select a.actor, a.origin into author from private.author_of(asked_by) a;
  perform private.tell(
    array(
      select u.id from auth.users u
      where private.is_working_admin(u)
        -- Leaves out the target, who gets a mail of their own. An administrator who recorded a transaction in their own
        -- account gets no mail of their own and is therefore included.
        and (u.id is distinct from target or author.actor = target)
    ),
    'staff_' || act,
    facts || jsonb_build_object(
      'origin', author.origin,
      'actor', (select private.name_of(u) from auth.users u where u.id = author.actor),
      'target', target_name,
      'target_id', target,
      'was_admin', was_admin
    )
  );
end
$$;
comment on function private.tell_staff(text, jsonb, uuid, text, uuid, boolean) is
  'Tells every administrator who can sign in about an act. The facts then also contain the origin and the author of the act (private.author_of), and the person concerned.';

create function private.holder_data(person uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
as $$
  select jsonb_build_object(
    'full_name', p.full_name, 'document_kind', h.document_kind, 'document_number', h.document_number, 'phone', h.phone
  )
  from public.profiles p join public.account_holders h on h.user_id = p.id where p.id = person
$$;
comment on function private.holder_data(uuid) is 'Returns the data of an account holder that staff may correct.';

create function private.name_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(nullif(btrim(p.full_name), ''), s.email)
  from public.profiles p join public.user_safe s on s.id = p.id where p.id = person
$$;
comment on function private.name_of(uuid) is 'Returns a user''s name, or the e-mail address if the user has no name; null for a deleted user.';
