-- Functions of aliases.

create function private.alias_skeleton(alias text) returns text
  language sql stable
  set search_path = ''
as $$
  select private.pair_skeleton(private.skeleton(translate(alias, '.-', '')))
$$;
comment on function private.alias_skeleton(text) is
  'Returns the same text for aliases that look alike: the skeleton without dots and hyphens (private.skeleton).';

create function private.account_at(address text) returns uuid
  language sql stable security definer
  set search_path = ''
as $$
  (
    select u.id from auth.users u
    where u.email = account_at.address and u.email_confirmed_at is not null and u.deleted_at is null
    order by u.created_at limit 1
  )
  union all
  select a.user_id from private.aliases a
  join auth.users u on u.id = a.user_id
  where a.alias = substr(account_at.address, 2) and account_at.address like '@%' and a.released_at is null
    and u.email_confirmed_at is not null and u.deleted_at is null
$$;
comment on function private.account_at(text) is
  'Returns the id of the account that has the given e-mail address or alias, or null if such an account does not exist. In the argument, an alias begins with @. A released alias has no account.';

create type public.alias_state as (alias text, changes_left integer, is_taken boolean);
comment on type public.alias_state is 'The caller''s alias.';
comment on column public.alias_state.alias is 'The present alias, without the @; null if the caller has no alias.';
comment on column public.alias_state.changes_left is 'Number of new aliases that the caller may still choose before the limit for 365 days is reached.';
comment on column public.alias_state.is_taken is 'True if the caller did not get the requested alias, because another person chose it or a similar one before.';

create function private.alias_state(is_taken boolean) returns public.alias_state
  language sql stable security definer
  set search_path = ''
  return row(
    (select a.alias from private.aliases a where a.user_id = (select auth.uid()) and a.released_at is null),
    greatest(private.limit_of('aliases in a year') - (
      select count(*)::integer from private.aliases a
      where a.user_id = (select auth.uid()) and a.chosen_at > now() - interval '365 days'
    ), 0),
    is_taken
  )::public.alias_state;
comment on function private.alias_state(boolean) is
  'Returns the state of the caller''s alias. A customer may choose 3 new aliases in 365 days, because no other person can ever choose these aliases.';

create function public.own_alias() returns public.alias_state
  language sql stable security definer
  set search_path = ''
as $$
  select private.require_feature('transferencias');
  select private.alias_state(false);
$$;
comment on function public.own_alias() is
  'Returns the caller''s alias and the number of new aliases that they may still choose. Raises PT404 while the bank has not enabled transfers.';
grant execute on function public.own_alias() to authenticated;

create function public.set_alias(alias text) returns public.alias_state
  language plpgsql security definer
  set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  wanted constant text := regexp_replace(lower(btrim(alias)), '^@', '');
  state public.alias_state;
begin
  perform private.require_feature('transferencias');
  -- Without re-authentication, a thief with a stolen session could replace the name by which others pay the customer.
  perform private.require_own_proof();
  perform private.lock_open_account();
  state := private.alias_state(false);
  if wanted is not distinct from state.alias then
    return state;
  end if;
  if not private.is_alias(wanted) then
    raise exception 'Usa de 3 a 30 letras minúsculas sin tilde, números, puntos o guiones, y empieza con una letra.'
      using errcode = 'PT422';
  end if;
  if private.is_reserved(private.alias_skeleton(wanted), is_alias => true) then
    raise exception 'Esta llave está reservada.' using errcode = 'PT422';
  end if;
  -- Returning to an earlier alias reveals nothing, and is therefore not limited.
  if wanted is not null and not exists (select from private.aliases a where a.alias = wanted and a.user_id = me) then
    perform private.require_room('aliases in a year', private.limit_of('aliases in a year') - state.changes_left);
    perform private.consume('alias tried', me::text);
    insert into private.taken_aliases (digest) values (sha256(convert_to(private.alias_skeleton(wanted), 'UTF8')))
    on conflict do nothing;
    if not found and not exists (
      select from private.aliases a
      where a.user_id = me and private.alias_skeleton(a.alias) = private.alias_skeleton(wanted)
    ) then
      -- Does not raise an error, because an error would also roll back the count of the tries.
      return private.alias_state(true);
    end if;
  end if;
  update private.aliases a set released_at = clock_timestamp() where a.user_id = me and a.released_at is null;
  if wanted is not null then
    insert into private.aliases (alias, user_id) values (wanted, me)
    on conflict on constraint aliases_pkey do update set released_at = null;
  end if;
  return private.alias_state(false);
end
$$;
comment on function public.set_alias(text) is
  'Sets the caller''s alias, with or without the @, or removes it if the argument is null, and returns its state. If another person chose the alias or a similar one before, the alias stays as it is and is_taken is true. The caller must have entered the password or a mailed code within the last ten minutes (private.require_own_proof). A customer chooses at most 3 new aliases in 365 days, and may return to an earlier alias. Raises PT409 for a fourth new alias in 365 days. Raises PT422 for an invalid or reserved alias, and PT429 for more than 10 new aliases in 24 hours, including aliases that were already taken.';
grant execute on function public.set_alias(text) to authenticated;
