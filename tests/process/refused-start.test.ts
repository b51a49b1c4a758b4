/** Tests that a refused start and a refused restore leave no files. */
import { existsSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyDirectory, runCommand, startProgram } from './programs.ts'

// With a known signer, the restore creates the directory before it reads the file.
const signer = ['--signed-by', 'a'.repeat(64)]

test.for([
  ['a file', (file: string) => [[file, ...signer], {}] as const],
  ['a file without a known signer', (file: string) => [[file], {}] as const],
  ['standard input', (file: string) => [['-', ...signer], { input: openSync(file, 'r') }] as const],
] as const)('a refused restore from %s leaves no empty data directory', async ([, argumentsFor]) => {
  const directory = await emptyDirectory()
  const dataDir = join(directory, 'new')
  const file = join(directory, 'broken.backup')
  await writeFile(file, 'not a backup')
  const [given, streams] = argumentsFor(file)

  const { code } = await runCommand('restore', given, { DATA_DIR: dataDir }, streams)

  expect([code, existsSync(dataDir)]).toEqual([1, false])
})

test('a start with a certificate that cannot be used names the setting and creates nothing', async () => {
  const directory = await emptyDirectory()
  const [dataDir, file] = [join(directory, 'new'), join(directory, 'banco.p12')]
  await writeFile(file, '-----BEGIN CERTIFICATE-----', { mode: 0o600 })

  const program = await startProgram({ DATA_DIR: dataDir, PAPER_CERTIFICATE: file })

  expect([await program.ended, existsSync(dataDir)]).toEqual([1, false])
  expect(program.output()).toContain('PAPER_CERTIFICATE no es un archivo PKCS #12')
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
