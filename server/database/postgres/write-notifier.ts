/**
 * Servers that share a PostgreSQL notify each other of writes, so that a change reaches the sockets of all servers at
 * once. The notification has no content, because the feed reads the rows from the outbox. If a notification is lost,
 * the feed finds the rows at its next poll. The notifier needs a connection without a pooler.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const channel = 'finanzas_writes'
/**
 * Writes within this time share one notification, because a notification for each write would serialise the commits.
 */
const gatherMs = 10
const reconnectMs = 1000

export class WriteNotifier {
  readonly #url: string
  readonly #name: string
  readonly #onWrite: () => void
  /** Id of this server, so that it ignores its own notifications. */
  readonly #self = randomUUID()
  #client: pg.Client | null = null
  #gathering: NodeJS.Timeout | undefined
  #reconnecting: NodeJS.Timeout | undefined
  #connecting: Promise<void>
  #isClosed = false

  /** Starts to listen and reconnects after each lost connection. `name` is the connection's `application_name`. */
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
      // A lost notification only delays the other servers, because they also poll.
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
      // Notifications during the interruption were lost.
      this.#onWrite()
    } catch {
      lost()
      await client.end().catch(() => undefined)
    }
  }
}
