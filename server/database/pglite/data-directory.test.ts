import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createClosedFile } from '#data-directory/closed-files.ts'
import { lockDirectory, prepareDirectory } from '#data-directory/data-directory.ts'
import { initialisedEngineDirectory, assertFreeSpace } from './engine-directory.ts'
import { openPglite } from './pglite.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'finanzas-directory-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Another process that holds the directory until it is ended. */
async function holdElsewhere() {
  const program = `
    const { lockDirectory } = await import(${JSON.stringify(join(import.meta.dirname, '../../data-directory/data-directory.ts'))})
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

  expect(() => lockDirectory(directory)).toThrowError(`proceso ${holder.pid} `)

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
  expect(() => lockDirectory(directory)()).not.toThrow()
})

// Elsewhere the system does not tell which process is only waiting to be reaped.
test.runIf(process.platform === 'linux')('so is the lock of one that nobody has buried yet', async () => {
  // The shell becomes a program that never asks how its children ended.
  const program = `import(${JSON.stringify(join(import.meta.dirname, '../../data-directory/data-directory.ts'))}).then((m) => {
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

test('a lock from another machine counts while it is fresh', () => {
  writeFileSync(join(directory, 'lock'), JSON.stringify({ pid: 1, host: 'another-host', startedAt: '1' }))

  expect(() => lockDirectory(directory)).toThrowError('another-host')
})

test.for([
  ['of another engine version, with what to do', '17\n', /PostgreSQL 17.*npm run backup.*npm run restore/],
  ['that is no database', null, /no es una base de datos/],
  ['whose version is damaged, not as of an older engine', 'garbage\n', /PG_VERSION está dañado/],
] as const)('a directory %s is refused', async ([, version, refusal]) => {
  mkdirSync(join(directory, 'postgres'))
  if (version !== null) writeFileSync(join(directory, 'postgres', 'PG_VERSION'), version)

  await expect(initialisedEngineDirectory(directory)).rejects.toThrowError(refusal)
})

test('a database that was begun and never finished is made again', { timeout: 120_000 }, async () => {
  const begun = join(directory, 'postgres.new-begun')
  mkdirSync(begun)
  writeFileSync(join(begun, 'PG_VERSION'), '18\n')

  const made = await initialisedEngineDirectory(directory)

  expect(readdirSync(directory)).toEqual(['postgres'])
  const { database } = await openPglite(made)
  await database.close()
})

// Root can write anywhere.
test.skipIf(process.getuid?.() === 0)('a directory that cannot be written is refused', () => {
  chmodSync(directory, 0o500)

  expect(() => prepareDirectory(join(directory, 'data'))).toThrowError(/no puede escribir.*EACCES.*chown/)
})

test('a path that is a file or leads through one is refused', () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')

  expect(() => prepareDirectory(file)).toThrowError('es un archivo, no una carpeta')
  expect(() => prepareDirectory(join(file, 'data'))).toThrowError('pasa por un archivo')
})

// Other systems lack such a place. Node makes directories on the way there for ever.
test.runIf(process.platform === 'linux')('a place in which nothing can be made is refused', () => {
  expect(() => prepareDirectory('/proc/finanzas/data')).toThrowError(
    '/proc/finanzas/data no se puede crear ahí (ENOENT)',
  )
})

test('a directory that all users share is refused and stays as it is', () => {
  chmodSync(directory, 0o1777)

  expect(() => prepareDirectory(directory)).toThrowError('comparten')
  expect(statSync(directory).mode & 0o7777).toBe(0o1777)
})

test('a directory and our files in it are closed to others', () => {
  const open = (path: string, mode: number) => chmodSync(join(directory, path), mode)
  for (const folder of ['postgres', 'postgres/base', 'postgres.copy', 'backups', 'outbox', 'others'])
    mkdirSync(join(directory, folder))
  const files = [
    'postgres/base/1255',
    'postgres.copy/1',
    'backups/a.backup',
    'outbox/a.eml',
    'lock',
    'others/a',
  ]
  for (const file of files) writeFileSync(join(directory, file), '')
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) open(path, 0o777)
  symlinkSync('/etc/passwd', join(directory, 'link'))
  chmodSync(directory, 0o755)

  prepareDirectory(directory)

  const paths = ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]
  const stillOpen = paths.filter((path) => {
    const found = lstatSync(join(directory, path))
    return !found.isSymbolicLink() && (found.mode & 0o077) !== 0
  })
  // The closed directory above keeps others out; files of others are not touched.
  expect(stillOpen.toSorted()).toEqual(['others', 'others/a'])
})

test('our files behind a link to another disk are closed too', () => {
  const disk = mkdtempSync(join(tmpdir(), 'finanzas-disk-'))
  onTestFinished(() => rmSync(disk, { recursive: true }))
  writeFileSync(join(disk, 'a.backup'), '')
  chmodSync(join(disk, 'a.backup'), 0o644)
  chmodSync(disk, 0o755)
  symlinkSync(disk, join(directory, 'backups'))
  symlinkSync(join(disk, 'missing'), join(directory, 'outbox'))

  prepareDirectory(directory)

  expect([disk, join(disk, 'a.backup')].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0])
})

test('keys that others could read stay as they are, to be refused by who reads them', () => {
  writeFileSync(join(directory, 'secrets.json'), '{}', { mode: 0o644 })

  prepareDirectory(directory)

  expect(statSync(join(directory, 'secrets.json')).mode & 0o777).toBe(0o644)
})

test('the refusal of a full disk names both sizes', () => {
  expect(() => assertFreeSpace(directory, 2 ** 60)).toThrowError(
    /tiene \d+ MB libres; un banco nuevo necesita 1099511627776 MB\.$/,
  )
})

test('a file is created whole and closed or not at all', () => {
  const path = join(directory, 'key')
  const mask = process.umask(0)
  try {
    createClosedFile(path, 'one')
  } finally {
    process.umask(mask)
  }

  createClosedFile(path, 'two')
  expect(readdirSync(directory)).toEqual(['key'])
  expect(readFileSync(path, 'utf8')).toBe('one')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
