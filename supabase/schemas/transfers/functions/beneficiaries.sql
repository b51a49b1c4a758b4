-- Functions of beneficiaries.

create function private.mask_name(name text) returns text
  language sql immutable
  set search_path = ''
  return coalesce((
    select string_agg(left(word, 1) || '•••', ' ' order by place)
    from regexp_split_to_table(btrim(name), '\s+') with ordinality as w (word, place)
    where word <> '' and place <= 4
  ), '•••');
comment on function private.mask_name(text) is 'Returns the first letter of each of the first four words of a name, such as "L••• G•••".';

create function private.own_beneficiary(beneficiary_id uuid) returns public.beneficiaries
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  found_row public.beneficiaries;
begin
  select b.* into found_row from public.beneficiaries b
  where b.user_id = (select auth.uid()) and b.id = beneficiary_id and b.removed_at is null;
  if not found then
    -- The answer is the same for another customer's id and for an unknown id, so that it reveals nothing.
    raise exception 'Este beneficiario ya no está en tu lista.' using errcode = 'PT404';
  end if;
  return found_row;
end
$$;
comment on function private.own_beneficiary(uuid) is 'Returns the caller''s beneficiary. Raises PT404 for an unknown or removed beneficiary.';

create function private.require_new_beneficiary(customer uuid) returns void
  language sql security definer
  set search_path = ''
as $$
  select private.require_room('beneficiaries', (
    select count(*) from public.beneficiaries b where b.user_id = customer and b.removed_at is null
  ));
  select private.consume('rows written', customer::text);
  select private.consume('beneficiary', customer::text);
$$;
comment on function private.require_new_beneficiary(uuid) is
  'Refuses a new beneficiary if the customer already has 100 beneficiaries (PT409). Also refuses more than 5 new beneficiaries in 24 hours, including removed ones (PT429, whose detail states the seconds to wait).';

create function public.add_beneficiary(id uuid, name text, address text) returns public.beneficiaries
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  folded constant text := lower(btrim(address));
  added public.beneficiaries;
begin
  perform private.require_feature('transferencias');
  perform private.lock_open_account();
  select b.* into added from public.beneficiaries b where b.user_id = me and b.id = add_beneficiary.id;
  if found then
    perform private.require_same_upload(
      (added.name, added.address) is not distinct from (add_beneficiary.name, folded), 'Este identificador ya se usó con otro beneficiario.'
    );
    return added;
  end if;
  if folded = (select u.email from auth.users u where u.id = me)
    or exists (select from private.aliases a where a.user_id = me and '@' || a.alias = folded)
  then
    raise exception 'No puedes transferirte a tu propia cuenta.' using errcode = 'PT422';
  end if;
  if exists (select from public.beneficiaries b where b.user_id = me and b.address = folded and b.removed_at is null) then
    raise exception 'Ya tienes un beneficiario con este email o llave.' using errcode = 'PT409';
  end if;
  perform private.require_new_beneficiary(me);
  insert into public.beneficiaries (user_id, id, name, address) values (me, add_beneficiary.id, add_beneficiary.name, folded)
  returning * into added;
  return added;
end
$$;
comment on function public.add_beneficiary(uuid, text, text) is
  'Adds a beneficiary to the caller''s list and returns the beneficiary. A repeated call with the same id adds nothing. The address is an e-mail address, or an alias that begins with @. Does not look up the address, and therefore does not reveal whether a customer has it. Raises PT409 for an id that was used for another beneficiary, for an address that is already in the list, and for more than 100 beneficiaries. Raises PT422 for the caller''s own address or alias. Raises PT429 for more than 5 new beneficiaries in 24 hours, including removed ones.';
grant execute on function public.add_beneficiary(uuid, text, text) to authenticated;

create function public.confirm_beneficiary(id uuid, again boolean default false) returns public.beneficiaries
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  confirmed public.beneficiaries;
  account uuid;
begin
  perform private.require_feature('transferencias');
  perform private.require_own_password();
  perform private.require_own_proof();
  confirmed := private.own_beneficiary(confirm_beneficiary.id);
  account := private.account_at(confirmed.address);
  -- Locks both people before the beneficiary, in the same order as private.lock_requests.
  perform from auth.users u where u.id in (me, account) order by u.id for key share;
  perform private.lock_account();
  confirmed := private.own_beneficiary(confirm_beneficiary.id);
  if confirmed.confirmed_at is not null then
    if not (again and confirmed.payee_name is null) then
      return confirmed;
    end if;
    -- Costs as much as a new beneficiary. Otherwise, a caller could check one address again and again.
    perform private.consume('beneficiary', me::text);
  end if;
  if account = me then
    raise exception 'No puedes transferirte a tu propia cuenta.' using errcode = 'PT422';
  end if;
  perform private.consume('rows written', me::text);
  update public.beneficiaries b
  set confirmed_at = clock_timestamp(), payee_name = case
    when b.destination is null then (select private.mask_name(p.full_name) from public.profiles p where p.id = account)
    -- Keeps the stored name, because this bank cannot look up an account at another bank.
    else b.payee_name
  end
  where b.user_id = me and b.id = confirmed.id
  returning b.* into confirmed;
  insert into private.payees (user_id, beneficiary_id, payee)
  select me, confirmed.id, p.id from public.profiles p where p.id = account
  on conflict do nothing;
  return confirmed;
