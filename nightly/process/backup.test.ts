/**
 * Tests the commands with which an operator backs up, restores and moves a bank, and checks the permissions of the
 * files that these commands write.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Person, anonymousClient, signIn } from '#testing/people.ts'
import { newCredentials } from '#testing/population.ts'
import {
  clusterOfFile,
  emptyDirectory,
  hasPostgres,
  migratedDirectory,
  record,
  runCommand,
  startBank,
  startCommand,
  startProgram,
  startReady,
} from '#tests/process/programs.ts'

const cluster = clusterOfFile()
const refusal = (sentence: string) => ({ code: 1, stderr: expect.stringContaining(sentence) as string })
const balanceOf = async ({ client }: Person) =>
  (await client.from('budgets').select('balance').single()).data?.balance as number
const refreshError = async ({ client }: Person, { session }: Person) =>
  (await client.auth.refreshSession({ refresh_token: session.refresh_token })).error

test('a backup of a running bank does not disturb requests and can restore the bank with its secrets', async () => {
  const here = { DATA_DIR: await migratedDirectory() }
  const server = await startBank(here)
  const person = await signIn(server)
  let failed = 0
  let spent = 0
  const end = new AbortController()
  const writing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!end.signal.aborted) {
        const { status } = await record(person)
        if (status === 201) spent += 1
        else failed += 1
      }
    }),
  )
  await expect.poll(() => spent, { timeout: 30_000 }).toBeGreaterThan(10)
  const spentBefore = spent

  const saved = await runCommand('backup', ['--with-secrets', '--json'], here)

  end.abort()
  await writing
  expect(saved.stderr).toContain('guarda ese número aparte')
  expect({ code: saved.code, failed }).toEqual({ code: 0, failed: 0 })
  const { file, secrets, signedBy } = JSON.parse(saved.stdout) as Record<string, string>
  for (const path of [file, secrets]) expect((await stat(path ?? '')).mode & 0o777).toBe(0o600)
  await server.stop()

  const there = { DATA_DIR: await emptyDirectory() }
  const given = [file ?? '', '--with-secrets']
  // Without a key, the restore cannot check who signed the backup.
  expect(await runCommand('restore', given, there)).toMatchObject(refusal(`--signed-by ${signedBy}`))
  expect(readdirSync(there.DATA_DIR)).toEqual([])
  const restored = await runCommand('restore', [...given, '--signed-by', signedBy ?? ''], there)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  const again = await signIn(await startBank(there))
  expect(await refreshError(again, person)).toBeNull()
  expect(-(await balanceOf(again))).toBeGreaterThanOrEqual(spentBefore)
  expect(-(await balanceOf(again))).toBeLessThanOrEqual(spent)
})

test('a server that is stopped during a backup leaves no partial file', async () => {
  const here = { DATA_DIR: await migratedDirectory() }
  const server = await startBank(here)
  const copy = join(here.DATA_DIR, 'postgres.copy')
  const saving = startCommand('backup', [], here)
  await expect.poll(() => existsSync(copy), { timeout: 30_000, interval: 1 }).toBe(true)

  expect(await server.stop()).toMatchObject({ code: 0 })

  expect(await saving.ended).toMatchObject(refusal('no se hizo ninguna copia'))
  expect(readdirSync(join(here.DATA_DIR, 'backups'))).toEqual([])
  expect(existsSync(copy)).toBe(false)
})

test('a server cannot start on a partially restored directory until a restore succeeds', async () => {
  const here = { DATA_DIR: await migratedDirectory() }
  const server = await startBank(here)
  await record(await signIn(server))
  await server.stop()
  const file = join(await emptyDirectory(), 'one.backup')
  const saved = await runCommand('backup', ['--to', file, '--json'], here)
  const { signedBy } = JSON.parse(saved.stdout) as { signedBy: string }
  const given = [file, '--signed-by', signedBy]
  const there = { DATA_DIR: await emptyDirectory() }
  for (const sign of ['postgres.restoring', 'postgres.restoring/postgres/PG_VERSION']) {
    const restoring = startCommand('restore', given, there)
    const isThere = () => existsSync(join(there.DATA_DIR, sign))
    await expect.poll(isThere, { timeout: 90_000, interval: 1 }).toBe(true)
    restoring.process.kill('SIGKILL')
    await restoring.ended

    const refused = await startProgram(there)
    const serves = refused.untilReady().then(
      () => 'it serves',
      () => refused.ended,
    )
    expect(await Promise.race([refused.ended, serves])).toBe(1)
    expect(refused.output()).toMatch(/restauración en .* quedó a medias.*npm run restore/)
  }

  expect(await runCommand('restore', given, there)).toMatchObject({ code: 0 })

  expect(await balanceOf(await signIn(await startBank(there)))).toBe(-1)
})

test('a backup written to standard output can be restored from standard input', async () => {
  const here = { DATA_DIR: await migratedDirectory() }
  const server = await startBank(here)
  await record(await signIn(server))
  const file = join(await emptyDirectory(), 'one.backup')

  // The running server itself creates the backup, in its own directory.
  const sent = await runCommand('backup', ['--to', '-'], here, { output: openSync(file, 'w') })
  const [, signer = ''] = /la clave (\S+):/.exec(sent.stderr) ?? []
  const there = { DATA_DIR: await emptyDirectory() }
  const given = ['-', '--signed-by', signer]
  const received = await runCommand('restore', given, there, { input: openSync(file, 'r') })

  expect([sent.code, received.code]).toEqual([0, 0])
  const left = [here, there].flatMap(({ DATA_DIR }) => readdirSync(DATA_DIR))
  expect(left.filter((name) => name.endsWith('.backup'))).toEqual([])
  expect(await balanceOf(await signIn(await startBank(there)))).toBe(-1)
})

test.for([
  ['backup', '--to', '-', '--with-secrets'],
  ['backup', '--to', '-', '--json'],
  ['restore', '-', '--with-secrets'],
] as const)('a command with contradictory options is refused: %s %s %s %s', async ([name, ...given]) => {
  expect(await runCommand(name, given, { DATA_DIR: await migratedDirectory() })).toMatchObject({ code: 2 })
})

// PostgreSQL is not installed on every machine.
test.skipIf(!hasPostgres)(
  'a bank can be moved to PostgreSQL and back with its sessions while no server uses it',
  async () => {
    const { ownerUrl } = cluster()
    const here = { DATA_DIR: await emptyDirectory() }
    const move = (to: string, from: Record<string, string>) =>
      runCommand('migrate-engine', ['--to', to], from)
    const first = await startBank(here)
    const before = await signIn(first)
    await record(before)
    expect(await move(ownerUrl, here)).toMatchObject(refusal('Ciérralo primero'))
    await first.stop()

    const moved = await move(ownerUrl, here)

    expect(moved).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('define DATABASE_URL') as string,
      stderr: '',
    })
    expect(moved.stdout).not.toContain(new URL(ownerUrl).password)
    // The server and the commands refuse the old directory.
    const backups = readdirSync(join(here.DATA_DIR, 'backups'))
    await refusesToStart(here, 'se trasladó a 127.0.0.1:')
    for (const call of [['backup'], ['verify-ledger'], ['migrate-engine', '--to', ownerUrl]])
      expect(await runCommand(call[0] ?? '', call.slice(1), here)).toMatchObject(refusal('se trasladó a'))
    expect(readdirSync(join(here.DATA_DIR, 'backups'))).toEqual(backups)
    const onPostgres = { ...here, DATABASE_URL: ownerUrl }
    const second = await startBank(onPostgres)
    const after = await signIn(second)
    expect(await refreshError(after, before)).toBeNull()
    expect((await record(after)).status).toBe(201)

    const back = { DATA_DIR: await emptyDirectory() }
    expect(await move(back.DATA_DIR, onPostgres)).toMatchObject(refusal('Detén todos'))
    await second.stop()
    expect(await move(back.DATA_DIR, onPostgres)).toMatchObject({ code: 0 })
    await refusesToStart(onPostgres, `se trasladó a ${back.DATA_DIR}`)
    expect(await balanceOf(await signIn(await startBank(back)))).toBe(-2)
  },
)

async function refusesToStart(variables: Record<string, string>, sentence: string): Promise<void> {
  const program = await startProgram(variables)
  expect(await program.ended).toBe(1)
  expect(program.output()).toContain(sentence)
}

/** Returns the paths in a directory, including the directory itself, that the group or other users can access. */
const openIn = (directory: string) =>
  ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })].filter(
    (path) => (lstatSync(join(directory, path)).mode & 0o077) !== 0,
  )

