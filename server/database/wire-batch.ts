/**
 * PostgreSQL's extended query protocol for a whole batch: Parse/Bind/Describe/Execute for every statement, then one
 * Sync. The statements between two Syncs form one implicit database transaction, so a batch needs only one round trip.
 * Both engines use this protocol. PostgreSQL receives the messages over a socket, and the embedded engine receives them
 * in memory. Source: the section "Pipelining" in the chapter "Frontend/Backend Protocol" of PostgreSQL's documentation.
 */
import { serialize } from 'pg-protocol'
import { type Row, SqlError, type SqlStatement, type SqlValue, answerTooLongSqlState } from './database.ts'
import {
  type Columns,
  type OnMessage,
  columnsOf,
  errorFieldsOf,
  letters,
  fieldsOf,
} from './server-messages.ts'

/**
 * Maximum number of prepared statements per connection. Above this number, a new statement replaces the least recently
 * used statement.
 */
const preparedStatementsMax = 256

type Prepared = {
  readonly name: string
  /**
   * The columns of the statement's rows; `null` before its first answer. If the columns have changed, the database
   * refuses to run the prepared statement.
   */
  columns: Columns | null
  /** The value of a counter when the statement was last used. A higher value means a more recent use. */
  usedAt: number
}

/**
 * The statements that a connection has prepared, keyed by their text. Reusing a prepared statement saves two thirds of
 * a read's cost. Behind a pooler, each batch may run on a different connection, so every statement is prepared anew
 * without a name.
 */
export class PreparedStatements {
  readonly #isKept: boolean
  readonly #byText = new Map<string, Prepared>()
  readonly #superfluous: string[] = []
  #clock = 0

  constructor({ isKept }: { isKept: boolean }) {
    this.#isKept = isKept
  }

  find(text: string): Prepared | null {
    const known = this.#byText.get(text)
    if (known === undefined) return null
    this.#clock += 1
    known.usedAt = this.#clock
    return known
  }

