/** What a scenario answers: rows of the report, each with its line where it has one. Lines are ratios, or the issue's own metrics. */

/** One row of the report. */
export type Metric = {
  readonly what: string
  readonly value: string
  /** What the figure must be; absent for a figure that only informs. */
  readonly threshold?: string
  readonly passed: boolean
}

/** A figure that must reach its line. What is no number is never met. */
export function atLeast(what: string, value: number, threshold: number, unit = '×'): Metric {
  return {
    what,
    value: `${written(value)} ${unit}`,
    threshold: `≥ ${threshold} ${unit}`,
    passed: value >= threshold,
  }
}

/** A figure that must not pass its line. What is no number is never met. */
export function atMost(what: string, value: number, threshold: number, unit: string): Metric {
  return {
    what,
    value: `${written(value)} ${unit}`,
    threshold: `≤ ${threshold} ${unit}`,
    passed: value <= threshold,
  }
}

/** A figure without a line. */
export function known(what: string, value: number, unit: string): Metric {
  return { what, value: `${written(value)} ${unit}`, passed: true }
}

/** What was missed, named; empty when everything was met. */
export function missedOf(scenario: string, metrics: readonly Metric[]): string[] {
  return metrics
    .filter(({ passed }) => !passed)
    .map(
      ({ what, value, threshold }) =>
        `${scenario}: ${what} is ${value}${threshold === undefined ? '' : `, threshold ${threshold}`}`,
    )
}

/** Three digits are what a measurement is worth. */
function written(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}
