/**
 * If the first start of a server is killed at any step, an administrator can still sign in after the next start. Two
 * banks never share a secret.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askPsql } from '#testing/cluster-databases.ts'
import { rowsOfBank } from '#testing/data-directory.ts'
import { email, made, signInError, startAnnounced } from '#tests/process/first-start.ts'
import {
  type Program,
  clusterOfFile,
  emptyDirectory,
  hasPostgres,
  runCommand,
  startProgram,
} from '#tests/process/programs.ts'

const wayIn = `npm run admin -- reset-access ${email}`

/**
 * Starts the server once for each step and kills the server at that step. Then starts the server a last time. The
 * output of these starts must name the command `reset-access`, and this command must set a working password.
 */
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
  const { code, stdout, stderr } = await runCommand('admin', ['reset-access', email], variables)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(await signInError(program, stdout.trim().split('\n').at(-1) ?? '')).toBeNull()
  return screen
}

test(
  'a first start on the embedded engine can be killed at any step and started again',
  { timeout: 600_000 },
  async () => {
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
  },
)

test('two banks of the same installation have no key, id or secret in common', async () => {
  const [first, second] = [await lettersOfNewBank(), await lettersOfNewBank()]

  expect(first.size).toBeGreaterThan(10)
  // This constant is used as the previous hash of the first entry in every chain.
  const beginning = `x${'0'.repeat(64)}`
  expect([...first].filter((letters) => second.has(letters) && letters !== beginning)).toEqual([])
})

/** Returns every string in a new bank's rows and files that is long enough to be a key, an id or a secret. */
async function lettersOfNewBank(): Promise<Set<string>> {
  const DATA_DIR = await emptyDirectory()
  await (await startAnnounced({ DATA_DIR })).stop()
  const files = ['secrets.json', 'signing-key.pem'].map((name) => readFileSync(join(DATA_DIR, name), 'utf8'))
  const texts = [...files, ...(await rowsOfBank(DATA_DIR))]
  return new Set(texts.flatMap((text) => text.match(/[\w+/.-]{24,}/g) ?? []))
}

const cluster = clusterOfFile()

// PostgreSQL is not installed on every machine.
test.skipIf(!hasPostgres)(
  'a first start on PostgreSQL can be killed at any step and started again',
  { timeout: 400_000 },
  async () => {
    const bank = {
      DATABASE_URL: await cluster().createDatabase(`bank_${randomUUID().replaceAll('-', '_')}`),
      DATA_DIR: await emptyDirectory(),
      JWT_SECRET: randomUUID(),
    }
    const has = (what: string) => async () => {
      const question = `select coalesce((${what}), false)`
      return (await askPsql(cluster(), bank.DATABASE_URL, question).catch(() => ['f']))[0] === 't'
    }

    await expectWayIn(
      [
        has("to_regnamespace('auth') is not null"),
        has("to_regclass('public.transactions') is not null"),
        has("to_regclass('ledger.journal') is not null"),
        // At this step the first account is committed, but perhaps its password has not been printed yet.
        has('select true from auth.users limit 1'),
      ],
      bank,
    )
  },
)
