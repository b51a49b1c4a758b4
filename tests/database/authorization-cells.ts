/**
 * The cells of the authorization matrix in SQL. Each cell combines an actor, a verb, and a relation, column or
 * function from the catalogue. Cells exist for the actor's own rows and for another user's rows.
 */
import { type Attempt, type Target, type Verb, ownerColumn } from '#supabase/authorization/is-permitted.ts'
import { type Owner, sql } from '#server/database/database.ts'
import type { SqlActor } from './authorization-people.ts'

/** An attempt, in the format that authorization-probe.sql expects. */
export type Cell = {
  readonly sql: string
  readonly role: string
  readonly claims: string
  readonly session: string | null
  readonly person: string | null
  readonly prepare?: string
  readonly observe?: string
}

/** An attempt of the authorization matrix, and the SQL that makes it. */
export type SqlCell = { readonly attempt: Attempt; readonly object: string; readonly cell: Cell }

type Relation = {
  name: string
  schema: string
  kind: 'r' | 'v'
  columns: { name: string; type: string }[]
  key: string[]
}
type Routine = {
  name: string
  schema: string
  is_variadic: boolean
  is_procedure: boolean
  arguments: { name: string; type: string }[]
}

/**
 * Schemas in which every column has a cell. In other schemas, one column of each relation is enough, because requests
 * have no right to use these schemas.
 */
const productSchemas = ['public', 'ledger']

/** Lists the cells of all relations and functions in the catalogue. */
export async function listCells(owner: Owner, actors: readonly SqlActor[]): Promise<readonly SqlCell[]> {
  const administrator = actors.find(({ name }) => name === 'administrator')
  if (administrator === undefined) throw new Error('The administrator is missing.')
  const relations = await owner.query(sql<Relation>`
    select c.relname as name, n.nspname as schema, c.relkind::text as kind,
           (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
           coalesce((select jsonb_agg(a.attname order by a.attnum) from pg_index i
            join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
            where i.indrelid = c.oid and i.indisprimary), '[]') as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'p', 'm', 'f')
      and n.nspname in ('public', 'ledger', 'private', 'auth', 'realtime', 'rest')
    order by n.nspname = 'public' desc, n.nspname = 'ledger' desc, n.nspname, c.relname`)
  const routines = await owner.query(sql<Routine>`
    select p.proname as name, n.nspname as schema, p.provariadic <> 0 as is_variadic, p.prokind = 'p' as is_procedure,
           coalesce((select jsonb_agg(jsonb_build_object('name', coalesce(p.proargnames[i], ''), 'type', format_type(t.type, null)) order by i)
            from unnest(p.proargtypes::oid[]) with ordinality as t (type, i)), '[]') as arguments
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'private', 'ledger')
    order by n.nspname = 'public' desc, n.nspname, p.proname`)
  return actors.flatMap((actor) => [
    ...relations
      .filter((relation) => !isOwnWork(actor, relation))
      .flatMap((relation) => relationCells(actor, relation)),
    ...routines.flatMap((routine) => routineCells(actor, routine, administrator)),
  ])
}

/**
 * Returns true if the actor is the authentication service and the table is outside the product's schemas. The
 * service may use these tables freely.
 */
function isOwnWork(actor: SqlActor, { schema }: Relation): boolean {
  return actor.name === 'authentication service' && !productSchemas.includes(schema)
}

type Aim = { target: Target; person: string; aside: string; banked: string }

function targetsOf(actor: SqlActor): readonly Aim[] {
  const { own, deleted, banked } = actor
  const other = { target: 'other', person: actor.other, aside: deleted.other, banked: banked.other } as const
  if (own === null) return [other]
  return [{ target: 'own', person: own, aside: deleted.own ?? own, banked: banked.own ?? own }, other]
}

