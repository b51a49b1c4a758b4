import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type AdmissionOptions,
  AdmissionQueue,
  type QueuedRequest,
  queueLengthMax,
  queueLengthPerFlowMax,
} from './admission-queue.ts'
import { DatabaseBusy, DatabaseUnavailable } from '#database/database.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const postgres = {
  concurrency: 8,
  shortWeight: 1 / 4,
  concurrencyPerFlow: 4,
  concurrencyOfSlowFlows: 4,
  isSerial: false,
}
const embedded = {
  concurrency: 16,
  shortWeight: 1,
  concurrencyPerFlow: 1,
  concurrencyOfSlowFlows: 1,
  isSerial: true,
}

const request = {
  line: '',
  isShort: false,
  isUrgent: false,
  isStaff: false,
  isServerWork: false,
  isContinuation: false,
  isNotShed: false,
  isAborted: () => false,
} satisfies Omit<QueuedRequest, 'flow'>

/**
 * Returns a queue whose work ends when the test calls `end`. Also returns two lists of flows: one for requests that
 * were started, and one for requests that were refused.
 */
function watched(options: AdmissionOptions) {
  const queue = new AdmissionQueue(options)
  const begun: string[] = []
  const refused: string[] = []
  const endings = new Map<string, (() => void)[]>()
  const enter = (flow: string, entry: Partial<QueuedRequest> = {}) => {
    const name = entry.line === undefined ? flow : `${flow} ${entry.line}`
    const work = (isShort: boolean) => {
      begun.push(isShort ? `${name}, short` : name)
      return new Promise<void>((resolve) => endings.set(name, [...(endings.get(name) ?? []), resolve]))
    }
    queue.run({ ...request, flow, ...entry }, work).catch((error: unknown) => {
      expect(error).toBeInstanceOf(DatabaseBusy)
      refused.push(name)
    })
  }
  /** Ends the oldest running work of a flow, or of a session such as `Ana phone`, after the given number of milliseconds. */
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

test('one flow uses at most half of the connections, and other flows run at the same time', async () => {
  const { begun, enter, settle } = watched(postgres)

  times(20, () => enter('Ana'))
  enter('Luis')
  await settle()

  expect(begun).toEqual(['Ana', 'Ana', 'Ana', 'Ana', 'Luis'])
})

test('four short transactions share the slot of one connection', async () => {
  const { begun, enter, settle } = watched({ ...postgres, concurrency: 2 })

  enter('Ana')
  times(5, (index) => enter(`customer ${index}`, { isShort: true }))
  await settle()

  expect(begun).toEqual(['Ana', ...[0, 1, 2, 3].map((index) => `customer ${index}, short`)])
})

test('the reads of a session whose short reads are slow do not count as short', async () => {
  const { begun, enter, end, settle } = watched({ ...postgres, concurrency: 1 })
  enter('Ana', { isShort: true })
  await end('Ana', 200)
  await vi.advanceTimersByTimeAsync(200)

  enter('Ana', { isShort: true })
  enter('Luis', { isShort: true })
  await settle()

  expect(begun).toEqual(['Ana, short', 'Ana'])
})

test('the flow that has used the least database time is served next', async () => {
  const { begun, enter, end, settle } = watched({ ...postgres, concurrency: 1, concurrencyPerFlow: 1 })
  times(4, () => enter('Ana'))
  times(4, () => enter('Luis'))
  await settle()

  await end('Ana', 40)
  for (let turn = 0; turn < 4; turn += 1) await end('Luis', 5)

  expect(begun).toEqual(['Ana', 'Luis', 'Luis', 'Luis', 'Luis', 'Ana'])
})

test('an idle flow starts at the current virtual time and gets no credit for its idle time', async () => {
  const { begun, enter, end, settle } = watched({ ...postgres, concurrency: 1, concurrencyPerFlow: 1 })
  times(3, () => enter('Ana'))
  await settle()
  await end('Ana', 40)
  times(3, () => enter('Luis'))

  await end('Ana', 40)
  await end('Luis', 40)
  await end('Ana', 40)

  expect(begun).toEqual(['Ana', 'Ana', 'Luis', 'Ana', 'Luis'])
})

test('slow flows use the embedded engine one at a time, and short transactions run between them', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  for (const attacker of ['a', 'b', 'c']) {
    enter(attacker)
    await settle()
    await end(attacker, 200)
  }
  enter('Luis')
  await settle()
  await end('Luis')
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

test('on the embedded engine, a new flow counts as slow until its first transaction ends', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  enter('Luis')
  await settle()
  await end('Luis')

  for (const attacker of ['a', 'b', 'c']) enter(attacker)
  enter('Luis')
  await settle()
  expect(begun).toEqual(['Luis', 'a', 'Luis'])
  await end('Luis')
  await end('a', 50)

  expect(begun).toEqual(['Luis', 'a', 'Luis', 'b'])
})

test('a flow does not count as slow after a single long transaction', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  enter('Ana')
  await settle()
  await end('Ana', 110)

  times(2, () => enter('Ana'))
  await settle()
  await end('Ana')

  expect(begun).toEqual(['Ana', 'Ana', 'Ana'])
})

