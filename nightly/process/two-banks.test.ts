/** Two banks in one cluster of PostgreSQL, a server with another secret, and a login that the database refuses. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { servingLoginOf, servingUrlOf } from '#testing/cluster.ts'
import { anonKeyOf } from '#tests/process/client.ts'
import { askPsql } from '#tests/process/psql.ts'
import {
  clusterOfFile,
  type Program,
  emptyDirectory,
  startProgram,
  untilReady,
} from '#tests/process/server-program.ts'

const hasPostgres = findPostgresBinaries() !== undefined
const cluster = clusterOfFile()

const asSuperuser = (statement: string) => askPsql(cluster(), cluster().url, statement)

async function start(environment: Record<string, string>): Promise<Program> {
  return startProgram({ DATA_DIR: await emptyDirectory(), JWT_SECRET: randomUUID(), ...environment })
}

async function ready(environment: Record<string, string>): Promise<Program> {
  const program = await start(environment)
  await untilReady(program)
  return program
}

const readyOf = async ({ url }: Program) => (await fetch(`${url}/ready`)).status

/** Has several connections work at the same time. */
async function keepBusy(program: Program): Promise<void> {
  const headers = { apikey: await anonKeyOf(program) }
  const asked = Array.from({ length: 40 }, () => fetch(`${program.url}/rest/v1/budgets`, { headers }))
  for (const answer of await Promise.all(asked)) await answer.arrayBuffer()
}

/** As a failover does, and a restart of the database. */
async function endConnectionsOf(url: string): Promise<void> {
  const { name } = servingLoginOf(url)
  await asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${name}'`)
}

// The embedded engine has no cluster to share.
describe.skipIf(!hasPostgres)('on one cluster', () => {
  test('two banks start at once, lose their connections, are restarted, and go on; neither’s login may connect to the other', async () => {
    const names = [`one_${randomUUID().slice(0, 8)}`, `b${'x'.repeat(62)}`]
    const urls = await Promise.all(names.map((name) => cluster().createDatabase(name)))
    const secrets = urls.map(() => randomUUID())
    const startBoth = () =>
      Promise.all(urls.map((url, bank) => ready({ DATABASE_URL: url, JWT_SECRET: secrets[bank] ?? '' })))
    const first = await startBoth()

    for (const program of first) {
      program.process.kill('SIGTERM')
      await program.ended
    }
    const second = await startBoth()
    await asSuperuser(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename like 'authenticator%'",
    )

    for (const program of second) await expect.poll(() => readyOf(program)).toBe(200)
    const rights = await asSuperuser(`
      select r.rolname like 'authenticator_one%' as is_first, d.datname
      from pg_roles r, pg_database d
      where r.rolname like 'authenticator%' and d.datname in ('${names.join("', '")}')
        and has_database_privilege(r.rolname, d.datname, 'connect')
      order by 1`)
    expect(rights).toEqual([`f|${names[1]}`, `t|${names[0]}`])
  }, 60_000)

  test('a server with another secret does not start, and the bank’s own goes on', async () => {
    const url = await cluster().createDatabase(`secret_${randomUUID().slice(0, 8)}`)
    const program = await ready({ DATABASE_URL: url })

    const other = await start({ DATABASE_URL: url })

    expect(await other.ended).toBe(1)
    expect(other.output()).toContain('JWT_SECRET no es el de este banco.')
    await endConnectionsOf(url)
    await expect.poll(() => readyOf(program)).toBe(200)
    expect(await askPsql(cluster(), url, 'select count(*) from auth.data_keys')).toEqual(['1'])
  }, 60_000)

  test('a password that was changed by hand is set again once nobody uses it', async () => {
    const url = await cluster().createDatabase(`changed_${randomUUID().slice(0, 8)}`)
    const program = await ready({ DATABASE_URL: url })
    await asSuperuser(`alter role ${servingLoginOf(url).name} password 'other'`)

    await endConnectionsOf(url)

    await expect.poll(() => readyOf(program), { timeout: 10_000 }).toBe(200)
    expect(program.output()).toContain('"outcome":"password set"')
  }, 60_000)

  test('a password that was changed by hand is set again while this bank’s servers still have connections', async () => {
    const url = await cluster().createDatabase(`quietly_${randomUUID().slice(0, 8)}`)
    const { name } = servingLoginOf(url)
    const secret = randomUUID()
    const programs = [
      await ready({ DATABASE_URL: url, JWT_SECRET: secret }),
      await ready({ DATABASE_URL: url, JWT_SECRET: secret }),
    ]
    await asSuperuser(`alter role ${name} password 'other'`)

    // More at once than there are connections: the pool asks for another one.
    await expect
      .poll(
        async () => {
          await Promise.all(programs.map(keepBusy))
          return programs.some((program) => program.output().includes('"outcome":"password set"'))
        },
        { timeout: 10_000 },
      )
      .toBe(true)
    await endConnectionsOf(url)
    for (const program of programs) await expect.poll(() => readyOf(program)).toBe(200)
  }, 60_000)

  test('a login that was dropped is made again', async () => {
    const url = await cluster().createDatabase(`dropped_${randomUUID().slice(0, 8)}`)
    const program = await ready({ DATABASE_URL: url })
    const { name } = servingLoginOf(url)
    const superuserThere = Object.assign(new URL(cluster().url), { pathname: new URL(url).pathname }).href
    await asSuperuser(`alter role ${name} nologin`)
    await endConnectionsOf(url)
    await askPsql(cluster(), superuserThere, `drop owned by ${name}; drop role ${name}`)

    await expect.poll(() => readyOf(program), { timeout: 45_000 }).toBe(200)
  }, 60_000)

  test('a login that others use with another password is theirs: the server says so, and so does the next one', async () => {
    const url = await cluster().createDatabase(`taken_${randomUUID().slice(0, 8)}`)
    const secret = randomUUID()
    const program = await ready({ DATABASE_URL: url, JWT_SECRET: secret })
    const theirs = servingUrlOf(url)
    await endConnectionsOf(url)
    await asSuperuser(`alter role ${servingLoginOf(url).name} password '${new URL(theirs).password}'`)
    const others = askPsql(cluster(), theirs, 'select pg_sleep(60)').catch(() => [])
    await expect
      .poll(() =>
        asSuperuser(
          `select count(*) > 0 from pg_stat_activity where usename = '${servingLoginOf(url).name}' and wait_event = 'PgSleep'`,
        ),
      )
      .toEqual(['t'])
    await asSuperuser(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'finanzas %' and datname = '${new URL(url).pathname.slice(1)}'`,
    )

    await expect.poll(() => readyOf(program), { timeout: 10_000 }).toBe(503)
    await expect
      .poll(() => program.output())
      .toContain('ALARM: the database refuses the login of this server')
    expect(program.output()).toContain('"outcome":"others have another password"')
    const next = await start({ DATABASE_URL: url, JWT_SECRET: secret })
    expect(await next.ended).toBe(1)
    expect(next.output()).toContain('otros servidores están conectados con otra')
    await endConnectionsOf(url)
    await others
  }, 60_000)
})
