import { realtimePresencesMax, realtimePresencesPerTopicMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { Presences } from './presence.ts'

const channel = (topic: string, presenceKey: string) => ({ topic, presenceKey })
const presencesHere = () => new Presences<ReturnType<typeof channel>>('here')

test('a full topic accepts a newcomer only after someone leaves', () => {
  const presences = presencesHere()
  const crowd = Array.from({ length: realtimePresencesPerTopicMax }, (_, index) =>
    channel('a', String(index)),
  )
  const [first = channel('a', 'x')] = crowd
  for (const each of crowd) expect(presences.track(each, {})).toMatchObject({ leaves: {} })

  const late = channel('a', 'late')
  expect(presences.track(late, {})).toBe('too many')
  expect(presences.track(channel('b', 'late'), {})).toMatchObject({ leaves: {} })
  expect(presences.track(first, { desk: 2 })).toMatchObject({ joins: { 0: { metas: [{ desk: 2 }] } } })
  expect(presences.untrack(first)).toMatchObject({ leaves: { 0: {} } })
  expect(presences.track(late, {})).toMatchObject({ joins: { late: {} } })
})

test('a key that objects have of their own is a key like any other', () => {
  const presences = presencesHere()

  presences.track(channel('a', '__proto__'), { desk: 1 })

  expect(Object.keys(presences.state('a'))).toEqual(['__proto__'])
})

test('a channel that was never present cannot leave', () => {
  expect(presencesHere().untrack(channel('a', 'x'))).toBeNull()
})

test('one server has room for a limited number on all topics together', () => {
  const presences = presencesHere()
  const crowd = Array.from({ length: realtimePresencesMax }, (_, index) => channel(String(index), 'x'))
  const [first = channel('0', 'x')] = crowd
  for (const each of crowd) expect(presences.track(each, {})).toMatchObject({ leaves: {} })

  expect(presences.track(channel('late', 'x'), {})).toBe('too many')
  presences.untrack(first)
  expect(presences.track(channel('late', 'x'), {})).toMatchObject({ leaves: {} })
})
