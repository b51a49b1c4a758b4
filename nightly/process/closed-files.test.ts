/** The embedded engine's files, its copies and all else in DATA_DIR are the server's user's alone (security.md SE-10). */
import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anonKeyOf } from '#tests/process/client.ts'
import { runCommand } from '#tests/process/operator-program.ts'
import { emptyDirectory, startProgram, untilReady } from '#tests/process/server-program.ts'

// Programs inherit it.
let mask: number
beforeEach(() => (mask = process.umask(0)))
afterEach(() => process.umask(mask))

/** Everything below a directory, and itself, that has a bit for the group or for others. */
const openIn = (directory: string) =>
  ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })].filter((path) => {
    const found = lstatSync(join(directory, path))
    return (found.mode & 0o077) !== 0
  })

test('in a directory that was open, with a file that was, and under no umask, nothing is open to others', async () => {
  const dataDir = await emptyDirectory()
  chmodSync(dataDir, 0o755)
  mkdirSync(join(dataDir, 'outbox'))
  for (const path of ['old', 'outbox/old.eml']) writeFileSync(join(dataDir, path), '', { mode: 0o666 })
  const program = await startProgram({ DATA_DIR: dataDir })
  await untilReady(program)
  // Writes a mail, a copy of the engine's files, and a backup.
  await fetch(`${program.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: await anonKeyOf(program), 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@banco.example', password: 'una clave larga' }),
  })
  const saving = runCommand('backup', ['--with-secrets'], { DATA_DIR: dataDir })
  const copied = expect.poll(() => readdirSync(dataDir), { timeout: 60_000, interval: 1 })
  await copied.toContain('postgres.copy')
  const openMeanwhile = openIn(join(dataDir, 'postgres.copy'))
  expect(await saving).toMatchObject({ code: 0 })

  const names = readdirSync(dataDir)
  expect(names).toEqual(expect.arrayContaining(['backups', 'operator.sock', 'outbox', 'postgres']))
  expect(readdirSync(join(dataDir, 'outbox'))).toHaveLength(2)
  expect([...openIn(dataDir), ...openMeanwhile]).toEqual([])

  // As an older release left them; a start closes them before anything else is done with them.
  program.process.kill('SIGTERM')
  await program.ended
  for (const path of ['postgres', 'postgres/base', 'postgres/PG_VERSION', 'backups']) {
    chmodSync(join(dataDir, path), 0o777)
  }
  const again = await startProgram({ DATA_DIR: dataDir })
  await untilReady(again)

  expect(openIn(dataDir)).toEqual([])
}, 240_000)
