// A row of somebody else is answered as a row that does not exist: by the same bytes and in the same time
// (security.md AZ-10), for reading, changing, deleting and calling.
// Seen red with: `using (private.require_admin())` for reading profiles (other bytes); a policy for reading
// transactions that takes 0.3 ms for a row of somebody else (the slower one in 81 % of pairs).
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { type Asked, ask } from './asking.ts'

let token: string
/** What somebody else has. */
let foreign: { person: string; rows: readonly string[]; deleted: string }

beforeAll(async () => {
  const [customer, other] = await Promise.all([signUpCustomer(), signUpCustomer('Luis Mora')])
  token = customer.session.access_token
  const [deleted = '', ...rows] = Array.from({ length: 41 }, () => randomUUID())
  foreign = { person: other.id, rows, deleted }
  const expenses = [deleted, ...rows].map((id) => ({ ...expense, user_id: other.id, id }))
  for (const step of [
    other.client.from('transactions').insert(expenses),
    other.client.from('transactions').delete().eq('id', deleted),
    customer.client.from('transactions').insert({ ...expense, user_id: customer.id }),
  ]) {
    const { error } = await step
    if (error !== null) throw error
  }
})

const expense = { type: 'expense', description: 'Café', amount: 2, category: 'Comida' }
const answered = { prefer: 'return=representation,count=exact' }

/** Questions about one person, row or deleted row. */
const questions: readonly [what: 'person' | 'row' | 'deleted', name: string, of: (id: string) => Asked][] = [
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

  const [answerForeign, answerMissing] = [await ask(of(theirs), token), await ask(of(missing), token)]

  const read = (id: string, answer: unknown) => JSON.stringify(answer).replaceAll(id, 'the id')
  expect(read(theirs, answerForeign)).toBe(read(missing, answerMissing))
  expect(answerForeign.status).toBeLessThan(500)
})

const pairs = 300
const tries = 5

describe('and the time that it takes says nothing', () => {
  test.each([
    ['reading', (id: string): Asked => ({ path: `/transactions?id=eq.${id}` })],
    [
      'changing',
      (id: string): Asked => ({
        method: 'PATCH',
        path: `/budgets?user_id=eq.${id}`,
        body: { monthly_limit: 5 },
      }),
    ],
    ['deleting', (id: string): Asked => ({ method: 'DELETE', path: `/transactions?id=eq.${id}` })],
    ['calling', (id: string): Asked => ({ method: 'POST', path: '/rpc/restore_transaction', body: { id } })],
  ])('%s', { timeout: 120_000 }, async (name, of) => {
    const theirs =
      name === 'changing' ? [foreign.person] : name === 'calling' ? [foreign.deleted] : foreign.rows
    const shares: number[] = []

    // Chance is outside of the bounds now and then, what can be told apart is so each time.
    for (let count = 0; count < tries && !shares.some(isEven); count += 1)
      shares.push(await shareOfSlower(of, theirs))

    expect(shares.some(isEven), `the foreign one was slower in shares ${shares.join(', ')}`).toBe(true)
  })
})

function isEven(share: number): boolean {
  return share >= 0.45 && share <= 0.55
}

/** How often, of all pairs of one foreign and one missing, the foreign one took longer (the area under the curve). */
async function shareOfSlower(of: (id: string) => Asked, theirs: readonly string[]): Promise<number> {
  const none = theirs.map(() => randomUUID())
  const times: { ms: number; isForeign: boolean }[] = []
  for (let count = -10; count < pairs; count += 1) {
    const both = [true, false]
    if (Math.random() < 0.5) both.reverse()
    for (const isForeign of both) {
      const id = (isForeign ? theirs : none)[Math.abs(count) % theirs.length] ?? ''
      const asked = of(id)
      const startedAt = performance.now()
      await ask(asked, token)
      // The first ones warm up.
      if (count >= 0) times.push({ ms: performance.now() - startedAt, isForeign })
    }
  }
  times.sort((a, b) => a.ms - b.ms)
  const ranks = times.reduce((sum, { isForeign }, rank) => sum + (isForeign ? rank + 1 : 0), 0)
  return (ranks - (pairs * (pairs + 1)) / 2) / pairs ** 2
}
