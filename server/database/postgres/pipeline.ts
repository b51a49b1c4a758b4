/**
 * A connection that sends exchanges without waiting for earlier answers. The answers arrive in the order of the
 * exchanges.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { NoAnswer } from '#database/database.ts'
import { MessageReader, errorFieldsOf, letters } from '#database/server-messages.ts'
import type { Exchange } from '#database/wire-batch.ts'

type Sent = {
  readonly sentAt: number
  readonly exchange: Exchange
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * Sends the first batch at once. The pipeline writes all other batches of the same event loop turn together, while the
 * database already works on the first. Each batch ends with a Sync and is therefore a separate database transaction, so
 * a failed batch does not affect the others. `pg` is used only to connect, because its queue would send one query at a
 * time.
 */
export class Pipeline {
  readonly #stream: Socket
  readonly #sent: Sent[] = []
  #broken: Error | null = null
  readonly #silenceMaxMs: number | null
  #watchdog: NodeJS.Timeout | null = null

  /**
   * Ends the connection if the database does not answer for `silenceMaxMs`. If `silenceMaxMs` is `null`, waits forever.
   * Drops messages longer than `messageBytesMax`.
   */
  constructor(
    client: pg.ClientBase,
    {
      silenceMaxMs,
      messageBytesMax = Infinity,
    }: { readonly silenceMaxMs: number | null; readonly messageBytesMax?: number },
  ) {
    this.#silenceMaxMs = silenceMaxMs
    const { connection } = client as pg.ClientBase & { connection: pg.Connection }
    this.#stream = connection.stream as Socket
    const reader = new MessageReader((letter, payload) => this.#take(letter, payload), {
      payloadBytesMax: messageBytesMax,
      onDropped: () => this.#sent[0]?.exchange.drop(),
    })
    this.#stream.removeAllListeners('data').on('data', (chunk: Buffer) => reader.read(chunk))
    client.on('error', (error) => this.end(error))
    client.on('end', () => this.end(new Error('The connection has ended.')))
  }

  get isBroken(): boolean {
    return this.#broken !== null
  }

  /**
   * Returns how many milliseconds the oldest exchange has been waiting for its answer, or 0 if no exchange is waiting.
   */
  waitedMs(): number {
    const [first] = this.#sent
    return first === undefined ? 0 : performance.now() - first.sentAt
  }

  /**
   * Resolves when the database has answered the exchange, even if the answer is a refusal. Rejects when the connection
   * has ended.
   */
  send(exchange: Exchange): Promise<void> {
    if (this.#broken !== null) return Promise.reject(this.#broken)
    return new Promise((resolve, reject) => {
      const isIdle = this.#sent.length === 0
      this.#sent.push({ sentAt: performance.now(), exchange, resolve, reject })
      this.#watch()
      // The first exchange is sent at once. The other exchanges of this event loop turn are written together.
      if (!isIdle && this.#stream.writableCorked === 0) {
        this.#stream.cork()
        setImmediate(() => this.#stream.uncork())
      }
      this.#stream.write(exchange.bytes)
    })
  }

  /** Closes the connection and rejects every unanswered exchange. */
  end(error: Error): void {
    this.#broken ??= error
    if (this.#watchdog !== null) clearTimeout(this.#watchdog)
    this.#stream.destroy()
    for (const { reject } of this.#sent.splice(0)) reject(error)
  }

  /**
   * Starts one timer for all exchanges. Most exchanges are answered long before the timer fires. A timer that fires too
   * early for the oldest unanswered exchange is started again for this exchange.
   */
  #watch(): void {
    if (this.#watchdog !== null || this.#silenceMaxMs === null || this.#sent.length === 0) return
    const silenceMaxMs = this.#silenceMaxMs
    this.#watchdog = setTimeout(() => {
      this.#watchdog = null
      if (this.waitedMs() >= silenceMaxMs) this.end(new NoAnswer(silenceMaxMs))
      else this.#watch()
    }, silenceMaxMs - this.waitedMs())
  }

  #take(letter: number, payload: Buffer): void {
    if (letter === letters.readyForQuery) {
      this.#sent.shift()?.resolve()
      return
    }
    const fatal = letter === letters.error ? fatalErrorOf(payload) : null
    if (fatal === null) this.#sent[0]?.exchange.take(letter, payload)
    else this.end(fatal)
  }
}

/** Returns the error with which the database closes the connection; `null` if the database only refused a statement. */
function fatalErrorOf(payload: Buffer): pg.DatabaseError | null {
  const fields = errorFieldsOf(payload)
  // Field V is the severity in English. Poolers send only field S. PostgreSQL translates field S into its configured
  // language, but poolers do not.
  const severity = fields.get('V') ?? fields.get('S')
  if (severity !== 'FATAL' && severity !== 'PANIC') return null
  const error = new pg.DatabaseError(fields.get('M') ?? severity, payload.length, 'error')
  error.severity = severity
  error.code = fields.get('C')
  return error
}
