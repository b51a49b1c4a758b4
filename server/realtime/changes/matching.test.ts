import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { expect, test } from 'vitest'
import type { Change } from './feed.ts'
import { type Subscriber, groupByCaller } from './matching.ts'

const changes = Array.from({ length: 20 }, (_, index): Change => ({
  schema: 'public',
  table: 'transactions',
  operation: 'INSERT',
  record: { index },
  oldRecord: null,
  at: '2026-01-02T03:04:05.678Z',
}))

test('a channel gets the changes that pass its filters in their original order', async () => {
  const odd = subscriber((change) => Number(change.record?.['index']) % 2 === 1)

  const [group = []] = await groupByCaller([odd, subscriber(() => false)], changes)

  expect(group.map(({ change }) => change)).toEqual(changes.filter((_, index) => index % 2 === 1))
})

test('callers whose ids occur in a changed row come first in the list', async () => {
  const callers = ['first', 'second', 'third'].map(signedIn)
  const everything = callers.map((caller) => ({ ...subscriber(() => true), caller }))
  const ofThird = changes.slice(0, 1).map((change) => ({ ...change, record: { user_id: 'third' } }))

  const groups = await groupByCaller(everything, ofThird)

  expect(groups.map(([delivery]) => delivery?.caller)).toEqual([callers[2], callers[0], callers[1]])
})

test('the event loop can run other work between two changes', async () => {
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 1)
  const slow = subscriber(() => {
    const until = performance.now() + 3
    while (performance.now() < until);
    return true
  })

  await groupByCaller([slow], changes)
  clearInterval(counting)

  expect(turns).toBeGreaterThan(changes.length / 2)
})

test('the event loop can run other work while many conditions test one change', async () => {
  let isTurned = false
  const [first] = changes
  const many = Array.from({ length: 120 }, (_, index) =>
    subscriber(() => {
      if (index === 0) setImmediate(() => (isTurned = true))
      return index === 119 && isTurned
    }),
  )

  expect(await groupByCaller(many, first === undefined ? [] : [first])).toHaveLength(1)
})

function signedIn(sub: string) {
  return { role: 'authenticated', claims: { sub } as AccessTokenClaims } as const
}

function subscriber(matches: (change: Change) => boolean): Subscriber {
  return { caller: { role: 'service_role' }, subscriptions: [{ id: 1, conditions: 1, matches }] }
}
