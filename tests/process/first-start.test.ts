/** The first administrator's password, whatever happens to a first start: what is on the screen opens the bank. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { clientOf } from './client.ts'
import { runCommand } from './operator-program.ts'
import { askPsql } from './psql.ts'
import { clusterOfFile, type Program, emptyDirectory, startProgram, untilReady } from './server-program.ts'

const email = 'admin@finanzas.local'
const made = /Contraseña: (\S+)/
const wayIn = `npm run admin -- reset-access ${email}`

const signInError = async (program: Program, password: string) =>
  (await (await clientOf(program)).auth.signInWithPassword({ email, password })).error

/** Starts once for each step and kills it there; answers what was on the screen, and the start that came through. */
async function killedAt(
  steps: readonly ((program: Program) => boolean | Promise<boolean>)[],
  environment: Record<string, string>,
): Promise<{ screen: string; program: Program }> {
  let screen = ''
  for (const [index, isReached] of steps.entries()) {
    const program = await startProgram(environment)
    await expect.poll(() => isReached(program), { timeout: 180_000, interval: 5 }).toBe(true)
    program.process.kill(index % 2 === 0 ? 'SIGKILL' : 'SIGINT')
    await program.ended
    screen += program.output()
  }
  const program = await startProgram(environment)
  await untilReady(program)
  await expect.poll(program.output).toContain('Banco Finanzas está en')
  return { screen: screen + program.output(), program }
}

/** The password that was shown counts, and the command that is on the screen makes another one. */
async function getsIn(
  { screen, program }: { screen: string; program: Program },
  environment: Record<string, string>,
): Promise<void> {
  expect(screen).toContain(wayIn)
  const { code, stderr } = await runCommand('admin', ['reset-access', email], environment)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(await signInError(program, stderr.trim().split('\n').at(-1) ?? '')).toBeNull()
}

test('on the embedded engine a first start may be killed at any step', { timeout: 600_000 }, async () => {
  const dataDir = await emptyDirectory()
  const has = (name: string) => () => existsSync(join(dataDir, name))
  const environment = { DATA_DIR: dataDir }

  const outcome = await killedAt(
    [
      () => readdirSync(dataDir).some((name) => name.startsWith('postgres.new-')),
      has('postgres'),
      has('signing-key.pem'),
      ({ output }) => output().includes('Primer administrador'),
    ],
    environment,
  )

  expect(outcome.screen.match(new RegExp(made, 'g'))).toHaveLength(1)
  await getsIn(outcome, environment)
})

test('a port that is taken, for people or for metrics, is said before anything is made', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const dataDir = join(await emptyDirectory(), 'data')

  for (const name of ['PORT', 'METRICS_PORT']) {
    const program = await startProgram({ DATA_DIR: dataDir, [name]: String(port) })

    expect(await program.ended).toBe(1)
    expect(program.output()).toBe(
      `Otro programa ya usa el puerto ${port}. Ciérralo, o elige otro puerto: ${name}=${port + 1} npm start\n`,
    )
    expect(existsSync(dataDir)).toBe(false)
  }
  other.close()
})

// Without PostgreSQL there is no other engine.
describe.skipIf(findPostgresBinaries() === undefined)('on PostgreSQL', () => {
  const cluster = clusterOfFile()

  const newBank = async () => {
    const DATABASE_URL = await cluster().createDatabase(`bank_${randomUUID().replaceAll('-', '_')}`)
    const has = (what: string) => async () => {
      const question = `select coalesce((${what}), false)`
      return (await askPsql(cluster(), DATABASE_URL, question).catch(() => ['f']))[0] === 't'
    }
    const environment = { DATABASE_URL, DATA_DIR: await emptyDirectory(), JWT_SECRET: randomUUID() }
    return { has, environment }
  }

  test('a first start may be killed at any step', { timeout: 400_000 }, async () => {
    const { has, environment } = await newBank()

    const outcome = await killedAt(
      [
        has("to_regnamespace('auth') is not null"),
        has("to_regclass('public.transactions') is not null"),
        has("to_regclass('ledger.journal') is not null"),
        // Committed, printed or not.
        has('select true from auth.users limit 1'),
      ],
      environment,
    )

    await getsIn(outcome, environment)
  })

  test(
    'of servers that start at once one shows the password, which opens the bank; a chosen one is not shown',
    { timeout: 300_000 },
    async () => {
      const { environment } = await newBank()
      const programs = await Promise.all([1, 2].map(async () => startProgram(environment)))
      await Promise.all(programs.map(untilReady))
      for (const { output } of programs) await expect.poll(output).toContain('Banco Finanzas está en')

      const shown = programs.flatMap(({ output }) => made.exec(output())?.[1] ?? [])

      expect(shown).toHaveLength(1)
      const [program, other] = programs as [Program, Program]
      expect(await signInError(program, shown[0] ?? '')).toBeNull()
      other.process.kill()
      await other.ended
      const later = await startProgram(environment)
      await untilReady(later)
      await expect.poll(later.output).toContain('Banco Finanzas está en')
      expect(later.output()).not.toMatch(/ontraseña/)

      const chosen = { ...(await newBank()).environment, ADMIN_PASSWORD: 'una clave larga' }
      for (let start = 0; start < 2; start += 1) {
        const one = await startProgram(chosen)
        await untilReady(one)
        await expect.poll(one.output).toContain('Banco Finanzas está en')
        expect(one.output()).not.toMatch(/ontraseña/)
        if (start === 1) expect(await signInError(one, chosen.ADMIN_PASSWORD)).toBeNull()
        one.process.kill()
        await one.ended
      }
    },
  )
})
