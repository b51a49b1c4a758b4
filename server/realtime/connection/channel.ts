/**
 * A topic that a socket has joined, with its caller and its subscriptions. A channel that is closed with `phx_close`
 * stays closed until the page joins again. After `phx_error`, the client rejoins automatically (upstream
 * `realtime_channel.ex`). Refuses private channels, broadcast and presence. One file contains all steps from the join
 * to the end, because every step reads and changes the channel's phase.
 */
import {
  clockSkewSeconds,
  realtimeFilterConditionsPerSocketMax,
  realtimeSocketsPerUserMax,
} from '@finanzas/contract/limits.ts'
import type { ApiKeyRole } from '#http/credentials.ts'
import type { Caller } from '#tokens/caller.ts'
import {
  type JoinServices,
  type Subscribed,
  authorizeJoin,
  isSamePerson,
  readIdentity,
  secondsSince,
  sessionState,
  subscribeAs,
} from './join.ts'
import { reasons, systemMessages } from '#realtime/errors.ts'
import type { Frame } from './frames.ts'
import { type WantedChanges, readAccessToken } from './join-request.ts'
import type { Member, Registry } from './registry.ts'
import { type Subscription, SubscriptionError } from '#realtime/changes/subscriptions.ts'

export type ChannelServices = JoinServices & {
  readonly registry: Registry<Channel>
}

/** The properties and methods of a socket that its channels use. */
export type ChannelSocket = {
  readonly apiKeyRole: ApiKeyRole
  send(frame: Frame): void
  /** Returns the number of filter conditions in all other channels of the socket. */
  conditionsBeside(channel: Channel): number
  /** Called when a channel gets a caller or its caller changes. */
  onCaller(): void
  onClosed(channel: Channel): void
}

type Payload = Frame['payload']

export const topicPrefix = 'realtime:'
/** The longest delay that a Node.js timer supports, 24 days. The server's own tokens are valid for only an hour. */
const timerMaxMs = 2 ** 31 - 1

export class Channel implements Member {
  readonly topic: string
  readonly joinRef: string | null
  readonly socket: ChannelSocket
  readonly #services: ChannelServices
  #phase: 'joining' | 'joined' | 'closed' = 'joining'
  /** The `ref` of the join message; `null` once the join has been answered. */
  #joinPush: string | null = null
  /** The subscriptions that the join requested; `null` until the channel has joined. */
  #wanted: readonly WantedChanges[] | null = null
  #caller: Caller | null = null
  #subscriptions: readonly Subscription[] = []
  #renewals = 0
  #expiry: NodeJS.Timeout | undefined

  constructor(
    services: ChannelServices,
    socket: ChannelSocket,
    { topic, joinRef }: Pick<Frame, 'topic' | 'joinRef'>,
  ) {
    this.#services = services
    this.socket = socket
    this.topic = topic
    this.joinRef = joinRef
  }

  /** The channel's caller; `null` before the channel is joined and after it is closed. */
  get caller(): Caller | null {
    return this.#caller
  }

  get userId(): string | null {
    return this.#caller?.role === 'authenticated' ? this.#caller.claims.sub : null
  }

  get subscriptions(): readonly Subscription[] {
    return this.#subscriptions
  }

