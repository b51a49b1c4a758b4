/**
 * The one queue before the database (docs/decisions/0050): database transactions wait here, fairly by the database time
 * that each flow has used, while as many run as the engine carries out soon. A flow is a person, or the network of whoever
 * has not signed in. In a rush, and where a flow is not served at all, requests are shed: they are told so late and a few
 * at a time, because a refusal that costs nothing to wait for is asked for again at once.
 */
import { DatabaseBusy, DatabaseUnavailable } from '#database/database.ts'

/** How many run at the same time. */
export type Capacity = {
  /** All flows together, */
  readonly total: number
  /** one flow, */
  readonly ofFlow: number
  /** and all slow flows together: what is left stays free for short ones. */
  readonly ofSlowFlows: number
  /** Whether the engine runs one after the other, whatever it was handed. */
  readonly isSerial: boolean
}

/** What waits in the queue. */
export type Entry = {
  /** Whose database time it takes. */
  readonly flow: string
  /** Of a request that has begun: it goes before the flow's others. */
  readonly isContinued: boolean
  /** Waits for `patienceMs` in a rush as well. */
  readonly isPatient: boolean
  /** Whether the client has gone away: nothing is done for it. */
  readonly isLeft: () => boolean
}

/** Transactions that may wait, of everybody and of one flow. One more is refused at once. */
export const waitingMax = 5000
export const waitingOfFlowMax = 600
/** A flow whose transactions take longer on average is slow: it rests as long as each took, so that it has half of one connection's time at most. */
const slowMs = 30
/** How much the latest one counts in the average: one that the machine kept waiting makes no slow flow. */
const latestWeight = 0.25
/** So many flows that wait are a rush of many people; fewer are a burst of a few, who wait for themselves. */
const rushFlows = 32
/** A rush sheds what has waited for so long, */
const waitMaxMs = 500
/** once it has lasted for so long: a database that catches its breath, at a checkpoint, is no rush. */
const rushMinMs = 700
/** Without a rush, a flow of which nothing began or ended for so long sheds what it has: the database stands still. */
const starvedMaxMs = 1000
/** The embedded engine stands still while its files are copied for a backup, and no request fails by that. */
const starvedOfSerialMaxMs = 5000
/** The longest wait behind one's own requests: the proxy gives up on a server after 30 s (deploy/haproxy.cfg). */
export const patienceMs = 25_000
/** What was shed is told so after this. To have a client wait costs nothing; to answer costs others their turn. */
const holdMs = 2000
/** Refusals at a time: they stand in the way of answers, and what is refused together comes back together. */
const toldAtOnceMax = 16
const tickMs = 5
/** Flows that are remembered; those without work are forgotten beyond. */
const flowsMax = 10_000

type Waiting = Entry & {
  readonly enteredAt: number
  readonly start: () => void
  readonly refuse: () => void
  /** Ends the wait of a client that has gone away: no refusal that anybody is told, so none is counted. */
  readonly drop: () => void
}

type Flow = {
  /** Virtual time: the flow with the least is next. */
  clock: number
  running: number
  readonly waiting: Waiting[]
  /** How long its transactions take, in milliseconds: a moving average. */
  averageMs: number
  restsUntil: number
  /** When one of it began or ended last, or when it began to wait. */
  servedAt: number
}

/** A queue of database transactions; nothing in it knows what they do. */
export class AdmissionQueue {
  readonly #capacity: Capacity
  readonly #flows = new Map<string, Flow>()
  readonly #waitingFlows = new Set<Flow>()
  readonly #shed: { readonly entry: Waiting; readonly tellAt: number }[] = []
  #waiting = 0
  #running = 0
  #slowRunning = 0
  /** The clock of the flow that was served last: whoever comes from idleness begins there. */
  #clock = 0
  #endedAt = 0
  #rushSince: number | null = null
  #ticking: NodeJS.Timeout | null = null
  #shedCount = 0

  constructor(capacity: Capacity) {
    this.#capacity = capacity
  }

