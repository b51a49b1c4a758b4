/** What the server and the commands say where PostgreSQL does not let them work: one sentence that is true, no stack. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { findPooler, startPooler } from '#testing/pooler.ts'
import { runCommand } from '#tests/process/operator-program.ts'
import { askPsql } from '#tests/process/psql.ts'
import { clusterOfFile, emptyDirectory, startProgram } from '#tests/process/server-program.ts'
import { startOn } from '#tests/process/servers-of-one-bank.ts'

// The embedded engine has no login and no address.
describe.skipIf(findPostgresBinaries() === undefined)('PostgreSQL', () => {
  const cluster = clusterOfFile()

  const newName = () => `bank_${randomUUID().replaceAll('-', '_')}`
  const asSuperuser = (sql: string) => askPsql(cluster(), cluster().url, sql)
  const withLogin = (url: string, username: string, password: string) =>
    Object.assign(new URL(url), { username, password }).href

  /** What a start prints that ends with 1. */
  async function said(variables: Record<string, string>): Promise<string> {
    const program = await startProgram({
      DATA_DIR: await emptyDirectory(),
      JWT_SECRET: randomUUID(),
      ...variables,
    })
    expect(await program.ended).toBe(1)
    const printed = program.output()
    expect(printed.trimEnd().split('\n')).toHaveLength(1)
    return printed
  }

  test.each([
    ['a wrong password', { password: 'geheim' }, /no acepta la contraseña de finanzas_owner/],
    ['no password', { password: '' }, /pide la contraseña de finanzas_owner, y la dirección no la lleva/],
    ['another database', { pathname: 'ninguna' }, /create database ninguna owner finanzas_owner;/],
    ['a port on which nothing answers', { port: '1' }, /PostgreSQL no responde en 127\.0\.0\.1:1\./],
    [
      'a server that does not exist',
      { hostname: 'ninguno.invalid' },
      /No existe el servidor ninguno\.invalid/,
    ],
  ] as const)('with %s', async (_name, part, expected) => {
    const url = Object.assign(new URL(cluster().ownerUrl), part).href

    const sentence = await said({ DATABASE_URL: url })

    expect(sentence).toMatch(expected)
    expect(sentence).not.toContain('geheim')
  })

  test('through a socket that is not there', async () => {
    expect(await said({ DATABASE_URL: 'postgres://finanzas@/bank?host=/nowhere' })).toMatch(
      /No hay ningún socket de PostgreSQL en \/nowhere\./,
    )
  })

  test('an owner without BYPASSRLS is told what it lacks; a login that owns nothing, whose address is needed', async () => {
    const [name, weak] = [newName(), `weak_${randomUUID().slice(0, 8)}`]
    await asSuperuser(`create role ${weak} login createrole password 'pw'`)
    await asSuperuser(`create database ${name} owner ${weak}`)
    const url = withLogin((await cluster().createDatabase(newName())).replace(/[^/]+$/, name), weak, 'pw')

    expect(await said({ DATABASE_URL: url })).toMatch(
      new RegExp(`A ${weak} le falta BYPASSRLS .*: alter role ${weak} bypassrls;`),
    )

    await asSuperuser(`alter role ${weak} nocreaterole`)
    const elsewhere = withLogin(await cluster().createDatabase(newName()), weak, 'pw')
    expect(await said({ DATABASE_URL: elsewhere })).toMatch(
      new RegExp(`${weak} no puede prepararla.*DIRECT_URL`),
    )

    await asSuperuser(`alter role ${weak} createrole bypassrls`)
    expect(await said({ DATABASE_URL: elsewhere })).toMatch(/le falta un permiso.*permission denied.*dueño/)
  })

  test('a backup with the login that serves says whose address it needs', async () => {
    const owner = await cluster().createDatabase(newName())
    const serving = withLogin(owner, `authenticator_${new URL(owner).pathname.slice(1)}`, 'pw')
    const server = await startOn({ DATABASE_URL: serving, DATABASE_DIRECT_URL: owner })
    server.process.kill()
    await server.ended

    const { code, stderr } = await runCommand('backup', [], {
      DATA_DIR: await emptyDirectory(),
      DATABASE_URL: serving,
    })

    expect(code).toBe(1)
    expect(stderr).toMatch(/permission denied.*DATABASE_DIRECT_URL/)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  // Without PgBouncer's program there is nothing to stand behind.
  test.skipIf(findPooler() === undefined)('a pooler whose own login is refused', async () => {
    const { username } = new URL(cluster().ownerUrl)
    const pooler = await startPooler({
      program: findPooler() ?? '',
      serverUrl: cluster().ownerUrl,
      login: { name: username, password: 'geheim' },
    })
    try {
      // The first gets the server's refusal, the next what the pooler remembers of it.
      await said({ DATABASE_URL: pooler.url })

      expect(await said({ DATABASE_URL: pooler.url })).toMatch(/no deja entrar a finanzas_owner: ".+"/)
    } finally {
      await pooler.stop()
    }
  })

  test.each(['platform_migrations', 'schema_migrations'])(
    'a database that a newer release has migrated (%s) is left alone, by the server and by commands, with any login',
    async (book) => {
      const owner = await cluster().createDatabase(newName())
      const serving = withLogin(owner, `authenticator_${new URL(owner).pathname.slice(1)}`, 'pw')
      const server = await startOn({ DATABASE_URL: serving, DATABASE_DIRECT_URL: owner })
      server.process.kill()
      await server.ended
      await askPsql(
        cluster(),
        owner,
        `insert into supabase_migrations.${book} (version, name) values ('99990101000000', 'novelty')`,
      )
      const newer = /Una versión más nueva de Finanzas ya migró esta base de datos \(99990101000000_novelty\)/

      expect(await said({ DATABASE_URL: serving, DATABASE_DIRECT_URL: owner })).toMatch(newer)
      expect(await said({ DATABASE_URL: serving })).toMatch(newer)
      for (const name of ['backup', 'verify-ledger']) {
        const { code, stderr } = await runCommand(name, [], {
          DATA_DIR: await emptyDirectory(),
          DATABASE_URL: owner,
          JWT_SECRET: randomUUID(),
        })

        expect({ name, code }).toEqual({ name, code: 1 })
        expect(stderr).toMatch(newer)
      }
    },
  )
})
