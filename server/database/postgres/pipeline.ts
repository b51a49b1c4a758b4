/** One connection that answers exchanges in the order in which they were sent, without waiting between them. */
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
 * Writes the batches of one turn of the event loop together while the database is already working. Each batch ends with
 * its own Sync, so each is a database transaction of its own: a failing one does not affect its neighbours. `pg`
 * connects, and sends no query afterwards: its queue takes one at a time.
 */
export class Pipeline {
  readonly #stream: Socket
  readonly #sent: Sent[] = []
  #broken: Error | null = null
  readonly #silenceMaxMs: number | null
  #watchdog: NodeJS.Timeout | null = null

  /** After `silenceMaxMs` without an answer the connection is ended; `null` waits for ever. Longer messages are dropped. */
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

  /** Milliseconds that the first of them has waited for its answer; 0 without one. */
  waitedMs(): number {
    const [first] = this.#sent
    return first === undefined ? 0 : performance.now() - first.sentAt
  }

  /** Resolves when the database answers the exchange, even with a refusal; rejects when the connection has ended. */
  send(exchange: Exchange): Promise<void> {
    if (this.#broken !== null) return Promise.reject(this.#broken)
    return new Promise((resolve, reject) => {
      const isIdle = this.#sent.length === 0
      this.#sent.push({ sentAt: performance.now(), exchange, resolve, reject })
      this.#watch()
      // The first one is begun at once; the others of this turn are written together.
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
   * One timer for all exchanges: most are answered long before it fires, and then it starts again for the oldest open
   * one.
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

/** The error with which the server closes the connection; `null` where it only refused a statement. */
function fatalErrorOf(payload: Buffer): pg.DatabaseError | null {
  const fields = errorFieldsOf(payload)
  // Poolers send the severity without its language-neutral twin, in English.
  const severity = fields.get('V') ?? fields.get('S')
  if (severity !== 'FATAL' && severity !== 'PANIC') return null
  const error = new pg.DatabaseError(fields.get('M') ?? severity, payload.length, 'error')
  error.severity = severity
  error.code = fields.get('C')
  return error
}
