// The periodic work of the bank (private.jobs): which server takes a turn, when the next one begins, and what a failure
// leaves behind. The tests of each subject cover what a turn does.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { type Job, type Turn, runJobs } from '#server/jobs/run-jobs.ts'
import { bankJobs } from '#server/jobs/jobs.ts'
import { checkDaily } from '#server/jobs/daily-check.ts'
import { randomUUID } from 'node:crypto'
import { useBank } from './database.ts'

/** Two jobs for the tests: the database counts portions of the first one, and a server leases the second one. */
const bank = useBank(({ owner }) =>
  owner.script(`
    create table private.portions (id integer generated always as identity, is_full boolean not null);
    create function private.count_portion() returns boolean language sql as $$
      insert into private.portions (is_full) select count(*) < 2 from private.portions returning is_full
    $$;
    insert into private.jobs (name, every, call, full_at, is_exclusive, lease) values
      ('counted', interval '1 hour', 'private.count_portion()', 1, true, null),
      ('broken', interval '1 hour', '1 / 0', 1, true, null),
      ('leased', interval '1 hour', null, null, true, interval '1 minute');
  `),
)

const running: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const jobs of running.splice(0)) await jobs.close()
})
beforeEach(async () => {
  await bank.owner.query(sql`delete from private.portions`)
  await bank.owner.query(sql`
    update private.jobs set next_at = now(), ended_at = null, leased_by = null, leased_until = null`)
})

/** Carries out the jobs as a server, and collects the errors that it logs. */
function serve(...jobs: readonly Pick<Job, 'name' | 'run'>[]) {
  const failures: unknown[] = []
  const served = runJobs(
    bank.database,
    jobs.map((job) => ({ ...job, failure: 'failed' })),
    (error) => failures.push(error),
  )
  running.push(served)
  return { ...served, failures }
}
const portions = async () => (await bank.owner.query(sql`select from private.portions`)).length
const ask = async (job: string) => {
  const [row] = await bank.owner.query(sql<{ pause: number }>`select private.run_job(${job}) as pause`)
  return row?.pause
}
const lease = async (server: string) => {
  const [row] = await bank.owner.query(sql<{ is_ours: boolean; wait_seconds: number }>`
    select is_ours, wait_seconds from private.lease_job('leased', ${server})`)
  return row
}
const release = async (server: string, isDone: boolean) => {
  const [row] = await bank.owner.query(
    sql<{ pause: number }>`select private.release_job('leased', ${server}, ${isDone}) as pause`,
  )
  return row?.pause
}
const letPass = (interval: string) =>
  bank.owner.query(sql`
    update private.jobs set next_at = next_at - ${interval}::interval, leased_until = leased_until - ${interval}::interval`)

test('the database and the server know the same jobs', async () => {
  const known = await bank.owner.query(sql<{ name: string; is_called: boolean }>`
    select name, call is not null as is_called from private.jobs where name not in ('counted', 'broken', 'leased')`)
  const check = checkDaily(bank.database, { onBroken() {}, onVerified() {}, onFailure() {} })
  running.push(check)

  const services = { database: bank.database, ledgerCheck: check } as Parameters<typeof bankJobs>[0]

  const served = bankJobs(services)

  expect(served.map(({ name, run }) => ({ name, is_called: run === undefined })).toSorted(byName)).toEqual(
    known.toSorted(byName),
  )
})
const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)

describe('a job that the database carries out', () => {
  test('its portions follow each other until one is not full, and the next turn begins after the pause', async () => {
    expect(await ask('counted')).toBe(0)
    expect(await ask('counted')).toBe(0)
    expect(await ask('counted')).toBe(3600)

    expect(await ask('counted')).toBeGreaterThan(3500)
    expect(await portions()).toBe(3)
    await letPass('1 hour')
    await ask('counted')
    expect(await portions()).toBe(4)
  })

  test('two servers share its turns', async () => {
    serve({ name: 'counted' })
    serve({ name: 'counted' })

    await expect.poll(portions).toBe(3)
    for (const jobs of running.splice(0)) await jobs.close()
    expect(await portions()).toBe(3)
  })

  test('a failure is logged once, stays due and does not stop other jobs', async () => {
    const { failures, wake } = serve({ name: 'broken' }, { name: 'counted' })

    await expect.poll(() => failures).toMatchObject([{ sqlState: '22012' }])
    await expect.poll(portions).toBe(3)
    wake('broken')
    await running[0]?.close()

    expect(failures).toHaveLength(1)
    await expect(ask('broken')).rejects.toMatchObject({ sqlState: '22012' })
  })
})

describe('a job that a server carries out', () => {
  const one = randomUUID()
  const other = randomUUID()

  test('only one of two servers that ask at the same moment gets the turn', async () => {
    const answers = await Promise.all([lease(one), lease(other)])

    expect(answers.filter((answer) => answer?.is_ours)).toHaveLength(1)
  })

  test('another server may begin only when the pause after the turn has passed', async () => {
    await lease(one)
    expect(await release(one, true)).toBe(3600)

    expect(await lease(other)).toMatchObject({ is_ours: false })
    await letPass('1 hour')
    expect(await lease(other)).toMatchObject({ is_ours: true })
  })

  test('a turn that was not done stays due', async () => {
    await lease(one)
    expect(await release(one, false)).toBe(0)

    expect(await lease(other)).toMatchObject({ is_ours: true })
  })

  test('a lease ends if its server stops renewing it, and that server can no longer end the turn', async () => {
    await lease(one)
    await letPass('1 minute')
    expect(await lease(other)).toMatchObject({ is_ours: true })

    await release(one, true)

    expect(await lease(other)).toMatchObject({ is_ours: true })
    expect(await lease(one)).toMatchObject({ is_ours: false })
  })

  test('a server renews its lease, and a server that lost it is stopped', async () => {
    const turns: Turn[] = []
    const { failures } = serve({
      name: 'leased',
      async run(turn) {
        turns.push(turn)
        await turn.renew()
        await letPass('1 minute')
        await lease(other)
        await turn.renew()
      },
    })

    await expect.poll(() => turns[0]?.signal.aborted).toBe(true)
    await running[0]?.close()
    expect(failures).toEqual([])
    expect(await lease(other)).toMatchObject({ is_ours: true })
  })

  test('a turn that fails is logged, and the next one begins after the pause', async () => {
    const { failures } = serve({ name: 'leased', run: () => Promise.reject(new Error('no route')) })

    await expect.poll(() => failures).toEqual([new Error('no route')])
    await running[0]?.close()
    expect(await lease(other)).toMatchObject({ is_ours: false })
  })

  test('a server that shuts down leaves the turn to another one', async () => {
    let hasBegun = false
    const { failures, close } = serve({
      name: 'leased',
      run: ({ signal }) =>
        new Promise((_resolve, reject) => {
          hasBegun = true
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    })
    await expect.poll(() => hasBegun).toBe(true)

    await close()

    expect(failures).toEqual([])
    expect(await lease(other)).toMatchObject({ is_ours: true })
  })

  test('a starting server may shorten the pause, but only once', async () => {
    await lease(one)
    await release(one, true)
    const hasten = () => bank.owner.query(sql`select private.hasten_job('leased', interval '10 minutes')`)

    await hasten()
    await hasten()

    expect(await lease(other)).toMatchObject({ is_ours: false })
    await letPass('10 minutes')
    expect(await lease(other)).toMatchObject({ is_ours: true })
  })
})
