-- Customers' views, export and erasure of their own data.

create view public.journal_entries with (security_invoker = true) as
select
  j.user_id,
  j.seq,
  j.kind,
  j.transaction_id,
  j.delta,
  j.balance_after,
  j.actor,
  j.recorded_at,
  encode(j.previous_hash, 'hex') as previous_hash,
  encode(j.hash, 'hex') as hash
from ledger.journal j;

comment on view public.journal_entries is
  'The caller''s own chain, page by page along seq: everything that ledger.entry_hash takes, so that the browser can recompute it.';
comment on column public.journal_entries.user_id is 'The caller.';
comment on column public.journal_entries.seq is '1, 2, 3, … without gaps.';
comment on column public.journal_entries.kind is 'deposit, expense, edit, reversal, removal, restoration or closing.';
comment on column public.journal_entries.transaction_id is 'The transaction that it is about; it may be gone.';
comment on column public.journal_entries.delta is 'Signed units of currency by which the balance moved.';
comment on column public.journal_entries.balance_after is 'Units of currency: the sum of all deltas up to this one.';
comment on column public.journal_entries.actor is 'The person that acted: the customer, or the id of an administrator; null for the system.';
comment on column public.journal_entries.recorded_at is 'When it was written, to the microsecond: the hash takes all six digits.';
comment on column public.journal_entries.previous_hash is 'Hex of the hash before; 64 zeros in the first entry.';
comment on column public.journal_entries.hash is 'Hex of SHA-256 as ledger.entry_hash takes it.';

revoke all on public.journal_entries from public, anon, authenticated, service_role;
grant select on public.journal_entries to authenticated;

create type public.balance_explanation as (
  balance numeric,
  opening numeric,
  deposits numeric,
  expenses numeric,
  corrections numeric,
  entries bigint,
  last_seq bigint,
  last_kind text,
  last_recorded_at timestamptz
);
comment on type public.balance_explanation is
  'Why a balance is what it is: opening + deposits + expenses + corrections = balance, to the last hundredth. All amounts are signed units of currency.';
comment on column public.balance_explanation.balance is 'The customer''s balance now.';
comment on column public.balance_explanation.opening is 'The opening balance: 0, because every account of this bank begins empty and its chain at seq 1.';
comment on column public.balance_explanation.deposits is 'The sum of the postings of deposits, also of those that left the customer''s list.';
comment on column public.balance_explanation.expenses is 'The sum of the postings of expenses, below or equal to 0.';
comment on column public.balance_explanation.corrections is 'Reversals of deleted expenses and restorations of them, netted.';
comment on column public.balance_explanation.entries is 'How many entries the chain has.';
comment on column public.balance_explanation.last_seq is 'Number of the latest entry; null without entries.';
comment on column public.balance_explanation.last_kind is 'Kind of the latest entry; null without entries.';
comment on column public.balance_explanation.last_recorded_at is 'When the latest entry was written; null without entries.';

create function private.explain_balance_of(customer uuid) returns setof public.balance_explanation
  language sql stable
  set search_path = ''
as $$
  -- One statement, one snapshot: the balance and its entries are of one moment.
  select row(
    b.balance, 0::numeric, sums.deposits, sums.expenses, sums.corrections, sums.entries,
    latest.seq, latest.kind, latest.recorded_at
  )::public.balance_explanation
  from public.budgets b
  cross join lateral (
    select
      coalesce(sum(j.delta) filter (where j.kind = 'deposit'), 0) as deposits,
      coalesce(sum(j.delta) filter (where j.kind = 'expense'), 0) as expenses,
      coalesce(sum(j.delta) filter (where j.kind not in ('deposit', 'expense')), 0) as corrections,
      count(*) as entries
    from public.journal_entries j where j.user_id = b.user_id
  ) sums
  left join lateral (
    select j.seq, j.kind, j.recorded_at
    from public.journal_entries j where j.user_id = b.user_id order by j.seq desc limit 1
  ) latest on true
  where b.user_id = customer
