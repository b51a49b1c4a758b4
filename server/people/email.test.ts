import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEmail } from './email.ts'

test('an address is trimmed and folded to lower case', () => {
  expect(readEmail('  Ana.Pérez@Banco.EXAMPLE '.replace('é', 'e'))).toBe('ana.perez@banco.example')
})

test.each(['a@b.co', "o'brien+x@sub.banco.example", 'admin@finanzas.local'])(
  '%s is an address',
  (address) => {
    expect(readEmail(address)).toBe(address)
  },
)

test.each([
  '',
  'ana',
  'ana@',
  '@banco.example',
  'ana@banco',
  'ana@@banco.example',
  'ana perez@banco.example',
  'ana@banco..example',
  'ana@-banco.example',
  '.ana@banco.example',
  'an..a@banco.example',
  'ana@banco.example\r\nBcc: x@y.example',
  'ana@banco.example\u0000',
  '"ana"@banco.example',
  `${'a'.repeat(65)}@banco.example`,
  `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example`,
])('%j is not an address', (text) => {
  expect(readEmail(text)).toBe(null)
})

test('a value other than text is not an address', () => {
  expect(readEmail(undefined)).toBe(null)
  expect(readEmail({ toString: () => 'a@b.co' })).toBe(null)
})

test('reading an accepted address a second time does not change it', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      const email = readEmail(address)
      fc.pre(email !== null)
      expect(readEmail(email)).toBe(email)
    }),
  )
})
