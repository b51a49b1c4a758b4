/** What a suite answers: figures, each with the line that it must meet. */

/** One row of the report. */
export type Figure = {
  readonly what: string
  readonly value: string
  /** What the figure must be; absent for a figure that only informs. */
  readonly line?: string
  readonly isMet: boolean
}

/** Both engines, by the names that the report uses. */
export type Engine = 'embedded' | 'PostgreSQL'

const engines: readonly Engine[] = ['embedded', 'PostgreSQL']

/** The figures of a suite on one engine after the other. */
export async function onBoth(run: (engine: Engine) => Promise<Figure[]>): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const engine of engines) figures.push(...(await run(engine)))
  return figures
}

/** A count that must be zero. */
export function none(what: string, found: number | readonly unknown[]): Figure {
  const count = typeof found === 'number' ? found : found.length
  return { what, value: String(count), line: '0', isMet: count === 0 }
}

/** A count of work done, which must reach what was planned. */
export function atLeast(what: string, count: number, planned: number): Figure {
  return { what, value: grouped(count), line: `≥ ${grouped(planned)}`, isMet: count >= planned }
}

/** A time or size that must not be passed. */
export function atMost(what: string, value: number, limit: number, unit: string): Figure {
  return { what, value: `${value.toFixed(2)} ${unit}`, line: `≤ ${limit} ${unit}`, isMet: value <= limit }
}

/** A figure without a line. */
export function known(what: string, value: string): Figure {
  return { what, value, isMet: true }
}

/** 12345 → 12,345 */
export function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
