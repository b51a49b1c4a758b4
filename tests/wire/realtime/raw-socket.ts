/** Sends Phoenix frames over a plain WebSocket, without the client library. */
import { once } from 'node:events'
import { inject, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { newsOf } from './watch.ts'

export type Frame = {
  topic: string
  event: string
  payload: Record<string, unknown>
  ref?: string | null
  join_ref?: string | null
}

type Reply = { status: string; response: Record<string, unknown> }

/** Opens a socket with the anon key. The socket closes at the end of the test. */
export async function openRawSocket() {
  const frames: Frame[] = []
  const { tell, until } = newsOf()
  const socket = new WebSocket(socketUrl({ vsn: '2.0.0' }))
  let code: number | null = null
  socket.on('close', (closeCode) => {
    code = closeCode
    tell()
  })
  socket.on('message', (data: Buffer) => {
    frames.push(readFrame(data.toString()))
    tell()
  })
  await once(socket, 'open')
  onTestFinished(() => socket.terminate())
  /** Waits for the first frame that matches the predicate. Frames that arrived earlier also match. */
  const frame = (passes: (frame: Frame) => boolean) => until(() => frames.find(passes))
  const send = ({ topic, event, payload, ref = null, join_ref = null }: Frame) =>
    socket.send(JSON.stringify([join_ref, ref, topic, event, payload]))
  /** Waits for the reply to the message with this `ref`. */
  const reply = async (ref: string) => {
    const { payload } = await frame((each) => each.event === 'phx_reply' && each.ref === ref)
    return payload as Reply
  }
  return {
    frames,
    send,
    sendText: (text: string) => socket.send(text),
    /** Joins a topic and returns the reply. */
    join(topic: string, payload: Frame['payload'] = {}, ref = '1') {
      send({ topic, event: 'phx_join', payload, ref, join_ref: ref })
      return reply(ref)
    },
    /** Sends a heartbeat and returns true when the server answers it. */
    async isAlive() {
      const ref = crypto.randomUUID()
      send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref })
      return (await reply(ref)).status === 'ok'
    },
    frame,
    reply,
    /** Waits until the server closes the socket, and returns the close code. */
    closed: () => until(() => code),
    close: () => socket.terminate(),
  }
}

export function socketUrl({ vsn, apikey }: { vsn: string | null; apikey?: string }): string {
  const { url, anonKey } = inject('server')
  const query = new URLSearchParams({ apikey: apikey ?? anonKey, ...(vsn === null ? {} : { vsn }) })
  return `${url.replace('http', 'ws')}/realtime/v1/websocket?${query.toString()}`
}

/** Returns the payload of a `phx_join` that subscribes to transactions. */
export function transactionsJoin(accessToken?: string): Frame['payload'] {
  return {
    config: {
      broadcast: { ack: false, self: false },
      presence: { key: '' },
      postgres_changes: [{ event: '*', schema: 'public', table: 'transactions' }],
    },
    ...(accessToken === undefined ? {} : { access_token: accessToken }),
  }
}

function readFrame(text: string): Frame {
  type Parts = [string | null, string | null, string, string, Frame['payload']]
  const [join_ref, ref, topic, event, payload] = JSON.parse(text) as Parts
  return { join_ref, ref, topic, event, payload }
}
