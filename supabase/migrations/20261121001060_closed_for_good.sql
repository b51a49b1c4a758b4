-- The journal outlives the customer under their id. Whoever got a closed account's id would read its chain as their
-- own, and write on after the closing entry, which no verification lets pass: such an id is nobody's again.

create or replace function private.open_budget() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if exists (select from ledger.journal j where j.user_id = new.id and j.kind = 'closing') then
    raise exception 'The account of this id is closed.' using errcode = '23505', constraint = 'users_pkey';
  end if;
  insert into public.budgets (user_id) values (new.id) on conflict do nothing;
  return null;
end
$$;
comment on function private.open_budget() is
  'Every user has a budget from the first moment. 23505, as for an id that somebody has, for one that a closed account had.';
revoke execute on function private.open_budget() from public;
