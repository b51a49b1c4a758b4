-- Functions of batches: storing the lines, posting them in pieces, and reversing them in pieces.

create function private.is_unclaimed(person auth.users) returns boolean
  language sql stable
  set search_path = ''
as $$
  select person.email_confirmed_at is null and person.last_sign_in_at is null
    and person.raw_app_meta_data ->> 'role' is distinct from 'admin' and private.verified_name_of(person.id) is null
    and not exists (select from ledger.journal j where j.user_id = person.id)
    and not exists (select from public.batch_lines l where l.user_id = person.id)
$$;
comment on function private.is_unclaimed(auth.users) is
  'Returns whether a person signed up but never confirmed the address. Any stranger can sign up with any address, so that this account does not hold the address (docs/decisions/0022).';

create function public.find_customers(names text[]) returns json
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  names_max constant integer := 10000;
begin
  perform private.require_admin();
  if cardinality(names) > names_max then
    raise exception 'Se buscan hasta % clientes a la vez.', names_max using errcode = 'PT413';
  end if;
  return (
    with named as materialized (
      select distinct name, lower(btrim(name)) as folded from unnest(names) as name
    ), found as (
      select n.name, u.id from named n join auth.users u on u.email = n.folded
      union all
      select n.name, u.id from named n
      join auth.users u on u.id = case when n.folded ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then n.folded::uuid end
    )
    select coalesce(json_agg(json_build_object(
      'name', f.name, 'id', u.id, 'email', u.email, 'full_name', p.full_name,
      'is_blocked', u.banned_until is not null and u.banned_until > now(), 'is_unclaimed', private.is_unclaimed(u)
    )), '[]')
    from found f
    join auth.users u on u.id = f.id
    join public.profiles p on p.id = f.id
  );
end
$$;
comment on function public.find_customers(text[]) is
  'Returns the customers with the given e-mail addresses or ids, and whether each customer is blocked, or is an account that was never confirmed and does not hold its address. Omits unknown addresses and ids. For administrators only. Raises PT413 for more than 10,000 addresses and ids. Reads at most 10,000 customers.';
grant execute on function public.find_customers(text[]) to authenticated;

create function private.read_batch(body json)
  returns table (line integer, user_id uuid, amount numeric, description text)
  language sql stable
  set search_path = ''
as $$
  select
    case when l.line ~ '^\d{1,9}$' then l.line::integer end,
    case when l.user_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then l.user_id::uuid end,
    case jsonb_typeof(l.amount) when 'number' then l.amount::numeric end,
    l.description
  from json_to_recordset(body) as l (line text, user_id text, amount jsonb, description text)
$$;
comment on function private.read_batch(json) is 'Returns the lines of a batch as the client sent them. A value that cannot be parsed is null.';

create function private.refuse_batch(body json) returns void
  language plpgsql stable
  set search_path = ''
as $$
begin
  perform private.refuse_faulty_lines(body, format(
    $query$
      select i.line, case
        when i.line is null or i.line < 1 then 'Falta el número de la línea.'
        when count(*) over (partition by i.line) > 1 then 'El número de la línea está repetido.'
        when not exists (select from public.budgets b where b.user_id = i.user_id) then 'El cliente no existe.'
        when i.description is null then 'Falta la descripción.'
        when i.amount is null then 'Falta el monto.'
        when i.user_id = (select auth.uid()) and private.refuses_self_dealing()
          then 'El banco no permite registrar movimientos en la propia cuenta.'
        %s
      end as message
      from (
        select
          r.*, 'deposit' as type, 'bank' as recorded_by, 'batch' as origin, '00000000-0000-0000-0000-000000000000'::uuid as origin_id,
          'Deposito' as category
        from private.read_batch($1) r
      ) i
    $query$, private.conditions_of('{public.transactions}')
  ), 'Hay %s líneas que no se pueden abonar. No se abonó ninguna.');
end
$$;
comment on function private.refuse_batch(json) is
  'Refuses a batch unless every line is a valid deposit for a customer of the bank (private.refuse_faulty_lines).';

