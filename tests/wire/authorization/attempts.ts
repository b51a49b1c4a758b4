/** The cells over HTTP: actor × verb × table, column or function, on own rows and on others'. */
import { randomUUID } from 'node:crypto'
import type { Attempt, Target, Verb } from '#supabase/authorization/is-permitted.ts'
import type { WireActor } from './actors.ts'
import { importedRows } from './imported-rows.ts'
import type { Named, Offered } from './description.ts'

/** An attempt and the request that it is. */
export type WireAttempt = {
  readonly attempt: Attempt
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

/** Tables that no request may name, each in the schema where it is. */
const hidden = [
  ['ledger', 'journal'],
  ['ledger', 'audit'],
  ['ledger', 'deleted_transactions'],
  ['ledger', 'transaction_edits'],
  ['auth', 'users'],
  ['auth', 'sessions'],
  ['auth', 'statement_keys'],
] as const

type Aim = {
  target: Target
  person: string
  deleted: string
  banked: string | null
  session: string
}

/** The attempts of one actor; deletions come last. */
export function listAttempts(actor: WireActor, offered: Offered): readonly WireAttempt[] {
  const { own, deleted, banked, sessions } = actor
  const other = {
    target: 'other',
    person: actor.other,
    deleted: deleted.other,
    banked: banked.other,
    session: sessions.other,
  } as const
  const aims: Aim[] =
    own === null
      ? [other]
      : [
          {
            target: 'own',
            person: own,
            deleted: deleted.own ?? '',
            banked: banked.own,
            session: sessions.own,
          },
          other,
        ]
  const attempts = [
    ...offered.tables.flatMap((table) => aims.flatMap((aim) => tableAttempts(table, aim))),
    ...hidden.map(([schema, table]): Rest => ({
      verb: 'select',
      object: `${table} of ${schema}`,
      target: 'none',
      path: `${table}?select=*`,
      headers: { 'accept-profile': schema },
    })),
    ...hidden
      .filter(([, table]) => offered.tables.every(({ name }) => name !== table))
      .map(([, table]): Rest => ({
        verb: 'select',
        object: `${table} by its bare name`,
        target: 'none',
        path: `${table}?select=*`,
      })),
    ...embeds.map(([table, embedded]): Rest => ({
      verb: 'embed',
      object: `${table} with ${embedded}`,
      target: 'none',
      path: `${table}?select=${embedded}!inner(*)`,
    })),
    ...offered.functions.flatMap((called) => callAttempts(actor, aims, called)),
  ].map((rest) => ({ ...rest, path: `/rest/v1/${rest.path}` }))
  return [...attempts, ...functionAttempts(actor, aims)].map(
    ({ verb, object, column = null, target, path, method = 'GET', headers = {}, body }) => ({
      attempt: { actor: actor.name, verb, object, column, target },
      method,
      path,
      headers: {
        ...actor.headers,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    }),
  )
}

type Rest = {
  verb: Verb
  object: string
  column?: string
  target: Target
  path: string
  method?: string
  headers?: Record<string, string>
  body?: object
}

/** Those that a foreign key links, both ways. */
const embeds = [
  ['profiles', 'user_safe'],
  ['user_safe', 'profiles'],
  ['budgets', 'transaction_edits'],
  ['transaction_edits', 'budgets'],
  ['batches', 'batch_lines'],
  ['batch_lines', 'batches'],
  ['batch_lines', 'profiles'],
  ['profiles', 'batch_lines'],
  ['recurring_expenses', 'recurring_occurrences'],
  ['recurring_occurrences', 'recurring_expenses'],
] as const

const answered = { prefer: 'return=representation' }

function tableAttempts({ name, owner, columns }: Offered['tables'][number], aim: Aim): Rest[] {
  const { target, person } = aim
  // A change without a filter is refused before any right is checked.
  const filter = owner === null ? 'id=not.is.null' : `${owner}=eq.${person}`
  const of = { object: name, target }
  const base = () => ({ ...(owner === null ? {} : { [owner]: person }), ...rowOf(name) })
  return [
    ...columns.map(({ name: column }): Rest => ({
      ...of,
      verb: 'select',
      column,
      path: `${name}?select=${column}&${filter}`,
    })),
    { ...of, verb: 'count', path: `${name}?${filter}`, method: 'HEAD', headers: { prefer: 'count=exact' } },
    ...columns.map((column): Rest => ({
      ...of,
      verb: 'insert',
      column: column.name,
      path: name,
      method: 'POST',
      headers: answered,
      body: { ...base(), [column.name]: column.name === owner ? person : valueOf(column) },
    })),
    {
      ...of,
      verb: 'upsert',
      path: name,
      method: 'POST',
      headers: { prefer: 'return=representation,resolution=merge-duplicates' },
      body: { ...base(), ...(name === 'transactions' ? { id: randomUUID() } : {}) },
    },
    ...columns.map((column): Rest => ({
      ...of,
      verb: 'update',
      column: column.name,
      path: `${name}?${filter}${changeable[`${name}.${column.name}`] ?? ''}`,
      method: 'PATCH',
      headers: answered,
      body: { [column.name]: valueOf(column) },
    })),
    {
      ...of,
      verb: 'delete',
      path: `${name}?${filter}`,
      method: 'DELETE',
      headers: answered,
    },
  ]
}

/** Returns values for the other required columns of a new row. */
function rowOf(table: string): object {
  if (table === 'transactions') return { type: 'expense', description: 'Café', amount: 1, category: 'Comida' }
  if (table === 'categories') return { name: randomUUID() }
  if (table === 'category_budgets') return { category: randomUUID() }
  return table === 'category_rules' ? { contains: randomUUID(), category: 'Comida' } : {}
}

/** Filters of a change: a trigger protects the bank's words, and a unique value fits one row only. */
const changeable: Record<string, string> = {
  'transactions.description': '&recorded_by=eq.customer',
  'categories.name': '&name=eq.Mascotas',
  'category_rules.contains': '&contains=eq.Gabrica',
}

function callAttempts(
  actor: WireActor,
  aims: readonly Aim[],
  { name, parameters }: Offered['functions'][number],
): Rest[] {
  const takesUserId = parameters.some(({ type }) => type === 'uuid')
  const takesSession = parameters.some(({ name: parameter }) => parameter === 'session_id')
  const call = (target: Target, body: object): Rest => ({
    verb: 'call',
    object: name,
    target,
    path: `rpc/${name}`,
    method: 'POST',
    body,
  })
  const isPassed = (parameter: Named) =>
    !optional.has(parameter.name) || needed.has(`${name}.${parameter.name}`)
  if (!takesUserId)
    return [
      call('none', Object.fromEntries(parameters.filter(isPassed).map((each) => [each.name, valueOf(each)]))),
    ]
  return aims.map(({ target, person, deleted, banked, session }) => {
    // A call that ends or changes an account uses one that no other attempt needs.
    const takesAway = name === 'erase_account' || accessFunctions.has(name)
    const expendable = actor.expendable[actsOnSecond.has(name) ? 1 : 0]
    const subject = takesAway && target === 'other' ? (expendable ?? person) : person
    const isInName = parameters.some((parameter) => parameter.name === 'actor') && takesSession
    const passed = parameters
      .filter(isPassed)
      .map((parameter) => [
        parameter.name,
        parameter.name === 'id'
          ? deleted
          : parameter.name === 'session_id'
            ? session
            : parameter.type === 'uuid'
              ? subject
              : valueOf(parameter),
      ])
    const withoutId = Object.fromEntries(passed.filter(([key]) => key !== 'id'))
    if (isInName) return call(target, { ...Object.fromEntries(passed), ...actor.inName })
    if (name === 'correct_transaction')
      return call(target, { ...withoutId, transaction_id: banked ?? person })
    // The rest of their arguments say where a page begins.
    if (name.startsWith('read_customer_') || name === 'audit_of') return call(target, { user_id: person })
    // Under the id of the other's it would be one of their own.
    if (name === 'import_transactions' || name === 'save_recurring_expense') passed.push(['id', randomUUID()])
    if (name === 'create_batch') {
      passed.push(['id', randomUUID()])
      passed.push(['lines', [{ line: 1, user_id: person, amount: 1, description: 'Nómina' }]])
    }
    return call(target, Object.fromEntries(passed))
  })
}

const accessFunctions = new Set([
  'delete_user',
  'block_user',
  'unblock_user',
  'end_sessions',
  'reset_factor',
  'begin_email_change',
  'cancel_email_change',
  'begin_link_mail',
])

/** Those with the person of the functions: `manage-users:change_email` gives them something to cancel. */
const actsOnSecond = new Set(['cancel_email_change', 'delete_user'])

const optional = new Set(['idempotency_key', 'body_hash', 'address_mac', 'due_day', 'status'])
/** Those that are not optional in every function. */
const needed = new Set(['abort_user_creation.idempotency_key'])

function functionAttempts(actor: WireActor, aims: readonly Aim[]): Rest[] {
  const invoke = (object: string, target: Target, body: object): Rest => {
    const [name, action] = object.split(':')
    return {
      verb: 'invoke',
      object,
      target,
      path: `/functions/v1/${name}`,
      method: 'POST',
      body: { action, ...body },
    }
  }
  const account = { email: `cliente-${randomUUID()}@banco.example`, password: `clave ${randomUUID()}` }
  const deposit = { type: 'deposit', amount: 1, description: 'Nómina', category: 'Deposito' }
  return [
    invoke('manage-users:create', 'none', {
      ...account,
      role: 'user',
      user_metadata: { full_name: 'Inés Mora' },
    }),
    ...accessActions.flatMap(([action, more]) =>
      aims.map(({ target, person }) =>
        invoke(`manage-users:${action}`, target, {
          userId: target === 'other' ? (actor.expendable[1] ?? person) : person,
          ...more,
        }),
      ),
    ),
    ...aims.map(({ target, person }) =>
      invoke('manage-transactions:create', target, {
        transactionData: { ...deposit, user_id: person, date: new Date().toISOString() },
      }),
    ),
    invoke('statement', 'none', { month: new Date().toISOString().slice(0, 7) }),
    invoke('delete-account', 'none', { password: actor.password }),
  ]
}

/** The deletion last. */
const accessActions: readonly (readonly [string, object])[] = [
  ['resend', {}],
  ['change_email', { email: `otra-${randomUUID()}@banco.example` }],
  ['delete', {}],
]

const values: Record<string, unknown> = {
  type: 'expense',
  role: 'user',
  recorded_by: 'bank',
  kind: 'deposit',
  rows: importedRows,
  names: ['nadie@banco.example'],
  reason: 'other',
  rhythm: 'weekly',
  next_due_on: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
  ids: [],
  carries_over: true,
}

/** A value that is right for the column or argument. */
function valueOf({ name, type }: Named): unknown {
  if (Object.hasOwn(values, name)) return values[name]
  if (name === 'name' || name === 'contains') return randomUUID()
  if (type === 'uuid') return randomUUID()
  if (/^(numeric|integer|bigint)/.test(type)) return 1
  if (type === 'date') return '2026-01-01'
  if (type.startsWith('timestamp')) return new Date().toISOString()
  if (type === 'jsonb') return { role: 'admin' }
  return 'word'
}
