-- The lists of requests, for staff only. The lists show transfers of many customers and the acts of other
-- administrators. Reading a list therefore requires an audit entry, as for the customer list (docs/decisions/0056).

create type public.listed_request as (
  id uuid, kind text, status text, asked_by uuid, asked_by_name text, asked_at timestamptz, payer uuid, payer_name text,
  payer_document text, payee uuid, payee_name text, payee_document text, about uuid, about_name text, amount numeric, description text, due_on date,
  expires_at timestamptz, risk smallint, decided_by uuid, decided_by_name text, reason text, details jsonb,
  clearing_file integer, obstacle text, is_stuck boolean, first_approved_by_name text
);
comment on type public.listed_request is 'A request in a list for administrators.';
comment on column public.listed_request.id is 'The value of the same column in public.requests.';
comment on column public.listed_request.kind is 'The value of the same column in public.requests.';
comment on column public.listed_request.status is 'The value of the same column in public.requests.';
comment on column public.listed_request.asked_by is 'The value of the same column in public.requests.';
comment on column public.listed_request.asked_by_name is 'The name of the person who made the request, or the e-mail address if they have no name; null once the account is deleted.';
comment on column public.listed_request.asked_at is 'The value of the same column in public.requests.';
comment on column public.listed_request.payer is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.payer_name is 'The payer''s verified name, or the name that the payer had typed at the time of the request, which is also shown to the payee. If the payer had no name, the column contains the payer''s present name or e-mail address. It is null once the account is deleted.';
comment on column public.listed_request.payer_document is 'The payer''s identity document, such as "CC 1020304050"; null if the bank does not know it, and then the payer typed the name or staff corrected it.';
comment on column public.listed_request.payee is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.payee_name is 'The payee''s own name, or the e-mail address if the payee has no name; null once the account is deleted. For an account at another bank, the column contains the holder''s name that the payer entered.';
comment on column public.listed_request.payee_document is 'The payee''s identity document, as for the payer; null for an account at another bank.';
comment on column public.listed_request.about is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.about_name is 'The name of the person affected by an administrator''s act, or the e-mail address if they have no name. For a promotion, a demotion and a block, the column contains both the name and the e-mail address. It is null for a transfer, for a batch, and once the account is deleted.';
comment on column public.listed_request.amount is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.description is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.due_on is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.expires_at is 'The value of the same column in public.requests.';
comment on column public.listed_request.risk is 'The value of the same column in public.requests.';
comment on column public.listed_request.decided_by is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.decided_by_name is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.reason is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.details is 'The value of the same column in public.requests; may be null.';
comment on column public.listed_request.clearing_file is 'Number of the clearing file that contains the transfer; null if the request is not in a clearing file.';

comment on column public.listed_request.obstacle is 'Why the caller cannot decide the request: "own", "keys" or "first" (private.obstacle_to); null if the caller can decide it.';
comment on column public.listed_request.is_stuck is 'Whether the request waits although no administrator can decide it at present (private.is_stuck).';
comment on column public.listed_request.first_approved_by_name is 'The name of the administrator who approved the transfer first, or the e-mail address if they have no name; null without a first approval.';

create type public.request_queue as (total bigint, requests public.listed_request[]);
comment on type public.request_queue is 'The requests that wait for a decision.';
comment on column public.request_queue.total is 'Number of all waiting requests. Transfers do not count while the bank has not enabled them.';
comment on column public.request_queue.requests is 'The waiting requests: first the acts of administrators, then the transfers with the highest risk. Of several requests with the same risk, the oldest comes first.';

create function private.name_of(person uuid) returns text
  language sql stable security definer
  set search_path = ''
as $$
  select coalesce(nullif(btrim(p.full_name), ''), s.email)
  from public.profiles p join public.user_safe s on s.id = p.id where p.id = person
$$;
comment on function private.name_of(uuid) is 'Returns a user''s name, or the e-mail address if the user has no name; null for a deleted user.';

