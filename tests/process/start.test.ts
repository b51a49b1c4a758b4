import { once } from 'node:events'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Program,
  emptyDirectory,
  migratedDirectory,
  startProgram,
  untilReady,
} from './server-program.ts'

const isAddress = /^Banco Finanzas está en http:\/\/localhost:\d+$/
/** It may answer before what it printed has come here. */
const lastLine = ({ output }: Program) => output().trimEnd().split('\n').at(-1)

test('the first start prints the administrator once, and then the address', async () => {
  const dataDir = await emptyDirectory()
  const first = await startProgram({ DATA_DIR: dataDir })
  await untilReady(first)

  await expect.poll(() => lastLine(first)).toMatch(isAddress)
  expect(first.output()).toMatch(/Email: +admin@finanzas\.local\n +Contraseña: \S{20,}\n/)
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600)

  first.process.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  const second = await startProgram({ DATA_DIR: dataDir })
  await untilReady(second)
  await expect.poll(() => lastLine(second)).toMatch(isAddress)
  expect(second.output()).not.toContain('Contraseña')
})

test('a second process on the same directory is refused and told who is first', async () => {
  const dataDir = await migratedDirectory()
  const first = await startProgram({ DATA_DIR: dataDir })
  await untilReady(first)

  const second = await startProgram({ DATA_DIR: dataDir })

  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`proceso ${first.process.pid} `)
  expect((await fetch(`${first.url}/ready`)).status).toBe(200)
})

test('a taken port is named', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo

  const server = await startProgram({ DATA_DIR: await emptyDirectory(), PORT: String(port) })

  expect(await server.ended).toBe(1)
  expect(server.output()).toContain(`PORT=${port + 1} npm start`)
  other.close()
})

test('a directory of an older engine is refused with what to do', async () => {
  const dataDir = await emptyDirectory()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')

  const server = await startProgram({ DATA_DIR: dataDir })

  expect(await server.ended).toBe(1)
  expect(server.output()).toMatch(/PostgreSQL 17.*npm run backup.*npm run restore/)
})

test('a data directory that is a file is refused with what to do', async () => {
  const file = join(await emptyDirectory(), 'data')
  await writeFile(file, '')

  const server = await startProgram({ DATA_DIR: file })

  expect(await server.ended).toBe(1)
  expect(server.output()).toContain('es un archivo, no una carpeta')
})

test('secrets that others can read are refused with the command that helps', async () => {
  const dataDir = await emptyDirectory()
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ jwtSecret: 'x'.repeat(40) }), {
    mode: 0o644,
  })

  const server = await startProgram({ DATA_DIR: dataDir })

  expect(await server.ended).toBe(1)
  expect(server.output()).toContain('chmod 600')
})

test('a variable that cannot be right is named, and one that is misspelled with the one that was meant', async () => {
  const file = join(await emptyDirectory(), 'data')
  await writeFile(file, '')

  const wrong = await startProgram({ DATA_DIR: file, SITE_URL: 'banco' })
  const misspelled = await startProgram({ DATA_DIR: file, METRIC_PORT: '9464', PORTS: '1' })

  expect([await wrong.ended, await misspelled.ended]).toEqual([1, 1])
  expect(wrong.output()).toContain('SITE_URL')
  expect(misspelled.output()).toMatch(
    /^METRIC_PORT no es un ajuste. ¿Quisiste decir METRICS_PORT\?\nDATA_DIR /,
  )
})

test('a database that cannot be reached is named, and its password is not', async () => {
  const server = await startProgram({
    DATA_DIR: await emptyDirectory(),
    DATABASE_URL: 'postgres://owner:geheim@127.0.0.1:1/finanzas',
  })

  expect(await server.ended).toBe(1)
  expect(server.output()).toContain('DATABASE_URL')
  expect(server.output()).not.toContain('geheim')
})

test('the log holds no token, key or password', async () => {
  const dataDir = await migratedDirectory()
  const server = await startProgram({
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: 'una clave larga',
    LOG_LEVEL: 'debug',
  })
  await untilReady(server)
  const { anonKey, jwtSecret } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >
  const signIn = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: anonKey ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@finanzas.local', password: 'una clave larga' }),
  })
  const { access_token: accessToken, refresh_token: refreshToken } = (await signIn.json()) as Record<
    string,
    string
  >
  await fetch(`${server.url}/auth/v1/user?token=${accessToken}`, {
    headers: { apikey: anonKey ?? '', authorization: `Bearer ${accessToken}` },
  })

  await expect.poll(server.output).toContain('"path":"/auth/v1/user"')
  for (const secret of [anonKey, jwtSecret, accessToken, refreshToken, 'una clave larga']) {
    expect(secret).toBeTruthy()
    expect(server.output()).not.toContain(secret)
  }
})
