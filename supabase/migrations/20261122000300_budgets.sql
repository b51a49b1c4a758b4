-- Each customer's balance and monthly limit.

create table public.budgets (
  user_id uuid primary key references auth.users (id) on delete cascade,
  balance numeric not null default 0,
  monthly_limit numeric,
  noted numeric not null default 0,
  -- A JavaScript number is exact only up to 2^53 hundredths. A browser would show a balance above 2^53 hundredths
  -- incorrectly.
  constraint budgets_balance_exact check (
    balance between -90071992547409.91 and 90071992547409.91 and scale(trim_scale(balance)) <= 2
  ),
  -- A transfer checks only the balance. The customer's notes must therefore never make the balance larger than the
  -- balance according to the bank.
  constraint budgets_notes_only_lower check (noted <= 0),
  constraint budgets_monthly_limit_is_money check (
    monthly_limit > 0 and monthly_limit <= 999999999999.99 and scale(trim_scale(monthly_limit)) <= 2
  )
);

comment on table public.budgets is 'One row for each customer: the balance that the bank holds, and the monthly limit that the customer set.';
comment on column public.budgets.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.budgets.balance is 'The balance in units of the account''s currency, with at most two decimals; may be negative. Only postings to the ledger change it.';
comment on column public.budgets.noted is 'The sum, in units of currency, of the customer''s notes, which are the expenses that the customer recorded; never positive. The balance minus this sum is the balance according to the bank. Only postings to the ledger change it.';
comment on column public.budgets.monthly_limit is 'The limit for each calendar month in Bogotá, in units of currency with at most two decimals; null until the customer sets a limit.';

-- If a row violates a constraint, the table API answers with the comment on that constraint.
comment on constraint budgets_balance_exact on public.budgets is 'El saldo quedaría fuera de lo que el banco puede registrar.';
comment on constraint budgets_notes_only_lower on public.budgets is 'Las anotaciones del cliente no pueden aumentar el saldo.';
comment on constraint budgets_monthly_limit_is_money on public.budgets is 'El límite mensual debe ser mayor que cero, con dos decimales como máximo.';

alter table public.budgets enable row level security, force row level security;
alter table public.budgets replica identity full;
revoke all on public.budgets from anon, authenticated, service_role;
grant select, update (monthly_limit) on public.budgets to authenticated;
grant select on public.budgets to service_role;

create policy "customers read their own budget" on public.budgets
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own budget" on public.budgets is 'The table API shows customers only their own balance.';

create policy "customers set their own monthly limit" on public.budgets
  for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers set their own monthly limit" on public.budgets is 'The column grant covers only the limit. Customers therefore cannot change their balance.';

create policy "the service reads every budget" on public.budgets for select to service_role using (true);
comment on policy "the service reads every budget" on public.budgets is 'Lets the operator''s tools read the table.';

alter publication supabase_realtime add table public.budgets;

-- The balance changes with each posting, which has limits of its own.
select private.limit_written_rows('public.budgets', $$current_user = 'authenticated'$$);

revoke execute on all functions in schema private from public;
