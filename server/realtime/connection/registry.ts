/** The channels that this process has joined, indexed by user, and counters for the metrics. */

/** The reason why this server closed a socket. */
export type DropReason = 'slow' | 'silent' | 'limit'

/** The part of a channel that the registry uses. */
export type Member = {
  /** The id of the channel's signed-in user; `null` if the caller is an API key. */
  readonly userId: string | null
  /** The channel's socket. This object is the same for all channels of one socket. */
  readonly socket: object
}

export class Registry<M extends Member> implements Iterable<M> {
  /**
   * Counters since the process started: the number of changes that were sent to channels, and the number of sockets
   * that were closed for each reason.
   */
  readonly counters = {
    events: 0,
    dropped: { slow: 0, silent: 0, limit: 0 } satisfies Record<DropReason, number>,
  }
  readonly #all = new Set<M>()
  readonly #byUser = new Map<string, Set<M>>()

  /** Adds a channel. To change a channel's user, remove the channel first and add it again afterwards. */
  add(member: M): void {
    this.#all.add(member)
    if (member.userId === null) return
    const members = this.#byUser.get(member.userId) ?? new Set()
    this.#byUser.set(member.userId, members.add(member))
  }

  remove(member: M): void {
    this.#all.delete(member)
    if (member.userId === null) return
    const members = this.#byUser.get(member.userId)
    members?.delete(member)
    if (members?.size === 0) this.#byUser.delete(member.userId)
  }

  get size(): number {
    return this.#all.size
  }

  [Symbol.iterator](): Iterator<M> {
    return this.#all[Symbol.iterator]()
  }

  ofUser(userId: string): readonly M[] {
    return [...(this.#byUser.get(userId) ?? [])]
  }
}