  /** Returns a statement with a name that was never used on this connection. */
  make(): Prepared {
    if (!this.#isKept) return { name: '', columns: null, usedAt: 0 }
    this.#clock += 1
    return { name: `s${this.#clock}`, columns: null, usedAt: this.#clock }
  }

  /** Records that the server has prepared the text. */
  confirm(text: string, prepared: Prepared): void {
    if (!this.#isKept) return
    // If another batch has prepared the same text at the same time, the statement with the earlier name is closed.
    const earlier = this.#byText.get(text)
    if (earlier !== undefined) this.#superfluous.push(earlier.name)
    this.#byText.set(text, prepared)
  }

  /** Forgets the statement, so that it is prepared again when it is next used. */
  forget(statement: Prepared): void {
    for (const [text, known] of this.#byText) {
      if (known !== statement) continue
      this.#byText.delete(text)
      this.#superfluous.push(known.name)
    }
  }

  /** Returns the names of the statements to close: those above the limit, and those that were prepared twice. */
  takeEvicted(): string[] {
    const evicted = this.#superfluous.splice(0)
    while (this.#byText.size > preparedStatementsMax) {
      const [oldest] = [...this.#byText].toSorted(([, one], [, other]) => one.usedAt - other.usedAt)
      if (oldest === undefined) break
      this.#byText.delete(oldest[0])
      evicted.push(oldest[1].name)
    }
    return evicted
  }
}

/**
 * The bytes to send, and the functions that receive the answer's messages until the database reports that it is ready
 * for the next query.
 */
export type Exchange = {
  readonly bytes: Buffer
  take: OnMessage
  /** Records that the answer was too long and that a part of the answer was therefore dropped. */
  drop: () => void
}

/** A pending batch: the bytes to send, and the rows received so far. */
export class WireBatch implements Exchange {
  readonly bytes: Buffer
  readonly #prepared: PreparedStatements
  readonly #parsing: { text: string; statement: Prepared }[] = []
  readonly #answers: { statement: Prepared; rows: Buffer[] }[]
  #current = 0
  /** Maximum total size of the rows. If the answer is longer, its rows are dropped. */
  readonly #bytesMax: number
  #bytes = 0
  #error: SqlError | null = null

  constructor(
    statements: readonly SqlStatement<unknown>[],
    prepared: PreparedStatements,
    { bytesMax = Infinity }: { readonly bytesMax?: number } = {},
  ) {
    this.#prepared = prepared
    this.#bytesMax = bytesMax
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

  /**
   * Takes the next message of the answer. Rows are parsed later, in `rows`, because parsing may throw and the error
   * must reach the caller.
   */
  take(letter: number, payload: Buffer): void {
    const answer = this.#answers[this.#current]
    switch (letter) {
      case letters.parseComplete: {
        const parsed = this.#parsing.shift()
        if (parsed !== undefined) this.#prepared.confirm(parsed.text, parsed.statement)
        break
      }
      case letters.rowDescription:
        if (answer !== undefined) answer.statement.columns = columnsOf(payload)
        break
      case letters.dataRow:
        this.#bytes += payload.length
        if (this.#bytes > this.#bytesMax) this.drop()
        else answer?.rows.push(payload)
        break
      case letters.commandComplete:
      case letters.emptyQuery:
        // The database sends no row description for a statement without columns.
        if (answer !== undefined) answer.statement.columns ??= []
        this.#current += 1
        break
      case letters.error:
        this.#error = sqlErrorOf(payload)
        // A prepared statement's parameters keep their original types even after a column's type has changed, so the
        // statement is forgotten.
        if (answer !== undefined && isOutdated(this.#error)) this.#prepared.forget(answer.statement)
        break
      default:
    }
  }

  drop(): void {
    for (const { rows } of this.#answers) rows.length = 0
    this.#error ??= new SqlError({ sqlState: answerTooLongSqlState, message: 'The answer is too long.' })
  }

  /**
   * Returns the rows of each statement except the first `skipped` statements. Throws `SqlError` if the database refused
   * any statement.
   */
  rows(skipped = 0): Row[][] {
    if (this.#error !== null) throw this.#error
    return this.#answers.slice(skipped).map((_, index) => this.rowsOf(skipped + index))
  }

  /** Returns the rows of one statement, even if a later statement was refused. */
  rowsOf(index: number): Row[] {
    const { statement, rows } = this.#answers[index] ?? { statement: null, rows: [] }
    return rows.map((payload) => rowOf(statement?.columns ?? [], payload))
  }
}

/** A pending script. The script is sent as one message, and its rows are ignored. */
export class WireScript implements Exchange {
  readonly bytes: Buffer
  #error: SqlError | null = null

  constructor(script: string) {
    this.bytes = serialize.query(script)
  }

  take(letter: number, payload: Buffer): void {
    if (letter === letters.error) this.#error = sqlErrorOf(payload)
  }

  drop(): void {
    // The rows of a script are not needed.
  }

  /** Throws `SqlError` if the database refused a statement. */
  finish(): void {
    if (this.#error !== null) throw this.#error
  }
}

/**
 * Returns true if the statement may succeed after it has been prepared again: the error reports an undefined name or
 * operator, or a changed type or result.
 */
function isOutdated({ sqlState }: SqlError): boolean {
  return sqlState === '0A000' || (sqlState.startsWith('42') && sqlState !== insufficientPrivilege)
}

const insufficientPrivilege = '42501'

function sqlErrorOf(payload: Buffer): SqlError {
  const fields = errorFieldsOf(payload)
  return new SqlError({
    message: fields.get('M') ?? '',
    sqlState: fields.get('C') ?? 'XX000',
    detail: fields.get('D'),
    hint: fields.get('H'),
    constraint: fields.get('n'),
  })
}

function rowOf(columns: Columns, payload: Buffer): Row {
  const fields = fieldsOf(payload)
  const row: Row = {}
  for (const [index, { name, type }] of columns.entries()) row[name] = valueOf(type, fields[index] ?? null)
  return row
}

function textOf(value: SqlValue): string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

// The numbers are PostgreSQL's oids of types. These oids never change (pg_type.dat).
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