test('a slow flow pauses as long as its transaction took', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  times(2, () => enter('a'))
  await settle()

  await end('a', 200)
  await vi.advanceTimersByTimeAsync(190)
  expect(begun).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(20)

  expect(begun).toEqual(['a', 'a'])
})

test('a burst of requests in one flow delays only that flow and is not shed', async () => {
  const { begun, refused, enter, end, settle } = watched(embedded)
  times(500, () => enter('Ana'))
  await settle()

  for (let turn = 0; turn < 500; turn += 1) await end('Ana', 10)

  expect([begun.length, refused.length]).toEqual([500, 0])
})

test('a request that is shed is refused two seconds later, and at most 16 requests are refused at once', async () => {
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

test('a request that waits behind a sign-out of its own flow is shed like other requests', async () => {
  const { refused, enter, settle } = watched({ ...postgres, concurrency: 1 })
  enter('Luis')
  enter('Ana', { isNotShed: true })
  enter('Ana')
  await settle()

  await vi.advanceTimersByTimeAsync(4000)

  expect(refused).toEqual(['Ana'])
})

test('requests that are running or exempt are not shed', async () => {
  const { begun, refused, enter, end, settle } = watched({ ...postgres, concurrency: 1 })
  times(40, (index) => enter(`person ${index}`))
  enter('leaving', { isNotShed: true })
  await settle()
  await vi.advanceTimersByTimeAsync(4000)
  expect(refused).toHaveLength(39)

  await end('person 0')

  expect(begun).toEqual(['person 0', 'leaving'])
})

test('when the database has stalled, the queue sheds requests even if only a few flows wait', async () => {
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

test('the embedded engine may stall for a few seconds before requests are shed', async () => {
  const { refused, enter, settle } = watched(embedded)
  times(20, () => enter('Ana'))
  await settle()

  await vi.advanceTimersByTimeAsync(4900)
  await settle()
  expect(refused).toEqual([])
  await vi.advanceTimersByTimeAsync(2500)

  expect(refused).not.toEqual([])
})

test('an aborted request does not run and does not count as refused', async () => {
  const { queue, begun, enter, end, settle } = watched({ ...postgres, concurrency: 1 })
  enter('Ana')
  enter('gone', { isAborted: () => true })
  enter('Luis')
  await settle()

  await end('Ana')

  expect(begun).toEqual(['Ana', 'Luis'])
  enter('gone', { isAborted: () => true })
  await vi.advanceTimersByTimeAsync(4000)
  expect(queue.load()).toEqual({ waiting: 0, shed: 0 })
})

test('a flow does not pause after a database outage', async () => {
  const { queue, begun, enter, settle } = watched(postgres)
  const away = () =>
    new Promise<never>((_, reject) => setTimeout(() => reject(new DatabaseUnavailable('away')), 1500))
  const entry = { ...request, flow: 'Ana' }
  const lost = Array.from({ length: 4 }, () => queue.run(entry, away).catch((error: unknown) => error))
  await vi.advanceTimersByTimeAsync(1500)
  await Promise.all(lost)

  enter('Ana')
  await settle()

  expect(begun).toEqual(['Ana'])
})

test('a request’s later transactions go before the other requests of its flow', async () => {
  const { begun, enter, end, settle } = watched({ ...postgres, concurrency: 1, concurrencyPerFlow: 1 })
  enter('Luis')
  enter('Ana', { isAborted: () => begun.push('second') < 0 })
  await settle()
  enter('Ana', { isContinuation: true, isAborted: () => begun.push('first') < 0 })

  await end('Luis')
  await end('Ana')

  expect(begun.filter((who) => who !== 'Luis' && who !== 'Ana')).toEqual(['first', 'second'])
})

test('the queue has a maximum length in total and for each flow', async () => {
  const { queue, refused, enter, settle } = watched(embedded)

  times(queueLengthPerFlowMax + 2, () => enter('Ana'))
  await settle()
  expect(refused).toEqual(['Ana'])
  times(queueLengthMax, (index) => enter(`person ${index % 1000}`))
  await settle()

  expect(queue.load().waiting).toBe(queueLengthMax)
})

/** Returns a queue in which Ana has exceeded her allowance for long transactions and Luis has just been served. */
async function withDebtor(options: AdmissionOptions, isStaff = false) {
  const watch = watched(options)
  const { enter, end, begun } = watch
  for (const ms of [400, 400, 400]) {
    enter('Ana', { isStaff })
    await end('Ana', ms)
    // Waits until the pause of Ana's own flow ends.
    await vi.advanceTimersByTimeAsync(ms)
  }
  const serveLuis = async () => {
    enter('Luis')
    await end('Luis')
  }
  await serveLuis()
  begun.length = 0
  return { ...watch, serveLuis }
}

test('while others are served, a customer whose transactions delayed the embedded engine waits nineteen times the delay', async () => {
  const { begun, enter, serveLuis } = await withDebtor(embedded)

  enter('Ana')
  for (let waited = 0; waited < 6500; waited += 500) {
    await vi.advanceTimersByTimeAsync(499)
    await serveLuis()
  }
  expect(begun).not.toContain('Ana')

  await vi.advanceTimersByTimeAsync(1500)
  expect(begun).toContain('Ana')
})

test('customers who delayed the embedded engine also wait because of each other’s delays', async () => {
  const { begun, enter, end, serveLuis } = await withDebtor(embedded)
  enter('Eva')
  await end('Eva', 1100)
  await vi.advanceTimersByTimeAsync(1100)

  enter('Ana')
  for (let waited = 0; waited < 6000; waited += 500) {
    await vi.advanceTimersByTimeAsync(499)
    await serveLuis()
  }

  expect(begun).not.toContain('Ana')
})

test('a customer who delayed the embedded engine does not have to wait if no other customer sends requests', async () => {
  const { begun, enter } = await withDebtor(embedded)

  enter('Ana')
  await vi.advanceTimersByTimeAsync(5005)

  expect(begun).toEqual(['Ana'])
})

test('a customer who delayed the embedded engine does not wait for the work of the server itself', async () => {
  const { begun, enter, end, settle } = await withDebtor(embedded)

  enter('Ana')
  for (let waited = 0; waited < 5500; waited += 500) {
    enter('service_role', { isServerWork: true })
    await settle()
    await end('service_role', 500)
  }

  expect(begun).toContain('Ana')
})

test.each<[string, AdmissionOptions, boolean, Partial<QueuedRequest>]>([
  ['a short read', embedded, false, { isShort: true }],
  ['an administrator', embedded, true, { isStaff: true }],
  ['a customer on PostgreSQL', postgres, false, {}],
])('%s does not wait after long transactions', async (_who, options, isStaff, entry) => {
  const { begun, enter, settle } = await withDebtor(options, isStaff)

  enter('Ana', entry)
  await settle()

  expect(begun).toHaveLength(1)
})

test('a customer whose long transactions take at most one second per minute does not have to wait', async () => {
  const { begun, enter, end, serveLuis } = await withDebtor(embedded)
  await vi.advanceTimersByTimeAsync(120_000)
  await serveLuis()
  begun.length = 0

  enter('Ana')
  await end('Ana', 600)
  await vi.advanceTimersByTimeAsync(600)
  await serveLuis()
  enter('Ana')
  await vi.advanceTimersByTimeAsync(5)

  expect(begun).toEqual(['Ana', 'Luis', 'Ana'])
})

test('the sessions of one person take turns', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  times(80, () => enter('Ana', { line: 'thief' }))
  await settle()

  times(2, () => enter('Ana', { line: 'phone' }))
  await end('Ana thief', 20)
  await end('Ana phone', 5)
  await end('Ana phone', 5)

  expect(begun).toEqual(['Ana thief', 'Ana phone', 'Ana phone', 'Ana thief'])
})

test('a person does not get more time by opening more sessions', async () => {
  const { begun, enter, end, settle } = watched({ ...postgres, concurrency: 1, concurrencyPerFlow: 1 })
  times(4, (index) => enter('Ana', { line: String(index) }))
  times(3, () => enter('Luis'))
  await settle()

  await end('Ana 0', 20)
  await end('Luis', 20)
  await end('Ana 1', 20)

  expect(begun).toEqual(['Ana 0', 'Luis', 'Ana 1', 'Luis'])
})

test('a session of a person does not wait because another session of this person delayed the embedded engine', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  enter('Ana', { line: 'phone' })
  await settle()
  await end('Ana phone')
  for (const ms of [400, 400, 400]) {
    enter('Ana', { line: 'thief' })
    await settle()
    await end('Ana thief', ms)
    await vi.advanceTimersByTimeAsync(ms)
  }
  enter('Luis')
  await settle()
  await end('Luis')
  begun.length = 0

  times(80, () => enter('Ana', { line: 'thief' }))
  enter('Ana', { line: 'phone' })
  await settle()

  expect(begun).toEqual(['Ana phone'])
})

test('a session that has imported a file is soon served beside a session that never stops', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  enter('Ana', { line: 'phone' })
  await settle()
  await end('Ana phone', 5000)
  await vi.advanceTimersByTimeAsync(5000)
  begun.length = 0

  times(80, () => enter('Ana', { line: 'thief' }))
  enter('Ana', { line: 'phone' })
  await settle()
  for (let served = 0; served < 5; served += 1) {
    await end('Ana thief', 100)
    await vi.advanceTimersByTimeAsync(100)
  }

  expect(begun).toContain('Ana phone')
})

test('a short read does not wait after the import of its own session', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  enter('Luis', { isShort: true })
  await settle()
  await end('Luis')
  enter('Ana', { line: 'phone' })
  await settle()
  await end('Ana phone', 5000)
  begun.length = 0

  enter('Ana', { line: 'phone', isShort: true })
  await settle()

  expect(begun).toEqual(['Ana phone, short'])
})

