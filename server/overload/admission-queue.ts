/**
 * The queue in front of the database (docs/overload.md). The queue uses fair queueing: the next database transaction
 * belongs to the flow that has used the least database time. A flow consists of the requests of one user, or of the
 * anonymous requests from one network. Under overload, the queue sheds requests. It delays the 503 answers and spreads
 * them over time, because a client that gets a 503 immediately also retries immediately.
 */
import { DatabaseBusy, DatabaseUnavailable } from '#database/database.ts'

/** Concurrency limits of the database. */
export type AdmissionOptions = {
  readonly concurrency: number
  /**
   * Fraction of a connection that is charged for a short transaction, because several short transactions share one
   * connection.
   */
  readonly shortWeight: number
  readonly concurrencyPerFlow: number
  /**
   * Maximum number of connections that all slow flows use together; the other connections remain free for short
   * transactions.
   */
  readonly concurrencyOfSlowFlows: number
  /** True for an engine that runs only one transaction at a time, even when it has received several transactions. */
  readonly isSerial: boolean
}

export type QueuedRequest = {
  readonly flow: string
  readonly isShort: boolean
  /**
   * True for an administrator's request. Its time does not count toward the allowance for long transactions, because
   * payrolls take long.
   */
  readonly isStaff: boolean
  /** True for a request's second and later transactions. These transactions go before the flow's other requests. */
  readonly isContinuation: boolean
  /** True for a request that is not shed under overload. The request waits for up to `queueTimeoutMs`. */
  readonly isNotShed: boolean
  /** Returns true once the client has closed its connection; the request is then dropped. */
  readonly isAborted: () => boolean
}

/**
 * Maximum number of waiting requests in total. Above this limit or the limit per flow, a request is refused at once.
 */
export const queueLengthMax = 5000
export const queueLengthPerFlowMax = 600
/**
 * Average transaction time above which a flow counts as slow. After each transaction, a slow flow pauses for as long as
 * the transaction took. A slow flow therefore uses at most half of one connection's time.
 */
const slowMs = 30
/**
 * Allowance for long transactions. The allowance applies only to a serial engine, where a long transaction delays every
 * other transaction. Each flow is allowed one second of long transactions per minute. A flow that has exceeded this
 * allowance is called a debtor. While other flows are served, all debtors together get a twentieth of the engine's
 * time.
 */
const longAllowanceMs = 1000
const longMinuteMs = 60_000
const debtorsPauseTimes = 19
const othersServedMs = 5000
/**
 * Weight of the newest value in the moving average, chosen so that a single stall of the machine does not make a flow
 * slow.
 */
const latestWeight = 0.25
/**
 * Minimum number of waiting flows at which the server counts as overloaded. If fewer flows wait, only a few clients
 * have sent many requests, and only these clients are delayed.
 */
const overloadedFlowsMin = 32
/** Time in the queue after which a request is shed under overload. */
const queueTimeoutOverloadedMs = 500
/** Time for which overload must last before requests are shed. This time is longer than a database checkpoint. */
const overloadAfterMs = 700
/**
 * If none of a flow's transactions begins or ends within this time, the database counts as stalled, and the flow's
 * waiting requests are shed.
 */
const stalledAfterMs = 1000
/**
 * Time without progress after which the embedded engine counts as stalled. This limit is longer than `stalledAfterMs`,
 * because the engine stalls while a backup copies its files, and requests should not fail during the copy.
 */
const stalledAfterSerialMs = 5000
/**
 * Maximum time in the queue for any request. This time is shorter than the 30 s after which the proxy gives up on a
 * server (deploy/haproxy.cfg).
 */
export const queueTimeoutMs = 25_000
/** Delay between the time at which a request is shed and its 503 answer. */
const rejectionDelayMs = 2000
/**
 * Maximum number of rejections per tick. Many rejections at once would delay other answers, and the rejected clients
 * would retry at the same time.
 */
const rejectionsPerTickMax = 16
const tickMs = 5
/** If there are more flows than this number, idle flows are removed from memory. */
const flowsMax = 10_000

