/** Backup, restore and move as an operator runs them. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { expect, onTestFinished, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { startCluster } from '#testing/cluster.ts'
import { runCommand, startCommand } from '#tests/process/operator-program.ts'
import {
  type Program,
  emptyDirectory,
  migratedDirectory,
  startProgram,
  untilReady,
} from '#tests/process/server-program.ts'

const administrator = { email: 'admin@finanzas.local', password: 'una clave larga' }
const environmentOf = (dataDir: string) => ({
  DATA_DIR: dataDir,
  ADMIN_PASSWORD: administrator.password,
  AUTH_RATE_LIMITS: 'off',
})

async function clientOf({ url }: Program, dataDir: string) {
  const { anonKey } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { anonKey: string }
  return createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
}

/** A server with a signed-in administrator who has recorded some expenses. */
async function startBank(environment: Record<string, string>, dataDir: string) {
  const server = await startProgram(environment)
  await untilReady(server)
  const client = await clientOf(server, dataDir)
  const { data } = await client.auth.signInWithPassword(administrator)
  const userId = data.user?.id ?? ''
  const spend = (amount: number) =>
    client.from('transactions').insert({ user_id: userId, type: 'expense', description: 'Café', amount })
  return { server, client, spend, refreshToken: data.session?.refresh_token ?? '' }
}

async function balanceIn(environment: Record<string, string>, dataDir: string): Promise<unknown> {
  const server = await startProgram(environment)
  await untilReady(server)
  const client = await clientOf(server, dataDir)
  await client.auth.signInWithPassword(administrator)
  const { data } = await client.from('budgets').select('balance').single()
  server.process.kill('SIGTERM')
  await server.ended
  return data?.balance
}

test('a running bank is saved without failing a request, and comes back with its secrets', async () => {
  const dataDir = await migratedDirectory()
  const { server, spend, refreshToken } = await startBank(environmentOf(dataDir), dataDir)
  let failed = 0
  let spent = 0
  const end = new AbortController()
  const writing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!end.signal.aborted) {
        const { status } = await spend(1)
        if (status === 201) spent += 1
        else failed += 1
      }
    }),
  )
  await expect.poll(() => spent, { timeout: 30_000 }).toBeGreaterThan(10)
  const spentBefore = spent

  const saved = await runCommand('backup', ['--with-secrets', '--json'], environmentOf(dataDir))

  end.abort()
  await writing
  expect(saved.stderr).toContain('guarda ese número aparte')
  expect({ code: saved.code, failed }).toEqual({ code: 0, failed: 0 })
  const { file, secrets, signedBy } = JSON.parse(saved.stdout) as Record<
    'file' | 'secrets' | 'signedBy',
    string
  >
  for (const path of [file, secrets]) expect((await stat(path)).mode & 0o777).toBe(0o600)
  server.process.kill('SIGTERM')
  await server.ended

  const elsewhere = await emptyDirectory()
  // A place without a key cannot tell whose backup it is.
  const refused = await runCommand('restore', [file, '--with-secrets'], environmentOf(elsewhere))
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`--signed-by ${signedBy}`) as string,
  })
  expect(readdirSync(elsewhere)).toEqual([])
  const restored = await runCommand(
    'restore',
    [file, '--with-secrets', '--signed-by', signedBy],
    environmentOf(elsewhere),
  )
  expect(restored).toMatchObject({ code: 0, stdout: '' })
  const again = await startBank(environmentOf(elsewhere), elsewhere)
  const { error } = await again.client.auth.refreshSession({ refresh_token: refreshToken })
  expect(error).toBeNull()
  const { data } = await again.client.from('budgets').select('balance').single()
  expect(-(data?.balance as number)).toBeGreaterThanOrEqual(spentBefore)
  expect(-(data?.balance as number)).toBeLessThanOrEqual(spent)
}, 300_000)

test('a call that cannot be meant shows the usage and ends with 2', async () => {
  const environment = environmentOf(await emptyDirectory())

  for (const [name, given, sentence] of [
    ['restore', [], 'Falta el archivo de la copia de seguridad.'],
    ['backup', ['--everything'], 'Opción desconocida: --everything.'],
    ['backup', ['everything'], 'Argumento desconocido: everything.'],
    ['migrate-engine', [], 'Falta el destino: --to.'],
    ['migrate-engine', ['--to'], 'El valor de la opción --to falta o sobra.'],
    ['verify-ledger', ['all'], 'Argumento desconocido: all.'],
    ['admin', [], 'Falta la acción.'],
    ['admin', ['frobnicate'], 'Acción desconocida: frobnicate.'],
    ['admin', ['create'], 'Falta la dirección de correo.'],
  ] as const) {
    const { code, stderr } = await runCommand(name, given, environment)

    expect({ name, code }).toEqual({ name, code: 2 })
    expect(stderr).toContain(`${sentence}\nUso: npm run ${name}`)
  }
})

