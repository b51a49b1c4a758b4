/**
 * Seen red with a line that lets in whoever came last, with one that forgets whom it has let in, with refusals that are told
 * at once, and with refusals that are told all together.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WaitingLine, placesMax } from './waiting-line.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A database with so many waiting, and a line before it. */
function open(ahead: number) {
  const database = { ahead }
  const line = new WaitingLine({ ahead: () => database.ahead, refusal: () => new Error('come again') })
  const said: string[] = []
  const gone = new Set<string>()
  const enter = (name: string) =>
    line.enter({
      proceed: (refusal) => said.push(refusal === undefined ? name : `${name}: ${refusal.message}`),
      isLeft: () => gone.has(name),
    })
  return { database, line, said, gone, enter }
}

test('who finds room goes on at once', () => {
  const { said, enter } = open(63)

  enter('Ana')

  expect(said).toEqual(['Ana'])
})

test('who finds none waits, and goes on in turn, as many as there is room for', () => {
  const { database, line, said, enter } = open(64)
  for (const name of ['Ana', 'Luis', 'Inés']) enter(name)
  expect(said).toEqual([])

  database.ahead = 62
  line.advance()

  expect(said).toEqual(['Ana', 'Luis'])
  expect(line.load()).toEqual({ waiting: 1, refused: 0 })
})

test('nobody goes past those who wait', () => {
  const { database, line, said, enter } = open(64)
  enter('Ana')
  database.ahead = 0

  enter('Luis')
  line.advance()

  expect(said).toEqual(['Ana', 'Luis'])
})

test('the line looks by itself whether there is room', () => {
  const { database, said, enter } = open(64)
  enter('Ana')
  database.ahead = 0

  vi.advanceTimersByTime(20)

  expect(said).toEqual(['Ana'])
})

test('once there is a line for 0.7 seconds, who has waited for half of one has lost their turn', () => {
  const { database, line, said, enter } = open(64)
  enter('Ana')
  vi.advanceTimersByTime(400)
  enter('Luis')
  vi.advanceTimersByTime(320)

  database.ahead = 62
  line.advance()

  expect(said).toEqual(['Luis'])
})

test('who has lost their turn is told so two seconds later: who is told at once comes back at once', () => {
  const { line, said, enter } = open(64)
  enter('Ana')
  vi.advanceTimersByTime(2480)
  expect(said).toEqual([])
  expect(line.load()).toEqual({ waiting: 1, refused: 0 })

  vi.advanceTimersByTime(40)

  expect(said).toEqual(['Ana: come again'])
  expect(line.load()).toEqual({ waiting: 0, refused: 1 })
})

test('thousands who came together are not told together', () => {
  const { line, enter } = open(64)
  for (let number = 0; number < 1000; number += 1) enter(`${number}`)

  vi.advanceTimersByTime(2600)

  expect(line.load().refused).toBeGreaterThan(0)
  expect(line.load().refused).toBeLessThan(400)
  vi.advanceTimersByTime(400)
  expect(line.load()).toEqual({ waiting: 0, refused: 1000 })
})

test('a line that was empty begins anew: while it is young nobody loses their turn', () => {
  const { database, line, said, enter } = open(64)
  enter('Ana')
  vi.advanceTimersByTime(600)
  database.ahead = 0
  vi.advanceTimersByTime(20)
  database.ahead = 64
  enter('Luis')
  vi.advanceTimersByTime(600)

  database.ahead = 0
  line.advance()

  expect(said).toEqual(['Ana', 'Luis'])
})

test('nothing is done for who has gone away', () => {
  const { database, line, said, gone, enter } = open(64)
  for (const name of ['Ana', 'Luis', 'Inés']) enter(name)
  gone.add('Ana')
  gone.add('Inés')

  database.ahead = 63
  line.advance()
  database.ahead = 64
  vi.advanceTimersByTime(5000)

  expect(said).toEqual(['Luis'])
  expect(line.load()).toEqual({ waiting: 0, refused: 0 })
})

test('who finds every place taken is refused at once', () => {
  const { line, said, enter } = open(64)
  for (let number = 0; number < placesMax; number += 1) enter(`${number}`)

  enter('Ana')

  expect(said).toEqual(['Ana: come again'])
  expect(line.load()).toEqual({ waiting: placesMax, refused: 1 })
})

test('a line that is empty keeps no clock running', () => {
  const { database, enter } = open(64)
  enter('Ana')
  database.ahead = 0

  vi.advanceTimersByTime(40)

  expect(vi.getTimerCount()).toBe(0)
})
