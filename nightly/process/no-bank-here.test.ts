/** The operator's commands in a place that has no bank, as when they are run without the environment of the service. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { type Cluster } from '#testing/cluster.ts'
import { runCommand } from '#tests/process/operator-program.ts'
import { clusterOfFile, emptyDirectory, startProgram, untilReady } from '#tests/process/server-program.ts'

const calls = [
  ['verify-ledger', []],
  ['admin', ['list']],
  ['admin', ['create', 'sola@banco.example']],
  ['backup', []],
  ['migrate-engine', ['--to', 'moved']],
] as const

/** A directory that a command may make, and does not. */
const missingDirectory = async () => join(await emptyDirectory(), 'data')

test.each(calls)(
  '%s %j is refused in a directory without a bank, and nothing is made',
  async (name, given) => {
    const dataDir = await missingDirectory()

    const { code, stderr } = await runCommand(
      name,
      given.map((word) => inside(dataDir, word)),
      { DATA_DIR: dataDir },
    )

    expect(stderr).toContain(`No hay ningún banco en ${dataDir}`)
    expect(code).toBe(1)
    expect(existsSync(dataDir)).toBe(false)
  },
)

// The embedded engine has no place but the directory.
describe.skipIf(findPostgresBinaries() === undefined)('on PostgreSQL', () => {
  const cluster = clusterOfFile()

  test.each(calls)(
    '%s %j is refused in a database without a bank, and nothing is made',
    async (name, given) => {
      const dataDir = await missingDirectory()

      const { code, stderr } = await runCommand(
        name,
        given.map((word) => inside(dataDir, word)),
        {
          DATA_DIR: dataDir,
          DATABASE_URL: cluster().ownerUrl,
          JWT_SECRET: randomUUID(),
        },
      )

      expect(stderr).toContain('No hay ningún banco en la base de datos')
      expect(code).toBe(1)
      expect(existsSync(dataDir)).toBe(false)
      expect(
        await ask(cluster(), `select count(*) from pg_namespace where nspname in ('auth', 'ledger')`),
      ).toBe('0')
    },
  )

  test('a command leaves the login of the servers as it is, whatever secret it has, and only a backup makes a directory', async () => {
    const server = await startProgram({
      DATA_DIR: await emptyDirectory(),
      DATABASE_URL: cluster().ownerUrl,
      JWT_SECRET: randomUUID(),
    })
    await untilReady(server)
    const passwordNow = () =>
      ask(cluster(), `select rolpassword from pg_authid where rolname = 'authenticator_finanzas'`)
    const password = await passwordNow()

    const codes: (number | null)[] = []
    for (const [name, ...given] of [
      ['verify-ledger'],
      ['admin', 'list'],
      ['admin', 'unban', 'nadie@banco.example'],
      ['admin', 'create', 'sola@banco.example'],
      ['backup'],
    ]) {
      for (const secret of [{}, { JWT_SECRET: randomUUID() }]) {
        const dataDir = await missingDirectory()
        const environment = { DATA_DIR: dataDir, DATABASE_URL: cluster().ownerUrl, ...secret }
        codes.push((await runCommand(name ?? '', given, environment)).code)
        // A key made here would be taken for the bank's by a later restore.
        expect([name, existsSync(dataDir)]).toEqual([name, name === 'backup'])
      }
    }

    expect(await passwordNow()).toBe(password)
    // There is no ban to lift; the second time there is an administrator already.
    expect(codes).toEqual([0, 0, 0, 0, 1, 1, 0, 1, 0, 0])
  })
})

/** The argument, with the directory to move to put beside the one that is missing. */
const inside = (dataDir: string, word: string) => (word === 'moved' ? join(dataDir, word) : word)

/** One value, as the superuser sees it. */
async function ask({ binaries, url, ownerUrl }: Cluster, query: string): Promise<string> {
  const place = Object.assign(new URL(url), { pathname: new URL(ownerUrl).pathname })
  const { stdout } = await promisify(execFile)(join(binaries, 'psql'), [
    '-X',
    '-A',
    '-t',
    '-c',
    query,
    place.href,
  ])
  return stdout.trim()
}
