/**
 * Which login a server on PostgreSQL is started with, and which one serves. Seen red with: the flag that lets a superuser
 * prepare letting it serve as well; an owner's login that serves; migrations sent through a pooler.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '#tools/postgres/binaries.ts'
import { type Cluster, startCluster } from '#tools/postgres/cluster.ts'
import { findPooler, startPooler } from '#tools/postgres/pooler.ts'
import { type Program, emptyDirectory, startProgram, untilReady } from './server-program.ts'

// The embedded engine has no logins.
describe.skipIf(findPostgresBinaries() === undefined)('the login', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster({ isDurable: false })
  })
  afterAll(() => cluster.stop())

  test('a superuser is refused, and told what to give instead', async () => {
    const { superuserUrl } = await emptyDatabase(cluster)

    const program = await startOn({ DATABASE_URL: superuserUrl })

    await expect
      .poll(program.output)
      .toMatch(/login postgres is a superuser.*CREATEROLE.*DATABASE_ALLOW_SUPERUSER=true/)
    expect(await program.ended).toBe(1)
  })

  test('a superuser that is let prepare does not serve', async () => {
    const { superuserUrl, name } = await emptyDatabase(cluster)

    const program = await startOn({ DATABASE_URL: superuserUrl, DATABASE_ALLOW_SUPERUSER: 'true' })
    await untilReady(program)

    expect(await loginsServing(cluster, name)).toEqual(['authenticator'])
  })

  test.each(['superuser', 'owner'] as const)(
    'with an address of its own for preparing, the %s is refused as the one that serves',
    async (who) => {
      const { superuserUrl, ownerUrl } = await emptyDatabase(cluster)
      const url = who === 'superuser' ? superuserUrl : ownerUrl

      const program = await startOn({
        DATABASE_URL: url,
        DATABASE_DIRECT_URL: url,
        DATABASE_ALLOW_SUPERUSER: 'true',
      })

      await expect.poll(program.output).toMatch(/DATABASE_URL.*authenticator/)
      expect(await program.ended).toBe(1)
    },
  )

  // Without PgBouncer's program there is nothing to stand behind.
  test.skipIf(findPooler() === undefined)(
    'an owner behind a pooler is refused: migrations need a connection of their own',
    async () => {
      const { ownerUrl } = await emptyDatabase(cluster)
      const { username, password } = new URL(ownerUrl)
      const pooler = await startPooler({
        program: findPooler() ?? '',
        serverUrl: ownerUrl,
        login: { name: username, password },
      })
      try {
        const program = await startOn({ DATABASE_URL: pooler.url })

        expect(await program.ended).toBe(1)
        expect(program.output()).toContain('DATABASE_DIRECT_URL')
      } finally {
        await pooler.stop()
      }
    },
  )
})

async function emptyDatabase(cluster: Cluster) {
  const name = `login_${randomUUID().slice(0, 8)}`
  const ownerUrl = await cluster.createDatabase(name)
  return { name, ownerUrl, superuserUrl: Object.assign(new URL(cluster.url), { pathname: name }).href }
}

async function startOn(database: Record<string, string>): Promise<Program> {
  return startProgram({ DATA_DIR: await emptyDirectory(), ...database })
}

/** Whose connections serve requests in a database. */
async function loginsServing({ binaries, url }: Cluster, name: string): Promise<string[]> {
  const query = `select distinct usename from pg_stat_activity where application_name = 'finanzas' and datname = '${name}'`
  const { stdout } = await promisify(execFile)(join(binaries, 'psql'), [
    '--no-psqlrc',
    '-At',
    '-c',
    query,
    url,
  ])
  return stdout.split('\n').filter(Boolean)
}
