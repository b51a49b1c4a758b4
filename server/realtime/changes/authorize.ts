/**
 * What of the changes each caller may see, asked of the database with their rights and in a session of theirs that is
 * alive (security.md RT-01, RT-03): for one of them alone, or for several in one database transaction.
 */
import type { Change } from '#database/changes.ts'
import type { Database, Row, SqlStatement } from '#database/database.ts'
import { asCaller, asCallers, setClaims } from '#database/scope.ts'
import type { Caller } from '#tokens/caller.ts'
import type { PublishedTable, PublishedTables } from './published-tables.ts'
import { visibilityStatement } from './visibility.ts'

export type JudgingServices = {
  readonly database: Database
  readonly tables: PublishedTables
}

/** A change that somebody asked for. */
export type Wanted = { readonly caller: Caller; readonly change: Change }

/** What to say of each change that the caller may see. Throws what the database does. */
export async function judge(
  { database, tables }: JudgingServices,
  caller: Caller,
  wanted: readonly Wanted[],
): Promise<Map<Change, Message>> {
  const asked = askedOf(await tables.of(caller.role), wanted)
  return visibleOf(asked, await database.transaction(asCaller(caller, 'read'), asked.map(statementOf)))
}

/** The same for several callers, in their order; `null` when one of them has no session. Throws for all what it would for one. */
export async function judgeTogether(
  { database, tables }: JudgingServices,
  groups: readonly (readonly Wanted[])[],
): Promise<readonly Map<Change, Message>[] | null> {
  const callers = groups.flatMap(([first]) => (first?.caller.role === 'authenticated' ? [first.caller] : []))
  if (callers.length < groups.length) return null
  const known = await tables.of('authenticated')
  const questions = groups.map((group) => askedOf(known, group))
  const statements = callers.flatMap((caller, place) => [
    setClaims(caller),
    ...(questions[place] ?? []).map(statementOf),
  ])
  const answers = await database.transaction(asCallers(callers, 'read'), statements)
  let place = 0
  return questions.map((asked) => {
    const own = answers.slice(place + 1, place + 1 + asked.length)
    place += 1 + asked.length
    return visibleOf(asked, own)
  })
}

/** The changes of one table that are to be judged. */
type Asked = { readonly table: PublishedTable; readonly changes: readonly Change[] }

function askedOf(tables: readonly PublishedTable[], wanted: readonly Wanted[]): Asked[] {
  const changes = new Set(wanted.map(({ change }) => change))
  return tables
    .map((table) => ({ table, changes: [...changes].filter((change) => isOf(table, change)) }))
    .filter((each) => each.changes.length > 0)
}

function statementOf({ table, changes }: Asked): SqlStatement {
  return visibilityStatement(table, changes.map(imageOf))
}

function visibleOf(asked: readonly Asked[], answers: readonly (readonly Row[])[]): Map<Change, Message> {
  const messages = new Map<Change, Message>()
  for (const [index, { table, changes }] of asked.entries()) {
    for (const [place, change] of changes.entries()) {
      if (answers[index]?.[place]?.['visible'] === true) messages.set(change, messageOf(table, change))
    }
  }
  return messages
}

function isOf({ schema, table }: PublishedTable, change: Change): boolean {
  return change.schema === schema && change.table === table
}

/** The row that is judged: the new one, or the one that is gone. */
function imageOf({ record, oldRecord }: Change): Row {
  return record ?? oldRecord ?? {}
}

/** The `data` of a frame. */
export type Message = Readonly<Record<string, unknown>>

/** The `data` of the frame, with the columns that the role may read. */
function messageOf(table: PublishedTable, { schema, operation, at, record, oldRecord }: Change): Message {
  const columns = table.columns.filter(({ isSelectable }) => isSelectable)
  const key = columns.filter(({ isKey }) => isKey)
  return {
    schema,
    table: table.table,
    type: operation,
    commit_timestamp: at,
    columns: columns.map(({ name, type }) => ({ name, type })),
    ...(record === null ? {} : { record: pick(record, columns) }),
    ...(oldRecord === null ? {} : { old_record: pick(oldRecord, key) }),
    errors: null,
  }
}

function pick(row: Row, columns: readonly { readonly name: string }[]): Row {
  return Object.fromEntries(columns.map(({ name }) => [name, row[name]]))
}
