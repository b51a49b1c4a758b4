/** A scenario of `npm run bench`. */
import type { Metric } from '#testing/report.ts'
import type { Fixtures } from '#bench/fixtures/fixtures.ts'

/** Number and duration of the rounds, and the connections of the load. */
export type Order = { readonly rounds: number; readonly seconds: number; readonly connections: number }

/** An operation that people wait for, compared with the limit on this machine and with products that do the same. */
export type Scenario = {
  readonly title: string
  /** An upper limit for any server on this machine. */
  readonly limit: string
  /** Products that do the same, or the reason why the scenario lacks peers. */
  readonly peers: string
  /** Requirements beyond the project's packages: the peers' packages, the built page with a browser, or Lighthouse. */
  readonly needs: readonly ('peers' | 'browser' | 'lighthouse')[]
  /** True when the scenario judges processor time, which does not include time that the machine's host took. */
  readonly isOnProcessorTime?: true
  run(fixtures: Fixtures, order: Order): Promise<Metric[]>
}
