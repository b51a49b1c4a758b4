-- Planning: a customer orders and plans their spending with categories, rules, limits and recurring expenses.
-- Uses: money, orders.
-- Promises: each row belongs to one customer, who has a limited number of rows. No row moves money of the bank.

-- A customer's own categories, and rules that categorize expenses by their description. A transaction stores the name
-- of its category as text. These tables determine only which names the page offers and proposes.

create table public.categories (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  primary key (user_id, name),
  constraint categories_name_is_a_word check (private.is_word(name, 50))
);
create unique index categories_once on public.categories (user_id, private.folded(name));

comment on table public.categories is 'One row for each category that a customer created in addition to the product''s categories.';
comment on column public.categories.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.categories.name is 'Name of the category. Changing the name here also changes it in transactions, rules, limits and recurring expenses. Deleting the category does not change transactions.';
comment on constraint categories_name_is_a_word on public.categories is 'Escribe un nombre de 50 caracteres como máximo.';
alter table public.categories replica identity full;
grant select, delete, insert, update (name) on public.categories to authenticated;
create policy "customers keep categories of their own" on public.categories
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers keep categories of their own" on public.categories is 'The column grants allow customers to change only the name.';
alter publication supabase_realtime add table public.categories;

create table public.category_rules (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  contains text not null,
  category text not null,
  position numeric not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  first_seq bigint,
  entries integer,
  undone_at timestamptz,
  -- Truncates the text, because constraints are checked only later, and folding takes quadratic time.
  folded text not null generated always as (private.folded(left(contains, 100))) stored,
  primary key (user_id, id),
  constraint category_rules_text_is_a_word check (private.is_word(contains, 100) and char_length(contains) >= 2),
  constraint category_rules_category_is_a_word check (private.is_word(category, 50)),
  -- Without this limit, a customer could store numbers of any length.
  constraint category_rules_position_is_short check (position between 0 and 10000 and scale(position) <= 1),
  -- Customers are allowed to write the columns `entries` and `first_seq`. This limit prevents them from making an undo
  -- change more rows than one application of a rule could.
  constraint category_rules_entries_are_few check (entries between 1 and 10000),
  constraint category_rules_first_seq_is_one check (first_seq between 1 and 1000000000000000)
);
create unique index category_rules_once on public.category_rules (user_id, folded);

comment on table public.category_rules is 'One row for each rule of a customer. A rule assigns a category to expenses whose description contains a given text. The first matching rule applies.';
comment on column public.category_rules.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.category_rules.id is 'Unique for each customer.';
comment on column public.category_rules.contains is 'Text to find in descriptions, ignoring case and accents; from 2 to 100 characters.';
comment on column public.category_rules.category is 'The category that the rule assigns to matching expenses.';
comment on column public.category_rules.position is 'Rules are tried in ascending order of position. Among equal positions, the newest rule is tried first.';
comment on column public.category_rules.created_at is 'Time at which the rule was created.';
comment on column public.category_rules.first_seq is 'Number (seq) of the journal entry of the first edit that the rule''s last application made; null if the rule was never applied.';
comment on column public.category_rules.entries is 'Number of edits that the last application made. The journal entries of these edits are consecutive and start at first_seq.';
comment on column public.category_rules.undone_at is 'Time at which the customer undid the last application; null if the application was not undone.';
comment on column public.category_rules.folded is 'The text of the column `contains` in lower case and without accents (private.folded), for comparison with descriptions.';
comment on constraint category_rules_text_is_a_word on public.category_rules is 'Escribe entre 2 y 100 caracteres de la descripción.';
comment on constraint category_rules_category_is_a_word on public.category_rules is 'La categoría no es válida.';
comment on constraint category_rules_entries_are_few on public.category_rules is 'Una regla archiva hasta 10.000 movimientos.';
comment on constraint category_rules_first_seq_is_one on public.category_rules is 'El primer registro de la regla no es válido.';
comment on constraint category_rules_position_is_short on public.category_rules is 'El orden de las reglas no es válido.';
-- The replica identity is the key. From PostgreSQL 18 on, a publication of deletions refuses a table whose replica
-- identity includes a generated column.
grant select, delete, insert (user_id, id, contains, category),
  update (contains, category, position, first_seq, entries, undone_at) on public.category_rules to authenticated;