test('other accounts cannot read a bank’s files with any umask and any earlier file modes', async () => {
  // Child processes inherit the umask.
  const mask = process.umask(0)
  onTestFinished(() => void process.umask(mask))
  const DATA_DIR = await emptyDirectory()
  chmodSync(DATA_DIR, 0o755)
  mkdirSync(join(DATA_DIR, 'outbox'))
  for (const path of ['old', 'outbox/old.eml']) writeFileSync(join(DATA_DIR, path), '', { mode: 0o666 })
  const program = await startReady({ DATA_DIR })
  // Causes the server to write a mail, a copy of the engine's files, and a backup.
  await (await anonymousClient(program)).auth.signUp(newCredentials())
  const saving = runCommand('backup', ['--with-secrets'], { DATA_DIR })
  const copied = expect.poll(() => readdirSync(DATA_DIR), { timeout: 60_000, interval: 1 })
  await copied.toContain('postgres.copy')
  const openMeanwhile = openIn(join(DATA_DIR, 'postgres.copy'))
  expect(await saving).toMatchObject({ code: 0 })

  const names = readdirSync(DATA_DIR)
  expect(names).toEqual(expect.arrayContaining(['backups', 'operator.sock', 'outbox', 'postgres']))
  expect(readdirSync(join(DATA_DIR, 'outbox'))).toHaveLength(2)
  expect([...openIn(DATA_DIR), ...openMeanwhile]).toEqual([])

  // Sets the file modes that an older release used. When the server starts, it corrects these modes before it uses the
  // files.
  await program.stop()
  for (const path of ['postgres', 'postgres/base', 'postgres/PG_VERSION', 'backups'])
    chmodSync(join(DATA_DIR, path), 0o777)
  await startReady({ DATA_DIR })

  expect(openIn(DATA_DIR)).toEqual([])
})
