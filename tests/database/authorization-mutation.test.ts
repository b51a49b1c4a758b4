// Mutation of what protects: every policy, right, trigger and forced row-level security is taken away in turn, every
// right and function that is missing is given, each in a database transaction that is rolled back. The matrix must
// notice each of them: an unnoticed defence is either unnecessary or untested.
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
    // The change may remove the second of two defences, which the matrix notices once the first is removed too.
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
