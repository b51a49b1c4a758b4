import { expect, test } from 'vitest'
import { DataKeySeal, newDataKey } from './data-key.ts'

const seal = DataKeySeal.of('a'.repeat(32))

test('the data key opens with the secret that sealed it, and never looks the same twice', () => {
  const key = newDataKey()

  expect(seal.open(seal.seal(key))).toBe(key)
  expect(seal.seal(key)).not.toEqual(seal.seal(key))
  expect(seal.seal(key).toString('latin1')).not.toContain(key)
})

test('another secret, a changed byte and a cut text open nothing', () => {
  const sealed = seal.seal(newDataKey())
  const changed = Buffer.from(sealed)
  changed.writeUInt8(changed.readUInt8(40) ^ 1, 40)

  expect(DataKeySeal.of('b'.repeat(32)).open(sealed)).toBeNull()
  expect(seal.open(changed)).toBeNull()
  expect(seal.open(sealed.subarray(0, 20))).toBeNull()
})
