-- Beneficiaries: the people that a customer pays. A beneficiary is identified by an e-mail address, by an alias or by
-- an account at another bank. Adding a beneficiary reveals nothing about the address. Confirming the beneficiary
-- reveals whether the address belongs to a customer, and is therefore limited.

create table public.beneficiaries (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  name text not null,
  address text,
  destination jsonb,
  created_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  payee_name text,
  removed_at timestamptz,
  primary key (user_id, id),
  constraint beneficiaries_have_one_destination check (num_nonnulls(address, destination) = 1),
  constraint beneficiaries_name_is_a_line check (private.is_word(name, 80)),
  constraint beneficiaries_address_is_one check (
    char_length(address) <= 320 and address ~ '^[^@[:space:][:cntrl:]]+@[^@[:space:][:cntrl:]]+$' and address = lower(address)
    or address like '@%' and private.is_alias(substr(address, 2))
  )
);
create unique index beneficiaries_have_one_address on public.beneficiaries (user_id, address) where removed_at is null;
create index beneficiaries_removed on public.beneficiaries (removed_at) where removed_at is not null;
comment on index public.beneficiaries_removed is 'Finds the removed beneficiaries to purge (private.purge_expired).';

comment on table public.beneficiaries is 'One row for each person that a customer may pay by transfer. Removed rows are purged after 24 hours.';
comment on column public.beneficiaries.user_id is 'The customer who added the beneficiary. The row is deleted together with the account.';
comment on column public.beneficiaries.id is 'Unique for each customer. The client chooses the id, so that a retry cannot add the beneficiary twice.';
comment on column public.beneficiaries.name is 'The name that the customer chose, or the holder of an account elsewhere; one line of up to 80 characters.';
comment on column public.beneficiaries.address is 'E-mail address, or an alias that begins with @; in lower case. Null for an account elsewhere.';
comment on column public.beneficiaries.destination is 'The account at another bank: the bank''s code `bank`, `kind` (`savings`, `checking` or `deposit`), `number`, and the holder''s `document_kind` and `document`; null for a customer of this bank.';
comment on column public.beneficiaries.created_at is 'Time at which the beneficiary was added.';
comment on column public.beneficiaries.confirmed_at is 'Time at which the customer confirmed the beneficiary; null before the confirmation.';
comment on column public.beneficiaries.payee_name is 'The masked name of the account that has the address, such as "L••• G•••"; null before the confirmation, after the account is closed, or if the address did not belong to a customer when it was confirmed. For an account elsewhere, this name is the bank and the last digits of the number, such as "Bancolombia ••••6789".';
comment on column public.beneficiaries.removed_at is 'Time at which the customer removed the beneficiary; null while the beneficiary is in the customer''s list.';
comment on constraint beneficiaries_name_is_a_line on public.beneficiaries is 'Escribe un nombre de 80 caracteres como máximo.';
comment on constraint beneficiaries_address_is_one on public.beneficiaries is 'Escribe un email o un alias válido.';

alter table public.beneficiaries replica identity full;
alter table public.beneficiaries enable row level security, force row level security;
revoke all on public.beneficiaries from anon, authenticated, service_role;
grant select on public.beneficiaries to authenticated;

create policy "customers read their own beneficiaries" on public.beneficiaries
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own beneficiaries" on public.beneficiaries is 'Includes removed beneficiaries, because a removal would otherwise not be announced to the customer''s other pages. Administrators are also limited to their own beneficiaries.';

alter publication supabase_realtime add table public.beneficiaries;
select private.limit_written_rows('public.beneficiaries');

create table private.payees (
  user_id uuid not null,
  beneficiary_id uuid not null,
  payee uuid not null references auth.users (id) on delete cascade,
  primary key (user_id, beneficiary_id),
  foreign key (user_id, beneficiary_id) references public.beneficiaries (user_id, id) on delete cascade
);
create index payees_by_account on private.payees (payee, user_id, beneficiary_id);
comment on table private.payees is 'The account of each confirmed beneficiary. A later owner of the same address does not receive the transfers.';
comment on column private.payees.user_id is 'The customer who added the beneficiary.';
comment on column private.payees.payee is 'The account. The row is deleted together with the account.';
alter table private.payees enable row level security, force row level security;

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

create function private.require_beneficiary_quota(customer uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  day_max constant integer := 5;
  kept_max constant integer := 100;
begin
  if (select count(*) from public.beneficiaries b where b.user_id = customer and b.removed_at is null) >= kept_max then
    raise exception 'Ya tienes el máximo de beneficiarios (%). Quita alguno primero.', kept_max using errcode = 'PT409';
  end if;
  perform private.require_day_quota(
    array_agg(b.created_at), array_agg(1), 1, day_max, 'Ya añadiste el máximo de beneficiarios de 24 horas (%s).'
  )
  from public.beneficiaries b where b.user_id = customer and b.created_at > now() - interval '24 hours';
end
$$;
comment on function private.require_beneficiary_quota(uuid) is
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
    raise exception 'Ya tienes un beneficiario con este email o alias.' using errcode = 'PT409';
  end if;
  perform private.require_beneficiary_quota(me);
  insert into public.beneficiaries (user_id, id, name, address) values (me, add_beneficiary.id, add_beneficiary.name, folded)
  returning * into added;
  return added;
end
$$;
comment on function public.add_beneficiary(uuid, text, text) is
  'Adds a beneficiary to the caller''s list and returns the beneficiary. A repeated call with the same id adds nothing. The address is an e-mail address, or an alias that begins with @. Does not look up the address, and therefore does not reveal whether a customer has it. Raises PT409 for an id that was used for another beneficiary, for an address that is already in the list, and for more than 100 beneficiaries. Raises PT422 for the caller''s own address or alias. Raises PT429 for more than 5 new beneficiaries in 24 hours, including removed ones.';
revoke execute on function public.add_beneficiary(uuid, text, text) from public, anon, service_role;
grant execute on function public.add_beneficiary(uuid, text, text) to authenticated;

create function public.confirm_beneficiary(id uuid) returns public.beneficiaries
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
    return confirmed;
  end if;
  if account = me then
    raise exception 'No puedes transferirte a tu propia cuenta.' using errcode = 'PT422';
  end if;
  update public.beneficiaries b
  set confirmed_at = clock_timestamp(), payee_name = case
    when b.destination is null then (select private.mask_name(p.full_name) from public.profiles p where p.id = account)
    -- Keeps the stored name, because this bank cannot look up an account at another bank.
    else b.payee_name
  end
  where b.user_id = me and b.id = confirmed.id
  returning b.* into confirmed;
  insert into private.payees (user_id, beneficiary_id, payee)
  select me, confirmed.id, p.id from public.profiles p where p.id = account;
  return confirmed;
end
$$;
comment on function public.confirm_beneficiary(uuid) is
  'Confirms a beneficiary of the caller, looks up the account with the address or alias, and returns the beneficiary with the masked name of the account. Looks up nothing for an account elsewhere. payee_name is null if the address does not belong to a customer. The negative result is also stored, so that the limit of new beneficiaries also limits how many addresses a caller can check. A second call changes nothing. The caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). Raises PT403 while the caller''s password is one that an administrator typed (private.require_own_password). Raises PT404 for an unknown or removed beneficiary, and PT422 for the caller''s own account.';
revoke execute on function public.confirm_beneficiary(uuid) from public, anon, service_role;
grant execute on function public.confirm_beneficiary(uuid) to authenticated;

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
revoke execute on function public.remove_beneficiary(uuid) from public, anon, service_role;
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

revoke execute on all functions in schema private from public;
