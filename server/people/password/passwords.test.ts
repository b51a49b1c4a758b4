import { hash } from '@node-rs/argon2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCommonPassword } from './blocklist.ts'
import { WeakPassword, createPasswords } from './passwords.ts'

const passwords = createPasswords({ lengthMin: 8, brandName: 'Banco Finanzas' })
const quick = createPasswords({
  lengthMin: 8,
  brandName: 'Banco Finanzas',
  cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
})

const nobody = { email: null }

test('a new password is hashed with argon2id at the documented cost', async () => {
  const stored = await passwords.hash('una clave larga', nobody)

  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
})

test('any password of 8 to 128 code points matches its own hash', async () => {
  const password = fc.string({ unit: 'binary', minLength: 8, maxLength: 128 })
  await fc.assert(
    fc.asyncProperty(password, async (text) => {
      fc.pre([...text.normalize('NFC')].length >= 8 && [...text.normalize('NFC')].length <= 128)
      fc.pre(!isCommonPassword(text, { brandName: 'Banco Finanzas', email: null }))
      const stored = await quick.hash(text, nobody)

      expect(await quick.compare(text, stored)).toEqual({ matches: true, renewedHash: null })
    }),
    { numRuns: 1000 },
  )
})

test.each([8, 128])('a password of %i characters is accepted', async (length) => {
  expect(await quick.hash('muñ3ca é'.repeat(16).slice(0, length), nobody)).toContain('argon2id')
})

test('a password does not match a stored password of 128 characters if only the last character differs', async () => {
  const stored = await quick.hash(`${'a'.repeat(127)}x`, nobody)

  expect((await quick.compare(`${'a'.repeat(127)}y`, stored)).matches).toBe(false)
})

test.each([
  ['seven', 'a'.repeat(7), 'too short'],
  ['seven code points in fourteen units', '😀'.repeat(7), 'too short'],
  ['a hundred and twenty-nine', 'a'.repeat(129), 'too long'],
])('a password of %s characters is refused', async (_, password, weakness) => {
  const refusal = await quick.hash(password, nobody).catch((error: unknown) => error)

  expect(refusal).toBeInstanceOf(WeakPassword)
  expect(refusal).toMatchObject({ lengthMin: 8, lengthMax: 128, weakness })
})

test('a password matches even if a letter is typed as two code points instead of one', async () => {
  const stored = await quick.hash('una ma\u00f1ana larga', nobody)

  expect((await quick.compare('una man\u0303ana larga', stored)).matches).toBe(true)
})

test('a sign-in with the correct password replaces a hash that was computed at a lower cost', async () => {
  const old = await hash('una clave larga', { memoryCost: 1024, timeCost: 1, parallelism: 1 })

  const { matches, renewedHash } = await passwords.compare('una clave larga', old)

  expect(matches).toBe(true)
  expect(await passwords.compare('una clave larga', renewedHash)).toEqual({
    matches: true,
    renewedHash: null,
  })
})

test('a wrong password does not replace the hash', async () => {
  const old = await hash('una clave larga', { memoryCost: 1024, timeCost: 1, parallelism: 1 })

  expect(await passwords.compare('otra clave larga', old)).toEqual({ matches: false, renewedHash: null })
})

test('an account without a password is not matched by any password', async () => {
  expect(await quick.compare('', null)).toEqual({ matches: false, renewedHash: null })
  expect(await quick.compare('una clave larga', '$2a$10$notargon')).toEqual({
    matches: false,
    renewedHash: null,
  })
})
