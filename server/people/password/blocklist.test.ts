import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { isCommonPassword } from './blocklist.ts'
import { commonEndings, commonLiterals, commonWords } from './common-passwords.ts'
import { createPasswords } from './passwords.ts'

const context = { brandName: 'Banco Ñandú', email: 'ana.perez-82@caribe.example' }
const words = (text: string) => text.trim().split(/\s+/)
const isCommon = (password: string) => isCommonPassword(password, context)

const list = [
  ...commonLiterals,
  ...commonWords,
  ...commonWords.flatMap((word) => commonEndings.flatMap((ending) => [word + ending, ending + word])),
].filter((password) => [...password].length >= 8)

test('more than three thousand common passwords of at least eight characters are refused', () => {
  expect(new Set(list).size).toBeGreaterThan(3000)
  // Tests the passwords without a suffix and every twentieth password with a suffix, because testing all passwords
  // would take half a minute.
  const fed = list.filter((_, index) => index < 2000 || index % 20 === 0)
  expect(fed.length).toBeGreaterThan(20_000)
  expect(fed.filter((password) => !isCommon(password))).toEqual([])
})

test('a leaked password of at least eight characters is refused', () => {
  const leaked = dictionary['passwords-common'].map(String).filter((password) => [...password].length >= 8)

  expect(leaked.length).toBeGreaterThan(15_000)
  expect(leaked.filter((password) => !isCommon(password))).toEqual([])
})

test.each(
  words(`
    Password1 P@ssw0rd CONTRASEÑA contrasena2026 Colombia2024! qwertyuiop ñlkjhgfdsa 1qaz2wsx 87654321 aaaaaaaa
    abcabcabc 😀😀😀😀😀😀😀😀 19051987 1987-05-19 holahola teamo123 123456789a ｐａｓｓｗｏｒｄ`),
)('the password %s is refused as common', (password) => {
  expect(isCommon(password)).toBe(true)
})

test.each(
  words('banconandu BancoÑandú nandu2026 finanzas misfinanzas1 anaperez82 Ana.Perez-82 perez123 caribe2025'),
)('the password %s is refused because it names the bank or the account', (password) => {
  expect(isCommon(password)).toBe(true)
})

test.each([
  'una clave larga',
  'el banco de la plaza',
  'password de mi abuela',
  'perez y sus primos',
  'XK9-mvw2',
  'tres tristes tigres',
  '7391846250',
])('the password %s is accepted although it contains a common word', (password) => {
  expect(isCommon(password)).toBe(false)
})

test('a generated password is accepted for any minimum length', async () => {
  const passwords = createPasswords({ lengthMin: 128, brandName: 'Banco' })

  expect(() => passwords.check(passwords.makeUp(), { email: null })).not.toThrow()
  expect(passwords.makeUp()).not.toBe(passwords.makeUp())
})

test('the check of a password with half a million characters ends before the test times out', () => {
  // A check whose time grows with the square of the length would take minutes.
  expect(isCommon('ab'.repeat(250_000))).toBe(true)
  expect(isCommon(`${'a'.repeat(499_999)}b`)).toBe(false)
})
