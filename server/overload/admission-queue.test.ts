import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AdmissionQueue, type Entry, waitingMax, waitingOfFlowMax } from './admission-queue.ts'
import { DatabaseBusy, DatabaseUnavailable } from '#database/database.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const postgres = { total: 8, ofFlow: 4, ofSlowFlows: 4, isSerial: false }
const embedded = { total: 16, ofFlow: 1, ofSlowFlows: 1, isSerial: true }

/** A queue whose work ends when it is told to, and what became of each entry, in its order. */
function watched(capacity: ConstructorParameters<typeof AdmissionQueue>[0]) {
  const queue = new AdmissionQueue(capacity)
  const begun: string[] = []
  const refused: string[] = []
  const endings = new Map<string, (() => void)[]>()
  const enter = (flow: string, entry: Partial<Entry> = {}) => {
    const work = () => {
      begun.push(flow)
      return new Promise<void>((resolve) => endings.set(flow, [...(endings.get(flow) ?? []), resolve]))
    }
    queue
      .run({ flow, isContinued: false, isPatient: false, isLeft: () => false, ...entry }, work)
      .catch((error: unknown) => {
        expect(error).toBeInstanceOf(DatabaseBusy)
        refused.push(flow)
      })
  }
  /** Ends the oldest work of that flow, so many milliseconds later. */
  const end = async (flow: string, afterMs = 1) => {
    await vi.advanceTimersByTimeAsync(afterMs)
    endings.get(flow)?.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return { queue, begun, refused, enter, end, settle }
}

const times = (count: number, act: (index: number) => void) => {
  for (let index = 0; index < count; index += 1) act(index)
}

test('one person takes half of the connections, and everybody else is served beside them', async () => {
  const { begun, enter, settle } = watched(postgres)

  times(20, () => enter('Ana'))
  enter('Luis')
  await settle()

  expect(begun).toEqual(['Ana', 'Ana', 'Ana', 'Ana', 'Luis'])
})

test('who has used least of the database is next', async () => {
  const { begun, enter, end, settle } = watched({ ...postgres, total: 1, ofFlow: 1 })
  times(4, () => enter('Ana'))
  times(4, () => enter('Luis'))
  await settle()

  await end('Ana', 40)
  for (let turn = 0; turn < 4; turn += 1) await end('Luis', 5)

  expect(begun).toEqual(['Ana', 'Luis', 'Luis', 'Luis', 'Luis', 'Ana'])
})

test('who comes from idleness begins where the others are, and has saved nothing up', async () => {
  const { begun, enter, end, settle } = watched({ ...postgres, total: 1, ofFlow: 1 })
  times(3, () => enter('Ana'))
  await settle()
  await end('Ana', 40)
  times(3, () => enter('Luis'))

  await end('Ana', 40)
  await end('Luis', 40)
  await end('Ana', 40)

  expect(begun).toEqual(['Ana', 'Ana', 'Luis', 'Ana', 'Luis'])
})

test('flows with a slow one take the embedded engine one at a time, short ones go on before the next', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  for (const attacker of ['a', 'b', 'c']) {
    enter(attacker)
    await settle()
    await end(attacker, 200)
  }
  await vi.advanceTimersByTimeAsync(500)
  begun.length = 0

  times(3, () => ['a', 'b', 'c'].forEach((attacker) => enter(attacker)))
  await settle()
  enter('Luis')
  await settle()
  expect(begun).toEqual(['a', 'Luis'])
  enter('Luis')
  await end('Luis')
  await end('a', 80)

  expect(begun).toEqual(['a', 'Luis', 'Luis', 'b'])
})

test('one that the machine kept waiting makes no slow flow', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  enter('Ana')
  await settle()
  await end('Ana', 110)

  times(2, () => enter('Ana'))
  await settle()
  await end('Ana')

  expect(begun).toEqual(['Ana', 'Ana', 'Ana'])
})

test('a slow flow rests as long as each of its own took', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  times(2, () => enter('a'))
  await settle()

  await end('a', 200)
  await vi.advanceTimersByTimeAsync(190)
  expect(begun).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(20)

  expect(begun).toEqual(['a', 'a'])
})

test('a burst of one person waits its turn, however long it takes', async () => {
  const { begun, refused, enter, end, settle } = watched(embedded)
  times(500, () => enter('Ana'))
  await settle()

  for (let turn = 0; turn < 500; turn += 1) await end('Ana', 10)

  expect([begun.length, refused.length]).toEqual([500, 0])
})

