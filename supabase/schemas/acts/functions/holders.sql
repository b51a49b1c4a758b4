-- The correction of the data of an account holder.

create function private.refuse_holder(person uuid, written jsonb) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The bank signs statements with these data. A stolen session must not make an account look like another person's.
  perform private.require_proof();
  if private.sanitize_name(written ->> 'full_name') is distinct from written ->> 'full_name' or written ->> 'full_name' is null then
    raise exception 'Escribe un nombre de 120 caracteres como máximo.' using errcode = 'PT422';
  end if;
  if exists (
    select from public.account_holders h
    where h.user_id <> person
      and h.document_kind = written ->> 'document_kind' and h.document_number = written ->> 'document_number'
  ) then
    raise exception 'Ya hay un cliente con este documento.' using errcode = 'PT409';
  end if;
end
$$;
comment on function private.refuse_holder(uuid, jsonb) is
  'Raises PT422 for an invalid name and PT409 for the document of another customer. Also raises the errors of private.require_proof.';

create function private.write_holder(person uuid, written jsonb, fields text[]) returns void
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update public.account_holders h
  set full_name = case when fields <> '{phone}' then written ->> 'full_name' else h.full_name end,
    document_kind = written ->> 'document_kind', document_number = written ->> 'document_number',
    phone = written ->> 'phone'
  where h.user_id = person;
  -- The page then greets the customer by the corrected name.
  update auth.users u
  set raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || jsonb_build_object('full_name', written -> 'full_name'),
    updated_at = now()
  where u.id = person and 'full_name' = any (fields);
end
$$;
comment on function private.write_holder(uuid, jsonb, text[]) is
  'Stores the corrected data of a holder. A corrected name, and a name with a document, is verified.';

create function public.correct_holder(
  user_id uuid, full_name text, document_kind text default null, document_number text default null,
  phone text default null, idempotency_key text default null
) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  written constant jsonb := jsonb_build_object(
    'full_name', correct_holder.full_name, 'document_kind', correct_holder.document_kind,
    'document_number', correct_holder.document_number, 'phone', correct_holder.phone
  );
  found_data jsonb;
  fields text[];
  correction constant uuid := gen_random_uuid();
  entry constant private.orders := private.begin_access_change('correct_holder', idempotency_key, user_id, written);
begin
  if entry.id is not null then
    return;
  end if;
  perform private.refuse_holder(user_id, written);
  found_data := private.holder_data(user_id);
  fields := array(
    select w.key from jsonb_each(written) w where w.value is distinct from found_data -> w.key order by w.key
  );
  perform private.enter_act(
    'correct_holder', user_id, entry, case when fields <> '{}' then jsonb_build_object('id', correction, 'fields', fields) end
  );
  if fields = '{}' then
    return;
  end if;
  perform private.write_holder(user_id, written, fields);
  insert into public.holder_corrections (user_id, id, corrected_by, before, after)
  select
    correct_holder.user_id, correction, (select p.full_name from public.profiles p where p.id = (select auth.uid())),
    (select jsonb_object_agg(f.field, found_data -> f.field) from unnest(fields) as f (field)),
    (select jsonb_object_agg(f.field, written -> f.field) from unnest(fields) as f (field));
  perform private.record_access_act('holder', user_id);
  perform private.tell(array[user_id], 'correct_holder');
end
$$;
comment on function public.correct_holder(uuid, text, text, text, text, text) is
  'Sets the name, the document and the telephone of another person; null removes a document or telephone. A corrected name, and a name with a document, is verified: the customer can no longer change it. Does nothing if every value is equal to the stored value. The caller must be an administrator who has recently entered the password or a mailed code (private.require_proof). Stores the earlier and the new values in public.holder_corrections, and adds an audit entry that names the fields. Raises PT409 for the document of another customer, PT422 for an invalid name, 23514 for an invalid document or telephone, and the errors of private.begin_access_change. Reads at most one person.';
grant execute on function public.correct_holder(uuid, text, text, text, text, text) to authenticated;
