import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveKeys, newDataKey, openDataKey, sealDataKey } from './keys.ts'

const keys = deriveKeys('a'.repeat(32))
const others = deriveKeys('b'.repeat(32))
const secret = Buffer.from('12345678901234567890')

test('a MAC depends on the key and the purpose and the boundaries between the fields', () => {
  const code = ['one-time', 'ana@banco.example', '123456']
  const mac = keys.codes.mac(code)

  expect(mac).toMatch(/^[0-9a-f]{64}$/)
  expect(keys.codes.mac([...code])).toBe(mac)
  expect(keys.codes.mac(['one-time', 'ana@banco.example', '12345', '6'])).not.toBe(mac)
  expect(keys.codes.mac(['recovery', 'ana@banco.example', '123456'])).not.toBe(mac)
  expect(others.codes.mac(code)).not.toBe(mac)
  expect(keys.fingerprints.mac(code)).not.toBe(mac)
})

test('a fingerprint cannot be computed without the key', () => {
  const body = Buffer.from('{"password":"una clave larga"}')

  expect(keys.fingerprints.mac(body)).toBe(deriveKeys('a'.repeat(32)).fingerprints.mac(body))
  expect(keys.fingerprints.mac(Buffer.from('{}'))).not.toBe(keys.fingerprints.mac(body))
  expect(others.fingerprints.mac(body)).not.toBe(keys.fingerprints.mac(body))
  expect(keys.fingerprints.mac(body)).not.toBe(createHash('sha256').update(body).digest('hex'))
})

test('a sealed secret can be opened for its owner and has different bytes each time', () => {
  const sealed = keys.factors.seal(secret, 'factor')

  expect(keys.factors.open(sealed, 'factor')).toEqual(secret)
  expect(sealed.includes(secret)).toBe(false)
  expect(sealed).not.toEqual(keys.factors.seal(secret, 'factor'))
})

test('a sealed secret cannot be opened with another key or purpose or owner', () => {
  const sealed = keys.factors.seal(secret, 'factor')
  const changed = Buffer.from(sealed)
  changed.writeUInt8(changed.readUInt8(30) ^ 1, 30)

  expect(() => others.factors.open(sealed, 'factor')).toThrow()
  expect(() => keys.mails.open(sealed, 'factor')).toThrow()
  expect(() => keys.factors.open(sealed, 'other')).toThrow()
  expect(() => keys.factors.open(changed, 'factor')).toThrow()
})

test('the data key can be opened only with the secret that sealed it', () => {
  const dataKey = newDataKey()
  const sealed = sealDataKey('one secret', dataKey)

  expect(openDataKey('one secret', sealed)).toBe(dataKey)
  expect(openDataKey('another secret', sealed)).toBeNull()
  expect(openDataKey('one secret', sealed.subarray(0, 20))).toBeNull()
})
