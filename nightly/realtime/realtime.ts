/**
 * Measures the realtime surface with many open sockets: the time from the acknowledgement of a change to its arrival
 * at the client, and the memory of an idle socket. A client must receive each change of its own customer and no
 * change of another customer.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Metric, atMost, counted, metricWithoutThreshold, none } from '#testing/report.ts'
import { type Engine, startBankServer } from '#nightly/fixtures/servers.ts'
import type { TestServer } from '#testing/server.ts'
import { quantile } from '#testing/statistics.ts'
import { type Listener, openListeners } from './listeners.ts'
import { type Caller, type Wire, wireOf } from '#nightly/fixtures/wire.ts'

/** Number of sockets that one person may have. */
const socketsEach = 10
/** Threshold for the 95th percentile of the time from the acknowledgement of a change to its arrival. */
const arrivalP95Ms = 20
/** If no event has arrived for this time, the test stops waiting for events. */
const settleMs = 30_000
/** Pause before a refused request is repeated. The server asks for this pause in `Retry-After`. */
const retryMs = 2000
const attemptsMax = 10

/** Starts a server, signs up the given number of people, and calls `work`. Closes the server even if `work` fails. */
async function withPeople(
  engine: Engine,
  count: number,
  work: (server: TestServer, people: readonly Caller[], wire: Wire) => Promise<Metric[]>,
): Promise<Metric[]> {
  const { server, close } = await startBankServer(engine)
  try {
    const wire = await wireOf(server)
    const people: Caller[] = []
    while (people.length < count) {
      const some = Math.min(8, count - people.length)
      const joining = Array.from({ length: some }, () => wire.signUp(`cliente-${randomUUID()}@banco.example`))
      people.push(...(await Promise.all(joining)))
    }
    return await work(server, people, wire)
  } finally {
    await close()
  }
}

/**
 * Measures the time from the acknowledgement of a write until the last of the writer's sockets has received the event.
 * `unfiltered` is the number of people who listen without a filter. For each change, the server must ask the database
 * which of these people are allowed to see the row.
 */
export function runArrival(options: {
  readonly engine: Engine
  readonly sockets: number
  readonly unfiltered: number
  readonly changes: number
  readonly perSecond: number
}): Promise<Metric[]> {
  const { engine, sockets, unfiltered, changes, perSecond } = options
  // One socket of each person is reserved for a subscription without a filter.
  const ownEach = unfiltered > 0 ? socketsEach - 1 : socketsEach
  const people = Math.max(Math.ceil(sockets / ownEach), unfiltered)
  return withPeople(engine, people, async (server, callers, wire) => {
    const own = callers.flatMap((caller) =>
      Array.from({ length: ownEach }, () => ({ caller, filters: [`user_id=eq.${caller.id}`] })),
    )
    const unfilteredListeners = callers.slice(0, unfiltered).map((caller) => ({ caller, filters: [null] }))
    const wanted = [...unfilteredListeners, ...own].slice(0, sockets)
    const last = new Map<string, number>()
    const listeners = await openListeners(server, wanted, ({ id, atMs }) => last.set(id, atMs))

    /** Time at which each write was acknowledged, keyed by the row's id. */
    const acknowledged = new Map<string, number>()
    const writing: Promise<void>[] = []
    for (let change = 0; change < changes; change += 1) {
      const by = callers[change % callers.length]
      if (by !== undefined) writing.push(write(wire, by, acknowledged))
      await setTimeout(1000 / perSecond)
    }
    await Promise.all(writing)
    await until(
      () => [...acknowledged.keys()].every((id) => last.has(id)),
      () => last.size,
    )
    await setTimeout(200)
    for (const listener of listeners) listener.close()

    const delays = [...acknowledged].flatMap(([id, ackMs]) => {
      const atMs = last.get(id)
      return atMs === undefined ? [] : [Math.max(0, atMs - ackMs)]
    })
    const label = `${engine}, ${wanted.length} sockets${unfiltered > 0 ? `, ${unfiltered} without a filter` : ''}, ${perSecond}/s`
    return [
      counted(`${label}: changes that arrived`, delays.length, changes),
      metricWithoutThreshold(
        `${label}: commit → event p50 / p99`,
        `${at(delays, 0.5)} / ${at(delays, 0.99)} ms`,
      ),
      atMost(`${label}: commit → event p95`, quantile(delays, 0.95), arrivalP95Ms, 'ms'),
    ]
  })
}

async function write(wire: Wire, by: Caller, acknowledged: Map<string, number>): Promise<void> {
  const id = randomUUID()
  const answer = await wire.expense(by, { customerId: by.id, label: id, amount: '1.00' }, id)
  if (answer?.status !== 201) throw new Error(`An expense was not recorded: ${JSON.stringify(answer)}`)
  acknowledged.set(id, performance.now())
}