test.each(['admin', 'backup', 'restore', 'migrate-engine', 'verify-ledger', 'hosted-page'])(
  '%s says how it is called when it is asked, in a place without a bank too',
  async (name) => {
    for (const flag of ['--help', '-h']) {
      const { code, stdout, stderr } = await runCommand(name, [flag], {})

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^Uso: .*npm run /)
    }
  },
)

test('a backup that is not there is said before anything is made or looked at', async () => {
  const dataDir = join(await emptyDirectory(), 'data')

  const { code, stderr } = await runCommand('restore', ['missing.backup'], environmentOf(dataDir))

  expect(code).toBe(1)
  expect(stderr).toMatch(/^No existe el archivo .*missing\.backup\.\n$/)
  expect(existsSync(dataDir)).toBe(false)
})

test('a server that ends gives up the backup, at once, and leaves no half of one', async () => {
  const dataDir = await migratedDirectory()
  const { server } = await startBank(environmentOf(dataDir), dataDir)
  const saving = startCommand('backup', [], environmentOf(dataDir))
  await expect
    .poll(() => existsSync(join(dataDir, 'postgres.copy')), { timeout: 30_000, interval: 1 })
    .toBe(true)

  server.process.kill('SIGTERM')

  expect(await server.ended).toBe(0)
  expect(await saving.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no se hizo ninguna copia') as string,
  })
  expect(readdirSync(join(dataDir, 'backups'))).toEqual([])
  expect(existsSync(join(dataDir, 'postgres.copy'))).toBe(false)
}, 240_000)

test('a restore that was killed leaves a place that refuses to serve, and can be begun again', async () => {
  const dataDir = await migratedDirectory()
  const { server, spend } = await startBank(environmentOf(dataDir), dataDir)
  await spend(12.5)
  server.process.kill('SIGTERM')
  await server.ended
  const file = join(await emptyDirectory(), 'one.backup')
  const saved = await runCommand('backup', ['--to', file, '--json'], environmentOf(dataDir))
  const { signedBy } = JSON.parse(saved.stdout) as { signedBy: string }
  const given = [file, '--signed-by', signedBy]
  const elsewhere = await emptyDirectory()
  for (const sign of ['postgres.restoring', 'postgres.restoring/postgres/PG_VERSION']) {
    const restoring = startCommand('restore', given, environmentOf(elsewhere))
    await expect.poll(() => existsSync(join(elsewhere, sign)), { timeout: 90_000, interval: 1 }).toBe(true)
    restoring.process.kill('SIGKILL')
    await restoring.ended

    const refused = await startProgram(environmentOf(elsewhere))
    const serves = untilReady(refused).then(
      () => 'it serves',
      () => refused.ended,
    )
    expect(await Promise.race([refused.ended, serves])).toBe(1)
    expect(refused.output()).toMatch(/restauración en .* quedó a medias.*npm run restore/)
  }

  expect(await runCommand('restore', given, environmentOf(elsewhere))).toMatchObject({ code: 0 })

  expect(await balanceIn(environmentOf(elsewhere), elsewhere)).toBe(-12.5)
}, 300_000)

// Without PostgreSQL there is no place to move to.
test.skipIf(findPostgresBinaries() === undefined)(
  'a bank moves to PostgreSQL and back, with its sessions, and only while nobody serves it',
  async () => {
    const cluster = await startCluster({ isDurable: false })
    onTestFinished(() => cluster.stop())
    const dataDir = await emptyDirectory()
    const first = await startBank(environmentOf(dataDir), dataDir)
    await first.spend(12.5)
    const refused = await runCommand('migrate-engine', ['--to', cluster.ownerUrl], environmentOf(dataDir))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Ciérralo primero') as string })
    first.server.process.kill('SIGTERM')
    await first.server.ended

    const moved = await runCommand('migrate-engine', ['--to', cluster.ownerUrl], environmentOf(dataDir))

    expect(moved).toMatchObject({ code: 0, stderr: expect.stringContaining('define DATABASE_URL') as string })
    expect(moved.stderr).not.toContain(new URL(cluster.ownerUrl).password)
    const backups = readdirSync(join(dataDir, 'backups'))
    const again = await runCommand('migrate-engine', ['--to', cluster.ownerUrl], environmentOf(dataDir))
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('no está vacía') as string })
    expect(readdirSync(join(dataDir, 'backups'))).toEqual(backups)
    const onPostgres = { ...environmentOf(dataDir), DATABASE_URL: cluster.ownerUrl }
    const second = await startBank(onPostgres, dataDir)
    const { error } = await second.client.auth.refreshSession({ refresh_token: first.refreshToken })
    expect(error).toBeNull()
    expect((await second.spend(7.5)).status).toBe(201)

    const back = await emptyDirectory()
    const tooEarly = await runCommand('migrate-engine', ['--to', back], onPostgres)
    expect(tooEarly).toMatchObject({ code: 1, stderr: expect.stringContaining('Detén todos') as string })
    second.server.process.kill('SIGTERM')
    await second.server.ended
    expect(await runCommand('migrate-engine', ['--to', back], onPostgres)).toMatchObject({ code: 0 })
    expect(await balanceIn(environmentOf(back), back)).toBe(-20)
  },
  240_000,
)
