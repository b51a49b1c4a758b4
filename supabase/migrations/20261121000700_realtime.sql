-- The tables whose changes a customer may watch.

alter publication supabase_realtime add table public.transactions, public.budgets;
alter table public.budgets replica identity full;
