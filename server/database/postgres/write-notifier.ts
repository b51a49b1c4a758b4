/**
 * Servers that share a PostgreSQL database notify each other of writes, so that a change immediately reaches the
 * sockets of all servers. The notification is empty, because the change feed reads the rows from the outbox. If a
 * notification is lost, the feed finds the rows at its next poll. The notifier must not connect through a pooler.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const channel = 'finanzas_writes'
/**
 * All writes within this time share one notification, because one notification per write would serialise the commits.
 */
const gatherMs = 10
const reconnectMs = 1000

export class WriteNotifier {
  readonly #url: string
  readonly #name: string
  readonly #onWrite: () => void
  /** The id of this server, by which it recognises and ignores its own notifications. */
  readonly #self = randomUUID()
  #client: pg.Client | null = null
  #gathering: NodeJS.Timeout | undefined
  #reconnecting: NodeJS.Timeout | undefined
  #connecting: Promise<void>
  #isClosed = false

  /**
   * Starts to listen, and reconnects whenever the connection is lost. `name` is the connection's `application_name`.
   */
  constructor(url: string, name: string, onWrite: () => void) {
    this.#url = url
    this.#name = name
    this.#onWrite = onWrite
    this.#connecting = this.#connect()
  }

  /** Notifies the other servers after a short delay. */
  notify(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      // If the notification is lost, the other servers notice the write at their next poll.
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
      // Acts as if a notification had arrived, because notifications from the time without a connection are lost.
      this.#onWrite()
    } catch {
      lost()
      await client.end().catch(() => undefined)
    }
  }
}
