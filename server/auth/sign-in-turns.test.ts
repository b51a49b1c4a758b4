import { expect, test } from 'vitest'
import { PoolFull, poolWaitingMax } from '#overload/fair-pool.ts'
import { SignInTurns, signInsAtOnceMax } from './sign-in-turns.ts'

const times = (count: number, act: (index: number) => unknown) => {
  for (let index = 0; index < count; index += 1) act(index)
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Returns turns whose sign-ins run until `finish` is called, and the sign-ins that began or were refused, in order. */
function watched() {
  const turns = new SignInTurns()
  const begun: string[] = []
  const refused: string[] = []
  const running: (() => void)[] = []
  const enter = (network: string, { isKnown = false, lookUp = Promise.resolve() } = {}) =>
    turns
      .run({ network, account: network, isKnownThere: () => lookUp.then(() => isKnown) }, () => {
        begun.push(network)
        return new Promise<void>((resolve) => running.push(resolve))
      })
      .catch((error: unknown) => {
        expect(error).toBeInstanceOf(PoolFull)
        refused.push(network)
      })
  /** Ends the sign-in that has been running for the longest time. */
  const finish = async () => {
    running.shift()?.()
    await settled()
  }
  return { begun, refused, enter, finish }
}

test('a sign-in from a known network begins while sign-ins from unknown networks hold all their places', async () => {
  const { begun, enter } = watched()
  times(20, (index) => enter(`attacker ${index}`))
  await settled()
  expect(begun).toHaveLength(signInsAtOnceMax)

  void enter('home', { isKnown: true })
  await settled()

  expect(begun).toHaveLength(signInsAtOnceMax + 1)
  expect(begun.at(-1)).toBe('home')
})

test('sign-ins from known networks do not take the places of sign-ins from unknown networks', async () => {
  const { begun, enter } = watched()
  times(20, () => enter('office', { isKnown: true }))
  await settled()
  expect(begun).toHaveLength(signInsAtOnceMax)

  void enter('elsewhere')
  await settled()

  expect(begun.at(-1)).toBe('elsewhere')
})

test('a customer in a new network signs in before the next sign-in of networks that were served already', async () => {
  const { begun, enter, finish } = watched()
  times(60, (index) => enter(`attacker ${index % 20}`))
  await settled()
  // Each attacking network is served once.
  for (let served = 0; served < 20; served += 1) await finish()
  const before = begun.length

  void enter('hotel')
  await settled()
  await finish()

  expect(begun[before]).toBe('hotel')
})

test('while one network floods the server, the group of another network’s sign-in is looked up next', async () => {
  const { begun, enter } = watched()
  const lookUp = Promise.withResolvers<void>()
  times(poolWaitingMax, () => enter('attacker', { lookUp: lookUp.promise }))

  void enter('home', { isKnown: true })
  lookUp.resolve()
  await settled()

  expect(begun.indexOf('home')).toBeLessThan(signInsAtOnceMax)
})

test('when too many sign-ins wait, the newest of the network with the most sign-ins is refused without any work', async () => {
  const { begun, refused, enter } = watched()
  const lookUp = Promise.withResolvers<void>()
  times(poolWaitingMax + 10, () => enter('attacker', { lookUp: lookUp.promise }))
  void enter('home', { lookUp: lookUp.promise })
  await settled()

  expect(begun).toEqual([])
  expect(refused).toEqual(Array(9).fill('attacker'))
})
