-- Functions that hand a transfer to the clearing.

create function private.hand_to_clearing(request public.requests) returns void
  language sql security definer
  set search_path = ''
as $$
  insert into private.clearing_transfers (
    transfer_id, payer_name, payer_document_kind, payer_document, payee_name, destination, amount, concept
  )
  select
    request.id, coalesce(h.full_name, request.payer_name), h.document_kind, translate(h.document_number, '-', ''),
    request.payee_name, request.details, request.amount, request.description
  from public.account_holders h where h.user_id = request.payer
$$;
comment on function private.hand_to_clearing(public.requests) is
  'Adds a transfer to an account elsewhere to the clearing. Called only by private.carry_out.';

create function private.clearing_file_with(transfer_id uuid) returns integer
  language sql stable security definer
  set search_path = ''
as $$
  select t.file from private.clearing_transfers t where t.transfer_id = clearing_file_with.transfer_id
$$;
comment on function private.clearing_file_with(uuid) is
  'Returns the number of the clearing file that contains the given transfer; null if no file contains it.';

create function private.transfers_of_file(number integer) returns setof public.requests
  language sql stable security definer
  set search_path = ''
as $$
  select r.* from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
  where t.file = transfers_of_file.number
$$;
comment on function private.transfers_of_file(integer) is 'Returns the transfers in a clearing file.';