function relationCells(actor: SqlActor, relation: Relation): SqlCell[] {
  const table = `${relation.schema}.${relation.name}`
  const object = relation.schema === 'public' ? relation.name : table
  const owner = ownerColumn(
    relation.name,
    relation.columns.map(({ name }) => name),
  )
  const isOurs = productSchemas.includes(relation.schema)
  const cell = (verb: Verb, column: string | null, target: Target, text: string): SqlCell => ({
    attempt: { actor: actor.name, verb, object, column, target },
    object: table,
    cell: asActor(actor, text),
  })
  const cells = targetsOf(actor).flatMap(({ target, person }) => {
    const filter = owner === null ? '' : ` where ${owner} = '${person}'`
    const columns = isOurs ? relation.columns : relation.columns.slice(0, 1)
    const needed = required(relation.name)
    // Sets only the required columns. If the statement set other columns too, a missing right on these columns would
    // hide the effect of a grant on a single column.
    const base = { ...(owner === null || needed === null ? {} : { [owner]: `'${person}'` }), ...needed }
    const given = (name: string, type: string) => (name === owner ? `'${person}'` : valueOf(name, type))
    const keyed = Object.fromEntries(
      relation.key.map((name) => [name, given(name, columnType(relation, name))]),
    )
    const insert = (values: Record<string, string>) =>
      `insert into ${table} (${Object.keys(values).join(', ')}) values (${Object.values(values).join(', ')})`
    const changes = (where: string) => [
      ...columns.map(({ name, type }) => {
        const value = name === 'role' ? otherRole : valueOf(name, type)
        return cell(
          'update',
          name,
          target,
          `update ${table} set ${name} = ${value}${ownWords(relation.name, name, where)}`,
        )
      }),
      cell('delete', null, target, `delete from ${table}${where}`),
    ]
    const written = columns[0]?.name ?? ''
    const key = relation.key.length === 0 ? '' : ` (${relation.key.join(', ')})`
    return [
      ...columns.map(({ name }) => cell('select', name, target, `select ${name} from ${table}${filter}`)),
      cell('count', null, target, `select count(*) from ${table}${filter} having count(*) > 0`),
      ...columns.map(({ name, type }) =>
        cell('insert', name, target, insert({ ...base, [name]: given(name, type) })),
      ),
      ...(relation.name === 'transactions'
        ? [cell('insert', 'a deposit', target, insert({ ...base, type: "'deposit'" }))]
        : []),
      ...(relation.kind === 'v'
        ? []
        : [
            cell(
              'upsert',
              null,
              target,
              `${insert({ ...base, ...keyed })} on conflict${key} do update set ${written} = excluded.${written}`,
            ),
          ]),
      ...changes(filter),
      // A statement without a filter reads no column, so neither a missing select right nor a select policy can refuse
      // the statement.
      ...(target === 'own' || actor.own === null ? changes('') : []),
    ]
  })
  const emptied = relation.kind === 'v' ? [] : [cell('truncate', null, 'none', `truncate ${table}`)]
  const isShownToOwner = actor.name === 'anonymous' && isOurs && relation.kind !== 'v'
  return [...cells, ...emptied, ...(isShownToOwner ? [ownersCell(actor, relation, object)] : [])]
}

/** The read of a table by the role that owns it, which row-level security must refuse as well. */
function ownersCell(actor: SqlActor, { schema, name }: Relation, object: string): SqlCell {
  const table = `${schema}.${name}`
  const column = 'as the owner of the table'
  return {
    attempt: { actor: actor.name, verb: 'select', object, column, target: 'none' },
    object: table,
    cell: {
      ...asActor(actor, `select 1 from ${table} limit 1`),
      role: 'supabase_auth_admin',
      prepare: `grant usage on schema ${schema} to supabase_auth_admin; alter table ${table} owner to supabase_auth_admin`,
    },
  }
}

