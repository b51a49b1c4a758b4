/** Output of the first start, of later starts and of refused starts. */
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

// Without PostgreSQL there is no other engine.
describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  const cluster = clusterOfFile()
  const newBank = async () => ({
    DATABASE_URL: await cluster().createDatabase(`bank_${randomUUID().replaceAll('-', '_')}`),
    DATA_DIR: await emptyDirectory(),
    JWT_SECRET: randomUUID(),
  })

  test('exactly one of several first starts shows the generated password', async () => {
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

// In a wrong directory: server/data-directory/directory-lock.test.ts; with a wrong variable: server/settings/config.test.ts.
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
      'with one that is misspelled, after which comes what else is wrong',
      (dataDir) => writeFile(dataDir, ''),
      { METRIC_PORT: '9464', PORTS: '1' },
      /^METRIC_PORT no es un ajuste. ¿Quisiste decir METRICS_PORT\?\nDATA_DIR /,
    ],
    [
      'without the database, whose password is not said',
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

  test.for(['PORT', 'METRICS_PORT'])('at a %s that is taken, before anything is made', async (name) => {
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

test('the log holds no token, key or password', async () => {
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
