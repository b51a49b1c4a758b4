/** The joined channels of this process, found by topic and by user. */

/** What the registry has to know of a channel. */
export type Member = {
  readonly topic: string
  /** The signed-in user it belongs to, or `null`. */
  readonly userId: string | null
  /** What stands for its socket: the same object for all channels of one. */
  readonly socket: object
}

export class Registry<M extends Member> implements Iterable<M> {
  readonly #all = new Set<M>()
  readonly #byTopic = new Map<string, Set<M>>()
  readonly #byUser = new Map<string, Set<M>>()

  /** Notes a channel; one whose user changes is removed before that and added after it. */
  add(member: M): void {
    this.#all.add(member)
    addTo(this.#byTopic, member.topic, member)
    if (member.userId !== null) addTo(this.#byUser, member.userId, member)
  }

  remove(member: M): void {
    this.#all.delete(member)
    removeFrom(this.#byTopic, member.topic, member)
    if (member.userId !== null) removeFrom(this.#byUser, member.userId, member)
  }

  get size(): number {
    return this.#all.size
  }

  [Symbol.iterator](): Iterator<M> {
    return this.#all[Symbol.iterator]()
  }

  /** The channels that joined a topic. */
  onTopic(topic: string): readonly M[] {
    return [...(this.#byTopic.get(topic) ?? [])]
  }

  /** The channels of a user. */
  ofUser(userId: string): readonly M[] {
    return [...(this.#byUser.get(userId) ?? [])]
  }
}

function addTo<M>(index: Map<string, Set<M>>, key: string, member: M): void {
  const members = index.get(key)
  if (members === undefined) index.set(key, new Set([member]))
  else members.add(member)
}

function removeFrom<M>(index: Map<string, Set<M>>, key: string, member: M): void {
  const members = index.get(key)
  members?.delete(member)
  if (members?.size === 0) index.delete(key)
}