function routineCells(actor: SqlActor, routine: Routine, administrator: SqlActor): SqlCell[] {
  const name = `${routine.schema}.${routine.name}`
  const object = routine.schema === 'public' ? routine.name : name
  const isAboutSomebody =
    routine.name === 'decide_requests' || routine.arguments.some(({ type }) => type === 'uuid')
  // True for functions that a service calls with the ids of a user and of one of the user's sessions.
  const isInName = ['actor', 'session_id'].every((each) =>
    routine.arguments.some(({ name: argument }) => argument === each),
  )
  const targets = isAboutSomebody
    ? targetsOf(actor)
    : [{ target: 'none', person: actor.other, aside: actor.other, banked: actor.other } as const]
  return targets.map(({ target, person, aside, banked }) => {
    const session = target === 'own' ? actor.session : actor.otherSession
    const id = namesRow.has(routine.name)
      ? aside
      : routine.name === 'amend_expense'
        ? amendedId
        : routine.name === 'end_session'
          ? (session ?? person)
          : person
    const passed = routine.arguments.map(({ name: argument, type }) => {
      if (isInName && argument === 'actor') return `'${administrator.own}'::uuid`
      if (isInName && argument === 'session_id') return `'${administrator.session}'::uuid`
      if (routine.name === 'audit_of' && filters.has(argument)) return `null::${type}`
      if (argument === 'transaction_id' && routine.schema === 'public') return `'${banked}'::uuid`
      if (routine.name === 'list_decided_requests' && argument === 'state') return `''`
      if (argument === 'after_line') return '0'
      if (routine.name === 'attempt' && argument === 'limit_name') return `'function call'`
      if (argument === 'attempts') return `'[]'::jsonb`
      if (argument === 'job') return routine.name === 'run_job' ? `'forget'` : `'verify'`
      if (argument === 'given') return `'{}'::jsonb`
      if (argument === 'changes') return `'{"amount": 7}'::jsonb`
      if (argument === 'beneficiary_id') return `'${aside}'::uuid`
      if (routine.name === 'decide_requests' && argument === 'ids') return `array[md5('${person}')::uuid]`
      if (namesRequest.has(routine.name) && argument === 'id') return `md5('${person}')::uuid`
      if (argument === 'lines' && routine.name === 'create_customers')
        return `'[{"line": 1, "full_name": "Eva", "email": "eva@banco.example"}]'::json`
      if (argument === 'lines')
        return `'[{"line": 1, "user_id": "${person}", "amount": 1, "description": "Nómina"}]'::json`
      if (
        type === 'uuid' &&
        argument !== 'registered' &&
        (argument !== 'id' ||
          routine.arguments.length === 1 ||
          namesRow.has(routine.name) ||
          routine.name === 'amend_expense')
      ) {
        return `'${id}'::uuid`
      }
      return `${valueOf(argument, type)}::${type}`
    })
    const cell = asActor(
      actor,
      `${routine.is_procedure ? 'call' : 'select'} ${name}(${routine.is_variadic ? 'variadic ' : ''}${passed.join(', ')})`,
    )
    return {
      attempt: { actor: actor.name, verb: 'call', object, column: null, target },
      object: name,
      cell: { ...cell, ...prepared(routine.name, person) },
    }
  })
}

/** Builds an attempt that runs with the actor's role, claims and session. */
export function asActor(actor: SqlActor, text: string): Cell {
  const { role, claims, session, own } = actor
  return { sql: text, role, claims, session, person: own }
}

/**
 * Limits a change of any column except the category to rows that the customer recorded, because a trigger protects the
 * rows that the bank recorded.
 */
function ownWords(table: string, column: string, where: string): string {
  if (table !== 'transactions' || column === 'category') return where
  return `${where === '' ? ' where' : `${where} and`} recorded_by = 'customer'`
}

function columnType({ columns }: Relation, name: string): string {
  return columns.find((column) => column.name === name)?.type ?? 'text'
}

const amendedId = '5f0b8b3e-6a55-4d0c-9d6e-0c8f6f2f7a10'

/**
 * Returns SQL that adds the row that a call of the function needs. If the user does not exist, this SQL adds nothing.
 */
function prepared(routine: string, person: string): Pick<Cell, 'prepare'> {
  if (routine === 'cancel_email_change')
    return {
      prepare: `insert into auth.address_changes (user_id, email, confirm_hash, cancel_hash)
        select id, 'otra@banco.example', 'a', 'b' from auth.users where id = '${person}'`,
    }
  if (routine === 'cancel_request')
    return {
      prepare: `insert into public.requests (id, kind, status, asked_by, about, expires_at, body_hash, details)
        select id, 'promotion', 'waiting', id, gen_random_uuid(), now() + interval '1 day', 'x', '{}'
        from auth.users where id = '${person}'`,
    }
  if (['return_transfer', 'list_decided_requests'].includes(routine))
    return { prepare: `select private.carry_out(r) from public.requests r where r.payer = '${person}'` }
  if (routine === 'read_failed_accounts')
    return { prepare: `update public.batch_lines set status = 'failed' where user_id = '${person}'` }
  if (['close_clearing_file', 'read_clearing_file', 'return_clearing_file'].includes(routine))
    return {
      prepare: `insert into private.clearing_files (number, closed_at, closed_by, transfers, amount, csv, xml)
        values (1, now(), gen_random_uuid(), 1, 1, 'x', 'x')`,
    }
  if (routine === 'amend_expense')
    return {
      prepare: `insert into public.transactions (user_id, id, type, description, amount)
        select user_id, '${amendedId}', 'expense', 'Café', 5 from public.budgets where user_id = '${person}'`,
    }
  return {}
}

