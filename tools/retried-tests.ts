// Tests that passed only when they were tried again: a slow machine explains a few of them, not many.

/** Where `retried-reporter.config.ts` writes the names of vitest's. */
export const retriedReport = '.cache/vitest-retried.json'

/** More of them in one run is a fault that shows itself now and then, and fails it. */
const retriedMax = 3

/** Names them below a headline; undefined when there are none. */
export function retriedLines(retried: readonly string[]): string | undefined {
  if (retried.length === 0) return undefined
  return [`${retried.length} passed only when tried again:`, ...retried.map((name) => `  ${name}`)].join('\n')
}

/** Why so many of them are a failure; undefined when they are not. */
export function retriedFailure(retried: readonly string[]): string | undefined {
  if (retried.length <= retriedMax) return undefined
  return `${retried.length} tests passed only when tried again, ${retriedMax} may`
}
