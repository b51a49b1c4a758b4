/**
 * The one queue before the database (docs/overload.md): fair queueing of database transactions by the database time that
 * each flow has used. A flow is a user, or the network of an anonymous request. Overload sheds requests; the rejections
 * are delayed and paced, because an immediate 503 triggers an immediate retry.
 */
import { DatabaseBusy, DatabaseUnavailable } from '#database/database.ts'

/** Concurrency limits of the database. */
export type AdmissionOptions = {
  readonly concurrency: number
  /** Weight of a short transaction in the concurrency: several share one connection. */
  readonly shortWeight: number
  readonly concurrencyPerFlow: number
  /** Connections of all slow flows together; the rest stays free for short transactions. */
  readonly concurrencyOfSlowFlows: number
  /** Whether the engine runs one transaction at a time, however many it has received. */
  readonly isSerial: boolean
}

export type QueuedRequest = {
  readonly flow: string
  readonly isShort: boolean
  /** An administrator's: payrolls are long. */
  readonly isStaff: boolean
  /** A later transaction of a request that has begun: it goes before the flow's others. */
  readonly isContinuation: boolean
  /** Waits for up to `queueTimeoutMs` under overload as well. */
  readonly isNotShed: boolean
  /** Whether the client has closed its connection; the request is then dropped. */
  readonly isAborted: () => boolean
}

/** Above these a request is shed at once. */
export const queueLengthMax = 5000
export const queueLengthPerFlowMax = 600
/** A flow whose transactions take longer on average is slow: it pauses as long as each took, so it has half of one connection's time at most. */
const slowMs = 30
/**
 * Only where the engine is serial: a long transaction delays every other one. In a minute each flow may take a second
 * of them. Beyond that it is a debtor: debtors together get a twentieth of the engine's time while others are served.
 */
const longAllowanceMs = 1000
const longMinuteMs = 60_000
const debtorsPauseTimes = 19
const othersServedMs = 5000
/** Weight of the newest value in the moving average: one stall of the machine does not make a flow slow. */
const latestWeight = 0.25
/** Waiting flows that count as overload; fewer are a burst of a few clients, which wait behind themselves. */
const overloadedFlowsMin = 32
/** Time in the queue after which a request is shed under overload. */
const queueTimeoutOverloadedMs = 500
/** Time that overload must last before it sheds: a checkpoint of the database does not count. */
const overloadAfterMs = 700
/** Time without progress after which a flow sheds its queue: the database is stalled. */
const stalledAfterMs = 1000
/** The embedded engine stalls while its files are copied for a backup, and no request fails by that. */
const stalledAfterSerialMs = 5000
/** Deadline of every queued request: the proxy gives up on a server after 30 s (deploy/haproxy.cfg). */
export const queueTimeoutMs = 25_000
/** Between shedding and the 503. */
const rejectionDelayMs = 2000
/** Rejections delay answers, and clients that are rejected together retry together. */
const rejectionsPerTickMax = 16
const tickMs = 5
/** Above this, idle flows are evicted. */
const flowsMax = 10_000

type Waiting = QueuedRequest & {
  readonly enteredAt: number
  readonly start: () => void
  readonly reject: () => void
  /** Ends the wait of an aborted request, which counts as no rejection. */
  readonly drop: () => void
}

type Flow = {
  /** Virtual time (fair queueing): the flow with the least is next. */
  clock: number
  running: number
  readonly waiting: Waiting[]
  /** Moving average of its transactions' time. */
  averageMs: number
  /** Time of its last transaction; infinite before the first. */
  lastMs: number
  pausedUntil: number
  /** Time at which the flow's long transactions are paid off, at a second of them in a minute. */
  paidAt: number
  /** Time at which a transaction last began or ended, or at which the flow began to wait. */
  progressAt: number
}

type Admitted = { readonly isSlow: boolean; readonly isShort: boolean; readonly isStaff: boolean }

export class AdmissionQueue {
  readonly #options: AdmissionOptions
  readonly #flows = new Map<string, Flow>()
  readonly #waitingFlows = new Set<Flow>()
  readonly #shed: { readonly request: Waiting; readonly rejectAt: number }[] = []
  #waiting = 0
  #running = 0
  #slowRunning = 0
  #debtorsPausedUntil = 0
  /** Time at which a flow other than a debtor was last served. */
  #othersServedAt = Number.NEGATIVE_INFINITY
  /** The clock of the flow that was served last: an idle flow starts there. */
  #clock = 0
  #endedAt = 0
  #overloadedSince: number | null = null
  #timer: NodeJS.Timeout | null = null
  #shedCount = 0

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /** Throws `DatabaseBusy` when the request is shed, and the errors of the work. */
  async run<T>(request: QueuedRequest, work: (isShort: boolean) => Promise<T>): Promise<T> {
    const flow = this.#flowOf(request.flow)
    if (this.#waiting + this.#shed.length >= queueLengthMax || flow.waiting.length >= queueLengthPerFlowMax) {
      this.#shedCount += 1
      throw busy()
    }
    const admitted = await this.#enqueue(flow, request)
    const startedAt = performance.now()
    let isCounted = true
    try {
      return await work(admitted.isShort)
    } catch (error) {
      // Time in which the database was away would pause the flow long after it is back.
      isCounted = !(error instanceof DatabaseUnavailable)
      throw error
    } finally {
      this.#finish(flow, startedAt, { ...admitted, isCounted })
    }
  }

