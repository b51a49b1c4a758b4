// A forgotten password.
import { expect, test } from 'vitest'
import {
  followLink,
  newClient,
  newEmail,
  readMails,
  signIn,
  signUpCustomer,
  waitForMail,
} from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

test('the link signs in, says that it is a recovery, and a new password can be set', async () => {
  const { client, email } = await signUpCustomer()
  await client.auth.resetPasswordForEmail(email)
  const { link } = await waitForMail(email, 2)

  const { fragment } = await followLink(link)

  expect(fragment.get('type')).toBe('recovery')
  const recovered = newClient()
  await recovered.auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  })
  expect((await recovered.auth.updateUser({ password: 'una clave nueva' })).error).toBe(null)
  await expect(signIn({ email, password: 'una clave nueva' })).resolves.toBeDefined()
})

test('an unknown address gets the same answer and no mail', async () => {
  const known = await signUpCustomer()
  const unknown = newEmail()

  const forUnknown = await rawAuth('POST', '/recover', { body: { email: unknown } })
  const forKnown = await rawAuth('POST', '/recover', { body: { email: known.email } })

  expect(forUnknown.status).toBe(200)
  expect(forUnknown.text).toBe('{}')
  expect(forKnown.text).toBe('{}')
  expect([...forUnknown.headers.keys()]).toEqual([...forKnown.headers.keys()])
  await waitForMail(known.email, 2)
  expect(await readMails(unknown)).toEqual([])
})

test('a changed password makes recovery links worthless', async () => {
  const { client, email, password } = await signUpCustomer()
  await client.auth.resetPasswordForEmail(email)
  const { link } = await waitForMail(email, 2)
  await client.auth.updateUser({ password: 'una clave nueva', current_password: password })

  expect((await followLink(link)).errorCode).toBe('otp_expired')
})

test('recovering without an address says what is missing', async () => {
  const { status, body } = await rawAuth('POST', '/recover', { body: {} })

  expect(status).toBe(400)
  expect(body).toEqual({ code: 'validation_failed', message: 'Password recovery requires an email' })
})
