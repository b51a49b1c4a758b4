// Small versions of three proofs of the ledger, which every commit passes. `npm run nightly` runs them at full
// size.
import { expect, test } from 'vitest'
import { runBank } from '#nightly/bank/bank.ts'
import { runModel } from '#nightly/ledger/model.ts'
import { runTampering } from '#nightly/ledger/tampering.ts'
import type { Metric } from '#testing/report.ts'

const seed = 20_261_121
const engine = 'embedded'
/** Returns missed thresholds, without thresholds of times, which a busy machine can miss too. */
const failedOf = (metrics: readonly Metric[]) =>
  metrics.filter(({ passed, what }) => !passed && !what.endsWith('longest'))

test('the embedded server neither loses nor repeats a write when it is killed under 16 writers', async () => {
  const run = { target: 'the server, embedded', writers: 16, kills: 1, signal: 'SIGKILL', seed } as const

  expect(failedOf(await runBank(run))).toEqual([])
})

test('balances and lists match a model after any mix of recording, deleting and undoing', async () => {
  expect(failedOf(await runModel({ engine, operations: 400, seed }))).toEqual([])
})

test('the verification finds each change, removal or exchange in the journal', async () => {
  expect(failedOf(await runTampering({ engine, mutations: 60, seed }))).toEqual([])
})
