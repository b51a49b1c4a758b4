// Mutation of what protects: every policy, right, trigger and forced row-level security is taken away in turn, every
// right and function that is missing is given, each in a database transaction that is rolled back. The matrix must
// notice each of them; what it does not notice is either not needed or not tested.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, defences, listChanges } from './authorization-changes.ts'
import { type Probe, openProbe } from './authorization-probe.ts'
import { type TestDatabase, isProvenElsewhere, openTestDatabase } from './database.ts'

let db: TestDatabase
let probe: Probe

beforeAll(async () => {
  if (isProvenElsewhere) return
  db = await openTestDatabase()
  probe = await openProbe(db)
}, 300_000)
afterAll(async () => {
  if (isProvenElsewhere) return
  await probe.close()
  await db.close()
})

// The SQL is one and the same.
test.skipIf(isProvenElsewhere)('the matrix notices every weakening', { timeout: 600_000 }, async () => {
  const changes = await listChanges(db.owner)
  const noticed = { alone: 0, behind: 0 }
  const survivors: string[] = []
  for (const change of changes) {
    if ((await probe.firstDifference(change)) !== null) noticed.alone += 1
    else if (await isNoticedBehind(change)) noticed.behind += 1
    else survivors.push(`${change.kind}: ${change.text}`)
  }

  expect(changes.length).toBeGreaterThan(250)
  expect(survivors).toEqual([])
  process.stdout.write(
    `${changes.length} weakenings: ${noticed.alone} noticed, ${noticed.behind} noticed behind another defence that is gone.\n`,
  )
})

/** Whether it is the second of two walls: noticed once the other one is gone. */
async function isNoticedBehind(change: Change): Promise<boolean> {
  for (const { gone } of defences) {
    if ((await probe.firstDifferenceBehind(gone, change)) !== null) return true
  }
  return false
}
