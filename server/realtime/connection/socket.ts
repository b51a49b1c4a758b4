/**
 * One WebSocket connection. The socket reads frames, dispatches them to its channels, answers heartbeats, and applies
 * the limits of security.md RT-05. The socket refuses messages that are too long or exceed the rate limit. The socket
 * closes itself if the client does not join a channel, stays silent, sends far too many messages or does not read the
 * server's messages.
 */
import {
  realtimeBufferedBytesMax,
  realtimeChannelsPerSocketMax,
  realtimeFloodBytesPerSecond,
  realtimeFloodMessagesPerSecond,
  realtimeFrameBytesMax,
  realtimeHeartbeatMs,
  realtimeJoinWaitMs,
  realtimeMessagesPerSecondMax,
} from '@finanzas/contract/limits.ts'
import type { RawData, WebSocket } from 'ws'
import type { ApiKeyRole } from '#http/credentials.ts'
import { Channel, type ChannelServices, type ChannelSocket, topicPrefix } from './channel.ts'
import type { DropReason } from './registry.ts'
import { closeCodes, reasons } from '#realtime/errors.ts'
import { type Frame, decodeBinary, decodeText, encodeFrame } from './frames.ts'
import type { AnonymousSockets } from './anonymous-sockets.ts'

/**
 * Idle timeout of a socket. The timeout is long, because browsers run the timers of hidden pages only once a minute.
 */
const silenceMs = 4 * realtimeHeartbeatMs

export type SocketServices = ChannelServices & {
  readonly anonymousSockets: AnonymousSockets
  readonly log: { error(fields: object, message: string): void }
}

export class Socket implements ChannelSocket {
  readonly apiKeyRole: ApiKeyRole
  readonly #services: SocketServices
  readonly #webSocket: WebSocket
  readonly #channels = new Map<string, Channel>()
  readonly #joinWait: NodeJS.Timeout
  readonly #silence: NodeJS.Timeout
  #second = 0
  #messagesInSecond = 0
  #bytesInSecond = 0

  constructor(services: SocketServices, webSocket: WebSocket, apiKeyRole: ApiKeyRole) {
    this.#services = services
    this.#webSocket = webSocket
    this.apiKeyRole = apiKeyRole
    this.#joinWait = setTimeout(
      () => this.#refuse('limit', 'no channel was joined'),
      realtimeJoinWaitMs,
    ).unref()
    this.#silence = setTimeout(() => this.#refuse('silent', 'no heartbeat'), silenceMs).unref()
    webSocket.on('message', (data, isBinary) => this.#orFail(() => this.#take(data, isBinary)))
    webSocket.on('close', () => this.#onDisconnected())
    // If a frame is invalid or too large, `ws` closes the socket itself.
    webSocket.on('error', () => undefined)
    services.anonymousSockets.add(this)
  }

  send(frame: Frame): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return
    this.#webSocket.send(encodeFrame(frame))
    if (this.#webSocket.bufferedAmount > realtimeBufferedBytesMax) {
      this.#services.registry.counters.dropped.slow += 1
      this.#webSocket.terminate()
    }
  }

  conditionsBeside(channel: Channel): number {
    let sum = 0
    for (const each of this.#channels.values()) if (each !== channel) sum += each.conditions
    return sum
  }

  onCaller(): void {
    clearTimeout(this.#joinWait)
    this.#updateAnonymous()
  }

  onClosed(channel: Channel): void {
    if (this.#channels.get(channel.topic) === channel) this.#channels.delete(channel.topic)
    this.#updateAnonymous()
  }

  /** Drops the connection. The client may reconnect. */
  drop(): void {
    this.#webSocket.terminate()
  }

  #take(data: RawData, isBinary: boolean): void {
    this.#silence.refresh()
    // With the default `binaryType`, `ws` passes each message as one buffer.
    const bytes = data as Buffer
    this.#count(bytes.length)
    if (
      this.#messagesInSecond > realtimeFloodMessagesPerSecond ||
      this.#bytesInSecond > realtimeFloodBytesPerSecond
    ) {
      this.#refuse('limit', 'too many messages')
      return
    }
    const frame = isBinary ? decodeBinary(bytes) : decodeText(bytes.toString('utf8'))
    if (frame === null) {
      // A malformed text message closes the socket. A binary message that is not a broadcast is ignored.
      if (!isBinary) this.#webSocket.close(closeCodes.malformed, 'malformed frame')
    } else if (bytes.length > realtimeFrameBytesMax) {
      this.#reply(frame, 'error', { reason: reasons.tooLong })
    } else {
      this.#dispatch(frame)
    }
  }

  #count(bytes: number): void {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.#second) this.#messagesInSecond = this.#bytesInSecond = 0
    this.#second = second
    this.#messagesInSecond += 1
    this.#bytesInSecond += bytes
  }

  get #isOverRate(): boolean {
    return this.#messagesInSecond > realtimeMessagesPerSecondMax
  }