$$;
comment on function private.explain_balance_of(uuid) is
  'Explains a customer''s balance in sums of their journal, with the rights of its caller; no row without rights.';
grant execute on function private.explain_balance_of(uuid) to authenticated;

create function public.explain_balance() returns public.balance_explanation
  language sql stable
  set search_path = ''
as $$
  select e from private.explain_balance_of((select auth.uid())) e
$$;
comment on function public.explain_balance() is
  'Why the caller''s balance is what it is, in sums of their own journal; with the caller''s own rights.';
revoke execute on function public.explain_balance() from public, anon, service_role;
grant execute on function public.explain_balance() to authenticated;

-- Habeas data (Ley 1581 de 2012): a customer takes all that names them with them, and has themself erased.

create function private.rows_about(
  relation text, column_name text, person uuid, secrets text[] default '{}'
) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  -- Times read the same in JSON, whatever time zone the reader works in.
  set timezone = 'UTC'
as $$
declare
  found_rows jsonb;
begin
  -- Where the product runs on a hosted project, some of the authentication service's tables are not there.
  if to_regclass(relation) is null then
    return '[]';
  end if;
  execute format(
    'select coalesce(jsonb_agg(to_jsonb(t) - $2), ''[]'') from %s t where t.%I = $1', to_regclass(relation), column_name
  ) into found_rows using person, secrets;
  return found_rows;
end
$$;
comment on function private.rows_about(text, text, uuid, text[]) is
  'The rows of a table that are about a person, as JSON without the named columns; for public.export_my_data alone, which names tables itself.';

create function public.export_my_data() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  set timezone = 'UTC'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null then
    raise exception 'Inicia sesión para continuar.' using errcode = '42501';
  end if;
  -- The keys are the tables' names: tests/database/own-data.test.ts compares them with the catalogue. Left out are
  -- only hashes and keys, which say nothing about a person.
  return jsonb_build_object(
    'exported_at', now(),
    'auth.users', private.rows_about('auth.users', 'id', me, array[
      'encrypted_password', 'confirmation_token', 'recovery_token', 'email_change_token_new',
      'email_change_token_current', 'phone_change_token', 'reauthentication_token'
    ]),
    'auth.identities', private.rows_about('auth.identities', 'user_id', me),
    'auth.sessions', private.rows_about('auth.sessions', 'user_id', me, array['refresh_token_hmac_key']),
    'auth.one_time_tokens', private.rows_about('auth.one_time_tokens', 'user_id', me, array[
      'token_hash', 'code_mac', 'code_challenge'
    ]),
    'auth.flow_state', private.rows_about('auth.flow_state', 'user_id', me, array[
      'auth_code', 'auth_code_hash', 'code_challenge', 'provider_access_token', 'provider_refresh_token'
    ]),
    'auth.mfa_factors', private.rows_about('auth.mfa_factors', 'user_id', me, array[
      'secret', 'web_authn_credential', 'last_webauthn_challenge_data', 'begun_in', 'undo_hash'
    ]),
    'auth.address_changes', private.rows_about('auth.address_changes', 'user_id', me, array['confirm_hash', 'cancel_hash']),
    'auth.known_networks', private.rows_about('auth.known_networks', 'user_id', me),
    'public.profiles', private.rows_about('public.profiles', 'id', me),
    'public.user_safe', private.rows_about('public.user_safe', 'id', me),
    'public.budgets', private.rows_about('public.budgets', 'user_id', me),
    'public.corrections', private.rows_about('public.corrections', 'user_id', me),
    'public.imports', private.rows_about('public.imports', 'user_id', me, array['body_hash']),
    'public.batch_lines', private.rows_about('public.batch_lines', 'user_id', me),
    'public.recurring_expenses', private.rows_about('public.recurring_expenses', 'user_id', me),
    'public.recurring_occurrences', private.rows_about('public.recurring_occurrences', 'user_id', me),
    'public.categories', private.rows_about('public.categories', 'user_id', me),
    'public.category_budgets', private.rows_about('public.category_budgets', 'user_id', me),
    'public.category_rules', private.rows_about('public.category_rules', 'user_id', me),
    'ledger.deleted_transactions', private.rows_about('ledger.deleted_transactions', 'user_id', me),
    'ledger.idempotency_keys', private.rows_about('ledger.idempotency_keys', 'actor', me, array['body_hash', 'response']),
    'ledger.audit_targets', private.rows_about('ledger.audit_targets', 'target', me),
    -- Acts on them or by them. Other parties, and acts on others, are other people's data.
    'ledger.audit', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', a.id, 'recorded_at', a.recorded_at, 'action', a.action,
        'before', case when a.target = me then a.before end,
        -- Of the reasons of a block a person learns their own wish alone.
        'after', case when a.target = me then
          case when a.after ->> 'reason' <> 'customer_request' then a.after - 'reason' else a.after end
        end,
        'was_done_by_me', a.actor is not distinct from me
      ) order by a.id), '[]')
      from ledger.audit a where a.target = me or a.actor = me
    )
  );