/** Inserts the rows. Like a client, repeats the request while the server is overloaded. */
async function record(wire: Wire, by: Caller, rows: readonly object[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await wire.rest(by, 'transactions', rows)
    // A 409 means that an earlier attempt recorded the rows although its answer was lost.
    if (answer?.status === 201 || (answer?.status === 409 && attempt > 1)) return
    if ((answer !== null && answer.status !== 503) || attempt === attemptsMax)
      throw new Error(`Rows were not recorded: ${JSON.stringify(answer)}`)
    await setTimeout(retryMs)
  }
}

/**
 * Every customer listens on two sockets, as if in two tabs. Some subscriptions have no filter, and others have filters
 * that match other customers' rows. Meanwhile up to eight of the customers record transactions. Each socket must
 * receive every message about its customer's rows and no other message.
 */
export function runHostile(options: {
  readonly engine: Engine
  readonly people: number
  readonly changes: number
}): Promise<Metric[]> {
  const rowsEach = 25
  return withPeople(options.engine, options.people, async (server, callers, wire) => {
    const hostileOf = (caller: Caller, index: number) => {
      const victim = callers[(index + 1) % callers.length]?.id ?? ''
      return [
        { caller, filters: [null, `user_id=eq.${victim}`] },
        {
          caller,
          filters: [`user_id=neq.${caller.id}`, `user_id=in.(${victim},${caller.id})`, 'amount=gt.0'],
        },
      ]
    }
    const listeners = await openListeners(server, callers.flatMap(hostileOf))
    const written = new Map<string, number>()
    let left = options.changes
    const writer = async (by: Caller) => {
      while (left > 0) {
        const count = Math.min(rowsEach, left)
        left -= count
        const rows = Array.from({ length: count }, () => ({
          id: randomUUID(),
          user_id: by.id,
          type: 'expense',
          description: 'Café',
          amount: '1.00',
          category: 'Comida',
        }))
        await record(wire, by, rows)
        written.set(by.id, (written.get(by.id) ?? 0) + count)
      }
    }
    await Promise.all(callers.slice(0, 8).map(writer))
    const isComplete = ({ caller, heard }: Listener) =>
      new Set(heard.map(({ id }) => id)).size >= (written.get(caller.id) ?? 0)
    await until(
      () => listeners.every(isComplete),
      () => listeners.reduce((sum, { heard }) => sum + heard.length, 0),
    )
    for (const listener of listeners) listener.close()

    const foreign = listeners.flatMap(({ caller, heard }) => heard.filter(({ owner }) => owner !== caller.id))
    const total = [...written.values()].reduce((sum, count) => sum + count, 0)
    return [
      counted(`${options.engine}: changes written under hostile subscriptions`, total, options.changes),
      none(`${options.engine}: messages about other customers' rows`, foreign),
      none(
        `${options.engine}: sockets that missed one of their own`,
        listeners.filter((each) => !isComplete(each)),
      ),
    ]
  })
}

/** Measures how much memory the server uses for each socket that has joined and is idle. */
export function runIdle({ sockets }: { readonly sockets: number }): Promise<Metric[]> {
  return withPeople('embedded', Math.ceil(sockets / socketsEach), async (server, callers) => {
    const wanted = callers
      .flatMap((caller) =>
        Array.from({ length: socketsEach }, () => ({ caller, filters: [`user_id=eq.${caller.id}`] })),
      )
      .slice(0, sockets)
    const before = (await server.memoryMb()).now
    const listeners = await openListeners(server, wanted)
    await setTimeout(2000)
    const after = (await server.memoryMb()).now
    for (const listener of listeners) listener.close()
    return [
      counted('idle sockets, joined', listeners.length, sockets),
      metricWithoutThreshold(
        `memory of the server before / with ${sockets} sockets`,
        `${before.toFixed(0)} / ${after.toFixed(0)} MB`,
      ),
      // security.md RT-05 allows less than 50 MB for 1,000 sockets.
      atMost('memory for 1,000 idle sockets', (after - before) / (sockets / 1000), 50, 'MB'),
    ]
  })
}

/** Waits until the condition is true or until `progress` has not changed for `settleMs`. */
async function until(isSo: () => boolean, progress: () => number): Promise<void> {
  let [last, deadline] = [progress(), Date.now() + settleMs]
  while (!isSo() && Date.now() < deadline) {
    await setTimeout(20)
    if (progress() !== last) [last, deadline] = [progress(), Date.now() + settleMs]
  }
}

const at = (values: readonly number[], share: number) => quantile(values, share).toFixed(1)
