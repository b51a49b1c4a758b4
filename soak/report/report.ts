/** docs/reliability.md: the figures of the last run of each suite. */
import { writeSection } from '#tools/report/section.ts'
import type { Figure } from './figure.ts'
import type { Order } from './order.ts'

/** Replaces a suite's part of the report. Throws when the report has no place for it. */
export function writeReport(
  suite: { name: string; title: string },
  run: { order: Order; machine: string; seconds: number; figures: readonly Figure[] },
): void {
  const { order, machine, seconds, figures } = run
  writeSection('docs/reliability.md', {
    ...suite,
    facts: [
      `\`npm run soak -- ${suite.name}\``,
      machine,
      `scale ${order.scale}, seed ${order.seed}, ${Math.round(seconds)} s`,
    ],
    notes: [],
    figures,
  })
}