test('a short read goes before a long read of its own session that must wait', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  enter('Ana', { line: 'phone' })
  await settle()
  await end('Ana phone', 5000)
  begun.length = 0

  enter('Ana', { line: 'phone' })
  enter('Ana', { line: 'phone', isShort: true })
  await settle()

  expect(begun).toEqual(['Ana phone, short'])
})

test('the longest pause after an import is two seconds', async () => {
  const { begun, enter, end, settle } = watched(postgres)
  enter('Ana')
  await settle()
  await end('Ana', 5000)
  begun.length = 0

  enter('Ana')
  await vi.advanceTimersByTimeAsync(1990)
  expect(begun).toEqual([])
  await vi.advanceTimersByTimeAsync(20)

  expect(begun).toEqual(['Ana'])
})

test('many sessions of one person together do not escape the pause after long transactions', async () => {
  const { begun, enter, end, serveLuis } = await withDebtor(embedded)
  times(80, (index) => enter('Ana', { line: `session ${index}` }))

  for (let round = 0; round < 80; round += 1) {
    await serveLuis()
    const running = begun.findLast((name) => name.startsWith('Ana'))
    if (running !== undefined) await end(running, 100)
  }

  const served = begun.filter((name) => name.startsWith('Ana'))
  expect(served.length).toBeGreaterThan(0)
  expect(served.length).toBeLessThan(10)
})

