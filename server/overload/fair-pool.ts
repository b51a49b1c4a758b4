/** Number of jobs that may wait in a pool, which allows a whole office to sign in at once. */
export const poolWaitingMax = 64

/** Too many jobs already wait in the pool. Retryable. */
export class PoolFull extends Error {
  override readonly name = 'PoolFull'

  constructor() {
    super('Too many jobs wait.')
  }
}

/**
 * The three groups to which a job belongs, from the widest to the narrowest: the jobs from known or from unknown
 * networks, then those from one network, then those for one account. At each level, the groups take turns.
 * `isKnownThere` is true if the account's owner has signed in from the network before.
 */
export type JobOwner = { readonly isKnownThere: boolean; readonly network: string; readonly account: string }

type Placed = { readonly path: readonly string[] }

type Waiting = Placed & {
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * Assigns turns to named groups by virtual time, as in fair queueing: the group with the least virtual time is served
 * next.
 */
class Turns {
  #now = 0
  readonly #clocks = new Map<string, number>()

  /**
   * Returns the group's virtual time. An idle group starts at the current virtual time and gets no credit for its idle
   * time.
   */
  timeOf(name: string): number {
    return Math.max(this.#clocks.get(name) ?? 0, this.#now)
  }

  take(name: string): void {
    const time = this.timeOf(name)
    // Advances the virtual time a little; otherwise, new groups would always be served first.
    this.#now = Math.max(this.#now + 1 / poolWaitingMax, time)
    this.#clocks.set(name, time + 1)
    for (const [each, clock] of this.#clocks) if (clock <= this.#now) this.#clocks.delete(each)
  }
}

/**
 * Runs a limited number of jobs at once. At each level, the groups take turns: the next job comes from the group that
 * has been served least. When too many jobs wait, the newest job of the largest group is refused.
 */
export class FairPool {
  readonly #runningMax: number
  #running = 0
  readonly #waiting: Waiting[] = []
  /** The turns among each group's subgroups, keyed by the group's path. */
  readonly #turns = new Map<string, Turns>()

  constructor({ runningMax }: { readonly runningMax: number }) {
    this.#runningMax = runningMax
  }

  /** Returns true if the pool would accept a job for another account from this network. */
  hasRoom({ isKnownThere, network }: Omit<JobOwner, 'account'>): boolean {
    if (this.#waiting.length < poolWaitingMax) return true
    const next: Placed = { path: [kindOf(isKnownThere), network] }
    return lastOfMost([...this.#waiting, next]) !== next
  }

  /**
   * Runs the job in a slot. Throws `PoolFull` when too many jobs wait. Also throws any error that the job throws.
   */
  async run<T>({ isKnownThere, network, account }: JobOwner, job: () => Promise<T>): Promise<T> {
    await this.#acquire([kindOf(isKnownThere), network, account])
    try {
      return await job()
    } finally {
      this.#release()
    }
  }

  async #acquire(path: readonly string[]): Promise<void> {
    if (this.#running < this.#runningMax) {
      this.#running += 1
      this.#serve(path)
      return
    }
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ path, start: resolve, refuse: () => reject(new PoolFull()) })
      if (this.#waiting.length > poolWaitingMax) this.#refuseOne()
    })
  }

  #release(): void {
    const next = this.#next()
    if (next === undefined) {
      this.#running -= 1
      this.#turns.clear()
      return
    }
    // The next job takes over the slot; the number of running jobs therefore stays the same.
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#serve(next.path)
    next.start()
  }

  #next(): Waiting | undefined {
    const orders = this.#waiting.map((waiting) => ({
      waiting,
      times: waiting.path.map((name, depth) => this.#turnsOf(waiting.path, depth)?.timeOf(name) ?? 0),
    }))
    const [first] = orders.toSorted(({ times: one }, { times: other }) => {
      const depth = one.findIndex((time, index) => time !== other[index])
      return depth === -1 ? 0 : (one[depth] ?? 0) - (other[depth] ?? 0)
    })
    return first?.waiting
  }

  #refuseOne(): void {
    const last = lastOfMost(this.#waiting)
    if (last === undefined) return
    this.#waiting.splice(this.#waiting.indexOf(last), 1)
    last.refuse()
  }

  #turnsOf(path: readonly string[], depth: number): Turns | undefined {
    return this.#turns.get(circleOf(path, depth))
  }

  #serve(path: readonly string[]): void {
    for (const [depth, name] of path.entries()) {
      const turns = this.#turnsOf(path, depth) ?? new Turns()
      this.#turns.set(circleOf(path, depth), turns)
      turns.take(name)
    }
    if (this.#turns.size <= circlesMax) return
    const waited = new Set(
      this.#waiting.flatMap(({ path: each }) => each.map((_, depth) => circleOf(each, depth))),
    )
    for (const circle of this.#turns.keys()) if (!waited.has(circle)) this.#turns.delete(circle)
  }
}

/**
 * Maximum number of groups. If there are more groups than this number, the groups without a waiting job are dropped.
 */
const circlesMax = 1000

function kindOf(isKnownThere: boolean): string {
  return isKnownThere ? 'known' : 'unknown'
}

function circleOf(path: readonly string[], depth: number): string {
  return path.slice(0, depth).join('\n')
}

/**
 * Returns the newest job of the largest group. First chooses the largest group at the widest level, then the largest
 * group within that group, and so on down to the narrowest level.
 */
function lastOfMost<P extends Placed>(waiting: readonly P[]): P | undefined {
  let most = waiting
  for (const depth of [0, 1, 2]) most = groupsOf(most, depth)[0] ?? most
  return most.at(-1)
}

/**
 * Splits the jobs into their groups at this level. The largest group comes first; among groups of equal size, the group
 * with the newest job comes first.
 */
function groupsOf<P extends Placed>(waiting: readonly P[], depth: number): P[][] {
  const groups = [...Map.groupBy(waiting.toReversed(), ({ path }) => path[depth]).values()]
  return groups.map((group) => group.toReversed()).toSorted((one, other) => other.length - one.length)
}
