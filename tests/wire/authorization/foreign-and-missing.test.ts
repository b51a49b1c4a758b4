// A row of another customer is answered as a row that does not exist: by the same bytes (security.md AZ-10),
// for reading, changing, deleting and calling. That it takes the same time: foreign-timing.test.ts.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type ForeignRows, expense, makeForeignRows } from './foreign-rows.ts'
import { type ProbeRequest, probe } from './request-probe.ts'

let token: string
let foreign: ForeignRows
beforeAll(async () => {
  ;({ token, foreign } = await makeForeignRows())
})

const answered = { prefer: 'return=representation,count=exact' }

/** Questions about one person, row or deleted row. */
const questions: readonly [
  what: 'person' | 'row' | 'deleted',
  name: string,
  of: (id: string) => ProbeRequest,
][] = [
  ...['transactions', 'budgets', 'journal_entries'].map((table): (typeof questions)[number] => [
    'person',
    `reading ${table}`,
    (id) => ({ path: `/${table}?user_id=eq.${id}`, headers: { prefer: 'count=exact' } }),
  ]),
  ...['profiles', 'user_safe'].map((table): (typeof questions)[number] => [
    'person',
    `reading ${table}`,
    (id) => ({ path: `/${table}?id=eq.${id}` }),
  ]),
  ['person', 'reading the audit', (id) => ({ path: `/audit_entries?target=eq.${id}` })],
  [
    'person',
    'embedding',
    (id) => ({ path: `/profiles?select=role,user_safe!inner(email)&user_safe.id=eq.${id}&id=eq.${id}` }),
  ],
  ['row', 'reading one row', (id) => ({ path: `/transactions?id=eq.${id}` })],
  [
    'row',
    'reading one row as one object',
    (id) => ({
      path: `/transactions?id=eq.${id}`,
      headers: { accept: 'application/vnd.pgrst.object+json' },
    }),
  ],
  ['row', 'counting', (id) => ({ method: 'HEAD', path: `/transactions?id=eq.${id}`, headers: answered })],
  [
    'row',
    'deleting one row',
    (id) => ({ method: 'DELETE', path: `/transactions?id=eq.${id}`, headers: answered }),
  ],
  ['row', 'deleting without an answer', (id) => ({ method: 'DELETE', path: `/transactions?id=eq.${id}` })],
  ['person', 'deleting all rows', (id) => ({ method: 'DELETE', path: `/transactions?user_id=eq.${id}` })],
  [
    'row',
    'changing one row',
    (id) => ({ method: 'PATCH', path: `/transactions?id=eq.${id}`, body: { amount: 1 } }),
  ],
  [
    'person',
    'changing a limit',
    (id) => ({
      method: 'PATCH',
      path: `/budgets?user_id=eq.${id}`,
      headers: answered,
      body: { monthly_limit: 5 },
    }),
  ],
  [
    'person',
    'changing a role',
    (id) => ({ method: 'PATCH', path: `/profiles?id=eq.${id}`, body: { role: 'admin' } }),
  ],
  [
    'person',
    'adding a row',
    (id) => ({ method: 'POST', path: '/transactions', body: { ...expense, user_id: id } }),
  ],
  [
    'person',
    'adding or changing a budget',
    (id) => ({
      method: 'POST',
      path: '/budgets',
      headers: { prefer: 'resolution=merge-duplicates' },
      body: { user_id: id, monthly_limit: 5 },
    }),
  ],
  [
    'deleted',
    'restoring a row',
    (id) => ({ method: 'POST', path: '/rpc/restore_transaction', body: { id } }),
  ],
  [
    'row',
    'restoring a live row',
    (id) => ({ method: 'POST', path: '/rpc/restore_transaction', body: { id } }),
  ],
  [
    'person',
    'deleting a person',
    (id) => ({ method: 'POST', path: '/rpc/delete_user', body: { user_id: id } }),
  ],
  [
    'person',
    'recording for a person',
    (id) => ({
      method: 'POST',
      path: '/rpc/register_transaction',
      body: { ...expense, user_id: id, date: '2026-01-01' },
    }),
  ],
]

test.each(questions)('about a %s, %s: other people’s are as none at all', async (what, _name, of) => {
  const theirs = { person: foreign.person, row: foreign.rows[0] ?? '', deleted: foreign.deleted }[what]
  const missing = randomUUID()

  const [answerForeign, answerMissing] = [await probe(of(theirs), token), await probe(of(missing), token)]

  const read = (id: string, answer: unknown) => JSON.stringify(answer).replaceAll(id, 'the id')
  expect(read(theirs, answerForeign)).toBe(read(missing, answerMissing))
  expect(answerForeign.status).toBeLessThan(500)
})
