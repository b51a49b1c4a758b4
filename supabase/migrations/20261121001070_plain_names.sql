-- People write their own names, and others read them: administrators in the list of users and in the audit. What turns
-- the direction of writing round, or begins a line, makes one name look like another.

create function private.plain_name(written text) returns text
  language sql immutable
  set search_path = ''
  return (
    select kept.name
    from (
      select left(
        btrim(regexp_replace(
          normalize(written, nfc), '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]', '', 'g'
        )),
        120
      ) as name
    ) as kept
    where kept.name
      ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  );
comment on function private.plain_name(text) is
  'A name as others are shown it: one line in NFC of up to 120 characters, without the characters that transactions_description_is_a_line refuses; null when nothing visible is left.';
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