test('a request that ends sessions goes before all other requests of its person', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  times(80, () => enter('Ana', { line: 'thief' }))
  times(80, () => enter('Ana', { line: 'phone' }))
  enter('Ana', { line: 'phone', isUrgent: true, isAborted: () => begun.push('urgent') < 0 })
  await settle()

  await end('Ana thief', 200)

  expect(begun).toEqual(['Ana thief', 'urgent', 'Ana phone'])
})

test('urgent requests of one session do not keep the other sessions of its person waiting', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  times(80, () => enter('Ana', { line: 'thief', isUrgent: true }))
  enter('Ana', { line: 'phone' })
  await settle()

  await end('Ana thief')

  expect(begun).toEqual(['Ana thief', 'Ana phone'])
})

test('a long transaction keeps its customer waiting for eight seconds at most', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  enter('Ana')
  await settle()
  await end('Ana', 4000)
  const serveLuis = async () => {
    enter('Luis')
    await settle()
    await end('Luis')
  }
  await serveLuis()
  begun.length = 0

  enter('Ana')
  for (let waited = 0; waited < 8000; waited += 500) {
    await vi.advanceTimersByTimeAsync(499)
    await serveLuis()
  }

  expect(begun).toContain('Ana')
})

test('of the customers who delayed the embedded engine, the customer who delayed it least goes first', async () => {
  const { begun, enter, end, settle } = watched(embedded)
  const serveLuis = async () => {
    enter('Luis')
    await settle()
    await end('Luis')
  }
  const delay = async (who: string, turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      await vi.advanceTimersByTimeAsync(9000)
      enter(who)
      await settle()
      await end(who, 400)
    }
  }
  // The attacker's clock is lower than that of the honest customer, because it starts at the clock of the last flow.
  await delay('Ana', 8)
  await delay('attacker', 20)
  await delay('Ana', 6)
  await serveLuis()
  begun.length = 0

  times(3, () => enter('attacker'))
  times(3, () => enter('Ana'))
  for (let waited = 0; waited < 30_000; waited += 500) {
    await vi.advanceTimersByTimeAsync(450)
    await serveLuis()
    for (const who of ['Ana', 'attacker']) await end(who, 100)
  }

  expect(begun.filter((who) => who !== 'Luis').slice(0, 3)).toEqual(['Ana', 'Ana', 'Ana'])
})