end
$$;
comment on function public.export_my_data() is
  'Everything that names the caller, by table, except the tables that they read in pages themself: public.transactions, public.transaction_edits, public.import_lines and public.journal_entries. Without hashes and keys.';
revoke execute on function public.export_my_data() from public, anon, service_role;
grant execute on function public.export_my_data() to authenticated;

create function private.delete_own_account() returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if (select auth.uid()) is null then
    raise exception 'Inicia sesión para continuar.' using errcode = '42501';
  end if;
  -- Rows that reference the user go with them. Triggers keep the last administrator and close the account's journal.
  delete from auth.users u where u.id = (select auth.uid());
end
$$;
comment on function private.delete_own_account() is
  'Erases the caller. Not reachable through the table API: the function delete-account asks for the password first. P0001 for the last administrator.';
grant execute on function private.delete_own_account() to authenticated;

-- Purges expired rows that no request would remove (docs/privacy.md). The server calls it every ten minutes.

create function private.purge_expired(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  removed integer;
  total integer;
begin
  delete from ledger.deleted_transactions d where (d.user_id, d.id) in (
    select due.user_id, due.id from ledger.deleted_transactions due
    where due.deleted_at < now() - interval '24 hours'
    limit rows_max
    for update skip locked
  );
  get diagnostics total = row_count;
  delete from ledger.idempotency_keys k where (k.actor, k.route, k.key) in (
    select due.actor, due.route, due.key from ledger.idempotency_keys due
    where due.created_at <= now() - interval '48 hours'
    limit rows_max
    for update skip locked
  );
  get diagnostics removed = row_count;
  total := total + removed;
  -- The address never confirmed the account. A link that is still good, or money, keeps the account.
  delete from auth.users u where u.id in (
    select due.id from auth.users due
    where due.email_confirmed_at is null and due.created_at <= now() - interval '7 days'
      and due.last_sign_in_at is null
      and due.raw_app_meta_data ->> 'role' is distinct from 'admin'
      and not exists (
        select from auth.one_time_tokens t where t.user_id = due.id and t.created_at > now() - interval '24 hours'
      )
      and not exists (select from ledger.journal j where j.user_id = due.id)
    limit rows_max
    for update skip locked
  );
  get diagnostics removed = row_count;
  return total + removed;
end
$$;
comment on function private.purge_expired(integer) is
  'Removes deleted transactions after 24 hours, idempotency keys after 48 and accounts that were never confirmed after 7 days, up to a number of rows of each, and returns how many in all.';
grant execute on function private.purge_expired(integer) to supabase_auth_admin;

-- Functions are for the roles that they are granted to by name.
revoke execute on all functions in schema private from public;
