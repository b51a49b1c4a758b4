// The answer to a request about another customer's row has the same bytes as the answer to a request about a missing
// row (security.md AZ-10). foreign-timing.test.ts tests that both answers take the same time.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type ForeignRows, expense, makeForeignRows, probe, requestAbout } from './request-probe.ts'

let token: string
let foreign: ForeignRows
beforeAll(async () => {
  ;({ token, foreign } = await makeForeignRows())
})

const counted = { headers: { prefer: 'count=exact' } }
const answered = { headers: { prefer: 'return=representation,count=exact' } }
const asObject = { headers: { accept: 'application/vnd.pgrst.object+json' } }
const merged = { headers: { prefer: 'resolution=merge-duplicates' } }

/** Requests about a person, a row or a deleted row. `ID` is replaced by the id of that person or row. */
const requests: readonly [
  of: 'person' | 'row' | 'deleted',
  request: string,
  body?: object | null,
  more?: { headers: Readonly<Record<string, string>> },
][] = [
  ['person', 'GET /transactions?user_id=eq.ID', null, counted],
  ['person', 'GET /budgets?user_id=eq.ID', null, counted],
  ['person', 'GET /journal_entries?user_id=eq.ID', null, counted],
  ['person', 'GET /profiles?id=eq.ID'],
  ['person', 'GET /user_safe?id=eq.ID'],
  ['person', 'GET /audit_entries?target=eq.ID'],
  ['person', 'GET /profiles?select=role,user_safe!inner(email)&user_safe.id=eq.ID&id=eq.ID'],
  ['row', 'GET /transactions?id=eq.ID'],
  ['row', 'GET /transactions?id=eq.ID', null, asObject],
  ['row', 'HEAD /transactions?id=eq.ID', null, answered],
  ['row', 'DELETE /transactions?id=eq.ID', null, answered],
  ['row', 'DELETE /transactions?id=eq.ID'],
  ['person', 'DELETE /transactions?user_id=eq.ID'],
  ['row', 'PATCH /transactions?id=eq.ID', { amount: 1 }],
  ['person', 'PATCH /budgets?user_id=eq.ID', { monthly_limit: 5 }, answered],
  ['person', 'PATCH /profiles?id=eq.ID', { role: 'admin' }],
  ['person', 'POST /transactions', { ...expense, user_id: 'ID' }],
  ['person', 'POST /budgets', { user_id: 'ID', monthly_limit: 5 }, merged],
  ['deleted', 'POST /rpc/restore_transaction', { id: 'ID' }],
  ['row', 'POST /rpc/restore_transaction', { id: 'ID' }],
  [
    'row',
    'POST /rpc/amend_expense',
    { id: 'ID', changes: { amount: 1, date: '2026-11-20', description: 'Café' } },
  ],
  ['row', 'POST /rpc/receipt', { transaction_id: 'ID' }],
  ['person', 'POST /rpc/receipt', { transaction_id: 'ID', user_id: 'ID' }],
  ['person', 'POST /rpc/block_user', { user_id: 'ID', reason: 'other' }],
  ['row', 'POST /rpc/correct_transaction', { user_id: 'ID', transaction_id: 'ID', reason: 'Duplicado' }],
]

test.each(requests)(
  'a request about another customer’s %s gets the answer for a missing one: %s %j',
  async (of, request, body, more) => {
    const ask = (id: string) => probe({ ...requestAbout(id, request, body), ...more }, token)
    const theirs = { person: foreign.person, row: foreign.rows[0] ?? '', deleted: foreign.deleted }[of]
    const missing = randomUUID()

    const [answerForeign, answerMissing] = [await ask(theirs), await ask(missing)]

    const read = (id: string, answer: unknown) => JSON.stringify(answer).replaceAll(id, 'the id')
    expect(read(theirs, answerForeign)).toBe(read(missing, answerMissing))
    expect(answerForeign.status).toBeLessThan(500)
  },
)
