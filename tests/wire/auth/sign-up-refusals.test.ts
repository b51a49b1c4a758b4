// What signing up refuses, and what it does not look at.
import { expect, test } from 'vitest'
import { isOldClient, refusal } from '#tests/wire/client-version.ts'
import { followLink, newClient, newEmail, waitForMail } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

const password = 'una clave larga'

test.each([
  ['no password', { email: 'ana@banco.example' }, 400, 'validation_failed'],
  ['an address without a domain', { email: 'ana', password }, 400, 'validation_failed'],
  [
    'an address with a second header in it',
    { email: 'a@b.co\r\nBcc: c@d.co', password },
    400,
    'validation_failed',
  ],
  ['an address that is no text', { email: 5, password }, 400, 'validation_failed'],
  ['data that is no object', { email: 'ana@banco.example', password, data: [1] }, 400, 'validation_failed'],
  [
    'data that cannot be stored',
    { email: 'ana@banco.example', password, data: { a: '\u0000' } },
    400,
    'validation_failed',
  ],
  [
    'data over 4 KiB',
    { email: 'ana@banco.example', password, data: { a: 'x'.repeat(4096) } },
    400,
    'validation_failed',
  ],
])('signing up with %s is refused', async (_, body, status, code) => {
  const answer = await rawAuth('POST', '/signup', { body })

  expect(answer.status).toBe(status)
  expect(answer.body).toMatchObject({ code })
})

test.each([
  // Not one that is refused for being common.
  ['7', 'xq9vz2m', refusal(422, 'weak_password')],
  ['8', 'muñ3ca é', null],
  ['8 emoji', '😀🐈🌵🎻🚲🧩🍋🪁', null],
  ['128', `muñ3ca ${'é'.repeat(121)}`, null],
  ['129', 'a'.repeat(129), refusal(400, 'validation_failed')],
])('a password of %s characters: %s → %o', async (_, text, expected) => {
  const { error } = await newClient().auth.signUp({ email: newEmail(), password: text })

  if (expected === null) expect(error).toBe(null)
  else expect(error).toMatchObject(expected)
})

// 2.30.0 has no error of its own for weak passwords.
test.skipIf(isOldClient)('a password that is too short says what is wrong with it', async () => {
  const { error } = await newClient().auth.signUp({ email: newEmail(), password: 'corta' })

  expect(error).toMatchObject({
    name: 'AuthWeakPasswordError',
    status: 422,
    message: 'Password should be at least 8 characters.',
    reasons: ['length'],
  })
})

test('nobody makes themself an administrator by signing up', async () => {
  const email = newEmail()
  await rawAuth('POST', '/signup', {
    body: {
      email,
      password,
      role: 'service_role',
      app_metadata: { role: 'admin' },
      raw_app_meta_data: { role: 'admin' },
      data: { role: 'admin', app_metadata: { role: 'admin' } },
    },
  })
  await followLink((await waitForMail(email)).link)

  const { data } = await newClient().auth.signInWithPassword({ email, password })

  expect(data.user?.role).toBe('authenticated')
  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
})
