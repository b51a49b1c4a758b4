-- Invitations: the customers of a batch that opened accounts are invited by mail, a few at a time, so that no mail server
-- sees a flood (docs/decisions/0075). The server sends the mails, because only the server can make a link.

create function private.pace_invitations(id uuid, is_inviting boolean) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- Equals the lifetime of the link (server/people/staff-access.ts).
  link_life constant interval := interval '7 days';
  batch public.batches;
begin
  perform private.require_admin();
  -- A hosted project sends all mails itself, and has no mail queue that could limit the rate (docs/hosted.md).
  if private.is_hosted() then
    raise exception 'Este banco no envía invitaciones. Cada cliente entra con «¿Olvidaste tu contraseña?».'
      using errcode = 'PT409';
  end if;
  select b.* into batch from public.batches b where b.id = pace_invitations.id and b.opens_accounts for no key update;
  if not found then
    raise exception 'Este lote no existe.' using errcode = 'PT404';
  end if;
  if is_inviting then
    perform private.require_proof();
    update public.batch_lines l set invitation = 'waiting'
    from auth.users u
    where l.batch_id = batch.id
      and (l.invitation = 'refused' or (l.invitation = 'sent' and l.invited_at < now() - link_life))
      and u.id = l.user_id and u.email_confirmed_at is null;
  end if;
  -- An administrator who takes over the invitations is responsible for them from now on.
  if (batch.invites_since is not null) <> is_inviting or (is_inviting and batch.invited_by <> (select auth.uid())) then
    perform private.record_audit(
      case when is_inviting then 'invite_customers' else 'stop_invitations' end, null, null,
      jsonb_build_object('id', batch.id)
    );
  end if;
  update public.batches b
  set invites_since = case when is_inviting then coalesce(b.invites_since, clock_timestamp()) end,
    invited_by = case when is_inviting then (select auth.uid()) end
  where b.id = batch.id
  returning b.* into batch;
  return batch;
end
$$;
comment on function private.pace_invitations(uuid, boolean) is
  'Starts or stops the invitations of a batch for an administrator, and returns the batch. The last administrator who starts them is responsible for them. Adds an audit entry if the state of the batch or the responsible administrator changes.';

create function public.invite_customers(id uuid) returns public.batches
  language sql security definer
  set search_path = ''
as $$
  select private.pace_invitations(id, true)
$$;
comment on function public.invite_customers(uuid) is
  'Starts to invite the customers of a batch that opens accounts, and invites again the customers whose links have expired or whose mails the mail server refused. While the caller is blocked or no longer an administrator, the invitations stop. Another administrator can then continue them with this function. The caller must be an administrator who has entered the password or a mailed code within the last ten minutes (private.require_proof). Raises PT404 for a batch that opens no accounts. On a hosted project, raises PT409, because the project sends its own mails. Reads at most one batch, whose customers the server invites at the rate of INVITATIONS_PER_HOUR.';
grant execute on function public.invite_customers(uuid) to authenticated;

create function public.stop_invitations(id uuid) returns public.batches
  language sql security definer
  set search_path = ''
as $$
  select private.pace_invitations(id, false)
$$;
comment on function public.stop_invitations(uuid) is
  'Stops inviting the customers of a batch; mails that are already queued are still sent. For administrators only. Raises PT404 for a batch that opens no accounts. Reads at most one batch.';
grant execute on function public.stop_invitations(uuid) to authenticated;

create type public.invitation_progress as (
  accounts bigint, invited bigint, taken bigint, expired bigint, refused bigint, has_administrator boolean
);
comment on type public.invitation_progress is 'The progress of the invitations of a batch.';
comment on column public.invitation_progress.accounts is 'Number of accounts that the batch opened and that still exist.';
comment on column public.invitation_progress.invited is 'Number of customers who have been invited, without those whose mail was given up.';
comment on column public.invitation_progress.taken is 'Number of customers who followed a link and thereby confirmed their address.';
comment on column public.invitation_progress.expired is 'Number of customers who did not follow their last invitation before it expired.';
comment on column public.invitation_progress.refused is 'Number of customers whose mail the mail server refused, because their address does not exist.';
comment on column public.invitation_progress.has_administrator is 'Whether the person who started the invitations is still an administrator and is not blocked, so that the invitations continue; null if the invitations have not been started or were stopped.';