/** Optional arguments of `audit_of`. */
const filters = new Set(['actor', 'action', 'since', 'until'])

/**
 * Functions whose argument `id` identifies a row instead of a user. All these rows have the same id as the deleted
 * transaction.
 */
const namesRow = new Set([
  'restore_transaction',
  'undo_import',
  'apply_category_rule',
  'undo_category_rule',
  'stop_batch',
  'continue_batch',
  'reverse_batch',
  'invite_customers',
  'stop_invitations',
  'count_invitations',
  'read_failed_accounts',
  'confirm_beneficiary',
  'remove_beneficiary',
])

/** Functions whose `id` names the transfer that a person requested (`addRows` of authorization-people.ts). */
const namesRequest = new Set(['cancel_transfer', 'return_transfer'])

/** Returns values for the required columns of a row, so that an insert can fail only because of a missing right. */
function required(name: string): Record<string, string> | null {
  return rowsByTable[name] ?? null
}

const rowsByTable: Record<string, Record<string, string>> = {
  transactions: { type: "'expense'", description: "'Café'", amount: '1', category: "'Comida'" },
  categories: { name: "'Jardín'" },
  category_rules: { contains: "'Vivero'", category: "'Jardín'" },
}

const otherRole = "case role when 'admin' then 'user' else 'admin' end"

const values: Record<string, string> = {
  bank: "'1007'",
  account_kind: "'savings'",
  account_number: "'123456'",
  document: "'12345'",
  debtor_account: "'NOTPROVIDED'",
  currency: "'USD'",
  state: "'42501'",
  type: "'expense'",
  kind: "'expense'",
  role: "'admin'",
  recorded_by: "'bank'",
  idempotency_key: 'null',
  body_hash: `'${'cd'.repeat(32)}'`,
  address_mac: 'null',
  origin: "'service'",
  outcome: "'done'",
  secrets: "'{}'",
  relation: "'public.budgets'",
  reason: "'other'",
  column_name: "'user_id'",
  fields: "'{a}'",
  rows: `'[{"date": "2026-01-01", "description": "Café", "amount": 1}]'`,
  rhythm: "'weekly'",
  next_due_on: '(current_date + 7)',
  due_day: 'null',
  document_kind: "'CC'",
  document_number: "'52123456'",
  phone: "'+573001234567'",
  before_entry: '9223372036854775807',
  posted_seq: 'null',
  self_dealing: "'allow'",
  address: "'nuevo@banco.example'",
  month: 'current_date',
  kinds: "'{deposit}'",
  report: `'${JSON.stringify({
    process: '5f0b8b3e-6a55-4d0c-9d6e-0c8f6f2f7a11',
    name: 'vm:3000',
    version: '0.3.0',
    engine: 'pglite',
    started_at: '2026-01-01',
    backup_interval_minutes: 60,
  })}'`,
  reports: "'[]'",
}

/** Returns a valid value for the column or argument. */
function valueOf(name: string, type: string): string {
  const known = values[name]
  if (known !== undefined && !(name === 'body_hash' && type === 'bytea')) return known
  if (name === 'status' && type === 'text') return "'active'"
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type.endsWith('[]')) return "'{}'"
  if (type === 'text') return "'word'"
  if (type === 'boolean') return 'true'
  if (/^(numeric|integer|bigint|smallint|double precision)/.test(type)) return '1'
  // A list that continues before a time begins with the latest row.
  if (type.startsWith('timestamp')) return name.startsWith('before_') ? "'infinity'" : 'now()'
  if (type === 'jsonb' || type === 'json') return `'{"role": "admin"}'`
  if (type === 'bytea') return `'\\x${'00'.repeat(32)}'`
  if (type.endsWith('category_rules'))
    return `jsonb_populate_record(null::public.category_rules, '{"folded": "caf", "position": 0, "created_at": "2999-01-01"}')`
  return 'null'
}
