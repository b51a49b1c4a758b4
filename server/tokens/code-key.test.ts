import { expect, test } from 'vitest'
import { CodeKey } from './code-key.ts'

const key = CodeKey.of('a'.repeat(32))

test('the same code of the same owner is recognised', () => {
  expect(key.mac('123456', ['magiclink', 'ana@banco.example'])).toBe(
    key.mac('123456', ['magiclink', 'ana@banco.example']),
  )
})

test('a code is good for one purpose and one owner, and needs the server’s key to be found', () => {
  const mac = key.mac('123456', ['magiclink', 'ana@banco.example'])

  expect(key.mac('123456', ['reauthentication', 'ana@banco.example'])).not.toBe(mac)
  expect(key.mac('123456', ['magiclink', 'otra@banco.example'])).not.toBe(mac)
  expect(key.mac('6', ['magiclink', 'ana@banco.example', '12345'])).not.toBe(mac)
  expect(CodeKey.of('b'.repeat(32)).mac('123456', ['magiclink', 'ana@banco.example'])).not.toBe(mac)
})
