-- The purge of expired rows of the platform, and the privileges of its functions.

create function auth.purge_rows(relation regclass, condition text, moment timestamptz, rows_max integer) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  removed integer;
begin
  execute format(
    'delete from %1$s where ctid = any (array(select due.ctid from %1$s due where %2$s limit $2))', relation, condition
  ) using moment, rows_max;
  get diagnostics removed = row_count;
  return removed;
end
$$;
comment on function auth.purge_rows(regclass, text, timestamptz, integer) is
  'Deletes at most rows_max of a table''s rows that meet the condition, and returns the number of deleted rows. The condition is SQL text, in which `due` is the row and $1 is the moment.';

create function auth.purge_expired(rows_max integer default 1000, moment timestamptz default now()) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  expired record;
  removed integer;
  total integer := 0;
begin
  perform auth.end_due_factors(u.id, moment)
  from (select o.id from auth.users o where o.factors_end_at <= moment limit rows_max) as u;
  get diagnostics removed = row_count;
  total := total + removed;
  -- A banned user's change of address takes effect only after the ban has ended.
  perform auth.apply_address_change(c.user_id)
  from (
    select o.user_id from auth.address_changes o
    join auth.users u on u.id = o.user_id
    where o.counts_at <= moment and o.confirmed_at is not null
      and (u.banned_until is null or u.banned_until <= moment)
    limit rows_max
  ) as c;
  get diagnostics removed = row_count;
  total := total + removed;
  for expired in
    select * from (
      values
        ('auth.sessions'::regclass, $due$
          exists (
            select from auth.users u
            where u.id = due.user_id and auth.session_ends_at(
              due.created_at, due.refreshed_at, due.not_after, u.raw_app_meta_data ->> 'role' is not distinct from 'admin'
            ) <= $1
          )
        $due$),
        ('auth.one_time_tokens', 'due.expires_at <= $1'),
        ('auth.address_changes', 'due.counts_at <= $1 and due.confirmed_at is null'),
        ('auth.flow_state', 'due.expires_at <= $1'),
        ('auth.mfa_challenges', 'due.expires_at <= $1'),
        -- After ten minutes, no session can verify an unverified factor any more (auth.is_visible_in).
        ('auth.mfa_factors', $due$due.status = 'unverified' and due.created_at <= $1 - interval '10 minutes'$due$),
        ('auth.known_networks', $due$due.last_seen_at <= $1 - interval '90 days'$due$),
        ('auth.outgoing_mails', $due$due.next_try_at is null and due.created_at <= $1 - interval '7 days'$due$)
    ) as rules (relation, condition)
  loop
    total := total + auth.purge_rows(expired.relation, expired.condition, moment, rows_max);
  end loop;
  -- Deletes pending changes of address whose links have expired. Runs after the deletion of expired tokens.
  update auth.users u
  set email_change = null, email_change_confirm_status = 0
  where u.id in (
    select o.id from auth.users o
    where o.email_change is not null and not exists (
      select from auth.one_time_tokens t
      where t.user_id = o.id and t.token_type in ('email_change_current', 'email_change_new') and t.expires_at > moment
    )
    limit rows_max
  );
  get diagnostics removed = row_count;
  return total + removed;
end
$$;
comment on function auth.purge_expired(integer, timestamptz) is
  'Deletes expired rows (docs/privacy.md), at most the given number of each kind, and returns how many rows it deleted.';

-- Only the authentication service may call these functions, except the functions that read the claims, which every role
-- may call.
revoke execute on all functions in schema auth from public;
grant execute on all functions in schema auth to supabase_auth_admin;
-- Only the serving login may call the functions that check a request, and only the owner may manage the serving login.
revoke execute on function
  auth.is_open(auth.sessions, auth.users), auth.require_session_aal1(uuid, uuid), auth.require_session(uuid, uuid),
  auth.serving_login(), auth.prepare_serving_login(text[])
  from supabase_auth_admin;
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to public;
