-- Audit of the transactions that the bank recorded individually, and of corrections. Each batch and each decision about a
-- transfer has its own audit entry.

create function private.audit_transaction() returns trigger
  language plpgsql security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the writing session uses.
  set timezone = 'UTC'
as $$
declare
  corrected uuid;
  replaced uuid;
  approved public.requests;
begin
  -- A batch has a single audit entry, which is written when the batch is ordered. If a transaction has the id of a line
  -- but was recorded in another way, it does not belong to the batch.
  if exists (
    select from public.batch_lines l
    where l.user_id = new.user_id and l.transaction_id = new.id and l.status = 'posted'
  ) then
    return null;
  end if;
  -- The reversal of a batch also has a single audit entry. The batch's lines are marked in the same database
  -- transaction that reverses them. No user is signed in while the server reverses a batch, whereas an administrator is
  -- signed in while correcting a single deposit.
  if (select auth.uid()) is null and exists (
    select from public.corrections c
    join public.batch_lines l on l.user_id = c.user_id and l.transaction_id = c.mistake_id
    where c.user_id = new.user_id and c.id = new.id and l.status = 'reversed'
  ) then
    return null;
  end if;
  -- The audit does not record a transfer, because the payer ordered it. An administrator's decision about a transfer
  -- has a separate audit entry.
  if exists (
    select from public.requests r
    where r.id = coalesce(
        (select c.mistake_id from public.corrections c where c.user_id = new.user_id and c.id = new.id), new.id
      )
      and r.status in ('done', 'returned') and new.user_id in (r.payer, r.payee)
  ) then
    return null;
  end if;
  -- Restoring a bank transaction is not audited, because the customer changes only their own list.
  if (
    select j.kind from ledger.journal j
    where j.user_id = new.user_id and j.transaction_id = new.id and j.kind <> 'edit' order by j.seq desc limit 1
  ) in ('deposit', 'expense') then
    select c.corrected_id into corrected from public.corrections c where c.user_id = new.user_id and c.id = new.id;
    -- A customer has only a few corrections, so this query needs no index.
    select c.corrected_id into replaced from public.corrections c
    where c.user_id = new.user_id and c.replacement_id = new.id;
    -- A replacement belongs to the same request as its correction.
    select r.* into approved from public.requests r
    where r.about = new.user_id and r.kind in ('transaction', 'correction') and r.status = 'done'
      and r.id in (new.id, (
        select c.id from public.corrections c where c.user_id = new.user_id and c.replacement_id = new.id
      ));
    perform private.record_audit(
      case when corrected is null then 'register_transaction' else 'correct_transaction' end, new.user_id, null,
      jsonb_strip_nulls(jsonb_build_object(
        'id', new.id, 'corrects', corrected, 'replaces', replaced, 'type', new.type,
        'amount', to_char(new.amount, 'FM999999999999990.00'), 'date', new.date
      )) || coalesce(private.approved_by(approved), '{}'),
      approved.asked_by
    );
  end if;
  return null;
end
$$;
comment on function private.audit_transaction() is
  'Records every bank transaction in the audit, except the postings of batches and transfers. If a second administrator approved the transaction, the actor of the entry is the administrator who requested it. The entry also names the administrator who approved it. Omits the description, because it is free text about a person.';

create constraint trigger audit_bank_transaction
  after insert on public.transactions
  deferrable initially deferred
  for each row when (new.recorded_by = 'bank')
  execute function private.audit_transaction();

revoke execute on all functions in schema private from public;
