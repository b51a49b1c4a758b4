-- Beneficiaries at other banks. The customer enters all data of the account, because this bank cannot look up the
-- account. The bank checks the form of the account, and the other bank checks the rest (docs/decisions/0070).

create table private.clearing_banks (
  code text primary key,
  name text not null,
  constraint clearing_banks_code_is_one check (code ~ '^[0-9]{4}$')
);
comment on table private.clearing_banks is 'The banks that a customer can pay, with their codes in the Colombian clearing. contract/elsewhere/banks.ts has the same list, and a test compares the two.';
comment on column private.clearing_banks.code is 'Code of the bank in the clearing; four digits.';
comment on column private.clearing_banks.name is 'The name that customers read.';
alter table private.clearing_banks enable row level security, force row level security;
insert into private.clearing_banks (code, name) values
  ('1001', 'Banco de Bogotá'),
  ('1002', 'Banco Popular'),
  ('1006', 'Itaú'),
  ('1007', 'Bancolombia'),
  ('1009', 'Citibank'),
  ('1012', 'GNB Sudameris'),
  ('1013', 'BBVA Colombia'),
  ('1019', 'Scotiabank Colpatria'),
  ('1023', 'Banco de Occidente'),
  ('1032', 'Banco Caja Social'),
  ('1040', 'Banco Agrario'),
  ('1047', 'Banco Mundo Mujer'),
  ('1051', 'Davivienda'),
  ('1052', 'AV Villas'),
  ('1053', 'Banco W'),
  ('1059', 'Bancamía'),
  ('1060', 'Banco Pichincha'),
  ('1061', 'Bancoomeva'),
  ('1062', 'Banco Falabella'),
  ('1063', 'Banco Finandina'),
  ('1065', 'Banco Santander'),
  ('1066', 'Coopcentral'),
  ('1067', 'Mibanco'),
  ('1069', 'Banco Serfinanza'),
  ('1070', 'Lulo Bank'),
  ('1097', 'dale!'),
  ('1121', 'Juriscoop'),
  ('1151', 'RappiPay'),
  ('1283', 'CFA Cooperativa Financiera'),
  ('1286', 'JFK Cooperativa Financiera'),
  ('1289', 'Cotrafa'),
  ('1291', 'Coofinep'),
  ('1292', 'Confiar'),
  ('1303', 'Banco Unión'),
  ('1370', 'Coltefinanciera'),
  ('1507', 'Nequi'),
  ('1551', 'DaviPlata'),
  ('1637', 'Iris'),
  ('1801', 'Movii'),
  ('1804', 'Ualá'),
  ('1808', 'Bold'),
  ('1809', 'Nu Colombia');

create unique index beneficiaries_have_one_destination_each on public.beneficiaries
  (user_id, (destination ->> 'bank'), (destination ->> 'number')) where removed_at is null and destination is not null;
comment on index public.beneficiaries_have_one_destination_each is 'A customer lists an account elsewhere only once.';

create function private.clearing_text(value text, length_max integer) returns text
  language sql immutable
  set search_path = ''
  return nullif(rtrim(left(regexp_replace(
    regexp_replace(
      regexp_replace(normalize(coalesce(value, ''), nfd), '[\u0300-\u036f]', '', 'g'),
      '[^A-Za-z0-9/?:().,''+-]+', ' ', 'g'
    ),
    '^[^A-Za-z0-9]+', ''
  ), length_max)), '');
comment on function private.clearing_text(text, integer) is
  'Returns a text with only the characters that every clearing accepts: letters without accents, digits and a few signs. Begins with a letter or digit, so that a spreadsheet cannot read it as a formula. Null if nothing is left.';

create function public.add_account_beneficiary(
  id uuid, name text, bank text, account_kind text, account_number text, document_kind text, document text
) returns public.beneficiaries
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  -- People write spaces, points and hyphens into numbers.
  digits constant text := translate(account_number, ' .-', '');
  identity constant text := upper(translate(document, ' .-', ''));
  account constant jsonb := jsonb_build_object(
    'bank', bank, 'kind', account_kind, 'number', digits, 'document_kind', document_kind, 'document', identity
  );
  bank_name constant text := (select b.name from private.clearing_banks b where b.code = bank);
  added public.beneficiaries;
begin
  perform private.require_feature('transferencias');
  -- With this lock, concurrent calls by one customer are counted one after another.
  perform private.lock_open_account();
  select b.* into added from public.beneficiaries b where b.user_id = me and b.id = add_account_beneficiary.id;
  if found then
    perform private.require_same_upload(
      (added.name, added.destination) is not distinct from (add_account_beneficiary.name, account),
      'Este identificador ya se usó con otro beneficiario.'
    );
    return added;
  end if;
  if bank_name is null then
    raise exception 'Elige el banco de la lista.' using errcode = 'PT422';
  end if;
  if (
    (account_kind in ('savings', 'checking') and digits ~ '^[0-9]{6,17}$') or (account_kind = 'deposit' and digits ~ '^[0-9]{10,17}$')
  ) is not true then
    raise exception 'Escribe un número de cuenta válido.' using errcode = 'PT422';
  end if;
  -- The clearing does not accept RC, a number in the civil register of births.
  if document_kind = 'RC' or private.is_document(
    document_kind, case document_kind when 'NIT' then regexp_replace(identity, '^([0-9]{9})([0-9])$', '\1-\2') else identity end
  ) is not true then
    raise exception 'Escribe una identificación válida.' using errcode = 'PT422';
  end if;
  if private.clearing_text(name, 80) is null then
    raise exception 'Escribe el nombre del titular como lo conoce su banco.' using errcode = 'PT422';
  end if;
  if exists (
    select from public.beneficiaries b
    where b.user_id = me and b.removed_at is null
      and b.destination ->> 'bank' = bank and b.destination ->> 'number' = digits
  ) then
    raise exception 'Ya tienes un beneficiario con esta cuenta.' using errcode = 'PT409';
  end if;
  perform private.require_beneficiary_quota(me);
  insert into public.beneficiaries (user_id, id, name, destination, payee_name)
  values (
    me, add_account_beneficiary.id, add_account_beneficiary.name, account, bank_name || ' ••••' || right(digits, 4)
  )
  returning * into added;
  return added;
end
$$;
comment on function public.add_account_beneficiary(uuid, text, text, text, text, text, text) is
  'Adds an account at another bank to the caller''s beneficiaries and returns the beneficiary. A repeated call with the same id adds nothing. The beneficiary has the name of the account''s holder. Checks only the form of the account, because this bank cannot look it up. The caller must then confirm the beneficiary with public.confirm_beneficiary. Raises PT422 for an unknown bank, and for an invalid number, identification or name. Raises PT409 for an id that was used for another beneficiary, and for an account that is already in the list. Also raises the errors of private.require_beneficiary_quota.';
revoke execute on function public.add_account_beneficiary(uuid, text, text, text, text, text, text) from public, anon, service_role;
grant execute on function public.add_account_beneficiary(uuid, text, text, text, text, text, text) to authenticated;

revoke execute on all functions in schema private from public;
