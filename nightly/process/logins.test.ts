/**
 * Logins to PostgreSQL. If PostgreSQL refuses a server or a command, the program prints one accurate message without a
 * stack trace. The tests also cover several banks in one PostgreSQL cluster, and a serving login that an operator or
 * another server has changed or dropped.
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { servingLoginOf, servingUrlOf, askPsql, superuserUrlOf } from '#testing/cluster-databases.ts'
import { findPooler, startPooler } from '#testing/pooler.ts'
import {
  type Program,
  clusterOfFile,
  emptyDirectory,
  hasPostgres,
  runCommand,
  startProgram,
  startReady,
} from '#tests/process/programs.ts'

const cluster = clusterOfFile()
const newDatabase = () => cluster().createDatabase(`bank_${randomUUID().replaceAll('-', '_')}`)
const asSuperuser = (sql: string) => askPsql(cluster(), cluster().url, sql)
const withLogin = (url: string, username: string, password: string) =>
  Object.assign(new URL(url), { username, password }).href
const readyStatus = async ({ url }: Program) => (await fetch(`${url}/ready`)).status

/** Starts a server that must exit with code 1, and returns the only line that it prints. */
async function said(variables: Record<string, string>): Promise<string> {
  const program = await startProgram({ JWT_SECRET: randomUUID(), ...variables })
  expect(await program.ended).toBe(1)
  expect(program.output().trimEnd().split('\n')).toHaveLength(1)
  return program.output()
}

/** Terminates the connections, as a failover or a restart of the database does. */
const endConnectionsOf = (url: string) =>
  asSuperuser(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${servingLoginOf(url).name}'`,
  )

/**
 * Prepares a database and returns the addresses of its owner and of its serving login. No server runs on the database.
 */
async function preparedDatabase() {
  const owner = await newDatabase()
  const serving = servingUrlOf(owner)
  await (
    await startReady({ DATABASE_URL: serving, DATABASE_DIRECT_URL: owner, JWT_SECRET: randomUUID() })
  ).stop()
  return { owner, serving }
}

// The embedded engine has neither a login nor a network address.
describe.skipIf(!hasPostgres)('refused starts', () => {
  test.for([
    ['a wrong password', { password: 'geheim' }, /no acepta la contraseña de finanzas_owner/],
    ['no password', { password: '' }, /pide la contraseña de finanzas_owner, y la dirección no la lleva/],
    ['another database', { pathname: 'ninguna' }, /create database ninguna owner finanzas_owner;/],
    ['an unknown host', { hostname: 'ninguno.invalid' }, /No existe el servidor ninguno\.invalid/],
  ] as const)('a start with %s is refused', async ([_name, part, expected]) => {
    const sentence = await said({ DATABASE_URL: Object.assign(new URL(cluster().ownerUrl), part).href })

    expect(sentence).toMatch(expected)
    expect(sentence).not.toContain('geheim')
  })

  test('a server does not start if its login lacks BYPASSRLS or does not own the database', async () => {
    const weak = `weak_${randomUUID().slice(0, 8)}`
    await asSuperuser(`create role ${weak} login createrole password 'pw'`)
    await asSuperuser(`create database ${weak} owner ${weak}`)
    const own = withLogin(cluster().ownerUrl.replace(/[^/]+$/, weak), weak, 'pw')
    const elsewhere = withLogin(await newDatabase(), weak, 'pw')

    expect(await said({ DATABASE_URL: own })).toMatch(
      new RegExp(`A ${weak} le falta BYPASSRLS .*: alter role ${weak} bypassrls;`),
    )
    await asSuperuser(`alter role ${weak} nocreaterole`)
    expect(await said({ DATABASE_URL: elsewhere })).toMatch(
      new RegExp(`${weak} no puede prepararla.*DIRECT_URL`),
    )
    await asSuperuser(`alter role ${weak} createrole bypassrls`)
    expect(await said({ DATABASE_URL: elsewhere })).toMatch(/le falta un permiso.*permission denied.*dueño/)
  })

  // PgBouncer is a package that is not installed on every machine.
  test.skipIf(findPooler() === undefined)(
    'a start is refused behind a pooler whose login PostgreSQL refuses',
    async () => {
      const login = { name: new URL(cluster().ownerUrl).username, password: 'geheim' }
      const pooler = await startPooler({ program: findPooler() ?? '', serverUrl: cluster().ownerUrl, login })
      onTestFinished(() => pooler.stop())

      // PostgreSQL itself refuses the first start. The second start gets the same refusal from the pooler, which has
      // cached it.
      await said({ DATABASE_URL: pooler.url })
      expect(await said({ DATABASE_URL: pooler.url })).toMatch(/no deja entrar a finanzas_owner: ".+"/)
    },
  )

  test.for(['platform_migrations', 'schema_migrations'])(
    'a start or a command is refused on a database that a newer release migrated (%s)',
    async (book) => {
      const { owner, serving } = await preparedDatabase()
      const migration = `insert into supabase_migrations.${book} (version, name) values ('99990101000000', 'novelty')`
      await askPsql(cluster(), owner, migration)
      const newer = /Una versión más nueva de Finanzas ya migró esta base de datos \(99990101000000_novelty\)/

      expect(await said({ DATABASE_URL: serving, DATABASE_DIRECT_URL: owner })).toMatch(newer)
      expect(await said({ DATABASE_URL: serving })).toMatch(newer)
      for (const name of ['backup', 'verify-ledger']) {
        const variables = { DATABASE_URL: owner, JWT_SECRET: randomUUID() }
        const command = runCommand(name, [], { DATA_DIR: await emptyDirectory(), ...variables })

        expect(await command).toMatchObject({ code: 1, stderr: expect.stringMatching(newer) as string })
      }
    },
  )
})

