/**
 * Load on one HTTP address: connections that each send the same request again as soon as the last answer
 * is complete. Written on plain sockets, because a client that costs as much as the server would halve
 * the figure on two cores. Runs as a process of its own: node bench/load.ts < order, a LoadOrder as JSON.
 */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** What to send, how and how long. */
export type LoadOrder = {
  port: number
  /** Complete requests, head and body; connection n sends request n mod length. */
  requests: string[]
  connections: number
  seconds: number
  /** How long a connection rests between an answer and its next request. */
  pauseMs?: number
  /** Whether each request carries the refresh token that the answer before it brought. */
  carriesRefreshToken?: boolean
}

/** What came of it. Latencies in milliseconds. */
export type LoadResult = { perSecond: number; p50Ms: number; p99Ms: number; failures: number }

const headEnd = Buffer.from('\r\n\r\n')
const refreshToken = /"refresh_token":\s*"([\w-]+)"/

/** Sends the load and answers its metrics. */
async function sendLoad(order: LoadOrder): Promise<LoadResult> {
  const latencies: number[] = []
  let failures = 0
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000
  await Promise.all(
    Array.from({ length: order.connections }, (_, index) => {
      const request = order.requests[index % order.requests.length] ?? ''
      return exchange(order, { request, endsAt }, (latencyMs, isOk) => {
        latencies.push(latencyMs)
        if (!isOk) failures += 1
      })
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return { perSecond: latencies.length / seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99), failures }
}

function exchange(
  { port, carriesRefreshToken, pauseMs }: LoadOrder,
  { request, endsAt }: { request: string; endsAt: number },
  answered: (latencyMs: number, isOk: boolean) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let received = Buffer.alloc(0)
    let sentAt = 0
    let next = request
    const send = () => {
      sentAt = performance.now()
      socket.write(next)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (!isComplete(received)) return
      const now = performance.now()
      answered(now - sentAt, received.toString('latin1', 9, 10) === '2')
      if (carriesRefreshToken === true) {
        const token = refreshToken.exec(received.toString('latin1'))?.[0]
        if (token !== undefined) next = next.replace(refreshToken, token)
      }
      received = Buffer.alloc(0)
      if (now >= endsAt) socket.end()
      else if (pauseMs === undefined) send()
      else setTimeout(send, pauseMs)
    })
  })
}

function isComplete(received: Buffer): boolean {
  const end = received.indexOf(headEnd)
  if (end === -1) return false
  const head = received.toString('latin1', 0, end)
  if (/\r\ntransfer-encoding: chunked/i.test(head))
    return received.subarray(-5).toString('latin1') === '0\r\n\r\n'
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  return received.length >= end + headEnd.length + Number(length ?? 0)
}

process.stdout.write(JSON.stringify(await sendLoad(JSON.parse(await text(process.stdin)) as LoadOrder)))
