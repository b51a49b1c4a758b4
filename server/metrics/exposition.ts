/**
 * Writes metrics in Prometheus's text format, version 0.0.4 (prometheus.io, "Exposition formats"), and serves them as
 * `GET /metrics` on a separate port. Labels must not contain personal data (docs/decisions/0033).
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** One line of a metric. A label must have only a few possible values. */
export type Sample = {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
  /** Suffixes of a histogram's name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string
}

/** One metric. `read` runs at each scrape; if `read` fails, the metric is missing from that scrape. */
export type Metric = {
  /** The name, which ends with the metric's base unit: `finanzas_http_request_duration_seconds`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>
}

/** Returns a metric with one value; if the value is `null`, the metric is omitted from the scrape. */
export function gauge(name: string, help: string, value: () => number | null | Promise<number>): Metric {
  const read = async () => {
    const now = await value()
    return now === null ? [] : [{ value: now }]
  }
  return { name, help, type: 'gauge', read }
}

export function counter(name: string, help: string, value: () => number): Metric {
  return { ...gauge(name, help, value), type: 'counter' }
}

/** Writes the metrics, but leaves out those whose reading fails or takes too long. */
export async function writeExposition(metrics: readonly Metric[]): Promise<string> {
  const parts = await Promise.all(
    metrics.map(async ({ name, help, type, read }) => {
      const samples = await Promise.resolve()
        .then(read)
        .catch(() => [])
      if (samples.length === 0) return ''
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((sample) => lineOf(name, sample)).join('')}`
    }),
  )
  return parts.join('')
}

function lineOf(name: string, { labels = {}, value, suffix = '' }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${textOf(value)}\n`
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
}

function textOf(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return String(value)
}

/** Timeout for reading a metric. When this timeout expires, the scrape omits the metric. */
const readMsMax = 1000
const contentType = 'text/plain; version=0.0.4; charset=utf-8'
const connectionsMax = 16
const requestTimeoutMs = 5000

/**
 * Listens on the metrics port before a bank is opened or created. Answers 503 until the metrics are ready. Throws
 * `EADDRINUSE` and other system errors.
 */
export async function holdScrapePort({ host, port }: { readonly host: string; readonly port: number }) {
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
      response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text),
    )
  })
  server.maxConnections = connectionsMax
  server.listen(port, host)
  await once(server, 'listening')
  return {
    serve(metrics: readonly Metric[]): void {
      timed = metrics.map((metric) => ({ ...metric, read: () => withinTime(metric) }))
    },
    async close(): Promise<void> {
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
