import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertFreeSpace, initialisedEngineDirectory } from './engine-directory.ts'
import { openPglite } from './pglite.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'finanzas-directory-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test.for([
  ['of another engine version, with what to do', '17\n', /PostgreSQL 17.*npm run backup.*npm run restore/],
  ['that is no database', null, /no es una base de datos/],
  ['whose version is damaged, not as of an older engine', 'garbage\n', /PG_VERSION está dañado/],
] as const)('a directory %s is refused', async ([, version, refusal]) => {
  mkdirSync(join(directory, 'postgres'))
  if (version !== null) writeFileSync(join(directory, 'postgres', 'PG_VERSION'), version)

  await expect(initialisedEngineDirectory(directory)).rejects.toThrowError(refusal)
})

test('a database whose creation was interrupted is created again', { timeout: 120_000 }, async () => {
  const begun = join(directory, 'postgres.new-begun')
  mkdirSync(begun)
  writeFileSync(join(begun, 'PG_VERSION'), '18\n')

  const made = await initialisedEngineDirectory(directory)

  expect(readdirSync(directory)).toEqual(['postgres'])
  const { database } = await openPglite(made)
  await database.close()
})

test('the refusal for a full disk contains the free space and the needed space', () => {
  expect(() => assertFreeSpace(directory, 2 ** 60)).toThrowError(
    /tiene \d+ MB libres; un banco nuevo necesita 1099511627776 MB\.$/,
  )
})
