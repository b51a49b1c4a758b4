/** What `npm run bench` can run. */
import type { Metric } from '#testing/report.ts'
import type { Fixtures } from './fixtures/fixtures.ts'

/** How long and how often. */
export type Order = { readonly rounds: number; readonly seconds: number; readonly connections: number }

/** One thing that people wait for, measured against its limit on the machine and against products that do the same. */
export type Scenario = {
  readonly title: string
  /** What no server on this machine could beat. */
  readonly limit: string
  /** Products that do the same, or why there are none. */
  readonly peers: string
  /** What must be there besides the packages: the peers' own, the built page and a browser, or Lighthouse. */
  readonly needs: readonly ('peers' | 'browser' | 'lighthouse')[]
  /** Judged on processor time: what the machine's host takes meanwhile is not in it. */
  readonly isOnProcessorTime?: true
  run(fixtures: Fixtures, order: Order): Promise<Metric[]>
}