  /** Queue length, with shed requests that wait for their rejection, and rejections since the start. */
  load(): { readonly waiting: number; readonly shed: number } {
    return { waiting: this.#waiting + this.#shed.length, shed: this.#shedCount }
  }

  #enqueue(flow: Flow, request: QueuedRequest): Promise<Admitted> {
    return new Promise((resolve, reject) => {
      const now = performance.now()
      const waiting: Waiting = {
        ...request,
        enteredAt: now,
        start: () => resolve(this.#start(flow, request)),
        reject: () => {
          this.#shedCount += 1
          reject(busy())
        },
        drop: () => reject(busy()),
      }
      if (flow.waiting.length === 0) {
        if (flow.running === 0) flow.clock = Math.max(flow.clock, this.#clock)
        flow.progressAt = now
        this.#waitingFlows.add(flow)
      }
      if (request.isContinuation) flow.waiting.unshift(waiting)
      else flow.waiting.push(waiting)
      this.#waiting += 1
      this.#dispatch(now)
    })
  }

  #start(flow: Flow, request: QueuedRequest): Admitted {
    const isSlow = this.#isSlow(flow)
    const isShort = countsAsShort(flow, request)
    this.#running += this.#weightOf(isShort)
    if (isSlow) this.#slowRunning += 1
    flow.running += 1
    flow.progressAt = performance.now()
    this.#clock = flow.clock
    // Until its time is known: flows that start together alternate.
    flow.clock += 1
    return { isSlow, isShort, isStaff: request.isStaff }
  }

  #weightOf(isShort: boolean): number {
    return isShort ? this.#options.shortWeight : 1
  }

  #finish(flow: Flow, startedAt: number, done: Admitted & { isCounted: boolean }): void {
    const now = performance.now()
    // Time in which the engine ran the transaction before is not this one's.
    const ms = now - (this.#options.isSerial ? Math.max(startedAt, this.#endedAt) : startedAt)
    this.#endedAt = now
    this.#running -= this.#weightOf(done.isShort)
    if (done.isSlow) this.#slowRunning -= 1
    flow.running -= 1
    flow.progressAt = now
    if (done.isCounted) {
      flow.clock += ms
      flow.lastMs = ms
      flow.averageMs += (ms - flow.averageMs) * latestWeight
      this.#charge(flow, ms, { now, isStaff: done.isStaff })
      if (flow.averageMs >= slowMs) flow.pausedUntil = Math.max(now, flow.pausedUntil) + ms
    }
    this.#dispatch(now)
  }