type Waiting = QueuedRequest & {
  readonly enteredAt: number
  readonly start: () => void
  readonly reject: () => void
  /** Ends the wait of an aborted request without counting a rejection. */
  readonly drop: () => void
}

type Flow = {
  /** Virtual time as in fair queueing: the flow with the lowest clock is served next. */
  clock: number
  running: number
  readonly waiting: Waiting[]
  /** Moving average of the time that the flow's transactions take. */
  averageMs: number
  /** Time that the flow's last transaction took; infinite before the first transaction has ended. */
  lastMs: number
  pausedUntil: number
  /**
   * Time from which the flow has its full allowance for long transactions again. Each second of a long transaction
   * moves this time one minute into the future.
   */
  paidAt: number
  /** Time at which one of the flow's transactions last began or ended, or at which the flow began to wait. */
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
  /** Time at which a flow that is not a debtor was last served. */
  #othersServedAt = Number.NEGATIVE_INFINITY
  /** The clock of the flow that was served last. An idle flow starts at this clock. */
  #clock = 0
  #endedAt = 0
  #overloadedSince: number | null = null
  #timer: NodeJS.Timeout | null = null
  #shedCount = 0

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /**
   * Runs the work once the request is admitted. Throws `DatabaseBusy` if the request is shed, and otherwise any error
   * that the work throws.
   */
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
      // Does not count the time of a transaction that failed in an outage. Otherwise the flow would still pause long
      // after the database has recovered.
      isCounted = !(error instanceof DatabaseUnavailable)
      throw error
    } finally {
      this.#finish(flow, startedAt, { ...admitted, isCounted })
    }
  }

  /**
   * Returns the queue's length and the number of rejections since the start. The length includes shed requests that
   * have not been rejected yet.
   */
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
    // Charges an estimate until the real time is known, so that flows that start at the same time alternate.
    flow.clock += 1
    return { isSlow, isShort, isStaff: request.isStaff }
  }

  #weightOf(isShort: boolean): number {
    return isShort ? this.#options.shortWeight : 1
  }

  #finish(flow: Flow, startedAt: number, done: Admitted & { isCounted: boolean }): void {
    const now = performance.now()
    // A serial engine may have received this transaction before it finished the previous transaction. This time is not
    // counted.
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

  /**
   * Subtracts a long transaction from its flow's allowance. If the flow is a debtor, also extends the pause of all
   * debtors.
   */
  #charge(flow: Flow, ms: number, { now, isStaff }: { now: number; isStaff: boolean }): void {
    if (!this.#options.isSerial || isStaff || ms < slowMs) {
      if (!isDebtor(flow, now)) this.#othersServedAt = now
      return
    }
    flow.paidAt = Math.max(now, flow.paidAt) + (ms * longMinuteMs) / longAllowanceMs
    if (isDebtor(flow, now))
      this.#debtorsPausedUntil = Math.max(now, this.#debtorsPausedUntil) + ms * debtorsPauseTimes
  }

  /**
   * True when the flow is a debtor that must wait for other flows. Short transactions do not have to wait, because they
   * do not delay other flows.
   */
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
   * True if the flow's next transaction may take long. On the embedded engine, a new flow and a flow whose last
   * transaction was long count as slow too, because this engine runs only one transaction at a time. Otherwise, an
   * attacker with many flows could delay a customer by one long transaction of each flow, because the flows' averages
   * rise only afterwards.
   */
  #isSlow({ averageMs, lastMs }: Flow): boolean {
    return averageMs >= slowMs || (this.#options.isSerial && lastMs >= slowMs)
  }

  /** Returns the flow with the lowest clock among the flows that are below their limits. */
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
    // A debtor that must wait for other flows is not stalled.
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

/** Returns true if the flow has used up its allowance for long transactions. */
function isDebtor({ paidAt }: Flow, now: number): boolean {
  return paidAt - now > longMinuteMs
}

/** Returns true if the request counts as short. Requests of a slow flow never count as short. */
function countsAsShort({ averageMs }: Flow, { isShort }: QueuedRequest): boolean {
  return isShort && averageMs < slowMs
}