create function public.count_invitations(id uuid) returns public.invitation_progress
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  progress public.invitation_progress;
begin
  perform private.require_admin();
  select
    count(*),
    count(*) filter (where l.invited_at is not null and (l.invitation = 'sent' or u.email_confirmed_at is not null)),
    count(*) filter (where u.email_confirmed_at is not null),
    count(*) filter (
      where u.email_confirmed_at is null and l.invitation = 'sent' and l.invited_at < now() - interval '7 days'
    ),
    count(*) filter (where u.email_confirmed_at is null and l.invitation = 'refused'),
    (
      select private.may_administer(b.invited_by) from public.batches b
      where b.id = count_invitations.id and b.invites_since is not null
    )
  into progress
  from public.batch_lines l join auth.users u on u.id = l.user_id
  where l.batch_id = count_invitations.id and l.invitation is not null;
  return progress;
end
$$;
comment on function public.count_invitations(uuid) is 'Returns the progress of the invitations of a batch. For administrators only. Reads at most 10,000 lines of one batch.';
grant execute on function public.count_invitations(uuid) to authenticated;

create function private.claim_invitations(rows_max integer, per_hour integer) returns jsonb
  language plpgsql security definer
  set search_path = ''
  -- A generic plan does not know the limit, and would join all waiting lines with their users.
  set plan_cache_mode = force_custom_plan
as $$
declare
  places integer;
  claimed jsonb;
  invited uuid[];
  inviters uuid[];
begin
  -- All servers of a bank share one rate limit. Only the server that leases the job *invite* calls this function.
  places := least(rows_max, per_hour - (
    select count(*)::integer from public.batch_lines s where s.invited_at > now() - interval '1 hour'
  ));
  if places <= 0 then
    return '[]';
  end if;
  with chosen as (
    update public.batch_lines l set invited_at = clock_timestamp()
    from (
      select d.batch_id, d.line, b.invited_by
      from public.batches b
      cross join lateral (
        select w.batch_id, w.line
        from public.batch_lines w
        join auth.users u on u.id = w.user_id
        where w.batch_id = b.id and w.invitation = 'waiting' and u.email_confirmed_at is null
          -- A line whose mail was interrupted is due again after five minutes.
          and (w.invited_at is null or w.invited_at < now() - interval '5 minutes')
        order by w.line limit places
      ) d
      -- The balances come first.
      where b.invites_since is not null and b.finished_at is not null and private.may_administer(b.invited_by)
      order by b.invites_since, d.line
      limit places
    ) next
    where l.batch_id = next.batch_id and l.line = next.line
    returning l.batch_id, l.line, l.user_id, next.invited_by
  )
  select jsonb_agg(jsonb_build_object('batch', c.batch_id, 'line', c.line, 'userId', c.user_id)),
    array_agg(c.user_id), array_agg(c.invited_by)
  into claimed, invited, inviters from chosen c;
  perform private.record_access_act('invite', i.person, i.clerk) from unnest(invited, inviters) i (person, clerk);
  return coalesce(claimed, '[]');
end
$$;
comment on function private.claim_invitations(integer, integer) is
  'Chooses the customers to invite next, at most rows_max in this call and at most per_hour in an hour, and returns their lines as [{"batch": …, "line": …, "userId": …}, …]. Skips customers who have confirmed their address, and batches whose invitations were started by a person who is no longer an administrator. The server mails a link to each chosen customer and then calls private.note_invitation.';
grant execute on function private.claim_invitations(integer, integer) to supabase_auth_admin;

create function private.note_invitation(batch uuid, invited integer) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.batch_lines l set invitation = 'sent'
  where l.batch_id = batch and l.line = invited and l.invitation = 'waiting';
$$;
comment on function private.note_invitation(uuid, integer) is 'Notes that the invitation of a line is in the mail queue.';
grant execute on function private.note_invitation(uuid, integer) to supabase_auth_admin;

create function private.return_invitation(person uuid, mailed_at timestamptz, is_refused boolean) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.batch_lines l set invitation = case when is_refused then 'refused' else 'waiting' end
  where l.user_id = person and l.invitation in ('waiting', 'sent')
    -- A newer invitation has a mail of its own.
    and l.invited_at <= mailed_at;
$$;
comment on function private.return_invitation(uuid, timestamptz, boolean) is
  'Notes that the servers have given up the mail that invites a customer and that was queued at this time. Does nothing if the customer has been invited again since. If the mail server refused the address, the customer is invited again only after staff start the invitations again; otherwise the customer is invited next.';
grant execute on function private.return_invitation(uuid, timestamptz, boolean) to supabase_auth_admin;
