-- Corrections: bank transactions that reverse an earlier bank transaction. Staff order a correction with
-- public.correct_transaction or public.reverse_batch.

create table public.corrections (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  corrected_id uuid not null,
  mistake_id uuid not null,
  replacement_id uuid,
  reason text not null,
  corrected_by text,
  corrected_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint corrections_correct_once unique (user_id, corrected_id),
  constraint corrections_reason_is_a_line check (private.is_word(reason, 200))
);
create index corrections_by_mistake on public.corrections (user_id, mistake_id);

comment on table public.corrections is 'One row for each bank transaction that reverses an earlier bank transaction, with the reason and the administrator''s name. Append-only while the account is open. The customer may have removed the correction, the corrected transaction or both from their list.';
comment on column public.corrections.user_id is 'Owner of the correction and of the corrected transaction.';
comment on column public.corrections.id is 'Id of the correcting transaction. A later correction may reverse this transaction in turn.';
comment on column public.corrections.corrected_id is 'Id of the transaction that was a mistake. A transaction can be corrected only once.';
comment on column public.corrections.mistake_id is 'Id of the first wrong transaction. If the corrected transaction is itself a correction, this column equals the mistake_id of that correction; otherwise, this column equals corrected_id. The mistake is void while it has an odd number of corrections.';
comment on column public.corrections.replacement_id is 'Id of the transaction with the right amount, which the same call recorded; null if the correction only cancels the mistake.';
comment on column public.corrections.reason is 'One line of up to 200 characters, which the customer can read.';
comment on column public.corrections.corrected_by is 'The administrator''s name at the time of the correction; null if the administrator had no name.';
comment on column public.corrections.corrected_at is 'Time of the correction.';
comment on constraint corrections_correct_once on public.corrections is 'Este movimiento ya se corrigió.';
comment on constraint corrections_reason_is_a_line on public.corrections is 'Escribe un motivo de 200 caracteres como máximo.';

alter table public.corrections enable row level security, force row level security;
revoke all on public.corrections from anon, authenticated, service_role;
grant select on public.corrections to authenticated, service_role;

create policy "customers read their own corrections" on public.corrections
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "customers read their own corrections" on public.corrections is 'Customers see who made each correction and why.';
create policy "the service reads every correction" on public.corrections for select to service_role using (true);
comment on policy "the service reads every correction" on public.corrections is 'Lets the operator''s tools read the table.';

create function private.keep_correction() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- If the budget no longer exists, the account is being closed: closing an account deletes the budget before the
  -- corrections.
  if exists (select from public.budgets b where b.user_id = old.user_id) then
    raise exception 'The % table is append-only.', tg_table_name using errcode = '42501';
  end if;
  return old;
end
$$;
comment on function private.keep_correction() is 'Refuses to delete a correction while its account is open, even for the table''s owner.';

create trigger corrections_stay before delete on public.corrections
  for each row execute function private.keep_correction();
create trigger corrections_are_append_only before update or truncate on public.corrections
  for each statement execute function ledger.refuse_change();

revoke execute on all functions in schema private from public;
