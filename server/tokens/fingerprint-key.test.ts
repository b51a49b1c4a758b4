import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { FingerprintKey } from './fingerprint-key.ts'

const body = Buffer.from('{"password":"una clave larga"}')
const fingerprint = (secret: string, bytes: Uint8Array = body) => FingerprintKey.of(secret).fingerprint(bytes)

test('servers that share the secret take the same fingerprint, of this body alone', () => {
  expect(fingerprint('one secret')).toMatch(/^[0-9a-f]{64}$/)
  expect(fingerprint('one secret')).toBe(fingerprint('one secret'))
  expect(fingerprint('one secret', Buffer.from('{}'))).not.toBe(fingerprint('one secret'))
})

test('without the secret nobody can take it', () => {
  expect(fingerprint('another secret')).not.toBe(fingerprint('one secret'))
  expect(fingerprint('one secret')).not.toBe(createHash('sha256').update(body).digest('hex'))
})
