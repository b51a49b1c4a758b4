/** Tests that a refused start and a refused restore leave no files. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyDirectory, runCommand, startProgram } from './programs.ts'

test('a refused restore leaves no empty data directory', async () => {
  const directory = await emptyDirectory()
  const dataDir = join(directory, 'new')

  const file = join(directory, 'broken.backup')
  await writeFile(file, 'not a backup')

  const { code } = await runCommand('restore', [file], { DATA_DIR: dataDir })

  expect([code, existsSync(dataDir)]).toEqual([1, false])
})

test('a start without a reachable database leaves no empty data directory', async () => {
  const dataDir = join(await emptyDirectory(), 'new')

  const program = await startProgram({
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://banco@127.0.0.1:1/finanzas',
    JWT_SECRET: 'a secret of more than thirty-two characters',
  })

  expect([await program.ended, existsSync(dataDir)]).toEqual([1, false])
})
