/** The audit is a record for people: no rule of the bank depends on it, and each order gets its entry in one place. */
import { expect, test } from 'vitest'
import { actionsIn } from '#tools/audit-actions.ts'
import { schemaFiles } from './files.ts'
import { statementsOf } from './statements.ts'

/** The functions and views that read the audit, with the reason why each may. */
const readers = {
  rule: ['private.require_opened'],
  chain: ['private.record_audit'],
  verification: ['ledger.check_audit', 'ledger.check_clearing_files'],
  people: ['public.audit_entries', 'public.audit_of', 'public.export_my_data', 'public.read_day_of_staff'],
} as const

const bodies = schemaFiles()
  .flatMap(({ text }) => statementsOf(text))
  .flatMap((statement) => {
    const [, name] = /^create (?:function|view) ([a-z_.]+)/.exec(statement) ?? []
    return name === undefined ? [] : [{ name, body: statement }]
  })

test('a single rule of the bank reads the audit', () => {
  const reading =
    /\b(?:from|join)\s+(?:ledger\.audit|ledger\.audit_targets|public\.audit_entries|public\.audit_of)\b/
  const found = bodies.filter(({ body }) => reading.test(body)).map(({ name }) => name)

  expect(found.toSorted()).toEqual(Object.values(readers).flat().toSorted())
})

test('only private.audit_act and the functions that it calls write the audit entry of an order', () => {
  const act = bodies.find(({ name }) => name === 'private.audit_act')?.body ?? ''
  const places = new Set(['private.audit_act', ...(act.match(/private\.audit_[a-z_]+/g) ?? [])])
  const ofOrders = new Set(
    bodies.filter(({ name }) => places.has(name)).flatMap(({ body }) => actionsIn(body)),
  )

  expect(ofOrders.size).toBeGreaterThanOrEqual(12)
  const elsewhere = bodies.filter(
    ({ name, body }) => !places.has(name) && actionsIn(body).some((a) => ofOrders.has(a)),
  )
  expect(elsewhere.map(({ name }) => name)).toEqual([])
})
