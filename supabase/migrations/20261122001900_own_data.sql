-- Exporting and erasing a customer's own data, and purging expired data (Ley 1581 de 2012).

create function private.rows_about(relation text, column_name text, person uuid, secrets text[]) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  -- Formats the times in the JSON in UTC, whatever time zone the reading session uses.
  set timezone = 'UTC'
as $$
declare
  found_rows jsonb;
begin
  -- A hosted project does not have some of our authentication service's tables.
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
  'Returns a table''s rows about a person as JSON, without the columns that the argument `secrets` lists. Only public.export_my_data calls this function, with constant table names.';

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
  -- The object's field names are table names, because tests/database/own-data.test.ts compares these names with the
  -- catalogue. Omits only hashes and cryptographic keys, because they reveal nothing about a person.
  return jsonb_build_object('exported_at', now()) || (
    select jsonb_object_agg(t.relation, private.rows_about(t.relation, t.owner, me, t.secrets))
    from (
      values
        ('auth.users', 'id', '{
          encrypted_password, confirmation_token, recovery_token, email_change_token_new, email_change_token_current,
          phone_change_token, reauthentication_token
        }'::text[]),
        ('auth.identities', 'user_id', '{}'),
        ('auth.sessions', 'user_id', '{refresh_token_hmac_key}'),
        ('auth.one_time_tokens', 'user_id', '{token_hash, code_mac, code_challenge}'),
        ('auth.flow_state', 'user_id', '{
          auth_code, auth_code_hash, code_challenge, provider_access_token, provider_refresh_token
        }'),
        ('auth.mfa_factors', 'user_id', '{
          secret, web_authn_credential, last_webauthn_challenge_data, begun_in, undo_hash
        }'),
        ('auth.address_changes', 'user_id', '{confirm_hash, cancel_hash}'),
        ('auth.known_networks', 'user_id', '{}'),
        ('public.profiles', 'id', '{}'),
        ('public.user_safe', 'id', '{}'),
        ('public.account_holders', 'user_id', '{}'),
        ('public.holder_corrections', 'user_id', '{}'),
        ('public.budgets', 'user_id', '{}'),
        ('public.corrections', 'user_id', '{}'),
        ('public.imports', 'user_id', '{body_hash}'),
        ('public.batch_lines', 'user_id', '{}'),
        ('public.recurring_expenses', 'user_id', '{}'),
        ('public.recurring_occurrences', 'user_id', '{}'),
        ('public.categories', 'user_id', '{}'),
        ('public.category_budgets', 'user_id', '{}'),
        ('public.category_rules', 'user_id', '{}'),
        -- Exports a transfer request only to its payer. The payee reads the resulting transaction in their own list.
        ('public.requests', 'payer', '{payee, first_approved_by, decided_by, body_hash}'),
        ('public.beneficiaries', 'user_id', '{}'),
        ('private.transfer_limits', 'user_id', '{}'),
        ('private.aliases', 'user_id', '{}'),
        ('private.alias_tries', 'user_id', '{}'),
        ('public.notification_preferences', 'user_id', '{}'),
        ('public.notifications', 'user_id', '{}'),
        ('private.notification_events', 'user_id', '{}'),
        ('private.statement_notices', 'user_id', '{}'),
        ('private.notification_mails', 'user_id', '{seed}'),
        ('private.request_mails', 'user_id', '{seed}'),
        ('private.known_devices', 'user_id', '{device}'),
        ('private.access_acts', 'person', '{clerk}'),
        ('private.staff_passwords', 'user_id', '{}'),
        ('ledger.deleted_transactions', 'user_id', '{}'),
        ('ledger.idempotency_keys', 'actor', '{body_hash, response}'),
        ('ledger.audit_targets', 'target', '{}')
    ) t (relation, owner, secrets)
  ) || jsonb_build_object(
    -- Includes the actions that affected the caller and the caller's own actions. Omits the other people involved and
    -- the details of actions that affected others, because these are other people's data.
    'ledger.audit', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', a.id, 'recorded_at', a.recorded_at, 'action', a.action,
        'before', case when a.target = me then a.before end,
        -- The person sees the reason for a block only if they requested the block themselves.
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
  'Returns all rows that identify the caller, grouped by table, without hashes and keys. Omits the tables that callers can read in pages themselves: public.transactions, public.transaction_edits, public.import_lines and public.journal_entries.';
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
  perform from auth.users u where u.id = (select auth.uid()) for update;
  -- The bank would otherwise lose the amount of a transfer that it returned to the payer. The bank loses nothing if
  -- only the customer's own notes take the balance below zero.
  if exists (select from public.budgets b where b.user_id = (select auth.uid()) and b.balance < b.noted)
    and exists (select from public.requests r where r.payee = (select auth.uid()) and r.status = 'returned')
  then
    raise exception 'El banco devolvió una transferencia que recibiste y tu saldo quedó por debajo de cero. Habla con el banco antes de cerrar la cuenta.'
      using errcode = 'PT409';
  end if;
  -- Deleting the user also deletes all rows that reference the user. Triggers refuse to delete the last administrator,
  -- and close the account's journal.
  delete from auth.users u where u.id = (select auth.uid());
end
$$;
comment on function private.delete_own_account() is
  'Erases the caller''s account. Raises PT403 for the last administrator, and PT409 if the caller received a returned transfer and the balance according to the bank is below zero. Clients cannot call this SQL function through the table API; they call the server function delete-account, which asks for the password first.';
grant execute on function private.delete_own_account() to authenticated;

-- Purges expired rows that no request would remove (docs/privacy.md). The server calls this function every ten minutes.

create function private.purge_expired(rows_max integer) returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  expired record;
  removed integer := 0;
begin
  for expired in
    select * from (
      values
        ('ledger.deleted_transactions'::regclass, $due$due.deleted_at < now() - interval '24 hours'$due$),
        ('ledger.idempotency_keys', $due$due.created_at <= now() - interval '48 hours'$due$),
        -- Accounts whose address was never confirmed. Keeps accounts that have journal entries or a mailed link that may
        -- still be valid.
        ('auth.users', $due$
          due.email_confirmed_at is null and due.created_at <= now() - interval '7 days'
          and due.last_sign_in_at is null
          and due.raw_app_meta_data ->> 'role' is distinct from 'admin'
          and not exists (
            select from auth.one_time_tokens t where t.user_id = due.id and t.created_at > now() - interval '24 hours'
          )
          and not exists (select from ledger.journal j where j.user_id = due.id)
          -- The bank opened these accounts. Their customers may not have been invited yet.
          and not exists (select from public.batch_lines l where l.user_id = due.id and l.invitation is not null)
        $due$),
        ('public.new_accounts', $due$
          exists (select from public.batches b where b.id = due.batch_id and b.finished_at < now() - interval '30 days')
        $due$),
        ('public.beneficiaries', $due$due.removed_at < now() - interval '24 hours'$due$),
        ('public.notifications', $due$due.happened_at < now() - interval '90 days'$due$),
        ('private.access_acts', $due$due.acted_at <= now() - interval '90 days'$due$),
        ('private.notification_events', $due$due.happened_at < now() - interval '24 hours'$due$),
        ('private.counters', $due$
          exists (
            select from private.limits l where l.name = due.limit_name
              and due.slot < floor(extract(epoch from now()) * l.slots / l.window_seconds) - l.slots
          )
        $due$),
        -- Keeps the newest device. Otherwise, the next sign-in after a long absence would count as the first one.
        ('private.known_devices', $due$
          due.last_seen_at < now() - interval '90 days'
          and exists (
            select from private.known_devices newer
            where newer.user_id = due.user_id and (newer.last_seen_at, newer.device) > (due.last_seen_at, due.device)
          )
        $due$)
    ) as rules (relation, condition)
  loop
    removed := removed + private.purge_rows(expired.relation, expired.condition, rows_max);
  end loop;
  return removed;
end
$$;
comment on function private.purge_expired(integer) is
  'Purges deleted transactions, removed beneficiaries and unreported events after 24 hours, idempotency keys after 48 hours, and counters whose window has passed. Purges unconfirmed accounts after 7 days, and after 30 days the data of accounts that could not be opened. Purges notifications, acts on access and known devices after 90 days, except the newest device of each person. Removes up to rows_max rows of each kind and returns the total number.';
grant execute on function private.purge_expired(integer) to supabase_auth_admin;

revoke execute on all functions in schema private from public;