create function private.audit_batch(
  action text, batch uuid, status text, request public.requests default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  caller constant uuid := coalesce(request.asked_by, (select auth.uid()));
  entry bigint;
begin
  entry := private.record_audit(action, null, null, (
    select jsonb_strip_nulls(jsonb_build_object(
      'id', batch, 'lines', count(*), 'amount', to_char(coalesce(sum(l.amount), 0), 'FM999999999999999990.00'),
      'sha256', case action when 'register_batch' then (select encode(b.body_hash, 'hex') from public.batches b where b.id = batch) end,
      'accounts', nullif((select count(*) from public.new_accounts n where n.batch_id = batch), 0)
    ))
    from public.batch_lines l where l.batch_id = batch and l.status = audit_batch.status
  ) || coalesce(private.approved_by(request), '{}'), request.asked_by);
  insert into ledger.audit_targets (entry, target, lines, amount)
  select entry, coalesce(l.user_id, n.user_id), count(*), sum(l.amount)
  from public.batch_lines l left join public.new_accounts n on n.batch_id = l.batch_id and n.line = l.line
  where l.batch_id = batch and l.status = audit_batch.status and coalesce(l.user_id, n.user_id) is not null
  group by coalesce(l.user_id, n.user_id);
  perform private.tell_staff(
    action, jsonb_build_object('amount', to_char(sum(l.amount), 'FM999999999999999990.00')), caller,
    private.name_of(caller), request.asked_by
  )
  from public.batch_lines l left join public.new_accounts n on n.batch_id = l.batch_id and n.line = l.line
  where l.batch_id = batch and l.status = audit_batch.status and coalesce(l.user_id, n.user_id) = caller
  having count(*) > 0;
end
$$;
comment on function private.audit_batch(text, uuid, text, public.requests) is
  'Records an action on a batch in the audit. The action covers the lines with the given status, and the audit stores the sum for each person. For an approved batch, the request names both administrators. Tells every administrator if one of these lines is for the caller''s own account.';

create function private.earlier_batch(id uuid, hash bytea) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  sender constant uuid := (select auth.uid());
  ordered public.batches;
begin
  -- A second call with this id, or another batch from this administrator, waits here for the first call.
  perform pg_advisory_xact_lock(hashtext('finanzas.batches'), hashtext(sender::text));
  select b.* into ordered from public.batches b where b.id = earlier_batch.id;
  if found then
    perform private.require_same_upload(
      ordered.body_hash = hash and ordered.sent_by = sender, 'Este lote ya se envió con otros abonos.'
    );
  end if;
  return ordered;
end
$$;
comment on function private.earlier_batch(uuid, bytea) is
  'Returns the batch that the caller ordered before with this id and this hash, or a row of nulls. Raises PT409 for an id that was used for other lines. Other calls in which this administrator orders a batch wait until the database transaction ends.';

create function private.place_batch(sheet public.batches) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  placed public.batches := sheet;
begin
  perform private.require_proof_of(placed.amount);
  placed.is_held := private.needs_approval(placed.amount);
  placed.sent_by := (select auth.uid());
  placed.posted_by := placed.sent_by;
  insert into public.batches (
    id, title, sent_by, sent_by_name, posted_by, lines, amount, is_held, opens_accounts, body_hash
  )
  select
    placed.id, placed.title, placed.sent_by, (select p.full_name from public.profiles p where p.id = placed.sent_by),
    placed.posted_by, placed.lines, placed.amount, placed.is_held, coalesce(placed.opens_accounts, false), placed.body_hash
  returning * into placed;
  return placed;
end
$$;
comment on function private.place_batch(public.batches) is
  'Stores the id, title, number of lines, sum and hash of a batch that the caller orders. If the sum exceeds the bank''s limit, the batch waits for the decision of another administrator. Raises the errors of private.require_proof_of.';

create function private.announce_batch(placed public.batches) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  entry private.orders;
begin
  entry.kind := 'register_batch';
  entry.thing := placed.id;
  entry.amount := placed.amount;
  entry.counts := true;
  if placed.is_held then
    entry.request_id := private.request_approval('batch', placed.id, null, placed.amount, jsonb_build_object(
      'title', placed.title, 'lines', placed.lines,
      'accounts', case when placed.opens_accounts then placed.lines end
    ));
  end if;
  perform private.enter(entry);
end
$$;
comment on function private.announce_batch(public.batches) is
  'Enters a batch in the book, and requests another administrator''s decision for a held batch. The calling function must store the lines of the batch first.';

create function public.create_batch(id uuid, title text, lines json) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
  sheet public.batches;
begin
  perform private.require_admin();
  sheet.id := create_batch.id;
  sheet.title := create_batch.title;
  sheet.body_hash := private.require_lines(lines, 10000, 'Un lote tiene entre 1 y %s abonos.', 'Cada abono es un objeto.');
  ordered := private.earlier_batch(sheet.id, sheet.body_hash);
  if ordered.id is not null then
    return ordered;
  end if;
  perform private.consume('batch line', (select auth.uid())::text, json_array_length(lines));
  perform private.refuse_batch(lines);
  select count(*), sum(l.amount) into sheet.lines, sheet.amount from private.read_batch(create_batch.lines) l;
  ordered := private.place_batch(sheet);
  insert into public.batch_lines (batch_id, line, user_id, amount, description)
  select ordered.id, l.line, l.user_id, l.amount, l.description from private.read_batch(create_batch.lines) l;
  perform private.announce_batch(ordered);
  return ordered;
end
$$;
comment on function public.create_batch(uuid, text, json) is
  'Orders up to 10,000 deposits, either all or none, once for each id: [{"line": 2, "user_id": "…", "amount": 12.5, "description": "Nómina"}, …]. For administrators only. Adds one audit entry. private.post_batch_piece posts the deposits later. If the sum of the deposits exceeds the bank''s limit, the batch is held until another administrator approves it. Returns the batch, even if the same batch was ordered before. Raises PT409 for an id that was used for other deposits, and PT413 for an empty list or too many lines. Raises PT422 for invalid lines, which its detail lists. Raises PT429 for more than 50,000 lines in 24 hours. Also raises the errors of private.require_proof_of for the sum. Reads at most 10,000 lines, which the server posts in pieces of 100.';
grant execute on function public.create_batch(uuid, text, json) to authenticated;

create function private.open_accounts(batch uuid, chosen integer[]) returns table (line integer, user_id uuid)
  language plpgsql security definer
  set search_path = ''
as $$
declare
  opened record;
  metadata jsonb;
  clerks constant uuid[] := array(
    select unnest(array[b.sent_by, b.posted_by]) from public.batches b where b.id = open_accounts.batch
  );
  taken uuid;
begin
  for opened in
    delete from public.new_accounts n where n.batch_id = batch and n.line = any (chosen) returning n.*
  loop
    -- A reserved name is accepted as a verified name only, and not as the name that the customer can change.
    metadata := case
      when private.is_reserved(private.words_of(opened.full_name)) then '{}' else jsonb_build_object('full_name', opened.full_name)
    end;
    -- A stranger may have signed up with the address. The bank takes this account over, as for an invitation
    -- (docs/decisions/0022): the stranger's password is removed, and only the mailbox can open the account.
    update auth.users u
    set encrypted_password = case when private.is_hosted() then '' end, raw_user_meta_data = metadata, updated_at = now()
    where u.email = opened.email and private.is_unclaimed(u)
    returning u.id into taken;
    if taken is not null then
      opened.user_id := taken;
    -- The account has no password and no confirmed address. Only a link that is mailed to the address gives access.
    elsif private.is_hosted() then
      -- The authentication service of a hosted project expects these columns.
      insert into auth.users (
        instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data, raw_user_meta_data, created_at,
        updated_at, confirmation_token, recovery_token, email_change_token_new, email_change
      ) values (
        '00000000-0000-0000-0000-000000000000', opened.user_id, 'authenticated', 'authenticated', opened.email, '',
        '{"provider": "email", "providers": ["email"]}', metadata, now(), now(), '', '', '', ''
      );
    else
      insert into auth.users (id, email, raw_user_meta_data) values (opened.user_id, opened.email, metadata);
    end if;
    insert into auth.identities (
      id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at
    )
    select
      gen_random_uuid(), opened.user_id, 'email', opened.user_id::text, metadata || jsonb_build_object(
        'sub', opened.user_id, 'email', opened.email, 'email_verified', false, 'phone_verified', false
      ), now(), now(), now()
    where taken is null;
    update public.account_holders h
    set full_name = case when opened.document_number is not null then opened.full_name end,
      document_kind = opened.document_kind, document_number = opened.document_number, phone = opened.phone
    where h.user_id = opened.user_id;
    perform private.show_name(opened.user_id);
    perform private.record_access_act('open', opened.user_id, c) from unnest(clerks) c;
    line := opened.line;
    user_id := opened.user_id;
    return next;
  end loop;
end
$$;
comment on function private.open_accounts(uuid, integer[]) is
  'Opens the accounts of these lines of a batch and returns their users. Takes over an account whose address was never confirmed. The accounts have no password. Their customers cannot sign in before they follow a link that was mailed to the address. Raises 23505 if an address or a document has been taken since the batch was ordered. Called only by private.post_batch_lines.';

-- Selects the lines by a range, which uses the index batch_lines_waiting. With a list of line numbers, the plan would
-- filter all waiting lines. With a self-join, the plan would take quadratic time until the table is analyzed.
create function private.post_batch_lines(batch uuid, first_line integer, last_line integer) returns void
  language sql security definer
  set search_path = ''
as $$
  update public.batch_lines l set user_id = o.user_id, invitation = 'waiting'
  from private.open_accounts(batch, array(
    select n.line from public.new_accounts n join public.batch_lines w on w.batch_id = n.batch_id and w.line = n.line
    where n.batch_id = batch and n.line between first_line and last_line and w.status = 'waiting'
  )) o
  where l.batch_id = batch and l.line = o.line;
  -- Locks the customers and their budgets before the lines, in the same order as the deletion of a customer.
  insert into public.transactions (
    user_id, id, type, amount, description, date, category, recorded_by, origin, origin_id
  )
  select
    l.user_id, l.transaction_id, 'deposit', l.amount, l.description, now(), 'Deposito', 'bank', 'batch', l.batch_id
  from public.batch_lines l join public.batches b on b.id = l.batch_id
  where l.batch_id = batch and l.line between first_line and last_line and l.status = 'waiting' and l.user_id is not null
    and l.amount > 0
    and not (l.user_id = b.sent_by and private.refuses_self_dealing());
  update public.batch_lines l set (status, fault) = (
    select case when r.fault is null then 'posted' else 'failed' end, r.fault
    from (
      select case
        when l.user_id is null then 'El cliente ya no tiene una cuenta.'
        -- The bank may have forbidden self-dealing after the batch was ordered.
        when l.user_id = b.sent_by and private.refuses_self_dealing()
          then 'El banco no permite registrar movimientos en la propia cuenta.'
      end as fault
      from public.batches b where b.id = batch
    ) r
  )
  where l.batch_id = batch and l.line between first_line and last_line and l.status = 'waiting';
$$;
comment on function private.post_batch_lines(uuid, integer, integer) is
  'Posts a batch''s waiting lines between two line numbers, either all or none. First opens the accounts of these lines, if the batch opens accounts. A line fails if its customer was deleted. If the bank refuses self-dealing, a line that pays the administrator who ordered the batch also fails. Called only while private.post_batch_piece holds the batch''s lock.';

create function private.reverse_batch_line(batch uuid, chosen integer) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
  taken public.batch_lines;
  mistake public.transactions;
  correction public.corrections;
  reason_kept text;
begin
  select b.* into ordered from public.batches b where b.id = batch;
  select l.* into taken from public.batch_lines l where l.batch_id = batch and l.line = chosen;
  if taken.user_id is null then
    reason_kept := 'El cliente ya no tiene una cuenta.';
  -- The bank may have forbidden self-dealing after the batch was ordered.
  elsif taken.user_id = ordered.reversed_by and private.refuses_self_dealing() then
    reason_kept := 'El banco no permite registrar movimientos en la propia cuenta.';
  -- A new account without an opening balance has no deposit to correct.
  elsif taken.amount > 0 then
    select t.* into mistake from public.transactions t where t.user_id = taken.user_id and t.id = taken.transaction_id;
    -- If the customer removed the deposit from their list, the row and its description no longer exist.
    mistake.type := 'deposit';
    mistake.amount := taken.amount;
    correction.user_id := taken.user_id;
    correction.id := gen_random_uuid();
    -- A deposit whose correction was itself corrected is valid again. A transaction can be corrected only once, so the
    -- reversal corrects the last of these corrections instead of the deposit.
    correction.corrected_id := coalesce((
      select c.id from public.corrections c
      where c.user_id = taken.user_id and c.mistake_id = taken.transaction_id and not c.makes_void and not exists (
        select from public.corrections n where n.user_id = c.user_id and n.corrected_id = c.id
      )
    ), taken.transaction_id);
    correction.reason := ordered.reason;
    correction.corrected_by := ordered.reversed_by_name;
    -- If the same deposit is being corrected individually, waits here for that correction.
    if not private.correct(correction, mistake, 'correction', batch) then
      reason_kept := 'Este abono ya se había corregido.';
    end if;
  end if;
  update public.batch_lines l
  set status = case when reason_kept is null then 'reversed' else 'posted' end, fault = reason_kept
  where l.batch_id = batch and l.line = chosen;
end
$$;
comment on function private.reverse_batch_line(uuid, integer) is
  'Reverses a posted line of a batch as public.correct_transaction would, or leaves the line posted and stores the reason in the column fault. Posts nothing for a new account without an opening balance. Leaves a line posted if its customer was deleted or if the deposit is void because it was already corrected. Also leaves a line posted if it is for the administrator who ordered the reversal and the bank refuses self-dealing. Called only by private.post_batch_line.';

create function private.post_batch_line(batch uuid, chosen integer) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  violated text;
  said text;
begin
  if exists (select from public.batch_lines l where l.batch_id = batch and l.line = chosen and l.status = 'reversing') then
    perform private.reverse_batch_line(batch, chosen);
  else
    perform private.post_batch_lines(batch, chosen, chosen);
  end if;
-- These errors mean that the line itself is refused. Any other error, such as a deadlock or a full disk, affects only
-- this attempt, and the piece is tried again.
exception when integrity_constraint_violation or sqlstate 'PT404' then
  get stacked diagnostics violated = constraint_name, said = message_text;
  update public.batch_lines l set
    status = case l.status when 'reversing' then 'posted' else 'failed' end,
    fault = coalesce((
      select obj_description(c.oid, 'pg_constraint') from pg_catalog.pg_constraint c
      where c.conname = violated and c.connamespace = 'public'::regnamespace
    ), case sqlstate
      when '23503' then 'El cliente ya no tiene una cuenta.'
      when '23505' then case when violated like 'users_email%' then 'Ya hay un usuario con este email.' else 'El cliente ya tiene un movimiento con este identificador.' end
      else said
    end)
  where l.batch_id = batch and l.line = chosen;
end
$$;
comment on function private.post_batch_line(uuid, integer) is
  'Posts or reverses one line of a batch. If that is not possible, stores the reason in the column fault. Called only by private.post_batch_piece, which holds the batch''s lock.';

create function private.count_piece(ordered public.batches, first_line integer, last_line integer, taken integer)
  returns void
  language sql security definer
  set search_path = ''
as $$
  update public.batches b set
    posted = b.posted + done.posted,
    posted_amount = b.posted_amount + done.posted_amount,
    failed = b.failed + done.failed,
    reversed = b.reversed + done.reversed,
    reversed_amount = b.reversed_amount + done.reversed_amount,
    kept = b.kept + taken - done.posted - done.failed - done.reversed,
    finished_at = case when not exists (
      select from public.batch_lines w where w.batch_id = b.id and w.status in ('waiting', 'reversing')
    ) then clock_timestamp() end
  from (
    select
      count(*) filter (where l.status = 'posted') as posted,
      coalesce(sum(l.amount) filter (where l.status = 'posted'), 0) as posted_amount,
      count(*) filter (where l.status = 'failed') as failed,
      count(*) filter (where l.status = 'reversed') as reversed,
      coalesce(sum(l.amount) filter (where l.status = 'reversed'), 0) as reversed_amount
    from public.batch_lines l
    where l.batch_id = ordered.id and l.line between first_line and last_line
      -- In a reversed batch, counts only the reversed lines, because the posted and failed lines between them were
      -- counted before.
      and (ordered.reversed_at is null or l.status = 'reversed')
  ) done
  where b.id = ordered.id;
$$;
comment on function private.count_piece(public.batches, integer, integer, integer) is
  'Adds the lines of a piece to the progress of their batch. `taken` is the number of lines that waited when the piece began. Called only by private.post_batch_piece.';

create function private.post_batch_piece(lines_max integer) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
  first_line integer;
  last_line integer;
  taken integer;
  is_posted boolean := false;
  each integer;
begin
  -- Chooses the batch with the fewest processed lines, so that all batches make progress. Skips batches that another
  -- server is posting.
  select b.* into ordered from public.batches b
  where b.finished_at is null and b.stopped_at is null and not b.is_held
  order by case when b.reversed_at is null then b.posted + b.failed else b.reversed + b.kept end, b.created_at limit 1
  for no key update skip locked;
  if not found then
    return false;
  end if;
  if not private.may_administer(ordered.posted_by) then
    update public.batches b set stopped_at = clock_timestamp() where b.id = ordered.id;
    perform private.record_audit('stop_batch', null, null, jsonb_build_object('id', ordered.id));
    return true;
  end if;
  select min(piece.line), max(piece.line), count(*) into first_line, last_line, taken
  from (
    select l.line from public.batch_lines l where l.batch_id = ordered.id and l.status in ('waiting', 'reversing')
    -- The piece is smaller if a line takes several statements.
    order by l.line limit greatest(case
      when ordered.reversed_at is not null then lines_max / 4
      when ordered.opens_accounts then lines_max / 10
      else lines_max
    end, 1)
  ) piece;
  if ordered.reversed_at is null then
    begin
      perform private.post_batch_lines(ordered.id, first_line, last_line);
      is_posted := true;
    exception when integrity_constraint_violation or sqlstate 'PT404' then
      null;
    end;
  end if;
  if not is_posted then
    -- The lines are sorted by customer, because every piece locks its customers in this order.
    for each in
      select l.line from public.batch_lines l
      where l.batch_id = ordered.id and l.line between first_line and last_line and l.status in ('waiting', 'reversing')
      order by l.user_id, l.line
    loop
      perform private.post_batch_line(ordered.id, each);
    end loop;
  end if;
  perform private.count_piece(ordered, first_line, last_line, taken);
  return true;
end
$$;
comment on function private.post_batch_piece(integer) is
  'Posts the next lines of one batch as deposits by the bank, or reverses the next lines of a reversed batch. Returns false if no batch is waiting. Even with concurrent calls, each line is posted or reversed only once. If a line cannot be posted, stores the reason in the column fault and posts the other lines. Stops the batch if the person on whose behalf it is posted is no longer an administrator.';
grant execute on function private.post_batch_piece(integer) to service_role;

create function private.lock_batch(id uuid) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches;
begin
  perform private.require_admin();
  -- Waits until the current piece has been posted and a concurrent reversal has ended.
  select b.* into ordered from public.batches b where b.id = lock_batch.id for no key update;
  if not found then
    raise exception 'Este lote no existe.' using errcode = 'PT404';
  end if;
  if ordered.is_held then
    raise exception 'Este lote espera a otro administrador.' using errcode = 'PT409';
  end if;
  return ordered;
end
$$;
comment on function private.lock_batch(uuid) is
  'Locks and returns a batch that an administrator wants to change. Raises PT404 for an unknown batch, and PT409 for a batch that waits for the decision of another administrator.';

create function private.hold_batch(id uuid, is_stopped boolean) returns public.batches
  language plpgsql security definer
  set search_path = ''
as $$
declare
  ordered public.batches := private.lock_batch(id);
begin
  if ordered.finished_at is not null or (ordered.stopped_at is not null) = is_stopped then
    return ordered;
  end if;
  update public.batches b set
    stopped_at = case when is_stopped then clock_timestamp() end,
    posted_by = case when is_stopped then b.posted_by else (select auth.uid()) end
  where b.id = ordered.id
  returning b.* into ordered;
  perform private.record_audit(
    case when is_stopped then 'stop_batch' else 'continue_batch' end, null, null, jsonb_build_object('id', ordered.id)
  );
  return ordered;
end
$$;
comment on function private.hold_batch(uuid, boolean) is 'Stops or continues a batch for an administrator, and returns it. Does nothing if the batch is already in the requested state or has finished.';

create function public.stop_batch(id uuid) returns public.batches
  language sql security definer
  set search_path = ''
  return private.hold_batch(id, true);
comment on function public.stop_batch(uuid) is
  'Stops a batch once the current piece has been posted, and returns the batch. Any administrator may stop a batch, and the audit records the stop. Raises PT404 for an unknown batch, and PT409 for a batch that waits for the decision of another administrator. Reads at most one batch.';
grant execute on function public.stop_batch(uuid) to authenticated;

create function public.continue_batch(id uuid) returns public.batches
  language sql security definer
  set search_path = ''
  return private.hold_batch(id, false);
comment on function public.continue_batch(uuid) is
  'Continues a stopped batch on behalf of the caller, and returns the batch. Any administrator may continue a batch, and the audit records the continuation. Raises PT404 for an unknown batch, and PT409 for a batch that waits for the decision of another administrator. Reads at most one batch.';
grant execute on function public.continue_batch(uuid) to authenticated;
