// Mutation tests of the authorization matrix. Each policy, right, trigger and row-level security is removed in turn, and
// each missing right is granted, in a database transaction that is rolled back. The matrix must notice every change: a
// defence that can be removed unnoticed is either unnecessary or untested.
import { expect, onTestFinished, test } from 'vitest'
import { defences, listChanges } from './authorization-changes.ts'
import { openProbe } from './authorization-probe.ts'

test('the matrix notices every weakening', { timeout: 900_000 }, async () => {
  const probe = await openProbe()
  onTestFinished(() => probe.close())
  const changes = await listChanges(probe.owner)
  const noticed = { alone: 0, behind: 0 }
  const survivors: string[] = []
  for (const change of changes) {
    if ((await probe.firstDifference(change)) !== null) {
      noticed.alone += 1
      continue
    }
    // The change may remove one of two defences. The matrix then notices the change only without the other defence.
    let difference: string | null = null
    for (const gone of defences) difference ??= await probe.firstDifference(change, gone)
    if (difference === null) survivors.push(`${change.kind}: ${change.text}`)
    else noticed.behind += 1
  }

  expect(changes.length).toBeGreaterThan(250)
  expect(survivors.join('\n')).toBe('')
  process.stdout.write(
    `${changes.length} weakenings: ${noticed.alone} noticed, ${noticed.behind} noticed behind another defence that is gone.\n`,
  )
})
