/** Seen red with a line that lets in whoever came last, and with one that forgets whom it has let in. */
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
  const { said, enter } = open(99)

  enter('Ana')

  expect(said).toEqual(['Ana'])
})

test('who finds none waits, and goes on in turn, as many as there is room for', () => {
  const { database, line, said, enter } = open(100)
  for (const name of ['Ana', 'Luis', 'Inés']) enter(name)
  expect(said).toEqual([])

  database.ahead = 98
  line.advance()

  expect(said).toEqual(['Ana', 'Luis'])
  expect(line.load()).toEqual({ waiting: 1, refused: 0 })
})

test('nobody goes past those who wait', () => {
  const { database, line, said, enter } = open(100)
  enter('Ana')
  database.ahead = 0

  enter('Luis')
  line.advance()

  expect(said).toEqual(['Ana', 'Luis'])
})

test('the line looks by itself whether there is room', () => {
  const { database, said, enter } = open(100)
  enter('Ana')
  database.ahead = 0

  vi.advanceTimersByTime(20)

  expect(said).toEqual(['Ana'])
})

test('once there is a line for 0.7 seconds, who has waited for half of one is refused, and not before', () => {
  const { line, said, enter } = open(100)
  enter('Ana')
  vi.advanceTimersByTime(400)
  enter('Luis')

  vi.advanceTimersByTime(280)
  expect(said).toEqual([])
  vi.advanceTimersByTime(40)
  expect(said).toEqual(['Ana: come again'])
  vi.advanceTimersByTime(200)

  expect(said).toEqual(['Ana: come again', 'Luis: come again'])
  expect(line.load()).toEqual({ waiting: 0, refused: 2 })
})

test('a line that was empty begins anew: while it is young nobody is refused', () => {
  const { database, said, enter } = open(100)
  enter('Ana')
  vi.advanceTimersByTime(600)
  database.ahead = 0
  vi.advanceTimersByTime(20)
  database.ahead = 100
  enter('Luis')

  vi.advanceTimersByTime(600)
  expect(said).toEqual(['Ana'])
  vi.advanceTimersByTime(120)

  expect(said).toEqual(['Ana', 'Luis: come again'])
})

test('nothing is done for who has gone away', () => {
  const { database, line, said, gone, enter } = open(100)
  for (const name of ['Ana', 'Luis', 'Inés']) enter(name)
  gone.add('Ana')
  gone.add('Inés')

  database.ahead = 99
  line.advance()
  database.ahead = 100
  vi.advanceTimersByTime(2000)

  expect(said).toEqual(['Luis'])
  expect(line.load()).toEqual({ waiting: 0, refused: 0 })
})

test('who finds every place taken is refused at once', () => {
  const { line, said, enter } = open(100)
  for (let number = 0; number < placesMax; number += 1) enter(`${number}`)

  enter('Ana')

  expect(said).toEqual(['Ana: come again'])
  expect(line.load()).toEqual({ waiting: placesMax, refused: 1 })
})

test('a line that is empty keeps no clock running', () => {
  const { database, enter } = open(100)
  enter('Ana')
  database.ahead = 0

  vi.advanceTimersByTime(40)

  expect(vi.getTimerCount()).toBe(0)
})
