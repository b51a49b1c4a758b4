import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { initialisedEngineDirectory, lockDirectory, prepareDirectory } from './data-directory.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'finanzas-directory-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Another process that holds the directory until it is told to go. */
async function holdElsewhere() {
  const program = `
    const { lockDirectory } = await import(${JSON.stringify(join(import.meta.dirname, 'data-directory.ts'))})
    lockDirectory(${JSON.stringify(directory)})
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  return holder
}

test('a second process is refused and told who is first', async () => {
  const holder = await holdElsewhere()

  expect(() => lockDirectory(directory)).toThrowError(`process ${holder.pid} `)

  holder.kill('SIGKILL')
  await once(holder, 'exit')
})

test('the lock of a process that was killed is taken over', async () => {
  const holder = await holdElsewhere()
  holder.kill('SIGKILL')
  await once(holder, 'exit')

  const unlock = lockDirectory(directory)

  expect(JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid })
  unlock()
})

// Elsewhere the system does not tell who is only waiting to be buried.
test.runIf(process.platform === 'linux')('so is the lock of one that nobody has buried yet', async () => {
  // The shell becomes a program that never asks how its children ended.
  const program = `import(${JSON.stringify(join(import.meta.dirname, 'data-directory.ts'))}).then((m) => {
    m.lockDirectory(${JSON.stringify(directory)}); process.stdout.write('held'); process.kill(process.pid, 'SIGKILL') })`
  const parent = spawn('sh', ['-c', '"$0" -e "$1" & exec sleep 60', process.execPath, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(parent.stdout, 'data')
  const { pid } = JSON.parse(readFileSync(join(directory, 'lock'), 'utf8')) as { pid: number }
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)

  expect(() => lockDirectory(directory)()).not.toThrow()

  parent.kill()
})

test('whoever lets go makes room for the next', () => {
  lockDirectory(directory)()

  expect(() => lockDirectory(directory)()).not.toThrow()
})

test('a lock from another machine counts while it is fresh', () => {
  writeFileSync(join(directory, 'lock'), JSON.stringify({ pid: 1, host: 'another-host', startedAt: '1' }))

  expect(() => lockDirectory(directory)).toThrowError('another-host')
})

test('a directory of another engine version is refused with what to do', async () => {
  mkdirSync(join(directory, 'postgres'))
  writeFileSync(join(directory, 'postgres', 'PG_VERSION'), '17\n')

  await expect(initialisedEngineDirectory(directory)).rejects.toThrowError(
    /PostgreSQL 17.*npm run backup.*npm run restore/,
  )
})

test('a directory that is no database is refused', async () => {
  mkdirSync(join(directory, 'postgres'))

  await expect(initialisedEngineDirectory(directory)).rejects.toThrowError('not a database')
})

// Root can write anywhere.
test.skipIf(process.getuid?.() === 0)('a directory that cannot be written is refused', () => {
  chmodSync(directory, 0o500)

  expect(() => prepareDirectory(join(directory, 'data'))).toThrowError('cannot be written')
})

test('a path that is a file is refused', () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')

  expect(() => prepareDirectory(file)).toThrowError('cannot be written')
})
