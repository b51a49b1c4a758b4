/**
 * Load that does not wait for answers: requests begin at a steady rate, whatever became of those before, as people's do.
 * Written on plain sockets; a process of its own, so that it does not stand in the way of what it measures. The order
 * comes as JSON on standard input.
 */
import { connect } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import { StolenTime, type Stretch, isIn, lengthOf, now as epochNow } from '#nightly/places/stolen-time.ts'

/** What to send, where, how fast and how long. */
export type LoadOrder = {
  ports: readonly number[]
  /** Complete requests; `%ID%` becomes a new UUID each time. */
  requests: readonly string[]
  /** `null`: each connection sends again as soon as it was answered. */
  perSecond: number | null
  connectionsMax: number
  seconds: number
}

/**
 * What came of it, by seconds from the start too. Latencies in milliseconds, from the moment a request was due; where
 * all connections are busy it is sent later.
 */
export type LoadResult = {
  perSecond: number
  accepted: { count: number; p50Ms: number; p99Ms: number; p99SinceSentMs: number }
  /** 503 with Retry-After. */
  shed: { count: number; p99Ms: number }
  /** Everything else, by status; `lost` had no answer. */
  others: Record<string, number>
  /** Due and not even begun when the time was over. */
  unsent: number
  acceptedBySecond: number[]
  shedBySecond: number[]
  /** Of the processors, how much other machines had meanwhile, 0 to 1; and when they had too much (`Stretch`es since 1970). */
  stolen: { share: number; disturbances: Stretch[] }
  /** The same of what was due and answered at other times only. */
  undisturbed: { seconds: number; p99Ms: number; othersThanAccepted: number }
  /** Processor time that the load itself took. */
  cpuSeconds: number
}

const tickMs = 5
/** After the last request is sent, answers have this long. */
const answerWaitMs = 10_000
const headEnd = Buffer.from('\r\n\r\n')

async function sendLoad(order: LoadOrder): Promise<LoadResult> {
  const accepted = createHistogram()
  const acceptedSinceSent = createHistogram()
  const shed = createHistogram()
  const others: Record<string, number> = {}
  const acceptedBySecond: number[] = []
  const shedBySecond: number[] = []
  const due: number[] = []
  const free: Line[] = []
  let connections = 0
  let begun = 0
  const answers: (Stretch & { readonly isAccepted: boolean })[] = []
  const stolenTime = new StolenTime()
  const sinceEpoch = epochNow() - performance.now()
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000

  const answered = ({ status, retryAfter, dueAt, sentAt }: LineAnswer) => {
    const now = performance.now()
    answers.push({ from: sinceEpoch + dueAt, to: sinceEpoch + now, isAccepted: status.startsWith('2') })
    const second = Math.floor((now - startedAt) / 1000)
    const microsSince = (moment: number) => Math.max(1, Math.round((now - moment) * 1000))
    if (status.startsWith('2')) {
      accepted.record(microsSince(dueAt))
      acceptedSinceSent.record(microsSince(sentAt))
      acceptedBySecond[second] = (acceptedBySecond[second] ?? 0) + 1
    } else if (status === '503' && retryAfter) {
      shed.record(microsSince(sentAt))
      shedBySecond[second] = (shedBySecond[second] ?? 0) + 1
    } else others[status] = (others[status] ?? 0) + 1
  }
  const begin = (line: Line, dueAt: number) => {
    const request = order.requests[begun % order.requests.length] ?? ''
    begun += 1
    line.send(
      request.replaceAll('%ID%', () => crypto.randomUUID()),
      dueAt,
    )
  }
  const onFree = (line: Line) => {
    const now = performance.now()
    if (now >= endsAt) return
    const next = order.perSecond === null ? now : due.shift()
    if (next === undefined) free.push(line)
    else begin(line, next)
  }
  const open = (dueAt: number) => {
    const port = order.ports[connections % order.ports.length] ?? 0
    connections += 1
    const line = new Line(port, { answered, onFree, onGone: () => (connections -= 1) })
    begin(line, dueAt)
  }

  if (order.perSecond === null) {
    for (let index = 0; index < order.connectionsMax; index += 1) open(performance.now())
  } else {
    const { perSecond } = order
    let arrived = 0
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const now = Math.min(performance.now(), endsAt)
        const arrivedBy = Math.floor(((now - startedAt) / 1000) * perSecond)
        for (; arrived < arrivedBy; arrived += 1) due.push(startedAt + (arrived / perSecond) * 1000)
        while (due.length > 0) {
          const line = free.pop()
          if (line === undefined && connections >= order.connectionsMax) break
          const dueAt = due.shift() ?? now
          if (line === undefined) open(dueAt)
          else begin(line, dueAt)
        }
        if (now < endsAt) return
        clearInterval(timer)
        resolve()
      }, tickMs)
    })
  }
  await untilQuiet(endsAt)
  const stolen = stolenTime.end()
  const of = (histogram: typeof accepted, percent: number) => histogram.percentile(percent) / 1000
  return {
    perSecond: accepted.count / order.seconds,
    accepted: {
      count: accepted.count,
      p50Ms: of(accepted, 50),
      p99Ms: of(accepted, 99),
      p99SinceSentMs: of(acceptedSinceSent, 99),
    },
    shed: { count: shed.count, p99Ms: shed.count === 0 ? 0 : of(shed, 99) },
    others,
    unsent: due.length,
    acceptedBySecond: filled(acceptedBySecond, order.seconds),
    shedBySecond: filled(shedBySecond, order.seconds),
    stolen,
    undisturbed: {
      seconds: order.seconds - lengthOf(stolen.disturbances, sinceEpoch + endsAt) / 1000,
      ...judge(answers.filter((answer) => !isIn(stolen.disturbances, answer))),
    },
    cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  }
}

function judge(answers: readonly (Stretch & { isAccepted: boolean })[]) {
  const accepted = answers.filter(({ isAccepted }) => isAccepted).map(({ from, to }) => to - from)
  return {
    p99Ms: accepted.toSorted((a, b) => a - b)[Math.floor(accepted.length * 0.99)] ?? 0,
    othersThanAccepted: answers.length - accepted.length,
  }
}

/** Requests that wait for their answers. */
const inFlight = { count: 0 }

async function untilQuiet(endsAt: number): Promise<void> {
  while (performance.now() < endsAt || (inFlight.count > 0 && performance.now() < endsAt + answerWaitMs))
    await new Promise((resolve) => setTimeout(resolve, 20))
}

function filled(counts: readonly number[], seconds: number): number[] {
  return Array.from({ length: Math.floor(seconds) }, (_, second) => counts[second] ?? 0)
}

type LineAnswer = { status: string; retryAfter: boolean; dueAt: number; sentAt: number }

type LineListener = {
  answered: (answer: LineAnswer) => void
  onFree: (line: Line) => void
  onGone: () => void
}

/** One connection, one request at a time. */
class Line {
  readonly #socket
  readonly #listener: LineListener
  #received: Buffer = Buffer.alloc(0)
  #dueAt: number | null = null
  #sentAt = 0

  constructor(port: number, listener: LineListener) {
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
    inFlight.count += 1
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
    inFlight.count -= 1
    this.#listener.answered({ status, retryAfter, dueAt: this.#dueAt, sentAt: this.#sentAt })
    this.#dueAt = null
  }
}

if (import.meta.main) {
  const result = await sendLoad((await json(process.stdin)) as LoadOrder)
  process.stdout.write(JSON.stringify(result), () => process.exit(0))
}
