/** Counts the answers to a load, and measures their latencies. */
import { createHistogram } from 'node:perf_hooks'
import type { Answer } from './load-connection.ts'

export type LoadResult = {
  /** Number of 2xx answers per second. */
  readonly perSecond: number
  /**
   * Latencies in milliseconds. `p99Ms` is measured from the time at which a request was due. All other latencies are
   * measured from the time at which the request was sent.
   */
  readonly accepted: {
    readonly count: number
    readonly p99Ms: number
    readonly p95SinceSentMs: number
    readonly p99SinceSentMs: number
  }
  /** Number of requests that received no answer or an answer other than 2xx. */
  readonly failures: number
  /** Number of 503 answers with Retry-After. */
  readonly shed: number
  /** Number of the remaining failures, grouped by status. `lost` means that no answer arrived. */
  readonly others: Readonly<Record<string, number>>
  /** Number of requests that were due but had not been sent when the load ended. */
  readonly unsent: number
  readonly acceptedBySecond: readonly number[]
  readonly shedBySecond: readonly number[]
}

/** Counts the answers of a load by their outcome and by second, and measures their latencies. */
export function countAnswers(
  order: { readonly seconds: number; readonly perSecond: number | null },
  startedAt: number,
) {
  const accepted = createHistogram()
  const acceptedSinceSent = createHistogram()
  const others: Record<string, number> = {}
  const seconds = Math.floor(order.seconds)
  const acceptedBySecond = Array.from({ length: seconds }, () => 0)
  const shedBySecond = Array.from({ length: seconds }, () => 0)
  let shed = 0
  let lastAt = startedAt
  const quantileMs = (histogram: typeof accepted, percentile: number) =>
    histogram.count === 0 ? 0 : histogram.percentile(percentile) / 1000
  return {
    count: ({ status, retryAfter, dueAt, sentAt }: Answer) => {
      const now = performance.now()
      lastAt = now
      const second = Math.max(0, Math.min(seconds - 1, Math.floor((now - startedAt) / 1000)))
      const microsSince = (moment: number) => Math.max(1, Math.round((now - moment) * 1000))
      if (status.startsWith('2')) {
        accepted.record(microsSince(dueAt))
        acceptedSinceSent.record(microsSince(sentAt))
        acceptedBySecond[second] = (acceptedBySecond[second] ?? 0) + 1
      } else if (status === '503' && retryAfter) {
        shed += 1
        shedBySecond[second] = (shedBySecond[second] ?? 0) + 1
      } else others[status] = (others[status] ?? 0) + 1
    },
    result: () => ({
      perSecond: accepted.count / (order.perSecond === null ? (lastAt - startedAt) / 1000 : order.seconds),
      accepted: {
        count: accepted.count,
        p99Ms: quantileMs(accepted, 99),
        p95SinceSentMs: quantileMs(acceptedSinceSent, 95),
        p99SinceSentMs: quantileMs(acceptedSinceSent, 99),
      },
      failures: shed + Object.values(others).reduce((sum, count) => sum + count, 0),
      shed,
      others,
      acceptedBySecond,
      shedBySecond,
    }),
  }
}
