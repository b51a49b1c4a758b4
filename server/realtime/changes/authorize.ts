/**
 * Asks the database, with each caller's rights and session, which changes that caller may see (security.md RT-01,
 * RT-03). One database transaction can serve several callers.
 */
import type { Change } from './feed.ts'
import type { Database, Row, SqlStatement } from '#database/database.ts'
import { asCaller, asCallers, setClaims } from '#database/scope.ts'
import type { Caller } from '#tokens/caller.ts'
import type { Policy, PublishedTable, PublishedTables } from './published-tables.ts'

export type AuthorizationServices = {
  readonly database: Database
  readonly tables: PublishedTables
}

/** A change that has passed one of the caller's filters. */
export type CandidateChange = { readonly caller: Caller; readonly change: Change }

/** Returns the `data` field of one frame for each change that the caller may see. Throws the database's errors. */
export async function authorizeChanges(
  { database, tables }: AuthorizationServices,
  caller: Caller,
  candidates: readonly CandidateChange[],
): Promise<Map<Change, Message>> {
  const batches = byTable(await tables.of(caller.role), candidates)
  return visibleOf(batches, await database.transaction(asCaller(caller, 'read'), batches.map(statementOf)))
}

/**
 * Authorizes changes for several callers and returns the results in the order of the callers. Returns `null` if any
 * caller is an API key, which has no session. If the check fails for one caller, throws and returns no results.
 */
export async function authorizeBatch(
  { database, tables }: AuthorizationServices,
  groups: readonly (readonly CandidateChange[])[],
): Promise<readonly Map<Change, Message>[] | null> {
  const callers = groups.flatMap(([first]) => (first?.caller.role === 'authenticated' ? [first.caller] : []))
  if (callers.length < groups.length) return null
  const published = await tables.of('authenticated')
  const batchesOf = groups.map((group) => byTable(published, group))
  const statements = callers.flatMap((caller, index) => [
    setClaims(caller),
    ...(batchesOf[index] ?? []).map(statementOf),
  ])
  const answers = await database.transaction(asCallers(callers, 'read'), statements)
  let offset = 0
  return batchesOf.map((batches) => {
    const own = answers.slice(offset + 1, offset + 1 + batches.length)
    offset += 1 + batches.length
    return visibleOf(batches, own)
  })
}

/** The candidate changes of one table. */
type TableBatch = { readonly table: PublishedTable; readonly changes: readonly Change[] }

function byTable(tables: readonly PublishedTable[], candidates: readonly CandidateChange[]): TableBatch[] {
  const changes = new Set(candidates.map(({ change }) => change))
  return tables
    .map((table) => ({ table, changes: [...changes].filter((change) => isOf(table, change)) }))
    .filter((batch) => batch.changes.length > 0)
}

/**
 * Returns a statement that evaluates the table's SELECT policies on the row of each change, with the subscriber's
 * rights and claims. The row is passed as JSON, so that even a deleted row can be checked. Upstream (walrus
 * `apply_rls`) does not check deletions.
 */
function statementOf({ table, changes }: TableBatch): SqlStatement {
  // A policy names columns without their table. The policy is therefore evaluated in a subquery whose only relation is
  // the row, under the table's name. The statement's text contains the table's oid, because a new table that has the
  // name of a dropped table needs a new prepared statement.
  const text =
    `/* ${table.oid} */ select exists (select from jsonb_populate_record(null::${table.qualifiedName}, images.image) ` +
    `as ${table.quotedName} where ${condition(table.policies)}) as visible ` +
    `from jsonb_array_elements($1::jsonb) with ordinality as images (image, place) order by place`
  return { text, values: [JSON.stringify(changes.map(imageOf))] }
}

/**
 * Combines policies as PostgreSQL does: at least one permissive policy and all restrictive policies must allow the row.
 */
function condition(policies: readonly Policy[] | null): string {
  if (policies === null) return 'true'
  const permissive = policies.filter(({ isPermissive }) => isPermissive)
  const restrictive = policies.filter(({ isPermissive }) => !isPermissive)
  if (permissive.length === 0) return 'false'
  const anyOf = permissive.map(({ expression }) => `(${expression})`).join(' or ')
  return [`(${anyOf})`, ...restrictive.map(({ expression }) => `(${expression})`)].join(' and ')
}

function visibleOf(
  batches: readonly TableBatch[],
  answers: readonly (readonly Row[])[],
): Map<Change, Message> {
  const messages = new Map<Change, Message>()
  for (const [index, { table, changes }] of batches.entries()) {
    for (const [row, change] of changes.entries()) {
      if (answers[index]?.[row]?.['visible'] === true) messages.set(change, messageOf(table, change))
    }
  }
  return messages
}

function isOf({ schema, table }: PublishedTable, change: Change): boolean {
  return change.schema === schema && change.table === table
}

/** Returns the row on which policies are evaluated: the new row, or the deleted row. */
function imageOf({ record, oldRecord }: Change): Row {
  return record ?? oldRecord ?? {}
}

/** The `data` of a frame. The data contains only the columns that the role may read. */
export type Message = Readonly<Record<string, unknown>>

function messageOf(table: PublishedTable, { schema, operation, at, record, oldRecord }: Change): Message {
  const subject = { schema, table: table.table, type: operation }
  const refusal = operation === 'DELETE' ? null : refusalOf(table)
  if (refusal !== null) return { ...subject, errors: [refusal] }
  const columns = table.columns.filter(({ isSelectable }) => isSelectable)
  // If the table has row-level security, the message contains only the old row's key. The policies were not checked for
  // the old row, which may have belonged to another user.
  const told = columns.filter(({ isKey, isIdentity }) => (table.hasRowSecurity ? isKey : isIdentity))
  return {
    ...subject,
    commit_timestamp: at,
    columns: columns.map(({ name, type }) => ({ name, type })),
    ...(record === null ? {} : { record: pick(record, columns) }),
    ...(oldRecord === null ? {} : { old_record: pick(oldRecord, told) }),
    errors: null,
  }
}

/** Returns the error that upstream sends instead of the row (walrus, apply_rls); `null` if upstream sends the row. */
function refusalOf({ columns }: PublishedTable): string | null {
  const key = columns.filter(({ isKey }) => isKey)
  if (key.length === 0) return 'Error 400: Bad Request, no primary key'
  return key.every(({ isSelectable }) => isSelectable) ? null : 'Error 401: Unauthorized'
}

function pick(row: Row, columns: readonly { readonly name: string }[]): Row {
  return Object.fromEntries(columns.map(({ name }) => [name, row[name]]))
}
