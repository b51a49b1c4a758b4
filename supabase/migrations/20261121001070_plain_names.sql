-- People write their own names, and others read them: administrators in the list of users and in the audit. What turns
-- the direction of writing round, or begins a line, makes one name look like another.

create function private.plain_name(written text) returns text
  language sql immutable
  set search_path = ''
  return nullif(
    left(
      btrim(
        regexp_replace(
          normalize(written, nfc),
          '[\u0001-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]', '', 'g'
        )
      ),
      120
    ),
    ''
  );
comment on function private.plain_name(text) is
  'A name as others are shown it: one line in NFC of up to 120 characters, without control characters and overrides of direction; null when nothing is left.';
revoke execute on function private.plain_name(text) from public;

create or replace function private.mirror_user() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into public.profiles as p (id, full_name, role)
  values (
    new.id,
    -- The person writes this field; what does not fit must not keep them from signing up.
    private.plain_name(new.raw_user_meta_data ->> 'full_name'),
    case when new.raw_app_meta_data ->> 'role' = 'admin' then 'admin' else 'user' end
  )
  on conflict (id) do update set full_name = excluded.full_name, role = excluded.role
  where (p.full_name, p.role) is distinct from (excluded.full_name, excluded.role);

  insert into public.user_safe as s (id, email, last_sign_in_at)
  values (new.id, coalesce(new.email, ''), new.last_sign_in_at)
  on conflict (id) do update set email = excluded.email, last_sign_in_at = excluded.last_sign_in_at
  where (s.email, s.last_sign_in_at) is distinct from (excluded.email, excluded.last_sign_in_at);

  return null;
end
$$;
comment on function private.mirror_user() is 'Keeps profiles and user_safe equal to the user, with a name that is one plain line.';
revoke execute on function private.mirror_user() from public;

update public.profiles p
set full_name = private.plain_name(p.full_name)
where p.full_name is distinct from private.plain_name(p.full_name);
