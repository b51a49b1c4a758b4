/** A connection of the load generator. Uses a plain socket to save processor time. */
import { connect } from 'node:net'

const headEnd = Buffer.from('\r\n\r\n')
const refreshToken = /"refresh_token":\s*"[\w-]+"/

/** The answer to a request, or the status `lost` if no answer arrived. */
export type Answer = {
  connection: Connection
  status: string
  retryAfter: boolean
  dueAt: number
  sentAt: number
}

type Listener = {
  answered: (answer: Answer) => void
  onFree: (connection: Connection) => void
  onGone: () => void
}

/** A socket that sends one request at a time. */
export class Connection {
  request = ''
  readonly #socket
  readonly #listener: Listener
  readonly #carriesRefreshToken: boolean
  #received: Buffer = Buffer.alloc(0)
  #dueAt: number | null = null
  #sentAt = 0

  constructor(port: number, listener: Listener, carriesRefreshToken: boolean) {
    this.#listener = listener
    this.#carriesRefreshToken = carriesRefreshToken
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => {
      this.#settle('lost', false)
      listener.onGone()
    })
  }

  send(dueAt: number): void {
    this.#dueAt = dueAt
    this.#sentAt = performance.now()
    this.#socket.write(this.request.replaceAll('%ID%', () => crypto.randomUUID()))
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf(headEnd)
    if (end === -1) return
    const head = this.#received.toString('latin1', 0, end)
    if (!isComplete(this.#received, head, end + headEnd.length)) return
    if (this.#carriesRefreshToken) {
      const token = refreshToken.exec(this.#received.toString('latin1'))?.[0]
      if (token !== undefined) this.request = this.request.replace(refreshToken, token)
    }
    this.#received = Buffer.alloc(0)
    this.#settle(head.slice(9, 12), /\r\nretry-after: /i.test(head))
    this.#listener.onFree(this)
  }

  #settle(status: string, retryAfter: boolean): void {
    if (this.#dueAt === null) return
    this.#listener.answered({
      connection: this,
      status,
      retryAfter,
      dueAt: this.#dueAt,
      sentAt: this.#sentAt,
    })
    this.#dueAt = null
  }
}

function isComplete(received: Buffer, head: string, bodyStart: number): boolean {
  if (/\r\ntransfer-encoding: chunked/i.test(head))
    return received.subarray(-5).toString('latin1') === '0\r\n\r\n'
  return received.length >= bodyStart + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
}
