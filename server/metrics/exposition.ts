/**
 * Prometheus's text format, version 0.0.4 (prometheus.io, "Exposition formats"): what a metric is, and how it is
 * written. No label may hold anything of a person (docs/decisions/0033).
 */

/** One line. Labels have few, known values. */
export type Sample = {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
  /** What a histogram puts behind its name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string
}

/** One metric. `read` is asked at each scrape; what it throws leaves the metric out of that one. */
export type Metric = {
  /** In base units, with the unit last: `finanzas_http_request_duration_seconds`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>
}

export const expositionContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics that cannot be read now are left out. */
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
