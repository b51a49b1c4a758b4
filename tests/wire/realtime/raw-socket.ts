/** A WebSocket that speaks Phoenix frames by hand, in both versions of the protocol. */
import { EventEmitter, once } from 'node:events'
import { inject } from 'vitest'
import { WebSocket } from 'ws'

export type Frame = {
  topic: string
  event: string
  payload: Record<string, unknown>
  ref?: string | null
  join_ref?: string | null
}

const waitMs = 10_000

export type RawSocket = {
  frames: Frame[]
  send(frame: Frame): void
  /** Sends the text as it is. */
  sendText(text: string): void
  /** The first frame that passes, past or future. Throws after ten seconds. */
  frame(passes: (frame: Frame) => boolean): Promise<Frame>
  /** The reply to the push with this ref. */
  reply(ref: string): Promise<{ status: string; response: Record<string, unknown> }>
  /** The code with which the server closed, within so many milliseconds. */
  closed(withinMs?: number): Promise<number>
  close(): void
  /** Stops and starts reading. */
  pause(): void
  resume(): void
}

/** Opens a socket with the anonymous key. */
export async function openRawSocket(vsn: '1.0.0' | '2.0.0' | null): Promise<RawSocket> {
  const frames: Frame[] = []
  const news = new EventEmitter()
  const socket = new WebSocket(socketUrl({ vsn }))
  let code: number | null = null
  socket.on('close', (closeCode) => {
    code = closeCode
    news.emit('news')
  })
  socket.on('message', (data: Buffer) => {
    frames.push(readFrame(data.toString()))
    news.emit('news')
  })
  await once(socket, 'open')
  const until = async <T>(find: () => T | undefined | null, withinMs = waitMs): Promise<T> => {
    const signal = AbortSignal.timeout(withinMs)
    for (;;) {
      const found = find()
      if (found !== undefined && found !== null) return found
      await once(news, 'news', { signal })
    }
  }
  const frame = (passes: (frame: Frame) => boolean) => until(() => frames.find(passes))
  return {
    frames,
    send: ({ topic, event, payload, ref = null, join_ref = null }) =>
      socket.send(
        JSON.stringify(
          vsn === '2.0.0' ? [join_ref, ref, topic, event, payload] : { topic, event, payload, ref, join_ref },
        ),
      ),
    sendText: (text) => socket.send(text),
    frame,
    async reply(ref) {
      const { payload } = await frame((each) => each.event === 'phx_reply' && each.ref === ref)
      return payload as { status: string; response: Record<string, unknown> }
    },
    closed: (withinMs) => until(() => code, withinMs),
    close: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  }
}

/** Where the socket is. */
export function socketUrl({ vsn, apikey }: { vsn: string | null; apikey?: string }): string {
  const { url, anonKey } = inject('server')
  const query = new URLSearchParams({ apikey: apikey ?? anonKey, ...(vsn === null ? {} : { vsn }) })
  return `${url.replace('http', 'ws')}/realtime/v1/websocket?${query.toString()}`
}

/** A `phx_join` for changes of one's transactions. */
export function joinFrame(topic: string, accessToken: string | undefined, ref = '1'): Frame {
  return {
    topic,
    event: 'phx_join',
    ref,
    join_ref: ref,
    payload: {
      config: {
        broadcast: { ack: false, self: false },
        presence: { key: '' },
        postgres_changes: [{ event: '*', schema: 'public', table: 'transactions' }],
      },
      ...(accessToken === undefined ? {} : { access_token: accessToken }),
    },
  }
}

function readFrame(text: string): Frame {
  const value = JSON.parse(text) as Frame | [string | null, string | null, string, string, Frame['payload']]
  if (!Array.isArray(value)) return value
  const [join_ref, ref, topic, event, payload] = value
  return { join_ref, ref, topic, event, payload }
}