  /** Charges a long transaction to its flow, and to all debtors where it is one. */
  #charge(flow: Flow, ms: number, { now, isStaff }: { now: number; isStaff: boolean }): void {
    if (!this.#options.isSerial || isStaff || ms < slowMs) {
      if (!isDebtor(flow, now)) this.#othersServedAt = now
      return
    }
    flow.paidAt = Math.max(now, flow.paidAt) + (ms * longMinuteMs) / longAllowanceMs
    if (isDebtor(flow, now))
      this.#debtorsPausedUntil = Math.max(now, this.#debtorsPausedUntil) + ms * debtorsPauseTimes
  }

  /** True when a debtor must wait for the others; short transactions do not delay them. */
  #isHeld(flow: Flow, now: number): boolean {
    const [first] = flow.waiting
    return (
      now < this.#debtorsPausedUntil &&
      now - this.#othersServedAt < othersServedMs &&
      isDebtor(flow, now) &&
      first !== undefined &&
      !first.isShort &&
      !first.isStaff
    )
  }

  #dispatch(now: number): void {
    while (this.#running < this.#options.concurrency) {
      const flow = this.#next(now)
      if (flow === null || this.#running + this.#weightOfNext(flow) > this.#options.concurrency) break
      const request = this.#dequeue(flow)
      if (request.isAborted()) request.drop()
      else request.start()
    }
    if (this.#timer === null && this.#waiting + this.#shed.length > 0)
      this.#timer = setTimeout(() => this.#tick(), tickMs)
  }

  /**
   * Whether its next transaction may take long. The embedded engine runs one at a time: there one that was long, or a first
   * one, is enough, or a customer would wait for one of each attacker until their averages have risen.
   */
  #isSlow({ averageMs, lastMs }: Flow): boolean {
    return averageMs >= slowMs || (this.#options.isSerial && lastMs >= slowMs)
  }

  /** The flow with the least database time, of those below their limits. */
  #next(now: number): Flow | null {
    const { concurrencyPerFlow, concurrencyOfSlowFlows } = this.#options
    let next: Flow | null = null
    for (const flow of this.#waitingFlows) {
      if (flow.running >= concurrencyPerFlow || (next !== null && flow.clock >= next.clock)) continue
      if (flow.pausedUntil > now || (this.#slowRunning >= concurrencyOfSlowFlows && this.#isSlow(flow)))
        continue
      if (this.#isHeld(flow, now)) continue
      next = flow
    }
    return next
  }

  #weightOfNext(flow: Flow): number {
    const [first] = flow.waiting
    return this.#weightOf(first !== undefined && countsAsShort(flow, first))
  }

  #dequeue(flow: Flow): Waiting {
    const request = flow.waiting.shift()
    if (request === undefined) throw new Error('An empty flow is waiting.')
    this.#waiting -= 1
    if (flow.waiting.length === 0) this.#waitingFlows.delete(flow)
    return request
  }

  #tick(): void {
    this.#timer = null
    const now = performance.now()
    if (this.#waitingFlows.size < overloadedFlowsMin) this.#overloadedSince = null
    else this.#overloadedSince ??= now
    for (const flow of this.#waitingFlows) this.#shedOf(flow, now)
    this.#reject(now)
    this.#dispatch(now)
  }

  #shedOf(flow: Flow, now: number): void {
    const isOverloaded = this.#overloadedSince !== null && now - this.#overloadedSince >= overloadAfterMs
    const stalledMs = this.#options.isSerial ? stalledAfterSerialMs : stalledAfterMs
    // A debtor that waits for others is not stalled.
    if (this.#isHeld(flow, now)) flow.progressAt = now
    const isStalled = now - Math.max(flow.progressAt, flow.pausedUntil) >= stalledMs
    const isLate = ({ enteredAt, isNotShed }: Waiting) =>
      now - enteredAt >= queueTimeoutOverloadedMs && !isNotShed && (isOverloaded || isStalled)
    const isOver = (request: Waiting) => isLate(request) || now - request.enteredAt >= queueTimeoutMs
    const over = flow.waiting.filter(isOver)
    if (over.length === 0) return
    flow.waiting.splice(0, Infinity, ...flow.waiting.filter((request) => !isOver(request)))
    this.#waiting -= over.length
    if (flow.waiting.length === 0) this.#waitingFlows.delete(flow)
    for (const request of over)
      this.#shed.push({ request, rejectAt: now + (isLate(request) ? rejectionDelayMs : 0) })
  }

  #reject(now: number): void {
    for (let rejections = 0; rejections < rejectionsPerTickMax;) {
      const first = this.#shed[0]
      if (first === undefined || first.rejectAt > now) return
      this.#shed.shift()
      if (first.request.isAborted()) {
        first.request.drop()
        continue
      }
      rejections += 1
      first.request.reject()
    }
  }

  #flowOf(name: string): Flow {
    const known = this.#flows.get(name)
    if (known !== undefined) return known
    if (this.#flows.size >= flowsMax) this.#evictIdle()
    const flow: Flow = {
      clock: 0,
      running: 0,
      waiting: [],
      averageMs: 0,
      lastMs: Number.POSITIVE_INFINITY,
      pausedUntil: 0,
      paidAt: 0,
      progressAt: 0,
    }
    this.#flows.set(name, flow)
    return flow
  }

  #evictIdle(): void {
    const now = performance.now()
    for (const [name, { running, waiting, paidAt }] of this.#flows)
      if (running === 0 && waiting.length === 0 && paidAt < now) this.#flows.delete(name)
  }
}

function busy(): DatabaseBusy {
  return new DatabaseBusy('Too many requests are under way.')
}

/** Whether a flow has used up its time for long transactions in this minute. */
function isDebtor({ paidAt }: Flow, now: number): boolean {
  return paidAt - now > longMinuteMs
}

/** Whether a request counts as short. Requests of a slow flow do not. */
function countsAsShort({ averageMs }: Flow, { isShort }: QueuedRequest): boolean {
  return isShort && averageMs < slowMs
}
