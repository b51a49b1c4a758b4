// Mailed links (security.md AN-08): recovery links, and magic links, which are mailed together with a six-digit code.
import { expect, test } from 'vitest'
import { newEmail } from '#testing/population.ts'
import { newClient, otherThan, signUpCustomer } from '#tests/wire/people.ts'
import { followLink, followMail, readMails, waitForCode, waitForMail } from '#tests/wire/mails.ts'
import { rawAuth } from './raw-auth.ts'

const expired = { status: 403, code: 'otp_expired' }

/** Signs up a customer and requests a magic link, which arrives in the customer's second mail. */
async function withMagicLink() {
  const person = await signUpCustomer()
  const client = newClient()
  expect((await client.auth.signInWithOtp({ email: person.email })).error).toBe(null)
  return { ...person, client, token: await waitForCode(person.email, 2) }
}

test('a magic link signs a customer in once and voids the code in its mail', async () => {
  const { client, email, id, token } = await withMagicLink()

  const { fragment } = await followMail(email, 2)

  expect(fragment.get('type')).toBe('magiclink')
  const { data } = await newClient().auth.getUser(fragment.get('access_token') ?? '')
  expect(data.user?.id).toBe(id)
  expect((await followMail(email, 2)).errorCode).toBe('otp_expired')
  expect((await client.auth.verifyOtp({ type: 'email', email, token })).error).toMatchObject(expired)
})

test.each(['email', 'magiclink'] as const)(
  'the digits of a magic link sign a customer in once as type %s',
  async (type) => {
    const { client, email, token } = await withMagicLink()

    const first = await client.auth.verifyOtp({ type, email, token })
    const second = await client.auth.verifyOtp({ type, email, token })

    expect(first.data.session?.user.email).toBe(email)
    expect(second.error).toMatchObject(expired)
  },
)

test('the code mailed with a magic link cannot be used with another address or as another kind of code', async () => {
  const { client, email, token } = await withMagicLink()
  const luis = await withMagicLink()

  const foreign = await client.auth.verifyOtp({ type: 'email', email: luis.email, token })
  const otherKind = await client.auth.verifyOtp({ type: 'recovery', email, token })

  expect(foreign.error).toMatchObject(expired)
  expect(otherKind.error).toMatchObject(expired)
})

test.each([
  [4, 'do not void the digits', null],
  [5, 'void the digits but not the link', expect.objectContaining(expired)],
])('%i wrong tries %s', async (tries, _, expected) => {
  const { client, email, token } = await withMagicLink()
  for (let index = 0; index < tries; index += 1)
    await client.auth.verifyOtp({ type: 'email', email, token: otherThan(token) })

  const typed = await client.auth.verifyOtp({ type: 'email', email, token })

  expect(typed.error).toEqual(expected)
  if (expected !== null) expect((await followMail(email, 2)).fragment.get('access_token')).not.toBe(null)
})

test('a magic link to a new address creates an account without a password', async () => {
  const email = newEmail()
  const client = newClient()
  await client.auth.signInWithOtp({ email, options: { data: { full_name: 'Ana Pérez' } } })

  const { data } = await client.auth.verifyOtp({ type: 'email', email, token: await waitForCode(email) })

  expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ana Pérez', email_verified: true } })
  expect((await client.auth.updateUser({ password: 'su primera clave' })).error).toBe(null)
})

test.each([
  ['/recover', {}],
  ['/otp', { create_user: false }],
  ['/resend', { type: 'email_change' }],
])('%s answers an unknown address like a known one and mails nothing to it', async (path, more) => {
  const [known, unknown] = [await signUpCustomer(), newEmail()]

  const forUnknown = await rawAuth('POST', path, { body: { ...more, email: unknown } })
  const forKnown = await rawAuth('POST', path, { body: { ...more, email: known.email } })

  expect([forUnknown.status, forUnknown.text]).toEqual([200, '{}'])
  expect([forKnown.status, forKnown.text]).toEqual([200, '{}'])
  expect([...forUnknown.headers.keys()]).toEqual([...forKnown.headers.keys()])
  if (path !== '/resend') await waitForMail(known.email, 2)
  expect(await readMails(unknown)).toEqual([])
})

test('a new password voids recovery links', async () => {
  const { client, email, password } = await signUpCustomer()
  await client.auth.resetPasswordForEmail(email)
  const { link } = await waitForMail(email, 2)
  await client.auth.updateUser({ password: 'una clave nueva', current_password: password })

  expect((await followLink(link)).errorCode).toBe('otp_expired')
})
