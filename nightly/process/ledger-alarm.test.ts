/**
 * The verification of the ledger as an operator meets it. Which of two servers checks:
 * tests/database/verify.test.ts.
 */
import { spawnSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { type Cluster, startCluster } from '#testing/cluster.ts'
import { askPsql } from '#tests/process/psql.ts'
import { emptyDirectory, migratedDirectory, startProgram, untilReady } from '#tests/process/server-program.ts'

const checkWaitMs = 30_000
/** Servers look every ten seconds at what another one found. */
const lookWaitMs = 60_000

test('the operator verifies the ledger of a server that runs', async () => {
  const environment = { DATA_DIR: await migratedDirectory() }
  const server = await startProgram(environment)
  await untilReady(server)

  const { status, stdout, stderr } = verifyLedger(environment)

  // The one account is the first administrator's.
  expect(stderr).toContain('Libro verificado: 0 asientos; 0 clientes, 1 administrador; ')
  expect(JSON.parse(stdout)).toMatchObject({ entries: 0, customers: 0, administrators: 1, broken: null })
  expect(status).toBe(0)
})

// Only on PostgreSQL can another connection tamper with the database while the server serves.
describe.skipIf(findPostgresBinaries() === undefined)('the daily check of the ledger', () => {
  test('a ledger that was tampered with is one alarm in the log and a word in /ready, and the bank goes on', async () => {
    const cluster = await startCluster({ isDurable: false })
    onTestFinished(() => cluster.stop())
    const environment = {
      DATA_DIR: await emptyDirectory(),
      DATABASE_URL: cluster.ownerUrl,
      LOG_LEVEL: 'info',
    }
    const intact = await startProgram(environment)
    await untilReady(intact)
    await expect.poll(intact.output, { timeout: checkWaitMs }).toContain('the ledger verifies')
    expect(await readiness(intact.url)).toEqual({ code: 200, status: 'ok' })
    intact.process.kill('SIGTERM')
    expect(await intact.ended).toBe(0)

    await tamper(cluster)
    await letADayPass(cluster)
    const broken = await startProgram(environment)
    await untilReady(broken)

    await expect
      .poll(() => readiness(broken.url), { timeout: checkWaitMs })
      .toEqual({
        code: 200,
        status: 'degraded',
      })
    const alarms = () => broken.output().match(/^.*ALARM.*$/gm) ?? []
    await expect.poll(alarms).toHaveLength(1)
    const alarm = JSON.parse(alarms()[0] ?? '') as { customerId: string }
    expect(alarm).toMatchObject({ level: 50, fault: 'balance', seq: null })
    const { status, stderr } = verifyLedger(environment)
    expect(status).toBe(1)
    expect(stderr).toContain(`NO ES CORRECTO en el cliente ${alarm.customerId}`)
  })

  test('of two servers one checks, both say what it found, and when it dies the other takes over', async () => {
    const cluster = await startCluster({ isDurable: false })
    onTestFinished(() => cluster.stop())
    const start = async () => {
      const server = await startProgram({
        DATA_DIR: await emptyDirectory(),
        DATABASE_URL: cluster.ownerUrl,
        JWT_SECRET: 'a secret that both servers of this test share',
        LOG_LEVEL: 'info',
      })
      await untilReady(server)
      return server
    }
    const servers = [await start(), await start()]
    // Each says it in its log as well, which may come later than the answer of /ready.
    const checks = () =>
      servers.map(({ output }) => output().match(/the ledger (?:verifies|does not verify)/g)?.length ?? 0)
    const readinesses = () => Promise.all(servers.map(({ url }) => readiness(url)))

    await expect.poll(() => Math.max(...checks()), { timeout: checkWaitMs }).toBe(1)
    await tamper(cluster)
    await letADayPass(cluster)
    const degraded = { code: 200, status: 'degraded' }
    await expect.poll(readinesses, { timeout: lookWaitMs }).toEqual([degraded, degraded])
    await expect.poll(() => checks().reduce((sum, count) => sum + count)).toBe(2)

    // A lease without a heartbeat for two minutes has expired.
    await asOwner(
      cluster,
      `update ledger.daily_check set holder = gen_random_uuid(), held_until = now() - interval '1 s'`,
    )
    await asOwner(cluster, 'update public.budgets set balance = balance - 0.01')
    await letADayPass(cluster)
    const sound = { code: 200, status: 'ok' }
    await expect.poll(readinesses, { timeout: lookWaitMs }).toEqual([sound, sound])
    await expect.poll(() => checks().reduce((sum, count) => sum + count)).toBe(3)
  }, 240_000)
})

/** `npm run verify-ledger -- --json`, without npm's own words. */
function verifyLedger(environment: Record<string, string>) {
  return spawnSync(process.execPath, ['server/operator/commands/verify-ledger.ts', '--json'], {
    env: { PATH: process.env['PATH'], ...environment },
    encoding: 'utf8',
  })
}

async function readiness(url: string) {
  const answer = await fetch(`${url}/ready`)
  return { code: answer.status, ...((await answer.json()) as { status: string }) }
}

/** Adds a cent to each balance, past every trigger. */
function tamper(cluster: Cluster) {
  return asOwner(cluster, 'update public.budgets set balance = balance + 0.01')
}

/** Servers that start one after the other check once, and then once a day. */
function letADayPass(cluster: Cluster) {
  return asOwner(cluster, "update ledger.daily_check set ended_at = ended_at - interval '1 day'")
}

function asOwner(cluster: Cluster, statement: string) {
  return askPsql(cluster, cluster.ownerUrl, statement)
}
