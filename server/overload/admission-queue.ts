/**
 * The queue in front of the database (docs/overload.md). The queue uses fair queueing: the next database transaction
 * belongs to the flow that has used the least database time. A flow consists of the requests of one user, or of the
 * anonymous requests from one network. Within a flow, the sessions of the user share the time in the same way: each
 * session has a *line* of its own. A stolen session therefore does not keep the owner from ending it. Under overload,
 * the queue sheds requests. It delays the 503 answers and spreads them over time, because a client that gets a 503
 * immediately also retries immediately.
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
  /** The session of the request; `''` if the request has no session. */
  readonly line: string
  readonly isShort: boolean
  /**
   * True for an administrator's request. Its time does not count toward the allowance for long transactions, because
   * payrolls take long.
   */
  readonly isStaff: boolean
  /** True for the work of the server itself, for which no customer waits. */
  readonly isServerWork: boolean
  /** True for a request's second and later transactions. These transactions go before the flow's other requests. */
  readonly isContinuation: boolean
  /**
   * True for a request that ends sessions or changes the user's access. It goes before all other requests of its flow.
   */
  readonly isUrgent: boolean
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
 * Average transaction time above which a session counts as slow. After each transaction, a slow session pauses for as
 * long as the transaction took. A slow session therefore uses at most half of one connection's time.
 */
const slowMs = 30
/**
 * Maximum pause of a slow session after one transaction. PostgreSQL cancels a customer's read after this time. Only an
 * import takes longer, and its customer should soon see the imported rows.
 */
const pauseMsMax = 2000
/**
 * Allowance for long transactions. The allowance applies only to a serial engine, where a long transaction delays every
 * other transaction. Each flow is allowed one second of long transactions per minute. A flow that has exceeded this
 * allowance is called a debtor. While other flows are served, all debtors together get a twentieth of the engine's
 * time.
 */
const longAllowanceMs = 1000
const longMinuteMs = 60_000
const debtorsPauseTimes = 19
/**
 * Maximum pause of the debtors after one transaction, such as an import. Without this limit, the customer's next
 * request could wait for longer than `queueTimeoutMs`.
 */
const debtorsPauseMsMax = 8000
/**
 * Part of the allowance that sessions may use even if their user is a debtor. The owner's session therefore does not
 * wait for the debts of a stolen session. A session that has used this part itself must wait. All sessions of the user
 * have this part only once, because a thief could otherwise open many sessions.
 */
const sparedShare = 0.1
/**
 * Maximum time by which an idle session is served later than the user's other sessions because it has used more time,
 * for example for an import. Otherwise, a thief's session would first use as much time as the import took.
 */
const lineLeadMsMax = 100
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
/** If a flow has more lines than this number, its idle lines are removed from memory. */
const linesMax = 64

type Waiting = QueuedRequest & {
  readonly enteredAt: number
  readonly start: () => void
  readonly reject: () => void
  /** Ends the wait of an aborted request without counting a rejection. */
  readonly drop: () => void
}

/** Lines and flows share database time in the same way. */
type Share = {
  /** Virtual time as in fair queueing: the flow with the lowest clock is served next. */
  clock: number
  running: number
  /**
   * Time from which the flow has its full allowance for long transactions again. Each second of a long transaction
   * moves this time one minute into the future.
   */
  paidAt: number
}

/** The time that the transactions of one kind take in a session. */
type Pace = {
  /** Moving average. */
  averageMs: number
  /** Time that the last transaction took; infinite before the first transaction has ended. */
  lastMs: number
}

/**
 * The requests of one session. Short reads have a pace of their own, so that they do not wait after the session's own
 * import.
 */
type Line = Share & { readonly waiting: Waiting[]; readonly short: Pace; readonly other: Pace }

type Flow = Share & {
  readonly lines: Map<string, Line>
  readonly waitingLines: Set<Line>
  waiting: number
  /** The clock of the line that was served last. An idle line starts at this clock. */
  lineClock: number
  /**
   * Time from which the user's sessions have their full spared part of the allowance again. It moves in the same way as
   * `paidAt`.
   */
  sparedAt: number
  /** Whether the request that started last was urgent. */
  wasUrgent: boolean
  /** The pause after a transaction of a slow session. Only slow sessions of the flow pause. */
  pausedUntil: number
  /** Time at which one of the flow's transactions last began or ended, or at which the flow began to wait. */
  progressAt: number
}

type Place = { readonly flow: Flow; readonly line: Line }

/** The transaction that is served next. */
type Next = Place & { readonly request: Waiting }

