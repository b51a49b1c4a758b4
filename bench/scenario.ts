/** The type of a scenario of `npm run bench`. */
import type { Metric } from '#testing/report.ts'
import type { Fixtures } from '#bench/fixtures/fixtures.ts'

/** The number of rounds, the seconds that each round lasts, and the number of connections that send the load. */
export type Order = {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  /** True in the short form, which judges the answers but not the speed. */
  readonly isShort: boolean
}

/** Returns `full`, or `short` in the short form. */
export function amountOf({ isShort }: Order, full: number, short = 1): number {
  return isShort ? short : full
}

/** Measures an operation that users wait for, and compares it with this machine's limit and with other products. */
export type Scenario = {
  readonly title: string
  /** Description of the upper limit for any server on this machine, if the scenario measures one. */
  readonly limit?: string
  /** Other products in the comparison. The short form leaves them out. */
  readonly peers?: string
  /**
   * Requirements in addition to the project's packages: the peers' packages, the built page and a browser, or
   * Lighthouse.
   */
  readonly needs?: readonly ('peers' | 'browser' | 'lighthouse')[]
  /** True when the scenario measures processor time, which excludes the time that the machine's host took. */
  readonly isOnProcessorTime?: true
  run(fixtures: Fixtures, order: Order): Promise<Metric[]>
}
