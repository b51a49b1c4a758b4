-- Imports of a customer's own expenses: the list alone, because the quota of transactions counts without them. The import
-- itself is in 20261122001300_imports.sql.

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

comment on table public.imports is 'One row for each import of a customer. Its entries stand in one piece in their journal, which names its transactions.';
comment on column public.imports.user_id is 'The customer. The row is deleted with the account.';
comment on column public.imports.id is 'Unique among the customer''s own; the client chooses it, so that a retry cannot import twice.';
comment on column public.imports.created_at is 'When it was imported.';
comment on column public.imports.entries is 'How many expenses it brought: one entry of the journal each.';
comment on column public.imports.amount is 'Units of currency: the sum of the expenses that it brought.';
comment on column public.imports.first_seq is 'The number of its first entry in the customer''s journal; the others follow it.';
comment on column public.imports.body_hash is 'SHA-256 of what was sent, so that the same id with something else is refused.';
comment on column public.imports.undone_at is 'When it was taken back; null while it was not.';

alter table public.imports replica identity full;
alter table public.imports enable row level security, force row level security;
revoke all on public.imports from anon, authenticated, service_role;
grant select on public.imports to authenticated, service_role;

create policy "customers read their own imports" on public.imports
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own imports" on public.imports is 'Administrators too: only their own.';

create policy "the service reads every import" on public.imports for select to service_role using (true);
comment on policy "the service reads every import" on public.imports is 'For the operator''s own programs.';

-- One announcement in place of one for each row: open pages read the list again.
alter publication supabase_realtime add table public.imports;