type Admitted = {
  readonly isSlow: boolean
  readonly isShort: boolean
  readonly isStaff: boolean
  readonly isServerWork: boolean
  readonly pace: Pace
}

export class AdmissionQueue {
  readonly #options: AdmissionOptions
  readonly #flows = new Map<string, Flow>()
  readonly #waitingFlows = new Set<Flow>()
  readonly #shed: { readonly request: Waiting; readonly rejectAt: number }[] = []
  #waiting = 0
  #running = 0
  #slowRunning = 0
  #debtorsPausedUntil = 0
  /** Time at which the flow of another client, which is not a debtor, was last served. */
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
    if (this.#waiting + this.#shed.length >= queueLengthMax || flow.waiting >= queueLengthPerFlowMax) {
      this.#shedCount += 1
      throw busy()
    }
    const line = lineOf(flow, request.line)
    const admitted = await this.#enqueue({ flow, line }, request)
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
      this.#finish({ flow, line }, startedAt, { ...admitted, isCounted })
    }
  }

  /**
   * Returns the queue's length and the number of rejections since the start. The length includes shed requests that
   * have not been rejected yet.
   */
  load(): { readonly waiting: number; readonly shed: number } {
    return { waiting: this.#waiting + this.#shed.length, shed: this.#shedCount }
  }

  #enqueue({ flow, line }: Place, request: QueuedRequest): Promise<Admitted> {
    return new Promise((resolve, reject) => {
      const now = performance.now()
      const waiting: Waiting = {
        ...request,
        enteredAt: now,
        start: () => resolve(this.#start({ flow, line }, request)),
        reject: () => {
          this.#shedCount += 1
          reject(busy())
        },
        drop: () => reject(busy()),
      }
      if (flow.waiting === 0) {
        if (flow.running === 0) flow.clock = Math.max(flow.clock, this.#clock)
        flow.progressAt = now
        this.#waitingFlows.add(flow)
      }
      if (line.waiting.length === 0) {
        if (line.running === 0) {
          const clock = Math.max(line.clock, flow.lineClock)
          line.clock = Math.min(clock, flow.lineClock + lineLeadMsMax)
        }
        flow.waitingLines.add(line)
      }
      if (request.isContinuation) line.waiting.unshift(waiting)
      else if (request.isUrgent) line.waiting.splice(firstsOf(line), 0, waiting)
      else line.waiting.push(waiting)
      flow.waiting += 1
      this.#waiting += 1
      this.#dispatch(now)
    })
  }

  #start({ flow, line }: Place, request: QueuedRequest): Admitted {
    const pace = paceOf(line, request)
    const isSlow = this.#isSlow(pace)
    const isShort = countsAsShort(line, request)
    this.#running += this.#weightOf(isShort)
    if (isSlow) this.#slowRunning += 1
    flow.progressAt = performance.now()
    this.#clock = flow.clock
    flow.lineClock = line.clock
    flow.wasUrgent = request.isUrgent
    for (const share of [flow, line]) {
      share.running += 1
      // Charges an estimate until the real time is known, so that flows that start at the same time alternate.
      share.clock += 1
    }
    const { isStaff, isServerWork } = request
    return { isSlow, isShort, isStaff, isServerWork, pace }
  }

  #weightOf(isShort: boolean): number {
    return isShort ? this.#options.shortWeight : 1
  }

  #finish({ flow, line }: Place, startedAt: number, done: Admitted & { isCounted: boolean }): void {
    const now = performance.now()
    // A serial engine may have received this transaction before it finished the previous transaction. This time is not
    // counted.
    const ms = now - (this.#options.isSerial ? Math.max(startedAt, this.#endedAt) : startedAt)
    this.#endedAt = now
    this.#running -= this.#weightOf(done.isShort)
    if (done.isSlow) this.#slowRunning -= 1
    flow.progressAt = now
    for (const share of [flow, line]) {
      share.running -= 1
      if (done.isCounted) share.clock += ms
    }
    if (done.isCounted) {
      const { pace } = done
      pace.lastMs = ms
      pace.averageMs += (ms - pace.averageMs) * latestWeight
      this.#charge({ flow, line }, ms, { ...done, now })
      if (pace.averageMs >= slowMs)
        flow.pausedUntil = Math.max(now, flow.pausedUntil) + Math.min(ms, pauseMsMax)
    }
    this.#dispatch(now)
  }

  /**
   * Subtracts a long transaction from the allowances of its flow and its line. If the flow is a debtor, also extends
   * the pause of all debtors.
   */
  #charge(
    { flow, line }: Place,
    ms: number,
    { now, isStaff, isServerWork }: Pick<Admitted, 'isStaff' | 'isServerWork'> & { now: number },
  ): void {
    if (!this.#options.isSerial || isStaff || ms < slowMs) {
      if (!isDebtor(flow, now) && !isServerWork) this.#othersServedAt = now
      return
    }
    const after = (paidAt: number) => Math.max(now, paidAt) + (ms * longMinuteMs) / longAllowanceMs
    if (isDebtor(flow, now) && isSpared({ flow, line }, now)) flow.sparedAt = after(flow.sparedAt)
    flow.paidAt = after(flow.paidAt)
    line.paidAt = after(line.paidAt)
    if (isDebtor(flow, now)) {
      const until = Math.max(now, this.#debtorsPausedUntil) + ms * debtorsPauseTimes
      this.#debtorsPausedUntil = Math.min(until, now + debtorsPauseMsMax)
    }
  }

  /** True if debtors must wait at present. */
  #areDebtorsPaused(now: number): boolean {
    return now < this.#debtorsPausedUntil && now - this.#othersServedAt < othersServedMs
  }

  #dispatch(now: number): void {
    while (this.#running < this.#options.concurrency) {
      const next = this.#next(now)
      if (next === null || this.#running + this.#weightOfNext(next) > this.#options.concurrency) break
      const { request } = next
      this.#remove(next, [request])
      if (request.isAborted()) request.drop()
      else request.start()
    }
    if (this.#timer === null && this.#waiting + this.#shed.length > 0)
      this.#timer = setTimeout(() => this.#tick(), tickMs)
  }

  /**
   * True if the session's next transaction may take long. On the embedded engine, a new session and a session whose
   * last transaction was long count as slow too, because this engine runs only one transaction at a time. Otherwise, an
   * attacker with many flows could delay a customer by one long transaction of each flow, because the averages rise
   * only afterwards.
   */
  #isSlow({ averageMs, lastMs }: Pace): boolean {
    return averageMs >= slowMs || (this.#options.isSerial && lastMs >= slowMs)
  }

  /**
   * Returns the transaction to serve next, from the flow with the lowest clock among the flows that are below their
   * limits. If this flow is a debtor, returns the transaction of the debtor with the smallest debt instead. A customer
   * whose page needs several sums therefore does not wait for an attacker who never stops.
   */
  #next(now: number): Next | null {
    let next: Next | null = null
    let debtor: Next | null = null
    for (const flow of this.#waitingFlows) {
      if (flow.running >= this.#options.concurrencyPerFlow) continue
      const isNext = next === null || flow.clock < next.flow.clock
      const hasLessDebt = isDebtor(flow, now) && (debtor === null || flow.paidAt < debtor.flow.paidAt)
      if (!isNext && !hasLessDebt) continue
      const ofFlow = this.#nextOf(flow, now)
      if (ofFlow === null) continue
      if (isNext) next = ofFlow
      if (hasLessDebt && isForDebtors(ofFlow, now)) debtor = ofFlow
    }
    return next !== null && debtor !== null && isForDebtors(next, now) ? debtor : next
  }

  /**
   * Returns the transaction of the line with the lowest clock that does not have to wait. Lines with an urgent request
   * come first, but only once after each other request, because a thief could otherwise send urgent requests only.
   */
  #nextOf(flow: Flow, now: number): Next | null {
    let next: Next | null = null
    for (const line of flow.waitingLines) {
      const ofLine = this.#nextOfLine({ flow, line }, now)
      if (ofLine === null) continue
      const { isUrgent } = ofLine.request
      const isByClock = flow.wasUrgent || isUrgent === (next?.request.isUrgent ?? false)
      if (next === null || (isByClock ? line.clock < next.line.clock : isUrgent)) next = ofLine
    }
    return next
  }

  /** Returns the line's first transaction. If this one must wait, returns the first short read instead. */
  #nextOfLine(place: Place, now: number): Next | null {
    const { waiting } = place.line
    for (const request of [firstOf(place.line), waiting.find(({ isShort }) => isShort)])
      if (request !== undefined && !this.#mustWait({ ...place, request }, now)) return { ...place, request }
    return null
  }

  #mustWait(next: Next, now: number): boolean {
    const { flow, line, request } = next
    if (request.isUrgent) return false
    const pace = paceOf(line, request)
    if (pace.averageMs >= slowMs && flow.pausedUntil > now) return true
    if (this.#slowRunning >= this.#options.concurrencyOfSlowFlows && this.#isSlow(pace)) return true
    return this.#areDebtorsPaused(now) && isForDebtors(next, now)
  }

  #weightOfNext({ line, request }: Next): number {
    return this.#weightOf(countsAsShort(line, request))
  }

  #remove({ flow, line }: Place, requests: readonly Waiting[]): void {
    line.waiting.splice(0, Infinity, ...line.waiting.filter((each) => !requests.includes(each)))
    flow.waiting -= requests.length
    this.#waiting -= requests.length
    if (line.waiting.length === 0) flow.waitingLines.delete(line)
    if (flow.waiting === 0) this.#waitingFlows.delete(flow)
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
    for (const line of flow.waitingLines) {
      // A debtor that must wait for other flows is not stalled.
      const first = { flow, line, request: firstOf(line) }
      if (this.#areDebtorsPaused(now) && isForDebtors(first, now)) flow.progressAt = now
      const isStalled = now - Math.max(flow.progressAt, flow.pausedUntil) >= stalledMs
      const isLate = ({ enteredAt, isNotShed }: Waiting) =>
        now - enteredAt >= queueTimeoutOverloadedMs && !isNotShed && (isOverloaded || isStalled)
      const over = line.waiting.filter(
        (request) => isLate(request) || now - request.enteredAt >= queueTimeoutMs,
      )
      if (over.length === 0) continue
      this.#remove({ flow, line }, over)
      for (const request of over)
        this.#shed.push({ request, rejectAt: now + (isLate(request) ? rejectionDelayMs : 0) })
    }
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
      lines: new Map(),
      waitingLines: new Set(),
      waiting: 0,
      lineClock: 0,
      wasUrgent: false,
      pausedUntil: 0,
      paidAt: 0,
      sparedAt: 0,
      progressAt: 0,
    }
    this.#flows.set(name, flow)
    return flow
  }

  #evictIdle(): void {
    const now = performance.now()
    for (const [name, { running, waiting, paidAt }] of this.#flows)
      if (running === 0 && waiting === 0 && paidAt < now) this.#flows.delete(name)
  }
}

