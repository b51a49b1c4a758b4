// What a sign-up requires before it signs in.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { refusal } from '#tests/wire/client-version.ts'
import { followLink, newClient, signUpCustomer, signUpUnconfirmed, waitForMail } from '#tests/wire/people.ts'

test('somebody who signs up is not signed in before they follow the link in their mail', async () => {
  const client = newClient()
  const id = randomUUID()

  const { data, error } = await client.auth.signUp({
    email: ` Cliente.${id.toUpperCase()}@Banco.Example `,
    password: 'una clave larga',
    options: { data: { full_name: 'Ana Pérez' } },
  })

  expect(error).toBe(null)
  expect(data.session).toBe(null)
  expect(data.user).toMatchObject({
    aud: 'authenticated',
    role: 'authenticated',
    email: `cliente.${id}@banco.example`,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { full_name: 'Ana Pérez' },
    identities: [{ provider: 'email', id: data.user?.id, identity_data: { email_verified: false } }],
    is_anonymous: false,
  })
  expect(data.user).toHaveProperty('confirmation_sent_at')
  expect(data.user).not.toHaveProperty('email_confirmed_at')
  expect(data.user).not.toHaveProperty('last_sign_in_at')
})

test('the link signs the customer in and leads to the site', async () => {
  const { email } = await signUpUnconfirmed()
  const { link } = await waitForMail(email)

  const { status, page, fragment } = await followLink(link)

  expect(status).toBe(303)
  expect(page).toBe(`${new URL(link).origin}/`)
  expect([...fragment.keys()]).toEqual([
    'access_token',
    'expires_at',
    'expires_in',
    'refresh_token',
    'sb',
    'token_type',
    'type',
  ])
  expect(fragment.get('type')).toBe('signup')
})

test('a confirmed customer has a confirmed address, at once and at the next sign-in', async () => {
  const { client, email } = await signUpCustomer()

  const { data } = await client.auth.getUser()

  expect(data.user).toMatchObject({ email, user_metadata: { email_verified: true } })
  expect(data.user?.email_confirmed_at).toBe(data.user?.confirmed_at)
  expect(data.user?.last_sign_in_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
})

test('a link works once', async () => {
  const { email } = await signUpUnconfirmed()
  const { link } = await waitForMail(email)
  await followLink(link)

  const { status, fragment } = await followLink(link)

  expect(status).toBe(303)
  expect(fragment.toString()).toBe(
    'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
  )
})

test('looking at a link without opening it does not use it up', async () => {
  const { email } = await signUpUnconfirmed()
  const { link } = await waitForMail(email)
  await fetch(link, { method: 'HEAD', redirect: 'manual' })

  const { fragment } = await followLink(link)

  expect(fragment.get('access_token')).not.toBe(null)
})

test('a link that was made up is refused like one that was used', async () => {
  const { email } = await signUpUnconfirmed()
  const link = new URL((await waitForMail(email)).link)
  link.searchParams.set('token', 'A'.repeat(43))

  const { fragment } = await followLink(link.href)

  expect(fragment.get('error_code')).toBe('otp_expired')
})

test('a confirmation link does not work as a recovery link', async () => {
  const { email } = await signUpUnconfirmed()
  const link = new URL((await waitForMail(email)).link)
  link.searchParams.set('type', 'recovery')

  expect((await followLink(link.href)).errorCode).toBe('otp_expired')
})

test('signing up again before confirming sends a new link, and the old one stops working', async () => {
  const { client, email, password } = await signUpUnconfirmed()
  const first = await waitForMail(email)

  await client.auth.signUp({ email, password })

  const second = await waitForMail(email, 2)
  expect((await followLink(first.link)).errorCode).toBe('otp_expired')
  expect((await followLink(second.link)).fragment.get('access_token')).not.toBe(null)
})

test('signing up again with the same password keeps it', async () => {
  const { client, email, password } = await signUpUnconfirmed()
  await client.auth.signUp({ email, password })
  await followLink((await waitForMail(email, 2)).link)

  const { error } = await newClient().auth.signInWithPassword({ email, password })

  expect(error).toBe(null)
})

test('a link can be asked for again', async () => {
  const { client, email } = await signUpUnconfirmed()
  await waitForMail(email)

  const { error } = await client.auth.resend({ type: 'signup', email })

  expect(error).toBe(null)
  const { link } = await waitForMail(email, 2)
  expect((await followLink(link)).fragment.get('access_token')).not.toBe(null)
})

test('the token of a link can be typed in with its address, and with no other', async () => {
  const { client, email } = await signUpUnconfirmed()
  const token = new URL((await waitForMail(email)).link).searchParams.get('token') ?? ''

  const other = await client.auth.verifyOtp({ type: 'email', email: 'otra@banco.example', token })
  const own = await client.auth.verifyOtp({ type: 'email', email, token })

  expect(other.error).toMatchObject(refusal(403, 'otp_expired'))
  expect(own.data.session?.user.email).toBe(email)
})
