/**
 * PostgreSQL's extended query protocol for a whole batch: Parse/Bind/Describe/Execute of every
 * statement, then one Sync. Everything between two Syncs is one implicit transaction, so this is
 * begin … commit in a single round trip. Both engines speak it: over a socket, or in memory.
 * Source: PostgreSQL documentation, "Frontend/Backend Protocol", pipelining.
 */
import { serialize } from 'pg-protocol'
import { type Row, SqlError, type SqlStatement, type SqlValue } from './database.ts'

/** Statements that one connection keeps prepared; the least recently used one makes room. */
const preparedStatementsMax = 256

/** A statement that a connection has prepared. */
type Prepared = {
  readonly name: string
  /** What its rows look like; `null` until it has answered once. The server refuses to run it when they change. */
  columns: Columns | null
}

/**
 * The statements that a connection has prepared, by text. Preparing saves two thirds of a read's cost. Behind a
 * pooler each batch may meet another connection: there every statement is prepared anew, without a name.
 */
export class PreparedStatements {
  readonly #isKept: boolean
  readonly #byText = new Map<string, Prepared>()
  readonly #superfluous: string[] = []
  #count = 0

  constructor({ isKept }: { isKept: boolean }) {
    this.#isKept = isKept
  }

  /** The statement as it was prepared, or `null`. */
  find(text: string): Prepared | null {
    const known = this.#byText.get(text)
    if (known === undefined) return null
    this.#byText.delete(text)
    this.#byText.set(text, known)
    return known
  }

  /** A statement under a name that was never used on this connection. */
  make(): Prepared {
    if (!this.#isKept) return { name: '', columns: null }
    this.#count += 1
    return { name: `s${this.#count}`, columns: null }
  }

  /** Notes that the server has prepared the text. */
  confirm(text: string, prepared: Prepared): void {
    if (!this.#isKept) return
    // Two batches on their way at once may each have prepared it.
    const earlier = this.#byText.get(text)
    if (earlier !== undefined) this.#superfluous.push(earlier.name)
    this.#byText.set(text, prepared)
  }

  /** Names that are one too many and must be closed. */
  takeEvicted(): string[] {
    const evicted = this.#superfluous.splice(0)
    for (const [text, { name }] of this.#byText) {
      if (this.#byText.size <= preparedStatementsMax) break
      this.#byText.delete(text)
      evicted.push(name)
    }
    return evicted
  }
}

/** A message from the server, as `pg-protocol` hands it over. */
export type ServerMessage = { readonly name: string }

type Columns = { name: string; dataTypeID: number }[]
type FieldMessage = { fields: Columns }
type DataRowMessage = { fields: (string | null)[] }
type ErrorFields = {
  message: string
  code?: string | undefined
  detail?: string | undefined
  hint?: string | undefined
  constraint?: string | undefined
}

/** One batch on its way: the bytes to send, and the rows as the answer's messages come in. */
export class WireBatch {
  readonly bytes: Buffer
  readonly #prepared: PreparedStatements
  readonly #parsing: { text: string; statement: Prepared }[] = []
  readonly #answers: { statement: Prepared; rows: (string | null)[][] }[]
  #current = 0
  #error: SqlError | null = null

  constructor(statements: readonly SqlStatement<unknown>[], prepared: PreparedStatements) {
    this.#prepared = prepared
    this.#answers = []
    const messages: Buffer[] = prepared.takeEvicted().map((name) => serialize.close({ type: 'S', name }))
    for (const { text, values } of statements) {
      let statement = prepared.find(text)
      if (statement === null) {
        statement = prepared.make()
        this.#parsing.push({ text, statement })
        messages.push(serialize.parse({ text, name: statement.name }))
      }
      messages.push(serialize.bind({ statement: statement.name, values: values.map(textOf) }))
      if (statement.columns === null) messages.push(serialize.describe({ type: 'P' }))
      messages.push(serialize.execute())
      this.#answers.push({ statement, rows: [] })
    }
    messages.push(serialize.sync())
    this.bytes = Buffer.concat(messages)
  }

  /** Takes the next message of the answer. Keeps the text as it is: reading it may throw, and belongs to the caller. */
  take(message: ServerMessage): void {
    const answer = this.#answers[this.#current]
    switch (message.name) {
      case 'parseComplete': {
        const parsed = this.#parsing.shift()
        if (parsed !== undefined) this.#prepared.confirm(parsed.text, parsed.statement)
        break
      }
      case 'rowDescription':
        if (answer !== undefined) answer.statement.columns = (message as ServerMessage & FieldMessage).fields
        break
      case 'dataRow':
        answer?.rows.push((message as ServerMessage & DataRowMessage).fields)
        break
      case 'commandComplete':
      case 'emptyQuery':
        // Without a row description there are no columns.
        if (answer !== undefined) answer.statement.columns ??= []
        this.#current += 1
        break
      case 'error':
        this.#error = sqlErrorOf(message as ServerMessage & ErrorFields)
        break
      default:
    }
  }

  /** The rows of each statement; throws `SqlError` when the database refused one of them. */
  rows(): Row[][] {
    if (this.#error !== null) throw this.#error
    return this.#answers.map((_, index) => this.rowsOf(index))
  }

  /** The rows of one statement, also where a later one was refused. */
  rowsOf(index: number): Row[] {
    const { statement, rows } = this.#answers[index] ?? { statement: null, rows: [] }
    return rows.map((fields) => rowOf(statement?.columns ?? [], fields))
  }
}

/** The error that a server message describes. */
export function sqlErrorOf({ message, code, detail, hint, constraint }: ErrorFields): SqlError {
  return new SqlError({ message, sqlState: code ?? 'XX000', detail, hint, constraint })
}

function rowOf(columns: Columns, fields: (string | null)[]): Row {
  const row: Row = {}
  for (const [index, column] of columns.entries())
    row[column.name] = valueOf(column.dataTypeID, fields[index] ?? null)
  return row
}

function textOf(value: SqlValue): string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

// Type numbers are fixed in pg_type.dat.
function valueOf(type: number, text: string | null): unknown {
  if (text === null) return null
  switch (type) {
    case 16: // bool
      return text === 't'
    case 17: // bytea
      return Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
    case 20: // int8
    case 21: // int2
    case 23: // int4
    case 26: // oid
    case 700: // float4
    case 701: // float8
      return exactNumber(text)
    case 114: // json
    case 3802: // jsonb
      return JSON.parse(text)
    default:
      return text
  }
}

function exactNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) throw new RangeError(`${text} is past 2^53`)
  return number
}