create policy "customers keep rules of their own" on public.category_rules
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "customers keep rules of their own" on public.category_rules is 'A rule gives customers no additional rights: they could make the same changes by editing their transactions one by one.';
alter publication supabase_realtime add table public.category_rules;

-- A customer's monthly limits by category, and the amounts that are carried over to the next month.

create table public.category_budgets (
  user_id uuid not null references auth.users (id) on delete cascade,
  category text not null,
  month date not null,
  monthly_limit numeric,
  carries_over boolean not null default false,
  primary key (user_id, category, month),
  constraint category_budgets_category_is_a_word check (private.is_word(category, 50)),
  constraint category_budgets_limit_is_money check (
    monthly_limit > 0 and monthly_limit <= 999999999999.99 and scale(trim_scale(monthly_limit)) <= 2
  )
);

comment on table public.category_budgets is 'One row for each month in which a customer changed a category''s limit. The limit applies until the month of the next row. The amounts that are carried over are computed from these rows.';
comment on column public.category_budgets.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.category_budgets.category is 'Name of the category, as stored in public.transactions.';
comment on column public.category_budgets.month is 'First day (in Bogotá) of the month from which the limit applies.';
comment on column public.category_budgets.monthly_limit is 'Units of currency with at most two decimals, per calendar month in Bogotá; null if the category has no limit from that month on.';
comment on column public.category_budgets.carries_over is 'Whether the unspent rest of the limit, or the amount spent above the limit, is carried over to the next month.';
comment on constraint category_budgets_category_is_a_word on public.category_budgets is 'La categoría no es válida.';
comment on constraint category_budgets_limit_is_money on public.category_budgets is 'El límite debe ser mayor que cero, con dos decimales como máximo.';

grant select on public.category_budgets to authenticated;

create policy "customers read their own category limits" on public.category_budgets
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own category limits" on public.category_budgets is 'Customers set their limits with public.set_category_budget, which takes the month from the database''s clock.';

-- Recurring expenses: payments that customers expect every week, every two weeks, every month or every year. A
-- transaction with a similar description settles a due payment. If the customer chooses, the database itself records
-- the payment on its due day. The due day is determined by the database's clock in Bogotá's time zone. Customers can
-- confirm, change, pause and end recurring expenses.

create table public.recurring_expenses (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  description text not null,
  amount numeric not null,
  category text,
  rhythm text not null,
  due_day smallint,
  next_due_on date not null,
  expected_from date not null,
  is_automatic boolean not null default false,
  status text not null default 'active',
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, id),
  constraint recurring_expenses_rhythm_known check (rhythm in ('weekly', 'biweekly', 'monthly', 'yearly')),
  constraint recurring_expenses_status_known check (status in ('active', 'paused', 'ended', 'dismissed')),
  constraint recurring_expenses_due_day_fits check (
    case
      when rhythm in ('weekly', 'biweekly') then due_day is null
      else due_day between 1 and 31 and extract(day from next_due_on) = least(
        due_day, extract(day from date_trunc('month', next_due_on::timestamp) + interval '1 month - 1 day')
      )
    end is true
  )
);
create index recurring_expenses_due on public.recurring_expenses (next_due_on, user_id, id) where status = 'active';

