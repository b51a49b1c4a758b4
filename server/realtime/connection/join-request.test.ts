import { expect, test } from 'vitest'
import { readJoinRequest } from './join-request.ts'

test('an empty payload joins a public channel without changes', () => {
  expect(readJoinRequest({})).toEqual({
    isPrivate: false,
    wanted: [],
    broadcast: { self: false, ack: false },
    presence: { isEnabled: false, key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    accessToken: null,
  })
})

test('entries are numbered in their order, and what they leave out means any', () => {
  const request = readJoinRequest({
    config: {
      postgres_changes: [
        { event: '*', schema: 'public', table: 'budgets', filter: 'user_id=eq.1' },
        { event: 'INSERT', schema: 'public', select: ['id'] },
        { event: 'DELETE', table: 'transactions' },
      ],
    },
  })

  expect(request?.wanted).toMatchObject([
    { id: 1, event: '*', schema: 'public', table: 'budgets', filter: 'user_id=eq.1' },
    { id: 2, event: 'INSERT', schema: 'public', table: '*', filter: null, written: { select: ['id'] } },
    { id: 3, event: 'DELETE', schema: 'public', table: 'transactions', filter: null },
  ])
})

test('an API key of the newer kind is no access token', () => {
  expect(readJoinRequest({ access_token: 'sb_publishable_x' })?.accessToken).toBeNull()
  expect(readJoinRequest({ access_token: 'a.b.c' })?.accessToken).toBe('a.b.c')
})

test.for([
  {},
  [null],
  [{ event: 'TRUNCATE', schema: 'public' }],
  [{ event: '*' }],
  [{ event: '*', schema: 1 }],
  [{ event: '*', schema: 'public', filter: {} }],
  Array.from({ length: 21 }, () => ({ event: '*', schema: 'public' })),
])('%j are no subscriptions', (entries) => {
  expect(readJoinRequest({ config: { postgres_changes: entries } })).toBeNull()
})
