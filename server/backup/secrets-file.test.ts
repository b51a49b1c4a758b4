import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeSecrets } from './secrets-file.ts'

test('the secrets file holds only the backup signing key when JWT_SECRET is in the environment', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finanzas-secrets-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  // A server without JWT_SECRET writes this file when it starts.
  const secrets = { jwtSecret: 'of another start' }
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets))
  writeFileSync(join(dataDir, 'signing-key.pem'), signingKey, { mode: 0o600 })
  const written = (name: string, isOfEnvironment: boolean): unknown =>
    JSON.parse(readFileSync(writeSecrets(dataDir, join(dataDir, name), isOfEnvironment), 'utf8'))

  expect(written('one.backup', false)).toEqual({ secrets, signingKey })
  expect(written('other.backup', true)).toEqual({ secrets: null, signingKey })
})
