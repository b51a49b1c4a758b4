-- Mails to administrators when a request waits for a decision (docs/decisions/0069).

create table private.request_mails (
  user_id uuid primary key references auth.users (id) on delete cascade,
  seed uuid not null default gen_random_uuid(),
  told_until timestamptz not null,
  stopped_until timestamptz,
  constraint request_mails_one_seed unique (seed)
);
comment on table private.request_mails is 'The last mail to each administrator about requests that wait for a decision.';
comment on column private.request_mails.seed is 'The server derives the token of the link that stops these mails from the seed and from a key outside the database.';
comment on column private.request_mails.told_until is 'The last mail reported requests that were made before this time.';
comment on column private.request_mails.stopped_until is 'End of the time for which the administrator stopped the mails; null if the administrator never stopped them.';
alter table private.request_mails enable row level security, force row level security;

create function private.obstacle_to(request public.requests, person uuid) returns text
  language sql stable security definer
  set search_path = ''
  return case
    when person in (request.asked_by, request.payer, request.payee, request.about) then 'own'
    when request.kind = 'batch' and exists (
      select from public.batch_lines l where l.batch_id = request.id and l.user_id = person
    ) then 'own'
    when request.kind = 'transfer' and private.holds_keys(person, request.payer, request.payee) then 'keys'
    -- The return of a transfer is decided by the rule for the transfer.
    when request.kind = 'return' and exists (
      select from public.requests t
      where t.id = (request.details ->> 'transfer_id')::uuid and private.holds_keys(person, t.payer, t.payee)
    ) then 'keys'
    when request.status = 'waiting' and request.first_approved_by = person then 'first'
  end;
comment on function private.obstacle_to(public.requests, uuid) is
  'Returns why a person cannot decide a request, and null if the person can decide it. `own`: the person made the request or is affected by it: as the payer or the payee of a transfer, or as a person paid by a batch. `keys`: the person changed the access of the payer or the payee (private.holds_keys). `first`: the person approved the transfer first. The return of a clearing file leaves out the transfers that the person cannot decide (private.return_piece).';

create function private.administrators() returns uuid[]
  language sql stable security definer
  set search_path = ''
  return array(
    select u.id from public.profiles p join auth.users u on u.id = p.id
    where p.role = 'admin' and private.is_working_admin(u) order by u.id
  );
comment on function private.administrators() is 'Returns the administrators who are neither blocked nor deleted.';

create function private.is_stuck(request public.requests) returns boolean
  language sql stable security definer
  set search_path = ''
  return request.status = 'waiting' and not exists (
    select from unnest(private.administrators()) a where private.obstacle_to(request, a) is null
  );
comment on function private.is_stuck(public.requests) is
  'Returns whether a request waits although no administrator of the bank can decide it at present.';

create function private.tell_administrators() returns integer
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- Leaves the requests of the last ten seconds to the next call, because the database transactions of some of them may
  -- not have committed yet.
  made_before constant timestamptz := now() - interval '10 seconds';
  administrator uuid;
  link_seed uuid;
  told integer := 0;
begin
  -- A hosted project cannot send these mails.
  if private.is_hosted()
    or not exists (select from public.requests r where r.status = 'waiting' and r.expires_at > now())
    or not (
      private.requires_approvals() or exists (select from private.features f where f.name = 'transferencias')
    )
    -- Only one server at a time sends these mails.
    or not pg_try_advisory_xact_lock(hashtext('finanzas.request_mails'), 0)
  then
    return 0;
  end if;
  for administrator in
    select u.id from auth.users u
    left join private.request_mails m on m.user_id = u.id
    where private.is_working_admin(u) and u.email_confirmed_at is not null
      and coalesce(m.told_until <= made_before - interval '1 hour', true)
      and coalesce(m.stopped_until <= now(), true)
      and exists (
        select from public.requests r
        where r.status = 'waiting' and r.expires_at > now()
          and r.asked_at > coalesce(m.told_until, '-infinity') and r.asked_at <= made_before
          and private.obstacle_to(r, u.id) is null
      )
    order by u.id
    for key share of u
  loop
    insert into private.request_mails as m (user_id, told_until) values (administrator, made_before)
    on conflict on constraint request_mails_pkey do update set told_until = excluded.told_until
    returning m.seed into link_seed;
    perform auth.enqueue_notice(administrator, 'tell_administrator', jsonb_build_object('seed', link_seed));
    told := told + 1;
  end loop;
  return told;
end
$$;
comment on function private.tell_administrators() is
  'Queues a mail to every administrator who can sign in and decide a new request. A request is new if it was made since the last mail to this administrator. Each administrator gets at most one of these mails in an hour. The mail contains nothing about the requests. Returns the number of mails. Does nothing while the bank neither allows transfers nor requires a second administrator.';
grant execute on function private.tell_administrators() to service_role;

revoke execute on all functions in schema private from public;