  #refuse(why: DropReason, reason: string): void {
    this.#services.registry.counters.dropped[why] += 1
    this.#webSocket.close(closeCodes.policy, reason)
  }

  #dispatch(frame: Frame): void {
    const { topic, event, ref, joinRef } = frame
    if (topic === 'phoenix') {
      if (event === 'heartbeat') this.#reply(frame, 'ok', {})
      return
    }
    if (event === 'phx_join') {
      if (this.#isOverRate) this.#reply(frame, 'error', { reason: reasons.tooManyJoins })
      else this.#join(frame)
      return
    }
    const channel = this.#channels.get(topic)
    if (channel === undefined) {
      // A repeated request to leave is answered with `ok`.
      if (event === 'phx_leave') this.#reply(frame, 'ok', {})
      else if (ref !== null) this.#reply(frame, 'error', { reason: reasons.unmatchedTopic })
      return
    }
    // Ignores messages that belong to an earlier join of the same topic.
    if (joinRef !== null && joinRef !== channel.joinRef) return
    // Shuts down the channel, as upstream does. The client then joins again.
    if (this.#isOverRate && event !== 'phx_leave') channel.crash()
    else this.#dispatchToChannel(channel, frame)
  }

  #dispatchToChannel(channel: Channel, frame: Frame): void {
    switch (frame.event) {
      case 'phx_leave':
        this.#reply(frame, 'ok', {})
        channel.close()
        break
      case 'access_token':
        this.#finish(channel.renew(frame))
        break
      case 'broadcast':
      case 'presence':
        this.#reply(frame, 'error', { reason: reasons[frame.event] })
        break
      default:
      // Ignores unknown events, as upstream does.
    }
  }

  #join(frame: Frame): void {
    const { topic } = frame
    if (!topic.startsWith(topicPrefix) || topic.length === topicPrefix.length) {
      this.#reply(frame, 'error', { reason: reasons.unmatchedTopic })
      return
    }
    this.#channels.get(topic)?.close()
    if (this.#channels.size >= realtimeChannelsPerSocketMax) {
      this.#reply(frame, 'error', { reason: reasons.tooManyChannels })
      return
    }
    const channel = new Channel(this.#services, this, frame)
    this.#channels.set(topic, channel)
    this.#finish(channel.join(frame))
  }

  #reply({ joinRef, ref, topic }: Frame, status: 'ok' | 'error', response: Frame['payload']): void {
    this.send({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } })
  }

  #finish(work: Promise<void>): void {
    work.catch((error: unknown) => this.#fail(error))
  }

  /** Runs the work and handles any error, because an uncaught error would end the process. */
  #orFail(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Handles a bug: logs it and closes the socket, so that the client reconnects. */
  #fail(error: unknown): void {
    this.#services.log.error({ err: error }, 'realtime failed')
    this.#webSocket.terminate()
  }

  /**
   * The socket counts as anonymous while none of its channels has a signed-in user, even if one of them had a user
   * before.
   */
  #updateAnonymous(): void {
    const { anonymousSockets } = this.#services
    if ([...this.#channels.values()].some(({ userId }) => userId !== null)) anonymousSockets.delete(this)
    else anonymousSockets.add(this)
  }

  #onDisconnected(): void {
    clearTimeout(this.#joinWait)
    clearTimeout(this.#silence)
    for (const channel of this.#channels.values()) channel.drop()
    this.#channels.clear()
    this.#services.anonymousSockets.delete(this)
  }
}
