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

/** The statements that a connection has prepared: text → name. Preparing saves two thirds of a read's cost. */
export class PreparedStatements {
  readonly #names = new Map<string, string>()
  #count = 0

  /** The name under which the text is prepared, or `null`. */
  find(text: string): string | null {
    const name = this.#names.get(text)
    if (name === undefined) return null
    this.#names.delete(text)
    this.#names.set(text, name)
    return name
  }

  /** A name that was never used on this connection. */
  nextName(): string {
    this.#count += 1
    return `s${this.#count}`
  }

  /** Notes that the server has prepared the text. */
  confirm(text: string, name: string): void {
    this.#names.set(text, name)
  }

  /** Names that are one too many and must be closed. */
  takeEvicted(): string[] {
    const evicted: string[] = []
    for (const [text, name] of this.#names) {
      if (this.#names.size <= preparedStatementsMax) break
      this.#names.delete(text)
      evicted.push(name)
    }
    return evicted
  }
}

/** A message from the server, as `pg-protocol` hands it over. */
export type ServerMessage = { readonly name: string }

type FieldMessage = { fields: { name: string; dataTypeID: number }[] }
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
  readonly #parsing: { text: string; name: string }[] = []
  readonly #answers: { columns: FieldMessage['fields']; rows: (string | null)[][] }[]
  #current = 0
  #error: SqlError | null = null

  constructor(statements: readonly SqlStatement<unknown>[], prepared: PreparedStatements) {
    this.#prepared = prepared
    this.#answers = statements.map(() => ({ columns: [], rows: [] }))
    const messages: Buffer[] = prepared.takeEvicted().map((name) => serialize.close({ type: 'S', name }))
    for (const { text, values } of statements) {
      let name = prepared.find(text)
      if (name === null) {
        name = prepared.nextName()
        this.#parsing.push({ text, name })
        messages.push(serialize.parse({ text, name }))
      }
      messages.push(
        serialize.bind({ statement: name, values: values.map(textOf) }),
        serialize.describe({ type: 'P' }),
        serialize.execute(),
      )
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
        if (parsed !== undefined) this.#prepared.confirm(parsed.text, parsed.name)
        break
      }
      case 'rowDescription':
        if (answer !== undefined) answer.columns = (message as ServerMessage & FieldMessage).fields
        break
      case 'dataRow':
        answer?.rows.push((message as ServerMessage & DataRowMessage).fields)
        break
      case 'commandComplete':
      case 'emptyQuery':
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
    return this.#answers.map(({ columns, rows }) => rows.map((fields) => rowOf(columns, fields)))
  }
}

/** The error that a server message describes. */
export function sqlErrorOf({ message, code, detail, hint, constraint }: ErrorFields): SqlError {
  return new SqlError({ message, sqlState: code ?? 'XX000', detail, hint, constraint })
}

function rowOf(columns: FieldMessage['fields'], fields: (string | null)[]): Row {
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
