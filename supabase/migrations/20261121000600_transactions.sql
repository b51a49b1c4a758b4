-- Movements of money. Customers record their own expenses; everything else comes from the bank.

create table public.transactions (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  type text not null,
  description text not null,
  amount numeric not null,
  date timestamptz not null default now(),
  category text,
  recorded_by text not null default 'customer',
  -- The customer first: whoever shards this table one day shards it by customer, and a deletion that
  -- is announced says whose row it was.
  primary key (user_id, id),
  constraint transactions_type_known check (type in ('deposit', 'expense')),
  -- Plain numeric with these conditions: numeric(14,2) would round what it should refuse, and take NaN.
  constraint transactions_amount_is_money check (
    amount > 0 and amount <= 999999999999.99 and scale(trim_scale(amount)) <= 2
  ),
  -- contract/plain-line.ts has the same characters: first what is refused (controls, separators of lines, turns of the
  -- direction of writing), then what shows nothing (blanks, joiners, fillers, selectors, tags). Literals, because a
  -- function would be inlined anew for each INSERT.
  constraint transactions_description_is_a_line check (
    char_length(description) <= 200
    and description is nfc normalized
    and description !~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]'
    and description ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  ),
  constraint transactions_category_is_a_word check (
    char_length(category) <= 50
    and category is nfc normalized
    and category !~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]'
    and category ~ '[^ \u00A0\u00AD\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200D\u202F\u205F-\u2064\u206A-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\uFFF9-\uFFFB\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
  ),
  constraint transactions_recorder_known check (recorded_by in ('customer', 'bank'))
);
create index transactions_newest_first on public.transactions (user_id, date desc, id desc);

comment on table public.transactions is 'One row for each deposit or expense of a customer. Rows are added and deleted, never changed.';
comment on column public.transactions.user_id is 'Whose it is.';
comment on column public.transactions.id is 'Unique among the customer''s own; the client may choose it, so that a retry cannot record twice.';
comment on column public.transactions.type is '"deposit" adds to the balance, "expense" takes from it.';
comment on column public.transactions.description is 'One line of up to 200 characters.';
comment on column public.transactions.amount is 'Units of currency, positive, at most two decimals: the type gives the sign.';
comment on column public.transactions.date is 'When it happened, as the recorder says; within ten years back and one day ahead.';
comment on column public.transactions.category is 'One of the product''s categories or any other word of up to 50 characters; may be null for deposits.';
comment on column public.transactions.recorded_by is '"bank" for what came through manage-transactions, "customer" for their own expenses. No client can write it.';

-- What the table API tells whoever does not keep to one of them.
comment on constraint transactions_type_known on public.transactions is 'El tipo debe ser depósito o gasto.';
comment on constraint transactions_amount_is_money on public.transactions is 'El monto debe ser mayor que cero, con dos decimales como máximo.';
comment on constraint transactions_description_is_a_line on public.transactions is 'Escribe una descripción de 200 caracteres como máximo.';
comment on constraint transactions_category_is_a_word on public.transactions is 'La categoría no es válida.';

alter table public.transactions replica identity full;
alter table public.transactions enable row level security;
alter table public.transactions force row level security;
revoke all on public.transactions from anon, authenticated, service_role;
grant select, delete, insert (user_id, id, type, description, amount, date, category) on public.transactions to authenticated;
grant select on public.transactions to service_role;

create policy "customers read their own transactions" on public.transactions
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own transactions" on public.transactions is 'Administrators too: only their own.';

create policy "customers record their own expenses" on public.transactions
  for insert to authenticated with check (user_id = (select auth.uid()) and type = 'expense');
comment on policy "customers record their own expenses" on public.transactions is 'Deposits come from the bank.';

create policy "customers delete their own transactions" on public.transactions
  for delete to authenticated using (user_id = (select auth.uid()));
comment on policy "customers delete their own transactions" on public.transactions is
  'What a deletion means for the balance is the trigger''s business.';

create policy "the service reads every transaction" on public.transactions for select to service_role using (true);
comment on policy "the service reads every transaction" on public.transactions is 'For the operator''s own programs.';

create function private.check_transaction_date() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Not a CHECK: what is right today must still load from a backup in ten years.
  if new.date not between now() - interval '10 years' and now() + interval '1 day' then
    raise exception 'La fecha debe estar entre hace diez años y mañana.' using errcode = '23514';
  end if;
  return new;
end
$$;
comment on function private.check_transaction_date() is 'Refuses dates that can only be mistakes.';
revoke execute on function private.check_transaction_date() from public;

create trigger check_transaction_date before insert on public.transactions
  for each row execute function private.check_transaction_date();

create function private.refuse_transaction_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception 'A transaction is deleted and recorded again, never changed.' using errcode = '42501';
end
$$;
comment on function private.refuse_transaction_change() is 'The journal has the amounts as they were: they stay so.';
revoke execute on function private.refuse_transaction_change() from public;

create trigger transactions_do_not_change before update or truncate on public.transactions
  for each statement execute function private.refuse_transaction_change();

create function private.post_transaction() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform ledger.post(new.user_id, new.type, new.id, case new.type when 'deposit' then new.amount else -new.amount end);
  elsif exists (select from public.budgets b where b.user_id = old.user_id) then
    if old.recorded_by = 'bank' then
      -- The bank's money is not the customer's to change: the row leaves their list, the balance stays.
      perform ledger.post(old.user_id, 'removal', old.id, 0);
    else
      perform ledger.post(old.user_id, 'reversal', old.id, case old.type when 'deposit' then -old.amount else old.amount end);
    end if;
  end if;
  return null;
end
$$;
comment on function private.post_transaction() is
  'Posts a new transaction, reverses a deleted own expense, notes the removal of a bank-recorded one.';
revoke execute on function private.post_transaction() from public;

create trigger post_transaction after insert or delete on public.transactions
  for each row execute function private.post_transaction();

create function private.register_transaction(
  customer uuid, kind text, value numeric, line text, happened_at timestamptz, filed_under text
) returns uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  registered uuid;
begin
  perform private.require_admin();
  if not exists (select from auth.users u where u.id = customer) then
    raise exception 'El usuario no existe.' using errcode = 'P0002';
  end if;
  insert into public.transactions (user_id, type, amount, description, date, category, recorded_by)
  values (customer, kind, value, line, happened_at, filed_under, 'bank')
  returning id into registered;
  return registered;
end
$$;
comment on function private.register_transaction(uuid, text, numeric, text, timestamptz, text) is
  'Records a deposit or expense in the bank''s name for an administrator; P0002 when there is no such user.';
revoke execute on function private.register_transaction(uuid, text, numeric, text, timestamptz, text) from public;
grant execute on function private.register_transaction(uuid, text, numeric, text, timestamptz, text) to authenticated;

create function public.register_transaction(
  user_id uuid, type text, amount numeric, description text, date timestamptz, category text
) returns uuid
  language sql
  set search_path = ''
  return private.register_transaction(user_id, type, amount, description, date, category);
comment on function public.register_transaction(uuid, text, numeric, text, timestamptz, text) is
  'Records a deposit or expense for any customer; administrators only. Called by the function manage-transactions.';
revoke execute on function public.register_transaction(uuid, text, numeric, text, timestamptz, text) from public, anon, service_role;
grant execute on function public.register_transaction(uuid, text, numeric, text, timestamptz, text) to authenticated;
