// Small versions of three long-running tests of the ledger. These small versions run for every commit;
// `npm run nightly` runs the tests at full size.
import { expect, test } from 'vitest'
import { runBank } from '#nightly/bank/bank.ts'
import { runModel } from '#nightly/ledger/model.ts'
import { runTampering } from '#nightly/ledger/tampering.ts'
import { type Metric, withoutSpeed } from '#testing/report.ts'

const seed = 20_261_121
const engine = 'embedded'
/**
 * Returns the metrics that missed their thresholds. Ignores thresholds of time, because even a correct server can miss
 * them on a busy machine.
 */
const failedOf = (metrics: readonly Metric[]) => withoutSpeed(metrics).filter(({ passed }) => !passed)

test('the embedded server neither loses nor repeats a write when it is killed while 16 writers write', async () => {
  const run = { target: 'the server, embedded', writers: 16, kills: 1, signal: 'SIGKILL', seed } as const

  expect(failedOf(await runBank(run))).toEqual([])
})

test('balances and lists match a model after any mix of insertions, deletions and undos', async () => {
  expect(failedOf(await runModel({ engine, operations: 400, seed }))).toEqual([])
})

test('the verification detects every changed, removed or swapped journal entry', async () => {
  expect(failedOf(await runTampering({ engine, mutations: 60, seed }))).toEqual([])
})