  /** Does the work when its turn has come. Throws `DatabaseBusy` when it does not come, and what the work throws. */
  async run<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
    const flow = this.#flowOf(entry.flow)
    if (this.#waiting + this.#shed.length >= waitingMax || flow.waiting.length >= waitingOfFlowMax) {
      this.#shedCount += 1
      throw busy()
    }
    const isSlow = await this.#turn(flow, entry)
    const startedAt = performance.now()
    let isCounted = true
    try {
      return await work()
    } catch (error) {
      // Time in which the database was away: a flow that paid for it would rest long after the database is back.
      isCounted = !(error instanceof DatabaseUnavailable)
      throw error
    } finally {
      this.#finish(flow, startedAt, { isSlow, isCounted })
    }
  }

  /** How many wait now, told or not that they were shed, and how many were refused since the start. */
  load(): { readonly waiting: number; readonly shed: number } {
    return { waiting: this.#waiting + this.#shed.length, shed: this.#shedCount }
  }

  /** Resolves when the turn has come; the answer is whether it is that of a slow flow. */
  #turn(flow: Flow, entry: Entry): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const now = performance.now()
      const waiting: Waiting = {
        ...entry,
        enteredAt: now,
        start: () => resolve(this.#start(flow)),
        refuse: () => {
          this.#shedCount += 1
          reject(busy())
        },
        drop: () => reject(busy()),
      }
      if (flow.waiting.length === 0) {
        if (flow.running === 0) flow.clock = Math.max(flow.clock, this.#clock)
        flow.servedAt = now
        this.#waitingFlows.add(flow)
      }
      if (entry.isContinued) flow.waiting.unshift(waiting)
      else flow.waiting.push(waiting)
      this.#waiting += 1
      this.#dispatch(now)
    })
  }

  #start(flow: Flow): boolean {
    const isSlow = flow.averageMs >= slowMs
    this.#running += 1
    if (isSlow) this.#slowRunning += 1
    flow.running += 1
    flow.servedAt = performance.now()
    this.#clock = flow.clock
    // Until it is known how long it takes: flows that begin together take turns.
    flow.clock += 1
    return isSlow
  }

  #finish(flow: Flow, startedAt: number, done: { isSlow: boolean; isCounted: boolean }): void {
    const now = performance.now()
    // Handed over earlier, it waited for the one before.
    const ms = now - (this.#capacity.isSerial ? Math.max(startedAt, this.#endedAt) : startedAt)
    this.#endedAt = now
    this.#running -= 1
    if (done.isSlow) this.#slowRunning -= 1
    flow.running -= 1
    flow.servedAt = now
    if (done.isCounted) {
      flow.clock += ms
      flow.averageMs += (ms - flow.averageMs) * latestWeight
      if (flow.averageMs >= slowMs) flow.restsUntil = Math.max(now, flow.restsUntil) + ms
    }
    this.#dispatch(now)
  }

  #dispatch(now: number): void {
    while (this.#running < this.#capacity.total) {
      const flow = this.#next(now)
      if (flow === null) break
      const entry = this.#takeFirst(flow)
      if (entry.isLeft()) entry.drop()
      else entry.start()
    }
    if (this.#ticking === null && this.#waiting + this.#shed.length > 0)
      this.#ticking = setTimeout(() => this.#tick(), tickMs)
  }

  /** The flow that has used the least, of those that may have one more. */
  #next(now: number): Flow | null {
    const { ofFlow, ofSlowFlows } = this.#capacity
    let next: Flow | null = null
    for (const flow of this.#waitingFlows) {
      if (flow.running >= ofFlow || (next !== null && flow.clock >= next.clock)) continue
      if (flow.restsUntil > now || (flow.averageMs >= slowMs && this.#slowRunning >= ofSlowFlows)) continue
      next = flow
    }
    return next
  }

  #takeFirst(flow: Flow): Waiting {
    const entry = flow.waiting.shift()
    if (entry === undefined) throw new Error('A flow without entries is waiting.')
    this.#waiting -= 1
    if (flow.waiting.length === 0) this.#waitingFlows.delete(flow)
    return entry
  }

  #tick(): void {
    this.#ticking = null
    const now = performance.now()
    if (this.#waitingFlows.size < rushFlows) this.#rushSince = null
    else this.#rushSince ??= now
    for (const flow of this.#waitingFlows) this.#shedOf(flow, now)
    this.#tell(now)
    this.#dispatch(now)
  }

  #shedOf(flow: Flow, now: number): void {
    const isRush = this.#rushSince !== null && now - this.#rushSince >= rushMinMs
    const starvedMs = this.#capacity.isSerial ? starvedOfSerialMaxMs : starvedMaxMs
    const isStarved = now - Math.max(flow.servedAt, flow.restsUntil) >= starvedMs
    const isLate = ({ enteredAt, isPatient }: Waiting) =>
      now - enteredAt >= waitMaxMs && !isPatient && (isRush || isStarved)
    const isOver = (entry: Waiting) => isLate(entry) || now - entry.enteredAt >= patienceMs
    const over = flow.waiting.filter(isOver)
    if (over.length === 0) return
    flow.waiting.splice(0, Infinity, ...flow.waiting.filter((entry) => !isOver(entry)))
    this.#waiting -= over.length
    if (flow.waiting.length === 0) this.#waitingFlows.delete(flow)
    for (const entry of over) this.#shed.push({ entry, tellAt: now + (isLate(entry) ? holdMs : 0) })
  }

  #tell(now: number): void {
    for (let told = 0; told < toldAtOnceMax;) {
      const first = this.#shed[0]
      if (first === undefined || first.tellAt > now) return
      this.#shed.shift()
      if (first.entry.isLeft()) {
        first.entry.drop()
        continue
      }
      told += 1
      first.entry.refuse()
    }
  }

  #flowOf(name: string): Flow {
    const known = this.#flows.get(name)
    if (known !== undefined) return known
    if (this.#flows.size >= flowsMax) this.#forgetIdle()
    const flow: Flow = { clock: 0, running: 0, waiting: [], averageMs: 0, restsUntil: 0, servedAt: 0 }
    this.#flows.set(name, flow)
    return flow
  }

  #forgetIdle(): void {
    for (const [name, { running, waiting }] of this.#flows)
      if (running === 0 && waiting.length === 0) this.#flows.delete(name)
  }
}

function busy(): DatabaseBusy {
  return new DatabaseBusy('Too many requests are under way.')
}
