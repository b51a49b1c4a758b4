-- Purges what is past its time, also where no request would (docs/privacy.md). The server calls it every ten minutes.

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
  'Removes deleted transactions after 24 hours, idempotency keys after 48 and accounts that were never confirmed after 7 days, up to a number of rows of each, and answers how many in all.';
revoke execute on function private.purge_expired(integer) from public;
grant execute on function private.purge_expired(integer) to supabase_auth_admin;
