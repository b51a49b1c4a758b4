import { realtimeWantedChangesLengthMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { readJoin } from './join-request.ts'

test('an empty payload joins a public channel and subscribes to no changes', () => {
  expect(readJoin({})).toEqual({
    wanted: [],
    isPrivate: false,
    wantsPresence: false,
    accessToken: null,
    written: [],
  })
})

test('entries are numbered in order and a missing key matches any value', () => {
  const join = readJoin({
    config: {
      postgres_changes: [
        { event: '*', schema: 'public', table: 'budgets', filter: 'user_id=eq.1' },
        { event: 'INSERT', schema: 'public', select: ['id'] },
        { event: 'DELETE', table: 'transactions' },
      ],
    },
  })

  const one = { schema: 'public', filter: null, choosesColumns: false }
  expect(join?.wanted).toEqual([
    { ...one, id: 1, event: '*', table: 'budgets', filter: 'user_id=eq.1' },
    { ...one, id: 2, event: 'INSERT', table: '*', choosesColumns: true },
    { ...one, id: 3, event: 'DELETE', table: 'transactions' },
  ])
  expect(join?.written[1]).toEqual({ event: 'INSERT', schema: 'public', select: ['id'] })
})

test('an API key in the newer format is not an access token', () => {
  expect(readJoin({ access_token: 'sb_publishable_x' })?.accessToken).toBeNull()
  expect(readJoin({ access_token: 'a.b.c' })?.accessToken).toBe('a.b.c')
})

test.for([
  {},
  [null],
  [{ event: 'TRUNCATE', schema: 'public' }],
  [{ event: '*' }],
  [{ event: '*', schema: 1 }],
  [{ event: '*', schema: 'public', filter: {} }],
  Array.from({ length: 21 }, () => ({ event: '*', schema: 'public' })),
  [{ event: '*', schema: 'public', more: 'x'.repeat(realtimeWantedChangesLengthMax) }],
])('%j is refused as a list of subscriptions', (entries) => {
  expect(readJoin({ config: { postgres_changes: entries } })).toBeNull()
})
