-- Audit: the log of what staff and the bank itself did, and the permission to read a customer that an entry gives.
-- Uses: ground.
-- Promises: entries are never changed or deleted, and each entry contains the hash of the entry before it.

create function private.cell() returns smallint
  language sql immutable
  return 1::smallint;
comment on function private.cell() is
  'The number of this cell, which is one of the databases of a bank that outgrew one database. A bank with one database has only cell 1.';

-- The audit log records the actor, action and target of each administrative action, in one hash chain for each
-- cell of the bank. No role can change or delete an entry. Triggers record the changes of users and transactions in the same
-- database transaction as the change, so that no code path can omit an entry.

create table ledger.audit (
  id bigint not null,
  cell smallint not null default private.cell(),
  recorded_at timestamptz not null,
  origin text not null,
  actor uuid,
  session_id uuid,
  request_id text,
  action text not null,
  target uuid,
  before jsonb,
  after jsonb,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (id, cell),
  constraint audit_origin_known check (origin in ('request', 'service', 'operator', 'system')),
  constraint audit_action_is_a_name check (action ~ '^[a-z][a-z_]{0,49}$'),
  constraint audit_request_id_is_short check (char_length(request_id) <= 100)
);
-- For every filter of public.audit_of, one of these indexes returns the newest entries first.
create index audit_by_target on ledger.audit (target, id);
create index audit_by_actor on ledger.audit (actor, id);
create index audit_by_action on ledger.audit (action, id);
create index audit_by_actor_and_action on ledger.audit (actor, action, id);
create index audit_by_time on ledger.audit (recorded_at, id);
create index audit_changes on ledger.audit (id) where action !~ '^(read|list|search)_';
create index audit_changes_by_actor on ledger.audit (actor, id) where action !~ '^(read|list|search)_';
create index audit_readings on ledger.audit (id) where action ~ '^(read|list|search)_';

comment on table ledger.audit is 'Append-only. One row for each action by which staff or an operator exercises authority over another person. Rows identify people only by id, and can therefore be kept after the people''s accounts are deleted.';
comment on column ledger.audit.cell is 'The cell that wrote the entry (private.cell). Each cell has its own chain, so that the entries of several cells can stand in one table.';
comment on column ledger.audit.id is 'Numbers the entries of the cell''s chain 1, 2, 3, … without gaps.';
comment on column ledger.audit.recorded_at is 'Time at which the entry was written, to the microsecond.';
comment on column ledger.audit.origin is '`request`: the actor acted in their own session. `service`: a service acted on the actor''s behalf. `operator`: an operator ran a command. `system`: the actor is unknown, for example at the first start or when SQL was run directly.';
comment on column ledger.audit.actor is 'Id of the person who acted, who may have been deleted since; null if the person is unknown.';
comment on column ledger.audit.session_id is 'The actor''s session; null outside a request.';
comment on column ledger.audit.request_id is 'X-Request-Id of the answer; null if unknown.';
comment on column ledger.audit.action is 'The action, such as read_customer or register_transaction. docs/logging.md lists all actions.';
comment on column ledger.audit.target is 'Id of the person affected by the action, who may have been deleted since; null if the action did not affect a single person.';
comment on column ledger.audit.before is 'The previous value as JSON; null if none was recorded.';
comment on column ledger.audit.after is 'The new value as JSON; null if none was recorded. Amounts are strings with two decimals.';
comment on column ledger.audit.previous_hash is 'The hash of the previous entry; 32 zero bytes in the first entry.';
comment on column ledger.audit.hash is 'SHA-256 of all other columns (ledger.audit_hash).';

grant select on ledger.audit to authenticated;
create policy "administrators read the audit" on ledger.audit
  for select to authenticated using ((select private.is_admin()));
comment on policy "administrators read the audit" on ledger.audit is 'Administrators read the audit only through public.audit_entries, because requests cannot address this schema.';
create index audit_openings on ledger.audit (target, session_id, recorded_at) where action = 'read_customer';
comment on index ledger.audit_openings is 'Finds out whether a session has opened a customer''s page (private.require_opened).';
create index audit_clearing_files on ledger.audit ((after ->> 'number')) where action = 'close_clearing_file';
comment on index ledger.audit_clearing_files is 'Finds the hashes of a clearing file (ledger.check_clearing_files).';

-- A batch has only one audit entry, so this table lists its customers ------------------------------------------

create table ledger.audit_targets (
  entry bigint not null,
  cell smallint not null default private.cell(),
  target uuid not null,
  lines integer not null,
  amount numeric,
  primary key (entry, cell, target)
);
create index audit_targets_by_person on ledger.audit_targets (target, entry);
comment on table ledger.audit_targets is 'Append-only. One row for each person in a batch that was ordered (register_batch) or reversed (reverse_batch), and for each person in the results of a search (search_transactions). Rows contain only ids and numbers, and can therefore be kept after the person is deleted.';
comment on column ledger.audit_targets.cell is 'The cell of the audit entry (private.cell).';
comment on column ledger.audit_targets.entry is 'The audit entry, which is never deleted.';
comment on column ledger.audit_targets.target is 'Id of the affected person, who may have been deleted since.';
comment on column ledger.audit_targets.lines is 'Number of this person''s deposits that were ordered or reversed, or number of their transactions that the search found.';
comment on column ledger.audit_targets.amount is 'Sum of these deposits in units of currency; null for a search.';
