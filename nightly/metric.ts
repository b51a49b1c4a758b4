/** What a proof answers: metrics, each with the threshold that it must meet. */

/** One row of the report. */
export type Metric = {
  readonly what: string
  readonly value: string
  /** Absent where the metric only informs. */
  readonly threshold?: string
  readonly passed: boolean
}

/** Both engines, by the names that the report uses. */
export type Engine = 'embedded' | 'PostgreSQL'

const engines: readonly Engine[] = ['embedded', 'PostgreSQL']

/** The metrics of a proof on one engine after the other. */
export async function onBoth(run: (engine: Engine) => Promise<Metric[]>): Promise<Metric[]> {
  const metrics: Metric[] = []
  for (const engine of engines) metrics.push(...(await run(engine)))
  return metrics
}

/** A count that must be zero. */
export function none(what: string, found: number | readonly unknown[]): Metric {
  const count = typeof found === 'number' ? found : found.length
  return { what, value: String(count), threshold: '0', passed: count === 0 }
}

/** A count or ratio that must be reached. */
export function atLeast(what: string, value: number, least: number): Metric {
  return { what, value: grouped(value), threshold: `≥ ${grouped(least)}`, passed: value >= least }
}

/** A time or size that must not be passed. */
export function atMost(what: string, value: number, limit: number, unit: string): Metric {
  return {
    what,
    value: `${value.toFixed(2)} ${unit}`,
    threshold: `≤ ${limit} ${unit}`,
    passed: value <= limit,
  }
}

/** A metric without a threshold. */
export function known(what: string, value: string): Metric {
  return { what, value, passed: true }
}

/** What was missed, but for times: a busy machine misses those too. */
export function failedOf(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(({ passed, what }) => !passed && !what.endsWith('longest'))
}

/** 12345 → 12,345; ratios keep two decimals. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 })
}