end
$$;
comment on function public.confirm_beneficiary(uuid, boolean) is
  'Confirms a beneficiary of the caller, looks up the account with the address or alias, and returns the beneficiary with the masked name of the account. Looks up nothing for an account elsewhere. payee_name is null if the address does not belong to a customer. The negative result is also stored, so that the limit of new beneficiaries also limits how many addresses a caller can check. A second call changes nothing. With `again`, a second call looks up once more an address that did not belong to a customer; it counts toward the 5 new beneficiaries in 24 hours (PT429). The caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). Raises PT403 while the caller''s password is one that an administrator typed (private.require_own_password). Raises PT404 for an unknown or removed beneficiary, and PT422 for the caller''s own account.';
grant execute on function public.confirm_beneficiary(uuid, boolean) to authenticated;

create function public.remove_beneficiary(id uuid) returns public.beneficiaries
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  removed public.beneficiaries;
begin
  perform private.require_feature('transferencias');
  perform private.lock_account();
  perform private.consume('rows written', me::text);
  update public.beneficiaries b set removed_at = coalesce(b.removed_at, clock_timestamp())
  where b.user_id = me and b.id = remove_beneficiary.id
  returning b.* into removed;
  if not found then
    raise exception 'Este beneficiario ya no está en tu lista.' using errcode = 'PT404';
  end if;
  return removed;
end
$$;
comment on function public.remove_beneficiary(uuid) is
  'Removes a beneficiary from the caller''s list, and returns it. Transfers that were requested earlier stay as they are. Also returns a beneficiary that was removed within the last 24 hours. Raises PT404 for an unknown beneficiary.';
grant execute on function public.remove_beneficiary(uuid) to authenticated;

create function private.refuses_transfer(request public.requests) returns boolean
  language sql stable security definer
  set search_path = ''
as $$
  select exists (
    select from private.transfer_limits l
    where l.user_id = request.payee and (
      request.amount < l.receive_min
      or (
        l.receives_from_known
        and not exists (
          select from private.payees p
          join public.beneficiaries b on b.user_id = p.user_id and b.id = p.beneficiary_id
          where p.user_id = request.payee and p.payee = request.payer and b.removed_at is null
        )
        and not exists (
          select from public.requests r
          where r.payer = request.payee and r.payee = request.payer and r.status in ('done', 'returned')
        )
      )
    )
  )
$$;
comment on function private.refuses_transfer(public.requests) is
  'Returns whether the payee of a transfer does not receive it (public.set_transfer_reception).';

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

create function private.refuse_account(account jsonb, name text) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  account_kind constant text := account ->> 'kind';
  digits constant text := account ->> 'number';
  document_kind constant text := account ->> 'document_kind';
  identity constant text := account ->> 'document';
begin
  if not exists (select from private.clearing_banks b where b.code = account ->> 'bank') then
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
end
$$;
comment on function private.refuse_account(jsonb, text) is
  'Refuses (PT422) an account at another bank whose bank, number, identification or name is not valid.';

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
  perform private.refuse_account(account, name);
  if exists (
    select from public.beneficiaries b
    where b.user_id = me and b.removed_at is null
      and b.destination ->> 'bank' = bank and b.destination ->> 'number' = digits
  ) then
    raise exception 'Ya tienes un beneficiario con esta cuenta.' using errcode = 'PT409';
  end if;
  perform private.require_new_beneficiary(me);
  insert into public.beneficiaries (user_id, id, name, destination, payee_name)
  values (
    me, add_account_beneficiary.id, add_account_beneficiary.name, account, bank_name || ' ••••' || right(digits, 4)
  )
  returning * into added;
  return added;
end
$$;
comment on function public.add_account_beneficiary(uuid, text, text, text, text, text, text) is
  'Adds an account at another bank to the caller''s beneficiaries and returns the beneficiary. A repeated call with the same id adds nothing. The beneficiary has the name of the account''s holder. Checks only the form of the account, because this bank cannot look it up. The caller must then confirm the beneficiary with public.confirm_beneficiary. Raises PT422 for an unknown bank, and for an invalid number, identification or name. Raises PT409 for an id that was used for another beneficiary, and for an account that is already in the list. Also raises the errors of private.require_new_beneficiary.';
grant execute on function public.add_account_beneficiary(uuid, text, text, text, text, text, text) to authenticated;
