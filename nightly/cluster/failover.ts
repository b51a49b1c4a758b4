/**
 * The bank test through everything that several machines have (nightly/cluster/machines.ts): one server is killed, the other asked
 * to end, and the primary killed while its replica is deaf. Nothing acknowledged is lost, people are served within five
 * seconds, every socket comes back, and a browser's whole story works on what is left.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findBrowser } from '#tools/set-up/browser.mjs'
import { runBankIn } from '#nightly/bank/bank.ts'
import { type Metric, known, none } from '#nightly/metric.ts'
import { openMachines, machinesRefusal } from './machines.ts'
import { openWatchers } from './watchers.ts'
import { administrator } from '#testing/server.ts'

/** Of what can be killed. */
const killsCount = 3

/** Runs it; without HAProxy or PgBouncer it says why not. */
export async function runFailover(options: {
  writers: number
  watchers: number
  seed: number
  hasBrowser: boolean
}): Promise<Metric[]> {
  const refusal = machinesRefusal()
  if (refusal !== null) return [known('not run', refusal)]
  const { writers, seed, hasBrowser } = options
  const watched: Metric[] = []
  const machines = await openMachines({
    beforeEnd: async () => {
      watched.push(...(await watchers.check()))
      await watchers.close()
    },
  })
  let watchers = { check: async (): Promise<Metric[]> => [], close: async () => undefined as void }
  try {
    await machines.startServers()
    watchers = await openWatchers(machines.server, options.watchers)
    const { target } = machines
    const bank = await runBankIn(machines, { target, writers, kills: killsCount, signal: 'SIGKILL', seed })
    return [...bank, ...watched, ...(hasBrowser ? [await tellStory(machines)] : [])]
  } finally {
    await machines.close()
  }
}

/** The browser's main story, at the proxy, on servers that ask for a confirmed e-mail as a bank's do. */
async function tellStory(machines: Awaited<ReturnType<typeof openMachines>>): Promise<Metric> {
  await machines.startServers({ AUTH_AUTOCONFIRM: 'false' })
  const executablePath = await findBrowser()
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