  /** Returns the number of conditions in the channel's filters. */
  get conditions(): number {
    return conditionsOf(this.#subscriptions)
  }

  /** Answers a `phx_join` frame. */
  async join({ ref, payload }: Frame): Promise<void> {
    this.#joinPush = ref
    const verdict = await authorizeJoin(this.#services, this.socket.apiKeyRole, { name: this.#name, payload })
    if (this.#isClosed) return
    if (!verdict.ok) {
      this.#refuse(ref, verdict.reason)
      return
    }
    const { join, caller, subscribed } = verdict
    const { wanted, written } = join
    if (!this.#hasRoomFor(caller)) {
      this.#refuse(ref, reasons.tooManySockets)
      return
    }
    this.#become(caller)
    const state = await sessionState(this.#services.database, caller)
    // The session may have been revoked during the check.
    if (this.#isClosed) return
    if (state !== 'alive') {
      this.#refuse(
        ref,
        state === 'ended' ? reasons.invalidToken(systemMessages.sessionEnded) : reasons.unavailable,
      )
      return
    }
    // The code from here until the subscription must not await anything. Otherwise, a change could be delivered before
    // the reply to the join, or a change after the reply could be missed.
    this.#phase = 'joined'
    this.#joinPush = null
    this.#wanted = wanted
    this.socket.onCaller()
    const ids = wanted.map(({ id }, index) => ({ ...written[index], id }))
    this.#reply(ref, 'ok', { postgres_changes: ids })
    this.#subscribeTo(subscribed)
  }

  /** Handles an `access_token` push. The channel continues with the new token, or closes if the token is refused. */
  async renew({ payload }: Frame): Promise<void> {
    const token = readAccessToken(payload)
    const wanted = this.#wanted
    if (token === null || wanted === null) return
    this.#renewals += 1
    const renewal = this.#renewals
    const { database, tokenKey, tables } = this.#services
    const identity = await readIdentity(tokenKey, token, this.socket.apiKeyRole)
    if (!identity.ok) {
      this.end(identity.message)
      return
    }
    const { caller } = identity
    const subscribed = isSamePerson(this.#caller, caller)
      ? this.#subscriptions
      : await subscribeAs(tables, wanted, caller)
    // During the check, a newer token may have arrived or the channel may have closed.
    if (this.#renewals !== renewal || this.#phase !== 'joined') return
    if (subscribed === null) {
      this.crash()
      return
    }
    // Checks the limit of sockets per user again, because a socket could otherwise join without a user, sign in later,
    // and exceed the limit.
    if (!this.#hasRoomFor(caller)) {
      this.end(reasons.tooManySockets)
      return
    }
    this.#become(caller)
    this.socket.onCaller()
    if (subscribed !== this.#subscriptions) this.#subscribeTo(subscribed)
    // During an outage, a valid token is sufficient, because each delivery checks the session again.
    if ((await sessionState(database, caller)) === 'ended' && this.#caller === caller)
      this.end(systemMessages.sessionEnded)
  }

  /** Sends an event that is not the reply to a push. */
  send(event: string, payload: Payload): void {
    if (this.#phase === 'joined')
      this.socket.send({ joinRef: null, ref: null, topic: this.topic, event, payload })
  }

  get isJoined(): boolean {
    return this.#phase === 'joined'
  }

  get #isClosed(): boolean {
    return this.#phase === 'closed'
  }

  close(): void {
    this.#finish('phx_close')
  }

  /** Closes the channel with a reason. If the join has not been answered yet, refuses the join. */
  end(message: string): void {
    if (this.#phase === 'joining') {
      this.#refuse(this.#joinPush, reasons.invalidToken(message))
      return
    }
    this.#system({ extension: 'system', status: 'error', message })
    this.close()
  }

  /** Ends the channel with an error, so that the client joins again and reads the data again. */
  crash(): void {
    this.#finish('phx_error')
  }

  /** Cleans up after the socket has closed. */
  drop(): void {
    this.#phase = 'closed'
    clearTimeout(this.#expiry)
    this.#services.registry.remove(this)
    this.#caller = null
    this.#subscriptions = []
  }

  get #name(): string {
    return this.topic.slice(topicPrefix.length)
  }

  #subscribeTo(wanted: Subscribed): void {
    const subscribed = this.#withinBudget(wanted)
    const hasFailed = subscribed instanceof SubscriptionError
    this.#subscriptions = hasFailed ? [] : subscribed
    if (hasFailed) {
      this.#system({ extension: 'postgres_changes', status: 'error', message: subscribed.message })
    } else if (subscribed.length > 0) {
      this.#system({ extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' })
    }
  }

  /**
   * Checks that the filter conditions of the socket stay within the limit. The calling method must store the result in
   * the same turn of the event loop. Otherwise, two concurrent joins could both use the last remaining conditions.
   */
  #withinBudget(wanted: Subscribed): Subscribed {
    if (wanted instanceof SubscriptionError) return wanted
    const conditions = conditionsOf(wanted) + this.socket.conditionsBeside(this)
    return conditions <= realtimeFilterConditionsPerSocketMax
      ? wanted
      : new SubscriptionError(systemMessages.filter('too many conditions in the channels of this socket'))
  }

  #hasRoomFor(caller: Caller): boolean {
    if (caller.role !== 'authenticated') return true
    const sockets = new Set(this.#services.registry.ofUser(caller.claims.sub).map(({ socket }) => socket))
    return sockets.has(this.socket) || sockets.size < realtimeSocketsPerUserMax
  }

  /**
   * Sets the caller. Removes the channel from the registry first and adds it again afterwards, because the registry
   * finds channels by their caller.
   */
  #become(caller: Caller): void {
    this.#services.registry.remove(this)
    this.#caller = caller
    this.#services.registry.add(this)
    clearTimeout(this.#expiry)
    if (caller.role !== 'authenticated') return
    const { exp } = caller.claims
    const leftMs = (exp + clockSkewSeconds) * 1000 - Date.now()
    const onExpired = () => this.end(systemMessages.tokenExpired(secondsSince(exp)))
    this.#expiry = setTimeout(onExpired, Math.min(leftMs, timerMaxMs)).unref()
  }

  #system(payload: Payload): void {
    this.send('system', { ...payload, channel: this.#name })
  }

  #reply(ref: string | null, status: 'ok' | 'error', response: Payload): void {
    const payload = { status, response }
    this.socket.send({ joinRef: this.joinRef, ref, topic: this.topic, event: 'phx_reply', payload })
  }

  #refuse(ref: string | null, reason: string): void {
    if (this.#phase === 'closed') return
    this.#reply(ref, 'error', { reason })
    this.drop()
    this.socket.onClosed(this)
  }

  #finish(event: 'phx_close' | 'phx_error'): void {
    if (this.#phase === 'closed') return
    this.drop()
    this.socket.send({ joinRef: this.joinRef, ref: this.joinRef, topic: this.topic, event, payload: {} })
    this.socket.onClosed(this)
  }
}

function conditionsOf(subscriptions: readonly Subscription[]): number {
  return subscriptions.reduce((sum, { conditions }) => sum + conditions, 0)
}
