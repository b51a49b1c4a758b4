// The authorization matrix in SQL tests which statements the database itself refuses, without the server. The cells of
// the matrix are generated from the catalogue, and the permissions are in supabase/authorization/permissions.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPermitted, unusedPermissions } from '#supabase/authorization/is-permitted.ts'
import { type AttemptResult, type Probe, openProbe } from './authorization-probe.ts'

let probe: Probe

beforeAll(async () => {
  probe = await openProbe()
})
afterAll(() => probe.close())

test('the matrix has cells for every verb, relation and function', () => {
  expect(probe.results.length).toBeGreaterThan(3000)
})

test('each actor can do exactly what the permissions allow', () => {
  const { violations, unable } = compared(probe.results)

  expect({ violations, unable }).toEqual({ violations: [], unable: [] })
})

test('each attempt to break a rule that a trigger enforces has the expected verdict', () => {
  expect(probe.effects.map(({ rule, verdict }) => [rule, verdict])).toEqual(
    probe.effects.map(({ rule, expected }) => [rule, expected]),
  )
})

test('every permission matches at least one attempt', () => {
  const onTheWire = /^(join|receive|embed|invoke) /

  expect(
    unusedPermissions(probe.results.map(({ attempt }) => attempt)).filter(
      (sentence) => !onTheWire.test(sentence.replace(/^.* may /, '')),
    ),
  ).toEqual([])
})

function compared(all: readonly AttemptResult[]) {
  const violations: string[] = []
  const unable: string[] = []
  for (const { attempt, verdict } of all) {
    const line = `${Object.values(attempt).join(' | ')}: ${verdict}`
    const isDone = /^[1-9]\d* row/.test(verdict)
    // PostgreSQL refuses to write a generated column (428C9) before it checks the privileges.
    const isRefused = verdict === '0 row' || /^(42501|428C9|0A000|FZ401|PT40[34])/.test(verdict)
    if (isPermitted(attempt)) {
      if (!isDone) unable.push(line)
    } else if (!isRefused) violations.push(line)
  }
  return { violations, unable }
}
