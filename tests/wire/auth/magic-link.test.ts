// Signing in without a password: a link, and six digits to type instead (security.md AN-08).
import { expect, test } from 'vitest'
import { refusal } from '#tests/wire/client-version.ts'
import {
  followLink,
  newClient,
  newEmail,
  otherThan,
  readMails,
  signUpCustomer,
  waitForCode,
  waitForMail,
} from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

test('the link signs a customer in, once, and its digits with it', async () => {
  const { email, id } = await signUpCustomer()
  const client = newClient()
  expect((await client.auth.signInWithOtp({ email })).error).toBe(null)
  const { link } = await waitForMail(email, 2)

  const { fragment } = await followLink(link)

  expect(fragment.get('type')).toBe('magiclink')
  const { data } = await newClient().auth.getUser(fragment.get('access_token') ?? '')
  expect(data.user?.id).toBe(id)
  expect((await followLink(link)).errorCode).toBe('otp_expired')
  const typed = await client.auth.verifyOtp({ type: 'email', email, token: await waitForCode(email, 2) })
  expect(typed.error).toMatchObject(refusal(403, 'otp_expired'))
})

test.each(['email', 'magiclink'] as const)('the digits sign in as %s, once', async (type) => {
  const { email } = await signUpCustomer()
  const client = newClient()
  await client.auth.signInWithOtp({ email })
  const token = await waitForCode(email, 2)

  const first = await client.auth.verifyOtp({ type, email, token })
  const second = await client.auth.verifyOtp({ type, email, token })

  expect(first.data.session?.user.email).toBe(email)
  expect(second.error).toMatchObject(refusal(403, 'otp_expired'))
})

test('the digits are good for one address, and not as another kind of code', async () => {
  const ana = await signUpCustomer()
  const luis = await signUpCustomer()
  const client = newClient()
  await client.auth.signInWithOtp({ email: ana.email })
  await client.auth.signInWithOtp({ email: luis.email })
  const token = await waitForCode(ana.email, 2)

  const foreign = await client.auth.verifyOtp({ type: 'email', email: luis.email, token })
  const otherKind = await client.auth.verifyOtp({ type: 'recovery', email: ana.email, token })

  expect(foreign.error).toMatchObject(refusal(403, 'otp_expired'))
  expect(otherKind.error).toMatchObject(refusal(403, 'otp_expired'))
})

test('after five wrong tries the digits are worthless, and the link still works', async () => {
  const { email } = await signUpCustomer()
  const client = newClient()
  await client.auth.signInWithOtp({ email })
  const token = await waitForCode(email, 2)
  const wrong = otherThan(token)
  for (let tries = 0; tries < 5; tries += 1)
    await client.auth.verifyOtp({ type: 'email', email, token: wrong })

  const typed = await client.auth.verifyOtp({ type: 'email', email, token })

  expect(typed.error).toMatchObject(refusal(403, 'otp_expired'))
  const { fragment } = await followLink((await waitForMail(email, 2)).link)
  expect(fragment.get('access_token')).not.toBe(null)
})

test('four wrong tries are forgiven', async () => {
  const { email } = await signUpCustomer()
  const client = newClient()
  await client.auth.signInWithOtp({ email })
  const token = await waitForCode(email, 2)
  const wrong = otherThan(token)
  for (let tries = 0; tries < 4; tries += 1)
    await client.auth.verifyOtp({ type: 'email', email, token: wrong })

  expect((await client.auth.verifyOtp({ type: 'email', email, token })).error).toBe(null)
})

test('a new link makes the one before worthless', async () => {
  const { email } = await signUpCustomer()
  const client = newClient()
  await client.auth.signInWithOtp({ email })
  const first = await waitForMail(email, 2)
  await client.auth.signInWithOtp({ email })
  await waitForMail(email, 3)

  expect((await followLink(first.link)).errorCode).toBe('otp_expired')
})

test('a new address gets an account by its first link, without a password', async () => {
  const email = newEmail()
  const client = newClient()
  await client.auth.signInWithOtp({ email, options: { data: { full_name: 'Ana Pérez' } } })

  const { data } = await client.auth.verifyOtp({ type: 'email', email, token: await waitForCode(email) })

  expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ana Pérez', email_verified: true } })
  expect((await client.auth.updateUser({ password: 'su primera clave' })).error).toBe(null)
})

test('an unknown address is answered like a known one, and with create_user false gets no mail', async () => {
  const known = await signUpCustomer()
  const unknown = newEmail()
  const body = { create_user: false }

  const forUnknown = await rawAuth('POST', '/otp', { body: { ...body, email: unknown } })
  const forKnown = await rawAuth('POST', '/otp', { body: { ...body, email: known.email } })

  expect([forUnknown.status, forUnknown.text]).toEqual([200, '{}'])
  expect([forKnown.status, forKnown.text]).toEqual([200, '{}'])
  await waitForMail(known.email, 2)
  expect(await readMails(unknown)).toEqual([])
})

test.each([
  ['nothing', {}, 400, 'validation_failed'],
  ['an address that is none', { email: 'ana' }, 400, 'validation_failed'],
  ['a flag that is none', { email: 'ana@banco.example', create_user: 'no' }, 400, 'validation_failed'],
])('asking with %s is refused', async (_, body, status, code) => {
  const answer = await rawAuth('POST', '/otp', { body })

  expect(answer.status).toBe(status)
  expect(answer.body).toMatchObject({ code })
})
