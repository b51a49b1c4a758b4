/** Tests the server's output on its first start, on later starts and on refused starts. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signIn } from '#testing/people.ts'
import { administrator } from '#testing/server.ts'
import { made, signInError, startAnnounced } from './first-start.ts'
import {
  type Program,
  clusterOfFile,
  emptyDirectory,
  hasPostgres,
  startBank,
  startProgram,
} from './programs.ts'

// Only on PostgreSQL can several servers share a database and start at the same time.
describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  const cluster = clusterOfFile()
  const newBank = async () => ({
    DATABASE_URL: await cluster().createDatabase(`bank_${randomUUID().replaceAll('-', '_')}`),
    DATA_DIR: await emptyDirectory(),
    JWT_SECRET: randomUUID(),
  })

  test('when several servers start for the first time simultaneously, only one shows the generated password', async () => {
    const bank = await newBank()
    const programs = await Promise.all([startAnnounced(bank), startAnnounced(bank)])

    const shown = programs.flatMap(({ output }) => made.exec(output())?.[1] ?? [])

    expect(shown).toHaveLength(1)
    expect(await signInError(programs[0], shown[0] ?? '')).toBeNull()
    const chosen = { ...(await newBank()), ADMIN_PASSWORD: 'una clave larga' }
    const later = [await startAnnounced(bank), await startAnnounced(chosen), await startAnnounced(chosen)]
    for (const { output } of later) expect(output()).not.toMatch(/ontraseña/)
    expect(await signInError(later[2] as Program, chosen.ADMIN_PASSWORD)).toBeNull()
  })
})

// The test file server/data-directory/directory-lock.test.ts covers starts in an unsuitable directory, and
// server/settings/config.test.ts covers starts with invalid variables.
describe('a start is refused', () => {
  test.for<[string, (dataDir: string) => unknown, Record<string, string>, RegExp]>([
    [
      'with secrets that others can read',
      async (dataDir) => {
        await mkdir(dataDir)
        const secrets = JSON.stringify({ jwtSecret: 'x'.repeat(40) })
        await writeFile(join(dataDir, 'secrets.json'), secrets, { mode: 0o644 })
      },
      {},
      /chmod 600/,
    ],
    [
      'with a misspelled variable, followed by the other problems',
      (dataDir) => writeFile(dataDir, ''),
      { METRIC_PORT: '9464', PORTS: '1' },
      /^METRIC_PORT no es un ajuste. ¿Quisiste decir METRICS_PORT\?\nDATA_DIR /,
    ],
    [
      'without the database, and the message does not contain its password',
      () => undefined,
      { DATABASE_URL: 'postgres://owner:geheim@127.0.0.1:1/finanzas' },
      /^(?!.*geheim).*PostgreSQL no responde en 127\.0\.0\.1:1\.(?!.*geheim)/s,
    ],
  ])('%s', async ([_name, arrange, variables, expected]) => {
    const DATA_DIR = join(await emptyDirectory(), 'data')
    await Promise.resolve(arrange(DATA_DIR))

    const program = await startProgram({ DATA_DIR, ...variables })

    expect(await program.ended).toBe(1)
    expect(program.output()).toMatch(expected)
  })

  test.for(['PORT', 'METRICS_PORT'])('at a %s that is in use, before any file is created', async (name) => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const DATA_DIR = join(await emptyDirectory(), 'data')

    const program = await startProgram({ DATA_DIR, [name]: String(port) })

    expect(await program.ended).toBe(1)
    expect(program.output()).toBe(
      `Otro programa ya usa el puerto ${port}. Ciérralo, o elige otro puerto: ${name}=${port + 1} npm start\n`,
    )
    expect(existsSync(DATA_DIR)).toBe(false)
  })
})

test('the log does not contain tokens, keys or passwords', async () => {
  const program = await startBank({ LOG_LEVEL: 'debug' })
  const secrets = await readFile(join(program.dataDir, 'secrets.json'), 'utf8')
  const { anonKey, jwtSecret } = JSON.parse(secrets) as Record<string, string>
  const { access_token: accessToken, refresh_token: refreshToken } = (await signIn(program)).session
  await fetch(`${program.url}/auth/v1/user?token=${accessToken}`, {
    headers: { apikey: anonKey ?? '', authorization: `Bearer ${accessToken}` },
  })

  await expect.poll(program.output).toContain('"path":"/auth/v1/user"')
  for (const secret of [anonKey, jwtSecret, accessToken, refreshToken, administrator.password]) {
    expect(secret).toBeTruthy()
    expect(program.output()).not.toContain(secret)
  }
})
