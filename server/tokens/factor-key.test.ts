import { expect, test } from 'vitest'
import { FactorKey } from './factor-key.ts'

const secret = Buffer.from('12345678901234567890')
const key = FactorKey.of('a'.repeat(32))

test('a sealed secret opens with the same key for the same factor', () => {
  expect(key.open(key.seal(secret, 'factor'), 'factor')).toEqual(secret)
})

test('what the database holds shows nothing of the secret, and is never the same twice', () => {
  const sealed = key.seal(secret, 'factor')

  expect(sealed.includes(secret)).toBe(false)
  expect(sealed).not.toEqual(key.seal(secret, 'factor'))
})

test('another server’s key, another factor and a changed byte open nothing', () => {
  const sealed = key.seal(secret, 'factor')
  const changed = Buffer.from(sealed)
  changed.writeUInt8(changed.readUInt8(30) ^ 1, 30)

  expect(() => FactorKey.of('b'.repeat(32)).open(sealed, 'factor')).toThrow()
  expect(() => key.open(sealed, 'other')).toThrow()
  expect(() => key.open(changed, 'factor')).toThrow()
})
