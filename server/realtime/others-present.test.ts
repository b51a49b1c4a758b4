// Seen red with: what was told taken for what is known; a dead server's people kept; a server read anew without those
// who have gone meanwhile.
import { expect, test } from 'vitest'
import { OthersPresent } from './others-present.ts'
import { type Presence, byKey } from './presence.ts'

const presence = (key: string, ref: string): Presence => ({ topic: 'patio', key, meta: { phx_ref: ref } })
const [ana, anaAgain, luis] = [presence('ana', 'a.1'), presence('ana', 'a.2'), presence('luis', 'a.3')]
const come = (...presences: Presence[]) => ({ joins: byKey(presences), leaves: {} })
const gone = (...presences: Presence[]) => ({ joins: {}, leaves: byKey(presences) })

function serverWith(...presences: Presence[]): OthersPresent {
  const others = new OthersPresent()
  others.replace('there', 1000, presences)
  others.noteTold('patio')
  return others
}

test('who comes and goes is told, and who was told of is the state', () => {
  const others = serverWith(ana)

  others.apply('there', 'patio', come(luis))
  expect(others.onTopic('patio')).toEqual([ana])
  expect(others.news('patio')).toEqual(come(luis))
  others.noteTold('patio')
  others.apply('there', 'patio', gone(ana))
  expect(others.news('patio')).toEqual(gone(ana))
  others.noteTold('patio')

  expect(others.onTopic('patio')).toEqual([luis])
  expect([...others.untold]).toEqual([])
})

test('what happens before it can be told is told as one difference', () => {
  const others = serverWith(ana)

  others.apply('there', 'patio', { joins: byKey([anaAgain]), leaves: byKey([ana]) })
  others.apply('there', 'patio', come(luis))
  others.apply('there', 'patio', gone(luis))

  expect([...others.untold]).toEqual(['patio'])
  expect(others.news('patio')).toEqual({ joins: byKey([anaAgain]), leaves: byKey([ana]) })
})

test('a server that is read anew keeps who is still there without a word', () => {
  const others = serverWith(ana, luis)

  others.replace('there', 2000, [ana])
  expect(others.news('patio')).toEqual(gone(luis))
  others.replace('there', 2000, [ana, luis])
  expect(others.news('patio')).toBeNull()
})

test('a server that gives no sign in time takes its people with it, one that does keeps them', () => {
  const others = serverWith(ana)

  others.forgetDead(999)
  others.believe('there', 2000)
  others.forgetDead(1999)
  expect(others.news('patio')).toBeNull()
  others.believeAll(3000)
  others.forgetDead(2500)
  expect(others.knows('there')).toBe(true)
  others.forgetDead(3001)

  expect(others.knows('there')).toBe(false)
  expect(others.news('patio')).toEqual(gone(ana))
})

test('a server that is not known says nothing of who is present', () => {
  const others = new OthersPresent()

  others.apply('nobody', 'patio', come(ana))

  expect(others.news('patio')).toBeNull()
})