create function private.listed(request public.requests) returns public.listed_request
  language sql stable security definer
  set search_path = ''
  return row(
    request.id, request.kind, request.status, request.asked_by, private.name_of(request.asked_by), request.asked_at,
    request.payer, coalesce(private.verified_name_of(request.payer), request.payer_name, private.name_of(request.payer)),
    private.document_of(request.payer), request.payee,
    case when request.payee is null then request.payee_name else private.name_of(request.payee) end,
    private.document_of(request.payee),
    request.about, private.name_of(request.about) || coalesce(' · ' || (
      select s.email from public.user_safe s where s.id = request.about and request.kind in ('promotion', 'demotion', 'block')
    ), ''), request.amount, request.description, request.due_on, request.expires_at, request.risk,
    request.decided_by, request.decided_by_name, request.reason, request.details,
    private.clearing_file_with(request.id), private.obstacle_to(request, (select auth.uid())), private.is_stuck(request),
    private.name_of(request.first_approved_by)
  )::public.listed_request;
comment on function private.listed(public.requests) is 'Returns a request and the names of the users that it mentions.';

create function private.require_request_reader() returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if not private.requires_approvals() then
    perform private.require_feature('transferencias');
  end if;
  perform private.require_second_factor();
  perform private.require_admin();
end
$$;
comment on function private.require_request_reader() is
  'Refuses callers who are not administrators, and administrators who have a second factor but have not passed it. Raises PT404 if the bank has neither enabled transfers nor required a second administrator.';

create function public.list_waiting_requests(rows_max integer default 100) returns public.request_queue
  language plpgsql security definer
  set search_path = ''
as $$
declare
  has_transfers constant boolean := exists (select from private.features f where f.name = 'transferencias');
  queue public.request_queue;
begin
  perform private.require_request_reader();
  queue.total := (
    select count(*) from public.requests r where r.status = 'waiting' and (has_transfers or r.kind <> 'transfer')
  );
  queue.requests := array(
    select private.listed(w.request)
    from (
      select r as request, r.risk, r.asked_at from public.requests r
      where r.status = 'waiting' and (has_transfers or r.kind <> 'transfer')
      order by (r.kind = 'transfer'), r.risk desc, r.asked_at limit greatest(least(rows_max, 100), 0)
    ) w
    order by ((w.request).kind = 'transfer'), w.risk desc, w.asked_at
  );
  perform private.record_listing('list_requests');
  return queue;
end
$$;
comment on function public.list_waiting_requests(integer) is
  'Returns up to 100 of the requests that wait for a decision, and the total number of waiting requests. For administrators only, with their second factor if they have one. Adds at most one audit entry per session and hour. Raises PT404 if the bank has neither enabled transfers nor required a second administrator.';
revoke execute on function public.list_waiting_requests(integer) from public, anon, service_role;
grant execute on function public.list_waiting_requests(integer) to authenticated;

create function public.list_decided_requests(
  state text default '', before_asked_at timestamptz default 'infinity', before_id uuid default null,
  rows_max integer default 50
) returns setof public.listed_request
  language plpgsql security definer
  set search_path = ''
  -- A generic plan could not use the index of a single state.
  set plan_cache_mode = force_custom_plan
as $$
declare
  page_max constant integer := greatest(least(rows_max, 100), 0);
  last_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  perform private.require_request_reader();
  return query
    select l.*
    from (
      select r as request, r.asked_at, r.id from public.requests r
      where (state = '' or r.status = state) and r.status <> 'waiting' and (r.asked_at, r.id) < (before_asked_at, last_id)
      order by r.asked_at desc, r.id desc limit page_max
    ) d
    cross join lateral private.listed(d.request) l
    order by d.asked_at desc, d.id desc;
  perform private.record_listing('list_decided_requests');
end
$$;
comment on function public.list_decided_requests(text, timestamptz, uuid, integer) is
  'Returns up to 100 of the requests that no longer wait for a decision and are older than the given request, with the newest first. If a state is given, returns only the requests in this state. For administrators only, with their second factor if they have one. Adds at most one audit entry per session and hour. Raises PT404 if the bank has neither enabled transfers nor required a second administrator.';
revoke execute on function public.list_decided_requests(text, timestamptz, uuid, integer) from public, anon, service_role;
grant execute on function public.list_decided_requests(text, timestamptz, uuid, integer) to authenticated;

revoke execute on all functions in schema private from public;
