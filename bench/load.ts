/**
 * Load on one HTTP address: connections that each send the same request again as soon as the last answer
 * is complete. Written on plain sockets, because a client that costs as much as the server would halve
 * the figure on two cores. Runs as a process of its own: node bench/load.ts '<LoadOrder as JSON>'
 */
import { connect } from 'node:net'

/** What to send, how and how long. */
export type LoadOrder = {
  port: number
  /** Complete requests, head and body; connection n sends request n mod length. */
  requests: string[]
  connections: number
  seconds: number
}

/** What came of it. Latencies in milliseconds. */
export type LoadResult = { perSecond: number; p50Ms: number; p99Ms: number; failures: number }

const headEnd = Buffer.from('\r\n\r\n')

/** Sends the load and answers its figures. */
async function sendLoad(order: LoadOrder): Promise<LoadResult> {
  const latencies: number[] = []
  let failures = 0
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000
  await Promise.all(
    Array.from({ length: order.connections }, (_, index) => {
      const request = order.requests[index % order.requests.length] ?? ''
      return exchange(order.port, request, endsAt, (latencyMs, isOk) => {
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
  port: number,
  request: string,
  endsAt: number,
  answered: (latencyMs: number, isOk: boolean) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let received = Buffer.alloc(0)
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (!isComplete(received)) return
      const now = performance.now()
      answered(now - sentAt, received.toString('latin1', 9, 10) === '2')
      received = Buffer.alloc(0)
      if (now < endsAt) send()
      else socket.end()
    })
  })
}

function isComplete(received: Buffer): boolean {
  const end = received.indexOf(headEnd)
  if (end === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1]
  return received.length >= end + headEnd.length + Number(length ?? 0)
}

const [, , order] = process.argv
if (import.meta.main && order !== undefined) {
  process.stdout.write(JSON.stringify(await sendLoad(JSON.parse(order) as LoadOrder)))
}
