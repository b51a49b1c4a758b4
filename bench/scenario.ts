/** A scenario of `npm run bench`. */
import type { Metric } from '#testing/report.ts'
import type { Fixtures } from '#bench/fixtures/fixtures.ts'

/** How long and how often. */
export type Order = { readonly rounds: number; readonly seconds: number; readonly connections: number }

/** One thing that people wait for, measured against its limit on the machine and against products that do the same. */
export type Scenario = {
  readonly title: string
  /** An upper limit for any server on this machine. */
  readonly limit: string
  /** Products that do the same, or the reason why the scenario lacks peers. */
  readonly peers: string
  /** Requirements besides the packages: the peers' own packages, the built page and a browser, or Lighthouse. */
  readonly needs: readonly ('peers' | 'browser' | 'lighthouse')[]
  /** True when processor time is judged, which excludes time that the machine's host takes. */
  readonly isOnProcessorTime?: true
  run(fixtures: Fixtures, order: Order): Promise<Metric[]>
}
