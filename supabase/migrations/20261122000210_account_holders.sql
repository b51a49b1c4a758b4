-- Account holders: the number of each person's account, and the verified name, the identity document and the telephone
-- of its holder. Staff enter the name, the document and the telephone (20261122001510); the database assigns the
-- number.

create function private.new_account_number() returns text
  language plpgsql volatile security definer
  set search_path = ''
as $$
declare
  digits bigint;
  number text;
begin
  loop
    -- The first twelve hexadecimal digits of a random UUID cannot be guessed, and the remainder of such a large number
    -- is practically uniform.
    digits := 1000000000 + ('x' || left(replace(gen_random_uuid()::text, '-', ''), 12))::bit(48)::bigint % 9000000000;
    number := (digits * 100 + 98 - digits * 100 % 97)::text;
    exit when not exists (select from public.account_holders h where h.account_number = number);
  end loop;
  return number;
end
$$;
comment on function private.new_account_number() is
  'Returns a random account number that no account has: ten digits, of which the first is not zero, and two check digits (ISO 7064 MOD 97-10).';

create function private.is_account_number(written text) returns boolean
  language sql immutable strict
  set search_path = ''
  return case when written ~ '^[1-9][0-9]{11}$' then written::bigint % 97 = 1 else false end;
comment on function private.is_account_number(text) is
  'Returns whether a text has twelve digits with correct check digits. The check digits detect every wrong digit and every exchange of two adjacent digits.';

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

create function private.is_document(kind text, written text) returns boolean
  language plpgsql immutable
  set search_path = ''
as $$
begin
  return case kind
    when 'CC' then written ~ '^[1-9][0-9]{2,9}$'
    when 'CE' then written ~ '^[1-9][0-9]{2,9}$'
    when 'TI' then written ~ '^[1-9][0-9]{9,10}$'
    when 'RC' then written ~ '^[1-9][0-9]{7,10}$'
    when 'PPT' then written ~ '^[1-9][0-9]{4,9}$'
    when 'PA' then written ~ '^[A-Z0-9]{5,20}$'
    when 'NIT' then case
      when written ~ '^[1-9][0-9]{7,9}-[0-9]$'
        then private.nit_check_digit(split_part(written, '-', 1)) = split_part(written, '-', 2)::integer
      else false
    end
  end;
end
$$;
comment on function private.is_document(text, text) is
  'Returns whether a text is a number of this kind of identity document; null for an unknown kind. A NIT ends in a hyphen and its check digit. All letters of the number must be capitals, and the number has no other separators.';

create table public.account_holders (
  user_id uuid primary key references auth.users (id) on delete cascade,
  account_number text not null default private.new_account_number(),
  full_name text,
  document_kind text,
  document_number text,
  phone text,
  constraint account_holders_name_is_a_line check (full_name is not distinct from private.sanitize_name(full_name)),
  -- Papers and clearing files show both. A document of the bank must not stand beside a name that the customer typed.
  constraint account_holders_document_has_a_name check (document_number is null or full_name is not null),
  constraint account_holders_number_taken unique (account_number),
  constraint account_holders_number_is_one check (private.is_account_number(account_number)),
  constraint account_holders_document_taken unique (document_kind, document_number),
  constraint account_holders_document_kind_known check (document_kind in ('CC', 'CE', 'NIT', 'PA', 'PPT', 'RC', 'TI')),
  constraint account_holders_document_is_whole check ((document_kind is null) = (document_number is null)),
  constraint account_holders_document_is_one check (private.is_document(document_kind, document_number)),
  constraint account_holders_phone_is_one check (phone ~ '^\+[1-9][0-9]{6,14}$')
);
comment on table public.account_holders is 'One row for each user: the number of the account, and the verified name, the identity document and the telephone of its holder. The database assigns the number, and staff enter the rest.';
comment on column public.account_holders.user_id is 'The user. The row is deleted together with the account.';
comment on column public.account_holders.account_number is 'Twelve digits: ten random digits and two check digits (ISO 7064 MOD 97-10). Never changes. Pages show the number in groups of four digits.';
comment on column public.account_holders.full_name is 'The name that the bank verified or corrected, which the customer cannot change; null while the name is the one that the customer typed (docs/decisions/0082).';
comment on column public.account_holders.document_kind is 'CC (cédula de ciudadanía), CE (cédula de extranjería), NIT, PA (pasaporte), PPT (permiso por protección temporal), RC (registro civil) or TI (tarjeta de identidad); null until staff enter the document.';
comment on column public.account_holders.document_number is 'The number without separators; a NIT ends in a hyphen and its check digit. Null until staff enter the document.';
comment on column public.account_holders.phone is 'The telephone number in the format E.164, such as +573001234567; null until staff enter it.';

