-- People: the profile, the name, the account number, the identity document and the sessions of a person.
-- Uses: audit, notices.
-- Promises: each user has one profile and one account number, the number never changes, and a verified name belongs
-- to the bank.

-- Profiles, and the part of auth.users that administrators may see. Customers need no access to these tables, because
-- their session already contains their name and role.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  role text not null default 'user',
  constraint profiles_role_known check (role in ('user', 'admin')),
  constraint profiles_full_name_length check (char_length(full_name) <= 120)
);
create index profiles_administrators on public.profiles (id) where role = 'admin';
comment on index public.profiles_administrators is 'Finds the administrators without reading all customers (private.administrators).';
comment on table public.profiles is 'One row for each user, with the name and role that administrators see.';
comment on column public.profiles.id is 'Id of the user in auth.users.';
comment on column public.profiles.full_name is 'The name in account_holders, if the bank verified it; otherwise the name in the user''s metadata. Up to 120 characters; null if the user gave no name.';
comment on column public.profiles.role is '"user" (a customer) or "admin". Copied from auth.users.raw_app_meta_data, which is authoritative.';

grant select, update (role) on public.profiles to authenticated;
grant select on public.profiles to service_role;

-- If a customer's query includes their own profile, the policy raises 42501 instead of returning an empty list. The
-- page can then explain the refusal. A query for only another user's profile returns an empty list, as if that profile
-- did not exist.
create policy "administrators read every profile" on public.profiles
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every profile" on public.profiles is
  'A customer whose query includes their own row gets 42501. All other rows are hidden from customers.';

create policy "administrators change roles" on public.profiles
  for update to authenticated
  using ((select private.is_admin()));
comment on policy "administrators change roles" on public.profiles is
  'The column grant allows updates of the role only. Triggers check which changes of role are allowed.';

create policy "the service reads every profile" on public.profiles for select to service_role using (true);
comment on policy "the service reads every profile" on public.profiles is 'Lets the operator''s tools read the table.';

create table public.user_safe (
  id uuid primary key references public.profiles (id) on delete cascade,
  email text not null,
  last_sign_in_at timestamptz
);
comment on table public.user_safe is 'The part of auth.users that an administrator may see, copied by a trigger.';
comment on column public.user_safe.id is 'Id of the user. This table has one row for each profile.';
comment on column public.user_safe.email is 'The address that the user signs in with.';
comment on column public.user_safe.last_sign_in_at is 'Time of the last sign-in; null until the user signs in for the first time.';
grant select on public.user_safe to authenticated, service_role;

create policy "administrators read every user" on public.user_safe
  for select to authenticated
  using ((select private.is_admin()) or (id = (select auth.uid()) and private.require_admin()));
comment on policy "administrators read every user" on public.user_safe is
  'Only administrators may read e-mail addresses.';
create policy "the service reads every user" on public.user_safe for select to service_role using (true);
comment on policy "the service reads every user" on public.user_safe is 'Lets the operator''s tools read the table.';

-- The list of staff: what they search people by, and the order of their lists. The rows that say the same are in three
-- tables, of which one belongs to the platform, so that no index could serve a search (docs/decisions/0119).

create function private.grams(line text) returns text[]
  language sql immutable parallel safe
  return array(
    select distinct g.gram
    from generate_series(1, char_length(line) - 1) place
    cross join lateral (values (substr(line, place, 2)), (substr(line, place, 3))) g (gram)
    where position(' ' in g.gram) = 0 and char_length(g.gram) > 1
  );
comment on function private.grams(text) is
  'Returns all parts of a text that have two or three characters and no blank. A text contains a word only if it has all parts of the word.';

create table private.listed_people (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  words text not null,
  sorted_name text not null,
  role text not null,
  role_and_name text not null generated always as (role || ' ' || sorted_name) stored,
  is_confirmed boolean not null,
  banned_until timestamptz
);
comment on table private.listed_people is 'One row for each user: the words by which staff find the user, the order of lists, and the state of the address and of the account (private.list_person).';
comment on column private.listed_people.user_id is 'The user. The row is deleted together with the account.';
comment on column private.listed_people.words is 'The name, the e-mail address and, for an administrator, the word admin, folded by private.folded.';
comment on column private.listed_people.sorted_name is 'The folded name, or the folded e-mail address of a user without a name.';
comment on column private.listed_people.role is 'As in public.profiles.';
comment on column private.listed_people.role_and_name is 'The order by role, in which the users of a role are ordered by name.';
comment on column private.listed_people.is_confirmed is 'Whether the user has confirmed the e-mail address.';
comment on column private.listed_people.banned_until is 'Time until which the account is blocked, which may have passed; null if it was never blocked.';

create index listed_people_by_gram on private.listed_people using gin (private.grams(words));
comment on index private.listed_people_by_gram is 'Finds the users whose words contain a text (private.find_people).';
create index listed_people_by_name on private.listed_people (sorted_name, user_id);
comment on index private.listed_people_by_name is 'The order by name.';
create index listed_people_by_role on private.listed_people (role_and_name, user_id);
comment on index private.listed_people_by_role is 'The order by role.';
create index listed_people_unconfirmed on private.listed_people (user_id) where not is_confirmed;
comment on index private.listed_people_unconfirmed is 'Finds and counts the users who have not confirmed their address.';
create index listed_people_blocked on private.listed_people (banned_until) where banned_until is not null;
comment on index private.listed_people_blocked is 'Finds and counts the blocked users.';
create index user_safe_by_email on public.user_safe (email, id);
comment on index public.user_safe_by_email is 'The order by e-mail address (public.list_customers).';
create index user_safe_by_sign_in on public.user_safe (coalesce(last_sign_in_at, '-infinity'), id);
comment on index public.user_safe_by_sign_in is 'The order by last sign-in (public.list_customers). A user who never signed in comes before all others.';

