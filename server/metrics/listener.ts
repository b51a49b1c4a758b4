/** `GET /metrics` on a port of its own, for the operator's Prometheus (docs/decisions/0033). */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Metric, expositionContentType, writeExposition } from './exposition.ts'

/** Metrics that take longer are left out. */
const readMsMax = 1000
const connectionsMax = 16
const requestTimeoutMs = 5000

/** A port that answers 503 until there are metrics. */
export type ScrapePort = {
  readonly serve: (metrics: readonly Metric[]) => void
  readonly close: () => Promise<void>
}

/** Takes the port before a bank is opened or made. Throws `EADDRINUSE` and other errors of the system. */
export async function holdScrapePort({
  host,
  port,
}: {
  readonly host: string
  readonly port: number
}): Promise<ScrapePort> {
  let timed: readonly Metric[] | null = null
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    if (timed === null) {
      response.writeHead(503, { 'retry-after': '1' }).end()
      return
    }
    void writeExposition(timed).then((text) =>
      response
        .writeHead(200, { 'content-type': expositionContentType, 'cache-control': 'no-store' })
        .end(text),
    )
  })
  server.maxConnections = connectionsMax
  server.listen(port, host)
  await once(server, 'listening')
  return {
    serve(metrics) {
      timed = metrics.map((metric) => ({ ...metric, read: () => withinTime(metric) }))
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function withinTime({ read }: Metric) {
  return Promise.race([Promise.resolve().then(read), pause(readMsMax, [], { ref: false })])
}
