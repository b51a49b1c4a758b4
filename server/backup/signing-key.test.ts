import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { generateKeyPairSync } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { signingKeyFile } from '#data-directory/data-directory.ts'
import { publicKeyOf, readSigningKey } from './signing-key.ts'

vi.mock('node:fs', { spy: true })

const directory = mkdtempSync(join(tmpdir(), 'finanzas-signing-'))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('a second server in a directory uses the first server’s key', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const path = join(directory, signingKeyFile)
  // Simulates that the first server creates the file after the second server's check and before the second server's
  // write.
  vi.mocked(existsSync).mockImplementationOnce(() => {
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    return false
  })

  expect(publicKeyOf(readSigningKey(directory, null))).toBe(publicKeyOf(privateKey))
})
