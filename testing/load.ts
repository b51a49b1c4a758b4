/**
 * The load generator. In an open loop, requests are sent at a steady rate without waiting for earlier answers, like the
 * requests of independent users. In a closed loop, each connection sends its next request only after the answer to its
 * previous request. The generator uses plain sockets in a separate process to save processor time: on two cores, a
 * client that costs as much as the server would halve the measured rate.
 */
import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Describes a load: which requests are sent, to which ports, at which rate and for how long. */
export type Load = {
  readonly ports: readonly number[]
  /** Complete requests. `%ID%` is replaced with a new UUID whenever a request is sent. */
  readonly requests: readonly string[]
  /** `null` selects the closed loop. */
  readonly perSecond: number | null
  readonly connectionsMax: number
  readonly seconds: number
  /**
   * Closed loop: connection n repeats only request n. Without this option, every connection sends all requests in
   * turn.
   */
  readonly repeats?: boolean
  /** Closed loop: how long a connection waits between an answer and its next request. */
  readonly pauseMs?: number
  /** Closed loop: each request contains the refresh token from the connection's previous answer. */
  readonly carriesRefreshToken?: boolean
}

export type LoadResult = {
  /** Number of 2xx answers per second. */
  readonly perSecond: number
  /**
   * Latencies in milliseconds. `p99Ms` is measured from the time at which a request was due. All other latencies are
   * measured from the time at which the request was sent.
   */
  readonly accepted: {
    readonly count: number
    readonly p99Ms: number
    readonly p95SinceSentMs: number
    readonly p99SinceSentMs: number
  }
  /** Number of requests that received no answer or an answer other than 2xx. */
  readonly failures: number
  /** Number of 503 answers with Retry-After. */
  readonly shed: number
  /** Number of the remaining failures, grouped by status. `lost` means that no answer arrived. */
  readonly others: Readonly<Record<string, number>>
  /** Number of requests that were due but had not been sent when the load ended. */
  readonly unsent: number
  readonly acceptedBySecond: readonly number[]
  readonly shedBySecond: readonly number[]
}

const tickMs = 5
/** How long to wait for answers after the last request was sent. */
const answerWaitMs = 10_000
const headEnd = Buffer.from('\r\n\r\n')
const refreshToken = /"refresh_token":\s*"[\w-]+"/

/** Sends the load from a separate process. */
export async function sendLoad(order: Load): Promise<LoadResult> {
  const sending = promisify(execFile)(process.execPath, [import.meta.filename])
  sending.child.stdin?.end(JSON.stringify(order))
  return JSON.parse((await sending).stdout) as LoadResult
}

async function send(order: Load): Promise<LoadResult> {
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000
  const answers = countAnswers(order, startedAt)
  const lines = openLines(order, endsAt, answers.count)
  if (order.perSecond === null) {
    for (let index = 0; index < order.connectionsMax; index += 1) lines.open(performance.now())
  } else await sendWhenDue(lines, { perSecond: order.perSecond, startedAt, endsAt })
  while (performance.now() < endsAt || (lines.inFlight() > 0 && performance.now() < endsAt + answerWaitMs))
    await pause(20)
  return { ...answers.result(), unsent: lines.due.length }
}

/** Open loop: sends each request at the time at which it is due, as soon as a connection is free. */
async function sendWhenDue(
  lines: ReturnType<typeof openLines>,
  { perSecond, startedAt, endsAt }: { perSecond: number; startedAt: number; endsAt: number },
): Promise<void> {
  for (let arrived = 0, now = startedAt; now < endsAt; await pause(tickMs)) {
    now = Math.min(performance.now(), endsAt)
    const arrivedBy = Math.floor(((now - startedAt) / 1000) * perSecond)
    for (; arrived < arrivedBy; arrived += 1) lines.due.push(startedAt + (arrived / perSecond) * 1000)
    lines.sendDue()
  }
}