test('a rush of many sheds what has waited for half a second, and says so two seconds later, 16 at a time', async () => {
  const { queue, refused, enter, settle } = watched(postgres)
  times(108, (index) => enter(`person ${index}`))
  await settle()

  await vi.advanceTimersByTimeAsync(2690)
  expect(refused).toEqual([])
  let mostAtOnce = 0
  for (let tick = 0; tick < 20; tick += 1) {
    const before = refused.length
    await vi.advanceTimersByTimeAsync(5)
    mostAtOnce = Math.max(mostAtOnce, refused.length - before)
  }

  expect(mostAtOnce).toBe(16)
  expect(queue.load()).toEqual({ waiting: 0, shed: 100 })
})

test('what waits behind a sign-out is shed all the same', async () => {
  const { refused, enter, settle } = watched({ ...postgres, total: 1 })
  enter('Luis')
  enter('Ana', { isPatient: true })
  enter('Ana')
  await settle()

  await vi.advanceTimersByTimeAsync(4000)

  expect(refused).toEqual(['Ana'])
})

test('what is patient, or has begun, is not shed', async () => {
  const { begun, refused, enter, end, settle } = watched({ ...postgres, total: 1 })
  times(40, (index) => enter(`person ${index}`))
  enter('leaving', { isPatient: true })
  await settle()
  await vi.advanceTimersByTimeAsync(4000)
  expect(refused).toHaveLength(39)

  await end('person 0')

  expect(begun).toEqual(['person 0', 'leaving'])
})

test('a database that stands still sheds a few people’s requests as well', async () => {
  const { refused, enter, settle } = watched(postgres)
  times(20, () => enter('Ana'))
  times(20, () => enter('Luis'))
  await settle()

  await vi.advanceTimersByTimeAsync(990)
  await settle()
  expect(refused).toEqual([])
  await vi.advanceTimersByTimeAsync(2100)

  expect(refused).toHaveLength(32)
})

test('the embedded engine may stand still for a copy of its files', async () => {
  const { refused, enter, settle } = watched(embedded)
  times(20, () => enter('Ana'))
  await settle()

  await vi.advanceTimersByTimeAsync(4900)
  await settle()
  expect(refused).toEqual([])
  await vi.advanceTimersByTimeAsync(2500)

  expect(refused).not.toEqual([])
})

test('nothing is done for a client that has gone away, and it counts as no refusal', async () => {
  const { queue, begun, enter, end, settle } = watched({ ...postgres, total: 1 })
  enter('Ana')
  enter('gone', { isLeft: () => true })
  enter('Luis')
  await settle()

  await end('Ana')

  expect(begun).toEqual(['Ana', 'Luis'])
  enter('gone', { isLeft: () => true })
  await vi.advanceTimersByTimeAsync(4000)
  expect(queue.load()).toEqual({ waiting: 0, shed: 0 })
})

test('a flow does not rest for the time in which the database was away', async () => {
  const { queue, begun, enter, settle } = watched(postgres)
  const away = () =>
    new Promise<never>((_, reject) => setTimeout(() => reject(new DatabaseUnavailable('away')), 1500))
  const entry = { flow: 'Ana', isContinued: false, isPatient: false, isLeft: () => false }
  const lost = Array.from({ length: 4 }, () => queue.run(entry, away).catch((error: unknown) => error))
  await vi.advanceTimersByTimeAsync(1500)
  await Promise.all(lost)

  enter('Ana')
  await settle()

  expect(begun).toEqual(['Ana'])
})

test('a request that has begun goes before its person’s others', async () => {
  const { begun, enter, end, settle } = watched({ ...postgres, total: 1, ofFlow: 1 })
  enter('Luis')
  enter('Ana', { isLeft: () => begun.push('second') < 0 })
  await settle()
  enter('Ana', { isContinued: true, isLeft: () => begun.push('first') < 0 })

  await end('Luis')
  await end('Ana')

  expect(begun.filter((who) => who !== 'Luis' && who !== 'Ana')).toEqual(['first', 'second'])
})

test('places are bounded, for everybody and for one person', async () => {
  const { queue, refused, enter, settle } = watched(embedded)

  times(waitingOfFlowMax + 2, () => enter('Ana'))
  await settle()
  expect(refused).toEqual(['Ana'])
  times(waitingMax, (index) => enter(`person ${index % 1000}`))
  await settle()

  expect(queue.load().waiting).toBe(waitingMax)
})
