-- Opening an account, by whichever program creates a user.

create function private.check_new_person() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if new.raw_app_meta_data ->> 'role' is not distinct from 'admin' and not private.may_promote(new) then
    -- Creates the user as a customer until another administrator approves the promotion.
    perform private.request_approval('promotion', o.request_id, new.id, null, '{}')
    from private.orders o where o.about = new.id and o.kind = 'create_user' and o.request_id is not null;
    if not found then
      raise exception 'Otro administrador debe aprobarlo.' using errcode = 'PT403';
    end if;
    new.raw_app_meta_data := new.raw_app_meta_data - 'role';
  end if;
  -- This trigger also runs if the address is taken, so that the answer to a sign-up does not show whether it is.
  perform private.require_free_name(new);
  return new;
end
$$;
comment on function private.check_new_person() is
  'Checks the role and the name of a new user, whichever program creates the user. Refuses (PT403) a new administrator who needs the approval of another administrator, unless an order waits for it (private.order_user). Raises the errors of private.may_promote and private.require_free_name.';

create function private.open_person() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if exists (select from ledger.journal j where j.user_id = new.id and j.kind = 'closing') then
    raise exception 'The account of this id is closed.' using errcode = '23505', constraint = 'users_pkey';
  end if;
  insert into public.account_holders (user_id) values (new.id) on conflict do nothing;
  insert into public.profiles (id, full_name, role)
  values (
    new.id, private.shown_name(new), case when new.raw_app_meta_data ->> 'role' = 'admin' then 'admin' else 'user' end
  );
  insert into public.user_safe (id, email, last_sign_in_at) values (new.id, coalesce(new.email, ''), new.last_sign_in_at);
  perform private.list_person(new.id);
  insert into public.budgets (user_id) values (new.id) on conflict do nothing;
  insert into private.listed_accounts (user_id) values (new.id) on conflict do nothing;
  perform private.choose_first_topics(new.id);
  -- A person's own sign-up is not an order, but a new administrator always is.
  if (select auth.uid()) is not null or private.audit_context('origin') is not null
    or new.raw_app_meta_data ->> 'role' = 'admin'
  then
    perform private.enter_unordered('create_user', new.id, private.audited_role(new.raw_app_meta_data));
  end if;
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
comment on function private.open_person() is
  'Opens the account of a new user: the account number, the profile, the budget, the rows of the lists of staff, and the notices about money. Enters the order unless the person signed up. Records which administrator created the user, and that this administrator knows the user''s password. Refuses the id of a closed account with 23505, as if the id were in use.';