/** The connections of a load, and the times at which the waiting requests of an open loop were due. */
function openLines(order: Load, endsAt: number, count: (answer: Answer) => void) {
  const due: number[] = []
  const free: Connection[] = []
  const inFlight = new Set<Connection>()
  let [connections, begun] = [0, 0]

  const begin = (connection: Connection, dueAt: number) => {
    if (order.repeats !== true || connection.request === '')
      connection.request = order.requests[begun % order.requests.length] ?? ''
    begun += 1
    inFlight.add(connection)
    connection.send(dueAt)
  }
  const onFree = (connection: Connection) => {
    const now = performance.now()
    if (now >= endsAt) return
    if (order.perSecond === null) {
      if (order.pauseMs === undefined) begin(connection, now)
      else setTimeout(() => begin(connection, performance.now()), order.pauseMs)
      return
    }
    const next = due.shift()
    if (next === undefined) free.push(connection)
    else begin(connection, next)
  }
  const answered = (answer: Answer) => {
    inFlight.delete(answer.connection)
    count(answer)
  }
  const open = (dueAt: number) => {
    const port = order.ports[connections % order.ports.length] ?? 0
    connections += 1
    const listener = { answered, onFree, onGone: () => (connections -= 1) }
    begin(new Connection(port, listener, order.carriesRefreshToken === true), dueAt)
  }
  return {
    due,
    open,
    inFlight: () => inFlight.size,
    sendDue() {
      while (due.length > 0) {
        const connection = free.pop()
        if (connection === undefined && connections >= order.connectionsMax) return
        const dueAt = due.shift() ?? performance.now()
        if (connection === undefined) open(dueAt)
        else begin(connection, dueAt)
      }
    },
  }
}

/** Counts the answers of a load by their outcome and by second, and measures their latencies. */
function countAnswers(order: Load, startedAt: number) {
  const accepted = createHistogram()
  const acceptedSinceSent = createHistogram()
  const others: Record<string, number> = {}
  const seconds = Math.floor(order.seconds)
  const acceptedBySecond = Array.from({ length: seconds }, () => 0)
  const shedBySecond = Array.from({ length: seconds }, () => 0)
  let shed = 0
  let lastAt = startedAt
  const quantileMs = (histogram: typeof accepted, percentile: number) =>
    histogram.count === 0 ? 0 : histogram.percentile(percentile) / 1000
  return {
    count: ({ status, retryAfter, dueAt, sentAt }: Answer) => {
      const now = performance.now()
      lastAt = now
      const second = Math.max(0, Math.min(seconds - 1, Math.floor((now - startedAt) / 1000)))
      const microsSince = (moment: number) => Math.max(1, Math.round((now - moment) * 1000))
      if (status.startsWith('2')) {
        accepted.record(microsSince(dueAt))
        acceptedSinceSent.record(microsSince(sentAt))
        acceptedBySecond[second] = (acceptedBySecond[second] ?? 0) + 1
      } else if (status === '503' && retryAfter) {
        shed += 1
        shedBySecond[second] = (shedBySecond[second] ?? 0) + 1
      } else others[status] = (others[status] ?? 0) + 1
    },
    result: () => ({
      perSecond: accepted.count / (order.perSecond === null ? (lastAt - startedAt) / 1000 : order.seconds),
      accepted: {
        count: accepted.count,
        p99Ms: quantileMs(accepted, 99),
        p95SinceSentMs: quantileMs(acceptedSinceSent, 95),
        p99SinceSentMs: quantileMs(acceptedSinceSent, 99),
      },
      failures: shed + Object.values(others).reduce((sum, count) => sum + count, 0),
      shed,
      others,
      acceptedBySecond,
      shedBySecond,
    }),
  }
}

type Answer = { connection: Connection; status: string; retryAfter: boolean; dueAt: number; sentAt: number }

type Listener = {
  answered: (answer: Answer) => void
  onFree: (connection: Connection) => void
  onGone: () => void
}

/** A socket that sends one request at a time. */
class Connection {
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

if (import.meta.main) {
  const result = await send((await json(process.stdin)) as Load)
  process.stdout.write(JSON.stringify(result), () => process.exit(0))
}