function busy(): DatabaseBusy {
  return new DatabaseBusy('Too many requests are under way.')
}

function lineOf(flow: Flow, session: string): Line {
  const known = flow.lines.get(session)
  if (known !== undefined) return known
  const now = performance.now()
  if (flow.lines.size >= linesMax)
    for (const [name, { running, waiting, paidAt }] of flow.lines)
      if (running === 0 && waiting.length === 0 && paidAt < now) flow.lines.delete(name)
  const line: Line = {
    clock: 0,
    running: 0,
    waiting: [],
    short: newPace(),
    other: newPace(),
    paidAt: 0,
  }
  flow.lines.set(session, line)
  return line
}

function newPace(): Pace {
  return { averageMs: 0, lastMs: Number.POSITIVE_INFINITY }
}

function paceOf({ short, other }: Line, { isShort }: QueuedRequest): Pace {
  return isShort ? short : other
}

/** Returns the line's next request. Only lines with a request wait. */
function firstOf({ waiting: [first] }: Line): Waiting {
  if (first === undefined) throw new Error('An empty line is waiting.')
  return first
}

/** Returns the number of requests at the beginning of the line that a new urgent request must not overtake. */
function firstsOf({ waiting }: Line): number {
  const place = waiting.findIndex(({ isContinuation, isUrgent }) => !isContinuation && !isUrgent)
  return place === -1 ? waiting.length : place
}

/** Returns true if the flow has used up its allowance for long transactions. */
function isDebtor({ paidAt }: Flow, now: number): boolean {
  return paidAt - now > longMinuteMs
}

/**
 * Returns true if the transaction must wait while debtors are paused. Short transactions do not have to wait, because
 * they do not delay other flows. A session that has hardly used long transactions does not wait for the debts of the
 * user's other sessions.
 */
function isForDebtors({ flow, line, request }: Next, now: number): boolean {
  const { isShort, isStaff, isUrgent } = request
  return isDebtor(flow, now) && !isSpared({ flow, line }, now) && !isShort && !isStaff && !isUrgent
}

/** Returns true if the session and its user have not used up the part of the allowance that a debtor's sessions keep. */
function isSpared({ flow, line }: Place, now: number): boolean {
  return Math.max(line.paidAt, flow.sparedAt) - now <= longMinuteMs * sparedShare
}

/** Returns true if the request counts as short. A session whose short reads are slow has no short requests. */
function countsAsShort({ short }: Line, { isShort }: QueuedRequest): boolean {
  return isShort && short.averageMs < slowMs
}