comment on table public.recurring_expenses is 'One row for each recurring expense of a customer, including ended expenses and dismissed proposals.';
comment on column public.recurring_expenses.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.recurring_expenses.id is 'Unique for each customer. The client chooses the id, so that a retry cannot add the expense twice.';
comment on column public.recurring_expenses.description is 'The description of the transactions that settle the payments. Descriptions are compared ignoring case, accents, digits and punctuation (private.normalize_payee).';
comment on column public.recurring_expenses.amount is 'Amount of each payment in units of currency: positive, with at most two decimals. The amount of a transaction that settles the payment may differ by up to 10 %.';
comment on column public.recurring_expenses.category is 'The category of the payments that the database records; may be null.';
comment on column public.recurring_expenses.rhythm is 'weekly, biweekly (every 14 days), monthly or yearly.';
comment on column public.recurring_expenses.due_day is 'Day of the month for monthly and yearly expenses. In a shorter month, the last day is used. Null for weekly and biweekly expenses.';
comment on column public.recurring_expenses.next_due_on is 'The next due day in Bogotá. private.record_due_expenses advances it.';
comment on column public.recurring_expenses.expected_from is 'Due days before this date never count as missing. A change of the description, amount or rhythm sets this date to the day of the change. A change of next_due_on, or the end of a pause, sets this date to next_due_on.';
comment on column public.recurring_expenses.is_automatic is 'Whether the database records the payment on its due day if no transaction has settled the payment.';
comment on column public.recurring_expenses.status is '`active`: payments are expected on the due days. `paused`: payments are neither expected nor recorded. `ended`: the expense cannot become active again. `dismissed`: a proposal that the customer declined.';
comment on column public.recurring_expenses.created_at is 'Time at which the row was first saved.';
comment on constraint recurring_expenses_rhythm_known on public.recurring_expenses is 'Elige cada semana, cada dos semanas, cada mes o cada año.';
comment on constraint recurring_expenses_due_day_fits on public.recurring_expenses is 'La fecha no cae en el día del mes que elegiste.';
grant select on public.recurring_expenses to authenticated;
create policy "customers read their own recurring expenses" on public.recurring_expenses
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own recurring expenses" on public.recurring_expenses is 'Administrators are also limited to their own recurring expenses.';

-- Copies the check constraints of public.transactions. An expense that public.transactions would refuse on the due day
-- is therefore refused when the customer saves the recurring expense.
do $$
declare
  of_movements record;
begin
  for of_movements in
    select
      replace(c.conname, 'transactions_', 'recurring_expenses_') as name,
      pg_get_constraintdef(c.oid) as definition,
      obj_description(c.oid, 'pg_constraint') as message
    from pg_catalog.pg_constraint c
    where c.conrelid = 'public.transactions'::regclass
      and c.conname in ('transactions_amount_is_money', 'transactions_description_is_a_line', 'transactions_category_is_a_word')
  loop
    execute format('alter table public.recurring_expenses add constraint %I %s', of_movements.name, of_movements.definition);
    execute format('comment on constraint %I on public.recurring_expenses is %L', of_movements.name, of_movements.message);
  end loop;
end
$$;

create table public.recurring_occurrences (
  user_id uuid not null,
  recurring_id uuid not null,
  due_on date not null,
  amount numeric not null,
  transaction_id uuid,
  recorded_at timestamptz not null default clock_timestamp(),
  -- The key prevents concurrent calls from recording a due payment twice.
  primary key (user_id, recurring_id, due_on),
  foreign key (user_id, recurring_id) references public.recurring_expenses (user_id, id) on delete cascade
);

comment on table public.recurring_occurrences is 'One row for each due day of an automatic expense on which the database recorded the payment or failed to record it.';
comment on column public.recurring_occurrences.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.recurring_occurrences.recurring_id is 'The recurring expense.';
comment on column public.recurring_occurrences.due_on is 'The due day in Bogotá.';
comment on column public.recurring_occurrences.amount is 'The expense''s amount on that day, in units of currency.';
comment on column public.recurring_occurrences.transaction_id is 'The recorded transaction, which may have been deleted since; null if the payment was refused.';
comment on column public.recurring_occurrences.recorded_at is 'Time at which the payment was recorded or refused. This time is on the due day, or later if the server was not running.';
grant select on public.recurring_occurrences to authenticated;
create policy "customers read their own occurrences" on public.recurring_occurrences
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own occurrences" on public.recurring_occurrences is 'Administrators are also limited to their own occurrences.';
