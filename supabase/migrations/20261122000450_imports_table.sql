-- The list of each customer's imports. The quota for single transactions reads this list, because imported expenses do
-- not count toward that quota. The function that records an import is in 20261122001300_imports.sql.

create table public.imports (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  entries integer not null,
  amount numeric not null,
  first_seq bigint not null,
  body_hash bytea not null,
  undone_at timestamptz,
  primary key (user_id, id)
);

comment on table public.imports is 'One row for each import of a customer. The entries of an import are consecutive in the customer''s journal, and identify the imported transactions.';
comment on column public.imports.user_id is 'The customer. The row is deleted together with the account.';
comment on column public.imports.id is 'Unique for each customer. The client chooses the id, so that a retry cannot record the import twice.';
comment on column public.imports.created_at is 'Time of the import.';
comment on column public.imports.entries is 'Number of imported expenses. Each expense has one journal entry.';
comment on column public.imports.amount is 'Sum of the imported expenses in units of currency.';
comment on column public.imports.first_seq is 'Number (seq) of the import''s first entry in the customer''s journal.';
comment on column public.imports.body_hash is 'SHA-256 of the expenses in the form in which the client sent them. A call that reuses the id with different expenses is refused.';
comment on column public.imports.undone_at is 'Time at which the customer undid the import; null if the import was not undone.';

alter table public.imports replica identity full;
alter table public.imports enable row level security, force row level security;
revoke all on public.imports from anon, authenticated, service_role;
grant select on public.imports to authenticated, service_role;

create policy "customers read their own imports" on public.imports
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own imports" on public.imports is 'Administrators, like customers, can read only their own imports.';

create policy "the service reads every import" on public.imports for select to service_role using (true);
comment on policy "the service reads every import" on public.imports is 'Lets the operator''s tools read the table.';

-- Announces an import once, instead of announcing each imported expense. After the announcement, open pages reload
-- their lists.
alter publication supabase_realtime add table public.imports;
