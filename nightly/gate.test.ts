// The three proofs of the ledger that every commit passes, small; `npm run nightly` has them at size.
import { expect, test } from 'vitest'
import { runBank } from '#nightly/bank/bank.ts'
import { runModel } from '#nightly/ledger/model.ts'
import { runTampering } from '#nightly/ledger/tampering.ts'
import type { Metric } from '#testing/report.ts'

const seed = 20_261_121
const engine = 'embedded'
/** Missed thresholds except times, which a busy machine misses too. */
const failedOf = (metrics: readonly Metric[]) =>
  metrics.filter(({ passed, what }) => !passed && !what.endsWith('longest'))

test('the embedded server loses and doubles nothing when it is killed under 16 writers', async () => {
  const run = { target: 'the server, embedded', writers: 16, kills: 1, signal: 'SIGKILL', seed } as const

  expect(failedOf(await runBank(run))).toEqual([])
})

test('balances and lists match a model after any mix of recording, deleting and undoing', async () => {
  expect(failedOf(await runModel({ engine, operations: 400, seed }))).toEqual([])
})

test('each change, removal or exchange in the journal is found', async () => {
  expect(failedOf(await runTampering({ engine, mutations: 60, seed }))).toEqual([])
})
