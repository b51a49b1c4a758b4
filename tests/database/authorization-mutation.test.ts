// Mutation tests of the authorization matrix. Each change removes a policy, a right, a trigger or row-level security,
// or grants a missing right. Each change is rolled back. The matrix must notice every change, because a defence
// that can be removed without failing tests is either unnecessary or untested.
import { expect, onTestFinished, test } from 'vitest'
import { defences, listChanges } from './authorization-changes.ts'
import { openProbe } from './authorization-probe.ts'

test('the authorization matrix detects each lost check or new right', { timeout: 900_000 }, async () => {
  const probe = await openProbe()
  onTestFinished(() => probe.close())
  const all = await listChanges(probe.owner)
  // The normal run tests every fourth change, and `npm run nightly` tests all of them.
  const changes = process.env['WEAKENINGS'] === 'all' ? all : all.filter((_, index) => index % 4 === 0)
  const noticed = { alone: 0, behind: 0 }
  const survivors: string[] = []
  for (const change of changes) {
    if ((await probe.firstDifference(change)) !== null) {
      noticed.alone += 1
      continue
    }
    // Another check may mask the effect of the change. The matrix must notice the change once that check is removed too.
    let difference: string | null = null
    for (const gone of defences) difference ??= await probe.firstDifference(change, { gone })
    // There are 30,000 attempts, so the attempts on unrelated objects come last.
    difference ??= await probe.firstDifference(change, { onOthers: true })
    if (difference === null) survivors.push(`${change.kind}: ${change.text}`)
    else noticed.behind += 1
  }

  expect(all.length).toBeGreaterThan(1000)
  expect(survivors.join('\n')).toBe('')
  process.stdout.write(
    `${changes.length} weakenings: ${noticed.alone} noticed, ${noticed.behind} noticed only behind another defence or on another object.\n`,
  )
})
