/**
 * Open-loop load: requests begin at a steady rate, whatever became of those before, as people's do. Written on plain
 * sockets, in a process of its own so that it does not slow what it measures: `sendOpenLoad` starts it.
 */
import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** What to send, where, how fast and how long. */
export type OpenLoad = {
  readonly ports: readonly number[]
  /** Complete requests; `%ID%` becomes a new UUID each time. */
  readonly requests: readonly string[]
  /** `null`: each connection sends again as soon as it was answered. */
  readonly perSecond: number | null
  readonly connectionsMax: number
  readonly seconds: number
}

export type OpenLoadResult = {
  /** Answered with 2xx. */
  readonly perSecond: number
  /** Milliseconds from the moment a request was due, and from the moment it was sent. */
  readonly accepted: { readonly count: number; readonly p99Ms: number; readonly p99SinceSentMs: number }
  /** 503 with Retry-After. */
  readonly shed: number
  /** Everything else, by status; `lost` had no answer. */
  readonly others: Readonly<Record<string, number>>
  /** Due and not even begun when the time was over. */
  readonly unsent: number
  readonly acceptedBySecond: readonly number[]
  readonly shedBySecond: readonly number[]
}

const tickMs = 5
/** After the last request is sent, answers have this long. */
const answerWaitMs = 10_000
const headEnd = Buffer.from('\r\n\r\n')

/** Sends it from a process of its own. */
export async function sendOpenLoad(order: OpenLoad): Promise<OpenLoadResult> {
  const sending = promisify(execFile)(process.execPath, [import.meta.filename])
  sending.child.stdin?.end(JSON.stringify(order))
  return JSON.parse((await sending).stdout) as OpenLoadResult
}

async function send(order: OpenLoad): Promise<OpenLoadResult> {
  const accepted = createHistogram()
  const acceptedSinceSent = createHistogram()
  const others: Record<string, number> = {}
  const seconds = Math.floor(order.seconds)
  const acceptedBySecond = Array.from({ length: seconds }, () => 0)
  const shedBySecond = Array.from({ length: seconds }, () => 0)
  const due: number[] = []
  const free: Connection[] = []
  let [shed, connections, begun, inFlight] = [0, 0, 0, 0]
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000

  const answered = ({ status, retryAfter, dueAt, sentAt }: Answer) => {
    inFlight -= 1
    const now = performance.now()
    const second = Math.min(seconds - 1, Math.floor((now - startedAt) / 1000))
    const microsSince = (moment: number) => Math.max(1, Math.round((now - moment) * 1000))
    if (status.startsWith('2')) {
      accepted.record(microsSince(dueAt))
      acceptedSinceSent.record(microsSince(sentAt))
      acceptedBySecond[second] = (acceptedBySecond[second] ?? 0) + 1
    } else if (status === '503' && retryAfter) {
      shed += 1
      shedBySecond[second] = (shedBySecond[second] ?? 0) + 1
    } else others[status] = (others[status] ?? 0) + 1
  }
  const begin = (connection: Connection, dueAt: number) => {
    const request = order.requests[begun % order.requests.length] ?? ''
    begun += 1
    inFlight += 1
    connection.send(
      request.replaceAll('%ID%', () => crypto.randomUUID()),
      dueAt,
    )
  }
  const onFree = (connection: Connection) => {
    const now = performance.now()
    if (now >= endsAt) return
    const next = order.perSecond === null ? now : due.shift()
    if (next === undefined) free.push(connection)
    else begin(connection, next)
  }
  const open = (dueAt: number) => {
    const port = order.ports[connections % order.ports.length] ?? 0
    connections += 1
    begin(new Connection(port, { answered, onFree, onGone: () => (connections -= 1) }), dueAt)
  }

  if (order.perSecond === null) {
    for (let index = 0; index < order.connectionsMax; index += 1) open(performance.now())
  } else {
    for (let arrived = 0, now = startedAt; now < endsAt; await pause(tickMs)) {
      now = Math.min(performance.now(), endsAt)
      const arrivedBy = Math.floor(((now - startedAt) / 1000) * order.perSecond)
      for (; arrived < arrivedBy; arrived += 1) due.push(startedAt + (arrived / order.perSecond) * 1000)
      while (due.length > 0) {
        const connection = free.pop()
        if (connection === undefined && connections >= order.connectionsMax) break
        const dueAt = due.shift() ?? now
        if (connection === undefined) open(dueAt)
        else begin(connection, dueAt)
      }
    }
  }
  while (performance.now() < endsAt || (inFlight > 0 && performance.now() < endsAt + answerWaitMs))
    await pause(20)
  const p99 = (histogram: typeof accepted) => (histogram.count === 0 ? 0 : histogram.percentile(99) / 1000)
  return {
    perSecond: accepted.count / order.seconds,
    accepted: { count: accepted.count, p99Ms: p99(accepted), p99SinceSentMs: p99(acceptedSinceSent) },
    shed,
    others,
    unsent: due.length,
    acceptedBySecond,
    shedBySecond,
  }
}

type Answer = { status: string; retryAfter: boolean; dueAt: number; sentAt: number }

type Listener = {
  answered: (answer: Answer) => void
  onFree: (connection: Connection) => void
  onGone: () => void
}

/** One socket, one request at a time. */
class Connection {
  readonly #socket
  readonly #listener: Listener
  #received: Buffer = Buffer.alloc(0)
  #dueAt: number | null = null
  #sentAt = 0

  constructor(port: number, listener: Listener) {
    this.#listener = listener
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => {
      this.#settle('lost', false)
      listener.onGone()
    })
  }

  send(request: string, dueAt: number): void {
    this.#dueAt = dueAt
    this.#sentAt = performance.now()
    this.#socket.write(request)
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf(headEnd)
    if (end === -1) return
    const head = this.#received.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#received.length < end + headEnd.length + length) return
    this.#received = Buffer.alloc(0)
    this.#settle(head.slice(9, 12), /\r\nretry-after: /i.test(head))
    this.#listener.onFree(this)
  }

  #settle(status: string, retryAfter: boolean): void {
    if (this.#dueAt === null) return
    this.#listener.answered({ status, retryAfter, dueAt: this.#dueAt, sentAt: this.#sentAt })
    this.#dueAt = null
  }
}

if (import.meta.main) {
  const result = await send((await json(process.stdin)) as OpenLoad)
  process.stdout.write(JSON.stringify(result), () => process.exit(0))
}
