// The authorization matrix in SQL: what the database itself refuses, whatever the server sends. The cells come from
// the catalogue, the permissions from supabase/authorization/permissions.ts, the exact verdicts are kept beside.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPermitted, unusedPermissions } from '#supabase/authorization/is-permitted.ts'
import { type AttemptResult, type Probe, openProbe } from './authorization-probe.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'

let db: TestDatabase
let probe: Probe
let results: readonly AttemptResult[]
let effects: Probe['effects']

beforeAll(async () => {
  db = await openTestDatabase()
  probe = await openProbe(db)
  ;({ results, effects } = probe)
})
afterAll(async () => {
  await probe.close()
  await db.close()
})

test('there are cells for every verb, relation and function', () => {
  expect(results.length).toBeGreaterThan(3000)
})

test('nobody does what no sentence permits, and whoever is permitted can', () => {
  const { violations, unable } = compared(results)

  expect({ violations, unable }).toEqual({ violations: [], unable: [] })
})

test('what triggers guard and keep is guarded and kept', () => {
  expect(effects.map(({ rule, verdict }) => [rule, verdict])).toEqual(
    effects.map(({ rule, expected }) => [rule, expected]),
  )
})

test('every sentence is about something that is tried', () => {
  const onTheWire = /^(join|receive|embed|invoke) /

  expect(
    unusedPermissions(results.map(({ attempt }) => attempt)).filter(
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
