/**
 * The bank test on several machines (machines.ts). The test kills one server, stops the other, and kills the primary
 * while its replica receives no data. Every acknowledged write must survive, customers must get answers within five
 * seconds, and every socket must reconnect. The browser test of a customer's main steps must then pass on the remaining
 * machines.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { type Person, signUp } from '#testing/people.ts'
import { type Metric, atMost, counted, metricWithoutThreshold, none } from '#testing/report.ts'
import { leaseSeconds } from '#testing/patroni.ts'
import { administrator } from '#testing/server.ts'
import { findTestBrowser } from '#tools/set-up/browser.mjs'
import { runBankIn } from '#nightly/bank/bank.ts'
import { type FailoverBy, type Machines, machinesRefusal, openMachines } from './machines.ts'

/** Number of processes that the test kills or stops. */
const killsCount = 3
/**
 * Maximum time in which a page must rejoin its realtime channel (security.md RT-06). The client pauses for 1, 2, 5 and
 * 10 s between its attempts to reconnect, and the join itself takes some time. A join reads the database, so that it also
 * waits for the end of the primary's lease.
 */
const rejoinMaxMs = { 'a stub': 12_000, Patroni: 12_000 + leaseSeconds * 1000 } as const
const arrivalMaxMs = 5000
const connectionWaitMs = 30_000

/** Runs the failover test. Without HAProxy, PgBouncer or Patroni, only reports why the test cannot run. */
export async function runFailover(options: {
  writers: number
  watchers: number
  seed: number
  by: FailoverBy
}): Promise<Metric[]> {
  const { writers, seed, by } = options
  const refusal = machinesRefusal(by)
  if (refusal !== null) return [metricWithoutThreshold('not run', refusal)]
  const watched: Metric[] = []
  const watchers: Watcher[] = []
  const machines = await openMachines({
    by,
    beforeEnd: async () => {
      watched.push(...(await checkWatchers(watchers, by)))
      for (const { person } of watchers) await person.client.removeAllChannels()
    },
  })
  try {
    await machines.startServers()
    while (watchers.length < options.watchers) watchers.push(watch(await signUp(machines.server)))
    await until(() => watchers.every(({ isJoined }) => isJoined), connectionWaitMs)
    const { target } = machines
    const bank = await runBankIn(machines, { target, writers, kills: killsCount, signal: 'SIGKILL', seed })
    return [...bank, ...watched, await tellStory(machines)]
  } finally {
    await machines.close()
  }
}

/**
 * Runs the browser test of a customer's main steps through the proxy. The servers behind the proxy require a confirmed
 * e-mail address, as a real bank does.
 */
async function tellStory(machines: Machines): Promise<Metric> {
  await machines.startServers({ AUTH_AUTOCONFIRM: 'false' })
  const executablePath = await findTestBrowser()
  const story = spawn(
    process.execPath,
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '-c',
      'tests/e2e/playwright.config.ts',
      'tests/e2e/main-job.test.ts',
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...(executablePath === undefined ? {} : { CHROMIUM_PATH: executablePath }),
        E2E_SERVER: 'running',
        E2E_PORT: new URL(machines.server.url).port,
        E2E_DATA_DIR: machines.directory,
        E2E_ADMIN_PASSWORD: administrator.password,
      },
    },
  )
  const [code] = (await once(story, 'exit')) as [number | null]
  return none('steps of the browser story that failed after the failover', code === 0 ? 0 : 1)
}

/** A customer whose open page listens for changes of the customer's monthly limit while the test kills machines. */
type Watcher = {
  person: Person
  heard: Set<number>
  isJoined: boolean
  lostAt: number
  rejoinedMs: number[]
}

function watch(person: Person): Watcher {
  const watcher: Watcher = { person, heard: new Set(), isJoined: false, lostAt: 0, rejoinedMs: [] }
  person.client
    .channel('own')
    .on(
      'postgres_changes',
      { event: 'UPDATE', schema: 'public', table: 'budgets', filter: `user_id=eq.${person.id}` },
      ({ new: row }) => watcher.heard.add((row as { monthly_limit: number }).monthly_limit),
    )
    .subscribe((state) => {
      const isJoined = state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED
      if (isJoined && !watcher.isJoined && watcher.lostAt > 0)
        watcher.rejoinedMs.push(performance.now() - watcher.lostAt)
      if (!isJoined && watcher.isJoined) watcher.lostAt = performance.now()
      watcher.isJoined = isJoined
    })
  return watcher
}

/** Waits until all pages are connected again, and then lets each customer make a change. */
async function checkWatchers(watchers: readonly Watcher[], by: FailoverBy): Promise<Metric[]> {
  await until(() => watchers.every(({ isJoined }) => isJoined), connectionWaitMs)
  const back = watchers.filter(({ isJoined }) => isJoined)
  const missed = await Promise.all(back.map((watcher) => isDeaf(watcher)))
  const rejoinedMs = watchers.flatMap((watcher) => watcher.rejoinedMs)
  return [
    counted('sockets that were open at the end', back.length, watchers.length),
    counted('times that a socket was lost and joined again', rejoinedMs.length, watchers.length),
    atMost('joining again, longest', Math.max(0, ...rejoinedMs) / 1000, rejoinMaxMs[by] / 1000, 's'),
    none('sockets that did not receive their own next change', missed.filter(Boolean)),
  ]
}

/**
 * Changes the customer's monthly limit and returns whether the page missed the change. The change adds no posting to
 * the ledger.
 */
async function isDeaf({ person: { client, id }, heard }: Watcher): Promise<boolean> {
  const limit = 1 + Math.floor(Math.random() * 1_000_000)
  await client.from('budgets').update({ monthly_limit: limit }).eq('user_id', id)
  await until(() => heard.has(limit), arrivalMaxMs)
  return !heard.has(limit)
}

async function until(isSo: () => boolean, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  while (!isSo() && performance.now() < deadline) await pause(20)
}