// The embedded engine has neither a login nor a network address.
describe.skipIf(!hasPostgres)('serving logins', () => {
  test('the serving login cannot make a backup, and the refusal names the setting for the owner’s address', async () => {
    const { serving } = await preparedDatabase()

    const { code, stderr } = await runCommand('backup', [], {
      DATA_DIR: await emptyDirectory(),
      DATABASE_URL: serving,
    })

    expect(code).toBe(1)
    expect(stderr).toMatch(/^.*permission denied.*DATABASE_DIRECT_URL.*\n$/)
  })

  test('a serving login cannot connect to another bank, even after restarts and lost connections', async () => {
    const names = [`one_${randomUUID().slice(0, 8)}`, `b${'x'.repeat(62)}`]
    const banks = await Promise.all(
      names.map(async (name) => ({
        DATABASE_URL: await cluster().createDatabase(name),
        JWT_SECRET: randomUUID(),
      })),
    )
    const startBoth = () => Promise.all(banks.map(startReady))
    for (const program of await startBoth()) await program.stop()
    const again = await startBoth()
    await asSuperuser(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename like 'authenticator%'",
    )

    for (const program of again) await expect.poll(() => readyStatus(program)).toBe(200)
    const rights = await asSuperuser(`
      select r.rolname like 'authenticator_one%' as is_first, d.datname
      from pg_roles r, pg_database d
      where r.rolname like 'authenticator%' and d.datname in ('${names.join("', '")}')
        and has_database_privilege(r.rolname, d.datname, 'connect')
      order by 1`)
    expect(rights).toEqual([`f|${names[1]}`, `t|${names[0]}`])
  })

  test('a refused start of a server with another secret does not change the serving login’s password', async () => {
    const url = await newDatabase()
    const program = await startReady({ DATABASE_URL: url, JWT_SECRET: randomUUID() })

    expect(await said({ DATABASE_URL: url })).toContain('JWT_SECRET no es el de este banco.')

    await endConnectionsOf(url)
    await expect.poll(() => readyStatus(program)).toBe(200)
    expect(await askPsql(cluster(), url, 'select count(*) from auth.data_keys')).toEqual(['1'])
  })

  test('the serving login gets its password back after an operator changes it while servers are connected', async () => {
    const url = await newDatabase()
    const variables = { DATABASE_URL: url, JWT_SECRET: randomUUID() }
    const programs = [await startReady(variables), await startReady(variables)]
    await asSuperuser(`alter role ${servingLoginOf(url).name} password 'other'`)

    // A ready server has already opened all connections of its pool, and opens another only after it has lost one. The
    // servers stay connected by their listeners.
    const { name } = servingLoginOf(url)
    await asSuperuser(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${name}' and application_name not like 'finanzas listener %'`,
    )
    const isSetAgain = async () => {
      await Promise.all(programs.map(readyStatus))
      return programs.some((program) => program.output().includes('"outcome":"password set"'))
    }
    await expect.poll(isSetAgain, { timeout: 10_000 }).toBe(true)
    await endConnectionsOf(url)
    for (const program of programs) await expect.poll(() => readyStatus(program)).toBe(200)
  })

  test('the serving login is created again after an operator drops it', async () => {
    const url = await newDatabase()
    const program = await startReady({ DATABASE_URL: url, JWT_SECRET: randomUUID() })
    const { name } = servingLoginOf(url)
    await asSuperuser(`alter role ${name} nologin`)
    await endConnectionsOf(url)
    await askPsql(cluster(), superuserUrlOf(cluster(), url), `drop owned by ${name}; drop role ${name}`)

    await expect.poll(() => readyStatus(program), { timeout: 45_000 }).toBe(200)
  })

  test('the serving login keeps a changed password while other connections use this password, and servers report the conflict', async () => {
    const url = await newDatabase()
    const variables = { DATABASE_URL: url, JWT_SECRET: randomUUID() }
    const program = await startReady(variables)
    const { name } = servingLoginOf(url)
    const theirs = servingUrlOf(url)
    await endConnectionsOf(url)
    await asSuperuser(`alter role ${name} password '${new URL(theirs).password}'`)
    const others = askPsql(cluster(), theirs, 'select pg_sleep(60)').catch(() => [])
    const sleepers = `select count(*) > 0 from pg_stat_activity where usename = '${name}' and wait_event = 'PgSleep'`
    await expect.poll(() => asSuperuser(sleepers)).toEqual(['t'])
    await asSuperuser(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'finanzas %' and usename = '${name}'`,
    )

    await expect.poll(() => readyStatus(program), { timeout: 10_000 }).toBe(503)
    await expect
      .poll(() => program.output())
      .toContain('ALARM: the database refuses the login of this server')
    expect(program.output()).toContain('"outcome":"others have another password"')
    expect(await said(variables)).toContain('otros servidores están conectados con otra')
    await endConnectionsOf(url)
    await others
  })
})
