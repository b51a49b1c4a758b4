// Seen red with a turn that is scheduled by who comes while a turn ends, and once more by its end.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from './in-turns.ts'

const hook = inTurns(() => true)
const request = {} as FastifyRequest

test('four requests begin in a turn, also when others come while it ends', async () => {
  let begun = 0
  const begin = () => (begun += 1)
  const ask = (done: () => void) => hook.call({} as never, request, {} as FastifyReply, done)
  for (let index = 0; index < 3; index += 1) ask(begin)
  ask(() => {
    begin()
    for (let index = 0; index < 12; index += 1) ask(begin)
  })

  const begunAfterTurn: number[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    await nextTurn()
    begunAfterTurn.push(begun)
  }

  expect(begunAfterTurn).toEqual([4, 8, 12, 16, 16])
})
