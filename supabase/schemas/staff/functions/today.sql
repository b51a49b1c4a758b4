-- The section *Hoy* of staff: the acts of the calling administrator today, and the unanswered invitations.

create type public.acts_of_a_day as (deposits bigint, deposited numeric, expenses bigint, spent numeric, corrections bigint,
  batches bigint, batched numeric, decisions bigint, others bigint, left_alone numeric, unanswered bigint, unanswered_batch uuid
);
comment on type public.acts_of_a_day is 'The acts of an administrator today in Bogotá, and the unanswered invitations. All amounts are in units of currency.';
comment on column public.acts_of_a_day.deposits is 'Number of deposits, without those that replace a corrected one.';
comment on column public.acts_of_a_day.deposited is 'Sum of these deposits.';
comment on column public.acts_of_a_day.expenses is 'Number of expenses, without those that replace a corrected one.';
comment on column public.acts_of_a_day.spent is 'Sum of these expenses.';
comment on column public.acts_of_a_day.corrections is 'Number of corrected transactions.';
comment on column public.acts_of_a_day.batches is 'Number of registered batches.';
comment on column public.acts_of_a_day.batched is 'Sum of the lines of these batches.';
comment on column public.acts_of_a_day.decisions is 'Number of requests that the administrator approved or declined.';
comment on column public.acts_of_a_day.others is 'Number of the administrator''s other entries in the audit, without those about reading.';
comment on column public.acts_of_a_day.left_alone is 'Amount that the administrator can still move today without a second administrator; null if the bank has no such limit.';
comment on column public.acts_of_a_day.unanswered is 'Number of customers whose last invitation is older than three days and who have not followed it.';
comment on column public.acts_of_a_day.unanswered_batch is 'The batch of the newest of these invitations; null without one.';

create function public.read_day_of_staff() returns public.acts_of_a_day
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  clerk constant uuid := (select auth.uid());
  above constant numeric := private.number('staff_approval_above');
  day public.acts_of_a_day;
begin
  perform private.require_second_factor();
  perform private.require_admin();
  select
    count(*) filter (where e.kind = 'deposit'), coalesce(sum(e.amount) filter (where e.kind = 'deposit'), 0),
    count(*) filter (where e.kind = 'expense'), coalesce(sum(e.amount) filter (where e.kind = 'expense'), 0),
    count(*) filter (where e.kind = 'correct_transaction'),
    count(*) filter (where e.kind = 'register_batch'), coalesce(sum(e.amount) filter (where e.kind = 'register_batch'), 0),
    count(*) filter (where e.kind = 'decide_request'),
    count(*) filter (where e.kind = 'other')
  into day.deposits, day.deposited, day.expenses, day.spent, day.corrections, day.batches, day.batched, day.decisions,
    day.others
  from (
    select
      case
        when a.action = 'register_transaction' and not a.after ? 'replaces' then a.after ->> 'type'
        -- The replacement belongs to its correction.
        when a.action = 'register_transaction' then 'replacement'
        when a.action in ('correct_transaction', 'register_batch', 'decide_request') then a.action
        else 'other'
      end as kind,
      (a.after ->> 'amount')::numeric as amount
    from (
      select d.action, d.after, d.recorded_at from ledger.audit d
      where d.actor = clerk and d.action !~ '^(read|list|search)_' order by d.id desc limit 10000
    ) a
    where a.recorded_at >= date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota'
  ) e;
  day.left_alone := case when above is not null then greatest(above - private.moved_today(clerk), 0) end;
  select count(*), (array_agg(i.batch_id order by i.invited_at desc))[1] into day.unanswered, day.unanswered_batch
  from (
    select l.batch_id, l.user_id, l.invited_at, l.invitation from public.batch_lines l
    where l.invited_at < now() - interval '3 days' order by l.invited_at desc limit 10000
  ) i
  join auth.users u on u.id = i.user_id
  where i.invitation = 'sent' and u.email_confirmed_at is null;
  return day;
end
$$;
comment on function public.read_day_of_staff() is
  'Returns the acts of the calling administrator today in Bogotá, the amount that is left for today without a second administrator, and the number of customers who have not answered their invitation for three days. For administrators only. Reads at most the caller''s newest 10,000 entries of the audit and the newest 10,000 invitations, each in the order of an index.';
grant execute on function public.read_day_of_staff() to authenticated;
