import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Backups } from './backups.ts'

test('a backup to a missing directory is refused and does not create the directory', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finanzas-backups-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const { privateKey: signingKey } = generateKeyPairSync('ed25519')
  const source = { engine: 'pglite', directory: join(dataDir, 'postgres'), copyTo: null } as const
  const stick = join(dataDir, 'stick')

  const made = new Backups({ dataDir, source, signingKey }).make(join(stick, 'one.backup'))

  await expect(made).rejects.toThrowError(`No existe el directorio ${stick}. Monta el disco`)
  expect(readdirSync(dataDir)).toEqual([])
})