comment on constraint account_holders_number_taken on public.account_holders is 'El número de cuenta ya existe. Inténtalo de nuevo.';
comment on constraint account_holders_number_is_one on public.account_holders is 'El número de cuenta no es válido.';
comment on constraint account_holders_name_is_a_line on public.account_holders is 'Escribe un nombre de 120 caracteres como máximo.';
comment on constraint account_holders_document_has_a_name on public.account_holders is 'Un documento necesita el nombre de su titular.';
comment on constraint account_holders_document_taken on public.account_holders is 'Ya hay un cliente con este documento.';
comment on constraint account_holders_document_kind_known on public.account_holders is 'El tipo de documento no se conoce.';
comment on constraint account_holders_document_is_whole on public.account_holders is 'El documento necesita un tipo y un número.';
comment on constraint account_holders_document_is_one on public.account_holders is 'El número de documento no es válido.';
comment on constraint account_holders_phone_is_one on public.account_holders is 'El teléfono no es válido.';

alter table public.account_holders enable row level security, force row level security;
revoke all on public.account_holders from anon, authenticated, service_role;
grant select on public.account_holders to authenticated;
grant select on public.account_holders to service_role;

create policy "customers read their own account number" on public.account_holders
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own account number" on public.account_holders is
  'Staff read the rows of others through public.open_customer, which records the reading.';
create policy "the service reads every account holder" on public.account_holders for select to service_role using (true);
comment on policy "the service reads every account holder" on public.account_holders is 'Lets the operator''s tools read the table.';

create function private.assign_account_number() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into public.account_holders (user_id) values (new.id) on conflict (user_id) do nothing;
  return null;
end
$$;
comment on function private.assign_account_number() is 'Gives an account number to every new user.';

create trigger assign_account_number after insert on auth.users
  for each row execute function private.assign_account_number();

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

create trigger keep_account_number before update of user_id, account_number on public.account_holders
  for each row when ((old.user_id, old.account_number) is distinct from (new.user_id, new.account_number))
  execute function private.keep_account_number();

create function private.mirror_user() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  insert into public.profiles as p (id, full_name, role)
  values (
    new.id,
    -- Users set `full_name` themselves, and an invalid name must not make the sign-up fail. It never replaces a name
    -- that the bank verified.
    coalesce(
      (select h.full_name from public.account_holders h where h.user_id = new.id),
      private.sanitize_name(new.raw_user_meta_data ->> 'full_name')
    ),
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
comment on function private.mirror_user() is 'Copies each change of a user to profiles and user_safe, and cleans the name with private.sanitize_name. Keeps a name that the bank verified.';

create trigger mirror_user
  after insert or update of email, last_sign_in_at, raw_app_meta_data, raw_user_meta_data on auth.users
  for each row execute function private.mirror_user();

create function private.mirror_verified_name() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update public.profiles p set full_name = coalesce(new.full_name, private.sanitize_name(u.raw_user_meta_data ->> 'full_name'))
  from auth.users u
  where p.id = new.user_id and u.id = new.user_id;
  return null;
end
$$;
comment on function private.mirror_verified_name() is
  'Copies a verified name to profiles. If the name is no longer verified, copies the name that the customer typed.';

create trigger mirror_verified_name after update of full_name on public.account_holders
  for each row when (old.full_name is distinct from new.full_name) execute function private.mirror_verified_name();

create function private.document_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select h.document_kind || ' ' || h.document_number from public.account_holders h where h.user_id = person
$$;
comment on function private.document_of(uuid) is
  'Returns the identity document of a person, such as "CC 1020304050"; null if the bank does not know it.';

create function private.verified_name_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select h.full_name from public.account_holders h where h.user_id = person
$$;
comment on function private.verified_name_of(uuid) is
  'Returns the name of a person that the bank verified; null if the person typed the name.';

revoke execute on all functions in schema private from public;
