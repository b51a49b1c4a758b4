/**
 * Lightweight sockets that listen to changes of transactions and understand only protocol version 2.0.0. A test can
 * open thousands of these sockets.
 */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { TestServer } from '#testing/server.ts'
import type { Caller } from '#nightly/fixtures/wire.ts'

/** A received change and the time of its arrival. */
export type Arrival = { readonly atMs: number; readonly owner: string; readonly id: string }

/** A joined socket, which appends each received change to `heard`. */
export type Listener = {
  readonly caller: Caller
  readonly heard: Arrival[]
  close(): void
}

const joinWaitMs = 30_000

/**
 * Opens the sockets in groups of 50. Each socket joins with one subscription to `transactions` for each of its filters.
 */
export async function openListeners(
  server: TestServer,
  wanted: readonly { readonly caller: Caller; readonly filters: readonly (string | null)[] }[],
  onArrival: (arrival: Arrival, listener: Listener) => void = () => undefined,
): Promise<Listener[]> {
  const anonKey = await server.anonKey()
  const listeners: Listener[] = []
  for (let from = 0; from < wanted.length; from += 50) {
    const opening = wanted
      .slice(from, from + 50)
      .map((each) => open({ url: server.url, anonKey }, each, onArrival))
    listeners.push(...(await Promise.all(opening)))
  }
  return listeners
}

async function open(
  { url, anonKey }: { readonly url: string; readonly anonKey: string },
  { caller, filters }: { readonly caller: Caller; readonly filters: readonly (string | null)[] },
  onArrival: (arrival: Arrival, listener: Listener) => void,
): Promise<Listener> {
  const socket = new WebSocket(
    `${url.replace(/^http/, 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${anonKey}`,
    { perMessageDeflate: false },
  )
  const heard: Arrival[] = []
  const heartbeat = setInterval(() => socket.send('[null,"h","phoenix","heartbeat",{}]'), 25_000).unref()
  const listener: Listener = {
    caller,
    heard,
    close() {
      clearInterval(heartbeat)
      socket.terminate()
    },
  }
  const joined = new Promise<void>((resolve, reject) => {
    const tooLate = setTimeout(() => reject(new Error('A socket did not join.')), joinWaitMs)
    socket.on('message', (data: Buffer) => {
      const atMs = performance.now()
      const [, , , event, payload] = JSON.parse(data.toString()) as [
        unknown,
        unknown,
        string,
        string,
        { status?: string; data?: { record?: { id: string; user_id: string } } },
      ]
      if (event === 'system' || (event === 'phx_reply' && payload.status === 'error')) {
        clearTimeout(tooLate)
        if (payload.status === 'ok') resolve()
        else reject(new Error(`A socket was refused: ${JSON.stringify(payload)}`))
      }
      const record = event === 'postgres_changes' ? payload.data?.record : undefined
      if (record === undefined) return
      const arrival = { atMs, owner: record.user_id, id: record.id }
      heard.push(arrival)
      onArrival(arrival, listener)
    })
    socket.on('error', reject)
  })
  await once(socket, 'open')
  const changes = filters.map((filter) => ({
    event: 'INSERT',
    schema: 'public',
    table: 'transactions',
    ...(filter === null ? {} : { filter }),
  }))
  const config = { broadcast: {}, presence: {}, postgres_changes: changes, private: false }
  const topic = `realtime:${caller.id}`
  socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config, access_token: caller.token }]))
  await joined
  return listener
}
