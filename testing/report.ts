/**
 * Metrics of long runs, and reports that list these metrics. Each report is a file in `reports/`, which git ignores.
 * The pages in docs/ quote figures from these reports.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** A report: the run, its machine, and the metrics with their thresholds. */
export type Report = {
  readonly name: string
  readonly title: string
  /** The command, the machine and the data sizes. `writeReport` adds the date and the commit. */
  readonly facts: readonly string[]
  /** Sentences that the report shows above the metrics. */
  readonly notes: readonly string[]
  readonly metrics: readonly Metric[]
}

/** One row of a report. */
export type Metric = {
  readonly what: string
  readonly value: string
  /** The formatted threshold, or undefined if the metric does not have one. */
  readonly threshold?: string
  readonly passed: boolean
  /** True if the value does not depend on the speed of the machine. */
  readonly isExact?: true
  /** True if the value counts what the run judged. */
  readonly isCount?: true
}

/** Returns a metric whose value must be at least `least`. NaN never passes. */
export function atLeast(what: string, value: number, least: number, unit = ''): Metric {
  const threshold = `≥ ${inWords(least, unit)}`
  return { what, value: inWords(value, unit), threshold, passed: value >= least }
}

/** Returns a metric whose value must be at most `limit`. NaN never passes. */
export function atMost(what: string, value: number, limit: number, unit: string): Metric {
  const threshold = `≤ ${inWords(limit, unit)}`
  return { what, value: inWords(value, unit), threshold, passed: value <= limit }
}

/** Returns a metric whose count must be zero. */
export function none(what: string, found: number | readonly unknown[]): Metric {
  const count = typeof found === 'number' ? found : found.length
  return { what, value: grouped(count), threshold: '0', passed: count === 0, isExact: true }
}

/**
 * Returns a metric that counts what a run judged, such as acknowledged writes. A run that judged nothing proves nothing,
 * and therefore the count must be at least one.
 */
export function counted(what: string, count: number, least = 1): Metric {
  return { ...exact(atLeast(what, count, Math.max(1, least))), isCount: true }
}

/** Removes the thresholds of all metrics that depend on the speed of the machine. */
export function withoutSpeed(metrics: readonly Metric[]): Metric[] {
  return metrics.map((metric) =>
    metric.isExact === true ? metric : metricWithoutThreshold(metric.what, metric.value),
  )
}

/** Marks a metric whose value does not depend on the speed of the machine. */
export function exact(metric: Metric): Metric {
  return { ...metric, isExact: true }
}

/** Returns a metric without a threshold, which always passes. */
export function metricWithoutThreshold(what: string, value: string | number, unit = ''): Metric {
  return { what, value: typeof value === 'number' ? inWords(value, unit) : value, passed: true }
}

/**
 * Formats whole numbers in full, and other numbers with three significant digits, because a measurement is not more
 * precise.
 */
export function grouped(value: number): string {
  const isLong = Math.abs(value) >= 100 || Number.isInteger(value)
  return isLong ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}

const inWords = (value: number, unit: string) => `${grouped(value)} ${unit}`.trimEnd()

/** Prints the metrics and writes `reports/<folder>/<name>.md`, replacing the report of an earlier run. */
export function writeReport(folder: 'bench' | 'nightly', content: Report): void {
  const { name, title, facts, notes, metrics } = content
  printMetrics(metrics)
  const [command = '', ...others] = facts
  const report = [
    `# ${title}`,
    '',
    `${[command, new Date().toISOString().slice(0, 10), `commit ${commit()}`, ...others].join(', ')}.`,
    '',
    ...(notes.length === 0 ? [] : [notes.join('\n'), '']),
    '| | found | threshold | |',
    '|---|---|---|---|',
    ...metrics.map(
      ({ what, value, threshold, passed }) =>
        `| ${what} | ${value} | ${threshold ?? ''} | ${threshold === undefined ? '' : passed ? 'met' : '**missed**'} |`,
    ),
    '',
  ].join('\n')
  mkdirSync(`reports/${folder}`, { recursive: true })
  writeFileSync(`reports/${folder}/${name}.md`, report)
}

export function printMetrics(metrics: readonly Metric[]): void {
  for (const { what, value, threshold, passed } of metrics)
    process.stdout.write(
      `${passed ? '  ' : 'RED'} ${what}: ${value}${threshold === undefined ? '' : ` (${threshold})`}\n`,
    )
}

/** Returns a description of this machine, according to the operating system. */
export function machineName(): string {
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}
