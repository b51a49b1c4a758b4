/** What the first start shows, what later ones do not, and what is said where a start is refused. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askPsql } from '#testing/cluster.ts'
import { rowsOfBank } from '#testing/data-directory.ts'
import { anonymousClient, signIn } from '#testing/people.ts'
import { administrator } from '#testing/server.ts'
import {
  type Program,
  clusterOfFile,
  emptyDirectory,
  hasPostgres,
  runCommand,
  startBank,
  startProgram,
  startReady,
} from './programs.ts'

const email = 'admin@finanzas.local'
const made = /Email: +admin@finanzas\.local\n +Contraseña: (\S{20,})\n/
const wayIn = `npm run admin -- reset-access ${email}`

const signInError = async (program: Program, password: string) =>
  (await (await anonymousClient(program)).auth.signInWithPassword({ email, password })).error

/** Starts it, and waits for the last line: it may answer before what it printed has come here. */
async function startAnnounced(variables: Record<string, string>): Promise<Program> {
  const program = await startReady(variables)
  const lastLine = () => program.output().trimEnd().split('\n').at(-1)
  await expect.poll(lastLine).toMatch(/^Banco Finanzas está en http:\/\/localhost:\d+$/)
  return program
}

/** Starts once for each step and kills it there: what was on the screen opens the bank, and so does the command that it names. */
async function expectWayIn(
  steps: readonly ((program: Program) => boolean | Promise<boolean>)[],
  variables: Record<string, string>,
): Promise<string> {
  let screen = ''
  for (const [index, isReached] of steps.entries()) {
    const program = await startProgram(variables)
    await expect.poll(() => isReached(program), { timeout: 180_000, interval: 5 }).toBe(true)
    program.process.kill(index % 2 === 0 ? 'SIGKILL' : 'SIGINT')
    await program.ended
    screen += program.output()
  }
  const program = await startAnnounced(variables)
  screen += program.output()
  expect(screen).toContain(wayIn)
  const { code, stderr } = await runCommand('admin', ['reset-access', email], variables)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(await signInError(program, stderr.trim().split('\n').at(-1) ?? '')).toBeNull()
  return screen
}

test('on the embedded engine a first start may be killed at any step', { timeout: 600_000 }, async () => {
  const DATA_DIR = await emptyDirectory()
  const has = (name: string) => () => existsSync(join(DATA_DIR, name))

  const screen = await expectWayIn(
    [
      () => readdirSync(DATA_DIR).some((name) => name.startsWith('postgres.new-')),
      has('postgres'),
      has('signing-key.pem'),
      ({ output }) => output().includes('Primer administrador'),
    ],
    { DATA_DIR },
  )

  expect(screen.match(new RegExp(made, 'g'))).toHaveLength(1)
  expect((await stat(join(DATA_DIR, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

test('two banks of one installation have no key, id or secret in common', async () => {
  const [first, second] = [await lettersOfNewBank(), await lettersOfNewBank()]

  expect(first.size).toBeGreaterThan(10)
  // What a chain begins with.
  const beginning = `x${'0'.repeat(64)}`
  expect([...first].filter((letters) => second.has(letters) && letters !== beginning)).toEqual([])
})

/** Everything in a new bank's rows and files that is long enough to be a key, an id or a secret. */
async function lettersOfNewBank(): Promise<Set<string>> {
  const DATA_DIR = await emptyDirectory()
  await (await startAnnounced({ DATA_DIR })).stop()
  const files = ['secrets.json', 'signing-key.pem'].map((name) => readFileSync(join(DATA_DIR, name), 'utf8'))
  const texts = [...files, ...(await rowsOfBank(DATA_DIR))]
  return new Set(texts.flatMap((text) => text.match(/[\w+/.-]{24,}/g) ?? []))
}

// Without PostgreSQL there is no other engine.
describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  const cluster = clusterOfFile()
  const newBank = async () => ({
    DATABASE_URL: await cluster().createDatabase(`bank_${randomUUID().replaceAll('-', '_')}`),
    DATA_DIR: await emptyDirectory(),
    JWT_SECRET: randomUUID(),
  })

  test('a first start may be killed at any step', { timeout: 400_000 }, async () => {
    const bank = await newBank()
    const has = (what: string) => async () => {
      const question = `select coalesce((${what}), false)`
      return (await askPsql(cluster(), bank.DATABASE_URL, question).catch(() => ['f']))[0] === 't'
    }

    await expectWayIn(
      [
        has("to_regnamespace('auth') is not null"),
        has("to_regclass('public.transactions') is not null"),
        has("to_regclass('ledger.journal') is not null"),
        // Committed, printed or not.
        has('select true from auth.users limit 1'),
      ],
      bank,
    )
  })

  test('of servers that start at once one shows the password, which opens the bank; later ones and a chosen one are not shown', async () => {
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

// In a wrong directory: server/database/pglite/data-directory.test.ts; with a wrong variable: server/config.test.ts.
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
