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
import { prepareDirectory } from './data-directory.ts'
import { createPrivateFile } from './private-files.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'finanzas-directory-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

// Root can write anywhere.
test.skipIf(process.getuid?.() === 0)('a directory that cannot be written is refused', () => {
  chmodSync(directory, 0o500)

  expect(() => prepareDirectory(join(directory, 'data'))).toThrowError(/no puede escribir.*EACCES.*chown/)
})

test('after a refusal, the directories that were created are removed again if they are empty', () => {
  const undo = [
    prepareDirectory(join(directory, 'one', 'empty')),
    prepareDirectory(join(directory, 'two', 'used')),
    prepareDirectory(directory),
  ]
  writeFileSync(join(directory, 'two', 'used', 'file'), '')

  for (const removeEmpty of undo) removeEmpty()

  expect(readdirSync(directory, { recursive: true })).toEqual(['two', 'two/used', 'two/used/file'])
})

test('a path that names a file or leads through a file is refused', () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')

  expect(() => prepareDirectory(file)).toThrowError('es un archivo, no una carpeta')
  expect(() => prepareDirectory(join(file, 'data'))).toThrowError('pasa por un archivo')
})

// Runs only on Linux, where /proc refuses new directories. With `recursive`, Node would retry forever in /proc.
test.runIf(process.platform === 'linux')('a place where no directory can be created is refused', () => {
  expect(() => prepareDirectory('/proc/finanzas/data')).toThrowError(
    '/proc/finanzas/data no se puede crear ahí (ENOENT)',
  )
})

test('a directory that all users share is refused and not changed', () => {
  chmodSync(directory, 0o1777)

  expect(() => prepareDirectory(directory)).toThrowError('comparten')
  expect(statSync(directory).mode & 0o7777).toBe(0o1777)
})

test('other users cannot read a data directory or the server’s files in it', () => {
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
  // These files do not belong to the server; their modes therefore stay unchanged. Other users cannot enter the closed
  // parent directory.
  expect(stillOpen.toSorted()).toEqual(['others', 'others/a'])
})

test('other users cannot read server files in a directory that is a link to another disk', () => {
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

test('preparing a directory does not change the mode of a key file that other users can read', () => {
  writeFileSync(join(directory, 'secrets.json'), '{}', { mode: 0o644 })

  prepareDirectory(directory)

  expect(statSync(join(directory, 'secrets.json')).mode & 0o777).toBe(0o644)
})

test('a private file that exists is complete and has a private mode', () => {
  const path = join(directory, 'key')
  const mask = process.umask(0)
  try {
    createPrivateFile(path, 'one')
  } finally {
    process.umask(mask)
  }

  createPrivateFile(path, 'two')
  expect(readdirSync(directory)).toEqual(['key'])
  expect(readFileSync(path, 'utf8')).toBe('one')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
