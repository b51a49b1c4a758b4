// The authorization matrix in SQL: what the database itself refuses, whatever the server sends. The cells come from
// the catalogue, the permissions from supabase/authorization/permissions.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPermitted, unusedPermissions } from '#supabase/authorization/is-permitted.ts'
import { type AttemptResult, type Probe, openProbe } from './authorization-probe.ts'

let probe: Probe

beforeAll(async () => {
  probe = await openProbe()
})
afterAll(() => probe.close())

test('there are cells for every verb, relation and function', () => {
  expect(probe.results.length).toBeGreaterThan(3000)
})

test('nobody does what no sentence permits, and whoever is permitted can', () => {
  const { violations, unable } = compared(probe.results)

  expect({ violations, unable }).toEqual({ violations: [], unable: [] })
})

test('what triggers guard and keep is guarded and kept', () => {
  expect(probe.effects.map(({ rule, verdict }) => [rule, verdict])).toEqual(
    probe.effects.map(({ rule, expected }) => [rule, expected]),
  )
})

test('every sentence is about something that is tried', () => {
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
    const isRefused = verdict === '0 row' || /^(42501|0A000|FZ401|PT404|P0001)/.test(verdict)
    if (isPermitted(attempt)) {
      if (!isDone) unable.push(line)
    } else if (!isRefused) violations.push(line)
  }
  return { violations, unable }
}
