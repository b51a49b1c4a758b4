import type { Metric } from '#testing/report.ts'

/** Describes the metrics of a proof that missed their thresholds. A proof without any count has judged nothing. */
export function missedOf(metrics: readonly Metric[]): string[] {
  const missed = metrics
    .filter(({ passed }) => !passed)
    .map(({ what, value, threshold }) => `${what} is ${value}, threshold ${threshold}`)
  return metrics.some(({ isCount }) => isCount) ? missed : [...missed, 'it judged nothing']
}
