import { expect, test } from 'vitest'
import type { Change } from '#database/changes.ts'
import { type Listening, groupByCaller } from './matching.ts'

const changes = Array.from({ length: 20 }, (_, index): Change => ({
  schema: 'public',
  table: 'transactions',
  operation: 'INSERT',
  record: { index },
  oldRecord: null,
  at: '2026-01-02T03:04:05.678Z',
}))
const caller = { role: 'service_role' } as const

test('a channel gets the changes that its filters let through, in their order', async () => {
  const odd = listening((change) => Number(change.record?.['index']) % 2 === 1)

  const [group = []] = await groupByCaller([odd, listening(() => false)], changes)

  expect(group.map(({ change }) => change)).toEqual(changes.filter((_, index) => index % 2 === 1))
})

test('others have their turn while costly filters are put to many changes', async () => {
  const costly = listening(() => {
    const until = performance.now() + 3
    while (performance.now() < until);
    return true
  })
  let turns = 0
  const othersTurn = setInterval(() => {
    turns += 1
  }, 1)

  const [group] = await groupByCaller([costly, costly], changes)
  clearInterval(othersTurn)

  expect(group).toHaveLength(2 * changes.length)
  expect(turns).toBeGreaterThan(changes.length / 2)
})

function listening(matches: (change: Change) => boolean): Listening {
  return { caller, subscriptions: [{ id: 1, conditions: 1, matches }] }
}
