/**
 * Servers that share one PostgreSQL tell each other that they wrote, so that a change reaches the sockets of
 * all of them at once. The message has no content: the feed reads the rows from the outbox. A lost message delays them
 * until the feed's clock. Needs a connection of its own that no pooler shares.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const channel = 'finanzas_writes'
/** One message reports all writes within this time, because a notification for each would serialise their commits. */
const gatherMs = 10
const reconnectMs = 1000

export class WriteNotifier {
  readonly #url: string
  readonly #name: string
  readonly #onWrite: () => void
  /** Distinguishes our own messages from those of others. */
  readonly #self = randomUUID()
  #client: pg.Client | null = null
  #gathering: NodeJS.Timeout | undefined
  #reconnecting: NodeJS.Timeout | undefined
  #connecting: Promise<void>
  #isClosed = false

  /** Listens from now on, again and again when the connection is lost; `name` is what the database calls it by. */
  constructor(url: string, name: string, onWrite: () => void) {
    this.#url = url
    this.#name = name
    this.#onWrite = onWrite
    this.#connecting = this.#connect()
  }

  /** Notifies the other servers, soon. */
  notify(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      // A lost message is a late one: the others look by the clock too.
      this.#client?.query('select pg_notify($1, $2)', [channel, this.#self]).catch(() => undefined)
    }, gatherMs).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#gathering)
    clearTimeout(this.#reconnecting)
    await this.#connecting
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: reconnectMs,
      application_name: this.#name,
      keepAlive: true,
    })
    const lost = () => {
      if (this.#client === client) this.#client = null
      if (this.#isClosed) return
      clearTimeout(this.#reconnecting)
      this.#reconnecting = setTimeout(() => {
        this.#connecting = this.#connect()
      }, reconnectMs).unref()
    }
    client.on('error', () => undefined)
    client.on('end', lost)
    client.on('notification', ({ payload }) => {
      if (payload !== this.#self) this.#onWrite()
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      this.#client = client
      // Notifications sent meanwhile are lost.
      this.#onWrite()
    } catch {
      lost()
      await client.end().catch(() => undefined)
    }
  }
}