create function private.sanitize_name(written text) returns text
  language sql immutable
  set search_path = ''
  return (
    select kept.name
    from (
      select left(
        btrim(regexp_replace(
          -- normalize() takes quadratic time on combining marks that are out of order. Truncating the input to 500
          -- characters bounds that time, and a displayed name is never longer than 120 characters.
          normalize(left(written, 500), nfc), '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]', '', 'g'
        )),
        120
      ) as name
    ) as kept
    where kept.name
      ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  );
comment on function private.sanitize_name(text) is
  'Returns a name that is safe to show to others: one line in NFC, built from the first 500 characters and cut to 120 characters. Removes the characters that transactions_description_is_a_line refuses. Returns null if no visible character is left.';

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

-- Account holders: the number of each person's account, and the verified name, the identity document and the telephone
-- of its holder. Staff enter the name, the document and the telephone (public.correct_holder); the database assigns the
-- number.

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

create index account_holders_by_phone on public.account_holders (phone) where phone is not null;
comment on index public.account_holders_by_phone is 'Finds the holders of a telephone number (private.find_people).';

comment on constraint account_holders_number_taken on public.account_holders is 'El número de cuenta ya existe. Inténtalo de nuevo.';
comment on constraint account_holders_number_is_one on public.account_holders is 'El número de cuenta no es válido.';
comment on constraint account_holders_name_is_a_line on public.account_holders is 'Escribe un nombre de 120 caracteres como máximo.';
comment on constraint account_holders_document_has_a_name on public.account_holders is 'Un documento necesita el nombre de su titular.';
comment on constraint account_holders_document_taken on public.account_holders is 'Ya hay un cliente con este documento.';
comment on constraint account_holders_document_kind_known on public.account_holders is 'El tipo de documento no se conoce.';
comment on constraint account_holders_document_is_whole on public.account_holders is 'El documento necesita un tipo y un número.';
comment on constraint account_holders_document_is_one on public.account_holders is 'El número de documento no es válido.';
comment on constraint account_holders_phone_is_one on public.account_holders is 'El teléfono no es válido.';

grant select on public.account_holders to authenticated, service_role;

create policy "customers read their own account number" on public.account_holders
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own account number" on public.account_holders is
  'Staff read the rows of others through public.open_customer, which records the reading.';
create policy "the service reads every account holder" on public.account_holders for select to service_role using (true);
comment on policy "the service reads every account holder" on public.account_holders is 'Lets the operator''s tools read the table.';

-- Reserved names: a customer must not have a name or an alias with which they could pretend to be the bank. Texts that
-- look alike count as the same text (docs/decisions/0083).

create table private.reserved_words (
  word text primary key,
  words text not null
);
comment on table private.reserved_words is 'The words with which a customer could pretend to be the bank, beside the name of the bank (private.is_reserved). A name must not contain one of them as a whole word, and an alias must not contain one at all.';
comment on column private.reserved_words.word is 'The word.';
comment on column private.reserved_words.words is 'The result of private.words_of for the word.';
insert into private.reserved_words (word, words)
select w.word, private.words_of(w.word)
from unnest(array[
  'admin', 'ayuda', 'banco', 'cajero', 'finanzas', 'gerente', 'oficial', 'seguridad', 'sistema', 'soporte',
  -- An alias such as anita.gmail.com looks like an e-mail address.
  'gmail', 'hotmail', 'outlook'
]) as w (word);

create table private.staff_passwords (
  user_id uuid primary key references auth.users (id) on delete cascade
);
comment on table private.staff_passwords is 'The accounts whose present password an administrator typed. These customers can neither confirm a beneficiary nor request a transfer until they set a password through a link that was mailed to their address (private.require_own_password).';

-- Correcting the data of an account holder ------------------------------------------------------------------------

create table public.holder_corrections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  corrected_at timestamptz not null default clock_timestamp(),
  corrected_by text,
  before jsonb not null,
  after jsonb not null
);
create index holder_corrections_of_a_user on public.holder_corrections (user_id, corrected_at desc);
comment on table public.holder_corrections is 'One row for each time that staff corrected the name, document or telephone of an account holder. The audit names only the fields, because its entries remain after the account is deleted.';
comment on column public.holder_corrections.id is 'Id of the correction, which its audit entry names.';
comment on column public.holder_corrections.user_id is 'The user. The row is deleted together with the account.';
comment on column public.holder_corrections.corrected_at is 'Time at which the data were corrected.';
comment on column public.holder_corrections.corrected_by is 'Name of the administrator at the time of the correction; null if the administrator had no name.';
comment on column public.holder_corrections.before is 'The changed fields with their earlier values.';
comment on column public.holder_corrections.after is 'The changed fields with their new values.';
grant select on public.holder_corrections to authenticated;
create policy "customers read the corrections of their own data" on public.holder_corrections
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read the corrections of their own data" on public.holder_corrections is
  'Staff read the corrections of others through public.read_holder_corrections.';
