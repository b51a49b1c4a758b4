import { expect, test } from 'vitest'
import { FairPool, PoolFull, poolWaitingMax } from './fair-pool.ts'

/**
 * Returns a pool whose only slot is occupied until `release` is called, and the lists of served and refused jobs in
 * order.
 */
function watched() {
  const pool = new FairPool({ runningMax: 1 })
  const gate = Promise.withResolvers<void>()
  const served: string[] = []
  const refused: string[] = []
  void pool.run({ isKnownThere: false, network: 'gate', account: '' }, () => gate.promise)
  const enter = (network: string, account = network, isKnownThere = false) =>
    pool
      .run({ isKnownThere, network, account }, () => Promise.resolve(served.push(`${network} ${account}`)))
      .catch((error: unknown) => {
        expect(error).toBeInstanceOf(PoolFull)
        refused.push(`${network} ${account}`)
      })
  /** Frees the slot and runs the waiting jobs. */
  const release = async () => {
    gate.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { pool, served, refused, enter, release }
}

const times = (count: number, act: (index: number) => unknown) => {
  for (let index = 0; index < count; index += 1) act(index)
}

const hasRoom = (pool: FairPool, ...networks: string[]) =>
  networks.map((network) => pool.hasRoom({ isKnownThere: false, network }))

test('a pool runs at most as many jobs at a time as it has slots, and at most sixty-four wait', async () => {
  const pool = new FairPool({ runningMax: 2 })
  const gate = Promise.withResolvers<void>()
  let running = 0
  let runningMost = 0
  const job = async () => {
    running += 1
    runningMost = Math.max(runningMost, running)
    await gate.promise
    running -= 1
  }
  const owner = { isKnownThere: false, network: 'one', account: 'one' }
  const accepted = Array.from({ length: 66 }, () => pool.run(owner, job))

  await expect(pool.run(owner, job)).rejects.toThrow(PoolFull)

  gate.resolve()
  await Promise.all(accepted)
  expect(runningMost).toBe(2)
})

test('a job that fails frees its slot', async () => {
  const pool = new FairPool({ runningMax: 2 })
  const owner = { isKnownThere: false, network: 'one', account: 'one' }
  const failing = Array.from({ length: 4 }, () => pool.run(owner, () => Promise.reject(new Error('broken'))))

  await Promise.allSettled(failing)

  await expect(pool.run(owner, () => Promise.resolve('done'))).resolves.toBe('done')
})

test('a network’s first password is hashed before another network’s second password', async () => {
  const { served, enter, release } = watched()
  times(20, () => enter('attacker'))
  times(2, () => enter('home'))

  await release()

  expect(served.slice(0, 4)).toEqual(['attacker attacker', 'home home', 'attacker attacker', 'home home'])
})

test('within a network, an account’s first password is hashed before another account’s second password', async () => {
  const { served, enter, release } = watched()
  times(20, () => enter('office', 'attacker'))
  void enter('office', 'Ana')
  void enter('office', 'Luis')

  await release()

  expect(served.slice(0, 3)).toEqual(['office attacker', 'office Ana', 'office Luis'])
})

test('guesses from many networks cannot keep a customer from signing in from a known network', async () => {
  const { served, refused, enter, release } = watched()
  times(poolWaitingMax, (index) => enter(`network ${index}`))
  void enter('home', 'Ana', true)
  void enter('office', 'Luis', true)

  await release()

  expect(served.slice(0, 4)).toEqual(expect.arrayContaining(['home Ana', 'office Luis']))
  expect(refused).toHaveLength(2)
})

test('a pool that is full of guesses from unknown networks accepts only passwords from known networks', () => {
  const { pool, enter } = watched()
  times(poolWaitingMax, (index) => enter(`network ${index}`))

  expect(pool.hasRoom({ isKnownThere: true, network: 'home' })).toBe(true)
  expect(pool.hasRoom({ isKnownThere: true, network: 'network 0' })).toBe(true)
  expect(hasRoom(pool, 'one more', 'network 0')).toEqual([false, false])
})

test('a pool that is full of passwords from known networks still accepts a password from an unknown network', () => {
  const { pool, enter } = watched()
  times(poolWaitingMax, (index) => enter(`network ${index}`, 'one', true))

  expect(pool.hasRoom({ isKnownThere: true, network: 'home' })).toBe(false)
  expect(hasRoom(pool, 'elsewhere')).toEqual([true])
})

test('when too many passwords wait, the pool refuses the newest password of the network with the most passwords', async () => {
  const { pool, served, refused, enter, release } = watched()
  times(poolWaitingMax, () => enter('attacker'))
  expect(hasRoom(pool, 'attacker', 'home')).toEqual([true, true])

  times(3, () => enter('home'))
  await release()

  expect(refused).toEqual(Array(3).fill('attacker attacker'))
  expect(served.filter((each) => each === 'home home')).toHaveLength(3)
})

test('if the pool is full of passwords for many accounts from one network, that network’s next account is refused', async () => {
  const { pool, refused, enter, release } = watched()
  times(poolWaitingMax, (index) => enter('attacker', `account ${index}`))
  expect(hasRoom(pool, 'attacker', 'home')).toEqual([false, true])

  void enter('attacker', 'one more')
  void enter('home')
  await release()

  expect(refused).toEqual(['attacker one more', `attacker account ${poolWaitingMax - 1}`])
})

test('a network’s second password is hashed even if passwords from many new networks wait', async () => {
  const { served, enter, release } = watched()
  times(2, () => enter('home'))
  times(poolWaitingMax - 2, (index) => enter(`network ${index}`))

  await release()

  expect(served.filter((each) => each === 'home home')).toHaveLength(2)
  expect(served).toHaveLength(poolWaitingMax)
})
