/**
 * Requests that may come by the hundred at one moment: a few begin in each turn of the event loop, so that whoever
 * asks for anything else is served between them (security.md AN-12).
 */
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { TooManyHashes } from '#overload/hash-pool.ts'

/** About three milliseconds of work, when all of them are turned away. */
const begunPerTurn = 4
const waitingMax = 2000

/** A hook that lets the requests that it is for begin in turns, in the order in which they came. */
export function inTurns(isFor: (request: FastifyRequest) => boolean): onRequestHookHandler {
  const waiting: (() => void)[] = []
  let isTurnComing = false
  const awaitTurn = () => {
    if (isTurnComing || waiting.length === 0) return
    isTurnComing = true
    setImmediate(takeTurn)
  }
  const takeTurn = () => {
    for (const begin of waiting.splice(0, begunPerTurn)) begin()
    isTurnComing = false
    awaitTurn()
  }
  return (request, _reply, done) => {
    if (!isFor(request)) {
      done()
      return
    }
    if (waiting.length >= waitingMax) {
      done(new TooManyHashes())
      return
    }
    waiting.push(done)
    awaitTurn()
  }
}
