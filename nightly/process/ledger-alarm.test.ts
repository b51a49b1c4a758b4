/**
 * Tests how an operator starts the verification of the ledger and sees its result. The file
 * tests/database/verify.test.ts tests which server runs the verification, and which server continues when the first
 * server fails.
 */
import { describe, expect, test } from 'vitest'
import { askPsql } from '#testing/cluster-databases.ts'
import {
  clusterOfFile,
  hasPostgres,
  migratedDirectory,
  runCommand,
  startOn,
  startReady,
} from '#tests/process/programs.ts'

/**
 * Time limit for a result to arrive. Each server asks once a minute whether a verification is due, and reads every ten
 * seconds the result that another server stored.
 */
const lookWait = { timeout: 120_000 }
const cluster = clusterOfFile()

test('the operator can verify the ledger of a running server', async () => {
  const variables = { DATA_DIR: await migratedDirectory() }
  await startReady(variables)

  const { code, stdout, stderr } = await runCommand('verify-ledger', ['--json'], variables)

  // The bank has only one account, which belongs to its first administrator.
  expect(stderr).toContain('Libro verificado: 0 asientos; 0 clientes, 1 administrador; ')
  expect(JSON.parse(stdout)).toMatchObject({ entries: 0, customers: 0, administrators: 1, broken: null })
  expect(code).toBe(0)
})

// Only on PostgreSQL can another connection tamper with the database while the server is running.
describe.skipIf(!hasPostgres)('the daily check of the ledger', () => {
  test('one of two servers logs the alarm about a tampered ledger, and both servers report it in /ready', async () => {
    const variables = { DATABASE_URL: cluster().ownerUrl, LOG_LEVEL: 'info' }
    const servers = [await startOn(variables), await startOn(variables)]
    // Each server also logs the result, but perhaps only after its answer to `/ready`.
    const counted = (pattern: RegExp) =>
      servers.map(({ output }) => output().match(pattern)?.length ?? 0).reduce((sum, count) => sum + count)
    const checks = () => counted(/the ledger (?:verifies|does not verify)/g)
    const readinesses = () =>
      Promise.all(
        servers.map(async ({ url }) => {
          const answer = await fetch(`${url}/ready`)
          return { code: answer.status, ...((await answer.json()) as { status: string }) }
        }),
      )
    const asOwner = (statement: string) => askPsql(cluster(), cluster().ownerUrl, statement)
    // Changes every balance without adding an entry to the journal.
    const addCents = (cents: number) =>
      asOwner(`update public.budgets set balance = balance + ${cents / 100}`)
    const letADayPass = () => asOwner("update private.jobs set next_at = now() where name = 'verify'")

    await expect.poll(checks, lookWait).toBe(1)
    await addCents(1)
    await letADayPass()
    const degraded = { code: 200, status: 'degraded' }
    await expect.poll(readinesses, lookWait).toEqual([degraded, degraded])
    await expect.poll(checks).toBe(2)
    expect(counted(/ALARM/g)).toBe(1)
    const alarm = JSON.parse(
      /^.*ALARM.*$/m.exec(servers.map(({ output }) => output()).join('\n'))?.[0] ?? '',
    ) as {
      customerId: string
    }
    expect(alarm).toMatchObject({ level: 50, fault: 'balance', seq: null })
    const verdict = await runCommand('verify-ledger', [], {
      DATA_DIR: servers[0]?.dataDir ?? '',
      ...variables,
    })
    expect(verdict.code).toBe(1)
    expect(verdict.stdout).toContain(`NO ES CORRECTO en el cliente ${alarm.customerId}`)

    await addCents(-1)
    await letADayPass()
    const sound = { code: 200, status: 'ok' }
    await expect.poll(readinesses, lookWait).toEqual([sound, sound])
    await expect.poll(checks).toBe(3)
  })
})
