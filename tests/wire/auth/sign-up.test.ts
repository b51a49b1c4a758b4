// A person who signs up gets a session only through the mailed link. The answer to a sign-up does not reveal existing
// accounts.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { expect, inject, test } from 'vitest'
import { newEmail } from '#testing/population.ts'
import { newClient, openSession, operator, signUpCustomer, signUpUnconfirmed } from '#tests/wire/people.ts'
import { followLink, followMail, readMails, waitForMail } from '#tests/wire/mails.ts'
import { rawAuth } from './raw-auth.ts'

const password = 'una clave larga'
const wrongCredentials = { status: 400, code: 'invalid_credentials' }

test('a name that looks like the bank’s name is refused at a sign-up and at a change of the name', async () => {
  const refused = { status: 422, code: 'validation_failed', message: 'This name is reserved by the bank' }
  const data = { full_name: '𝐁𝐚𝐧𝐜𝐨 Finanzas' }

  const signedUp = await newClient().auth.signUp({ email: newEmail(), password, options: { data } })
  expect(signedUp.error).toMatchObject(refused)
  const { client } = await signUpCustomer()
  expect((await client.auth.updateUser({ data })).error).toMatchObject(refused)
})

test('a person who signs up is not signed in until they follow the mailed link', async () => {
  const client = newClient()
  const id = randomUUID()

  const { data, error } = await client.auth.signUp({
    email: ` Cliente.${id.toUpperCase()}@Banco.Example `,
    password,
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
    identities: [{ provider: 'email', id: data.user?.id, identity_data: { email_verified: false } }],
    is_anonymous: false,
  })
  // As GoTrue does, the server adds the fields of the identity to the metadata.
  expect(data.user?.user_metadata).toEqual({
    full_name: 'Ana Pérez',
    sub: data.user?.id,
    email: `cliente.${id}@banco.example`,
    email_verified: false,
    phone_verified: false,
  })
  expect(data.user).toHaveProperty('confirmation_sent_at')
  expect(data.user).not.toHaveProperty('email_confirmed_at')
  expect(data.user).not.toHaveProperty('last_sign_in_at')
})

test('only the unmodified mailed link signs a person in, and only once', async () => {
  const { client, email } = await signUpUnconfirmed()
  const { link } = await waitForMail(email)
  const changed = (name: string, value: string) => {
    const url = new URL(link)
    url.searchParams.set(name, value)
    return url.href
  }
  const token = new URL(link).searchParams.get('token') ?? ''

  expect((await followLink(changed('token', 'A'.repeat(43)))).errorCode).toBe('otp_expired')
  expect((await followLink(changed('type', 'recovery'))).errorCode).toBe('otp_expired')
  const typed = await client.auth.verifyOtp({ type: 'email', email: 'otra@banco.example', token })
  expect(typed.error).toMatchObject({ status: 403, code: 'otp_expired' })
  await fetch(link, { method: 'HEAD', redirect: 'manual' })

  const { status, page, fragment } = await followLink(link)
  expect([status, page, fragment.get('type')]).toEqual([303, `${new URL(link).origin}/`, 'signup'])
  expect([...fragment.keys()]).toEqual([
    'access_token',
    'expires_at',
    'expires_in',
    'refresh_token',
    'sb',
    'token_type',
    'type',
  ])
  expect((await followLink(link)).fragment.toString()).toBe(
    'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
  )
  const { data } = await (await openSession(fragment)).auth.getUser()
  expect(data.user?.email).toBe(email)
  expect(data.user?.user_metadata).toEqual({
    full_name: expect.any(String),
    sub: data.user?.id,
    email,
    email_verified: true,
    phone_verified: false,
  })
  expect(data.user?.email_confirmed_at).toBe(data.user?.confirmed_at)
  expect(data.user?.last_sign_in_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
})

test('a second sign-up sends a new link and voids the first link', async () => {
  const { client, email, password: chosen } = await signUpUnconfirmed()
  const first = await waitForMail(email)
  await client.auth.signUp({ email, password: chosen })
  const second = await waitForMail(email, 2)
  expect((await client.auth.resend({ type: 'signup', email })).error).toBe(null)
  const token = new URL((await waitForMail(email, 3)).link).searchParams.get('token') ?? ''

  for (const { link } of [first, second]) expect((await followLink(link)).errorCode).toBe('otp_expired')
  const typed = await client.auth.verifyOtp({ type: 'email', email, token })
  expect(typed.data.session?.user.email).toBe(email)
  expect((await newClient().auth.signInWithPassword({ email, password: chosen })).error).toBe(null)
})

test('a person cannot become an administrator by signing up', async () => {
  const email = newEmail()
  const role = { role: 'admin' }
  const body = { email, password, role: 'service_role', app_metadata: role, raw_app_meta_data: role }
  await rawAuth('POST', '/signup', { body: { ...body, data: { ...role, app_metadata: role } } })
  await followMail(email)

  const { data } = await newClient().auth.signInWithPassword({ email, password })

  expect(data.user?.role).toBe('authenticated')
  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
})

// The pages to which links can lead (security.md AN-09). server/auth/links/redirect.test.ts tests which targets are
// refused.

test('a link can lead only to a page of the site', async () => {
  const { origin } = new URL(inject('server').url)
  const linkTo = async (target: string) => {
    const email = newEmail()
    const path = `/signup?redirect_to=${encodeURIComponent(target)}`
    await rawAuth('POST', path, { body: { email, password } })
    return new URL((await waitForMail(email)).link)
  }
  const page = `${origin}/dashboard?welcome=1`
  expect((await followLink((await linkTo(page)).href)).page).toBe(page)

  const link = await linkTo('https://evil.example/')
  expect(link.searchParams.get('redirect_to')).toBe(`${link.origin}/`)
  link.searchParams.set('redirect_to', 'https://evil.example/')
  expect((await followLink(link.href)).page).toBe(`${link.origin}/`)
})

test('the headers of a request cannot change where a link leads', async () => {
  const email = newEmail()
  const { url, anonKey } = inject('server')
  const foreign = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example;proto=https',
    referer: 'https://evil.example/',
  }
  const headers = { ...foreign, host: 'evil.example', apikey: anonKey }
  const signUp = request(`${url}/auth/v1/signup`, { method: 'POST', headers })
  signUp.end(JSON.stringify({ email, password }))
  await once(signUp, 'response')
  const mail = await waitForMail(email)
  expect(mail.text).not.toContain('evil')

  const link = new URL(mail.link)
  link.searchParams.delete('redirect_to')
  const followed = await fetch(link, { redirect: 'manual', headers: foreign })

  expect(followed.headers.get('location')).toMatch(`${link.origin}/#access_token=`)
})

// The answer for a taken address is indistinguishable from the answer for a new address (security.md AN-06).

/** Returns an answer in which the ids, the times and the address, which always differ, are replaced by placeholders. */
function shapeOf(body: unknown, email: string): string {
  return JSON.stringify(body)
    .replaceAll(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"<id>"')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"<time>"')
    .replaceAll(email, '<address>')
}

test('a sign-up with a taken address gets the same answer as with a new address and sends no mail', async () => {
  const { client, email, id } = await signUpCustomer()
  const unknown = newEmail()
  const body = { password, data: { full_name: 'Otra Persona' } }

  const taken = await rawAuth('POST', '/signup', { body: { ...body, email } })
  const fresh = await rawAuth('POST', '/signup', { body: { ...body, email: unknown } })
  const again = { ...body, email: unknown, data: { full_name: 'Tercera Persona' } }
  const waiting = await rawAuth('POST', '/signup', { body: again })

  expect(taken.status).toBe(fresh.status)
  expect(shapeOf(taken.body, email)).toBe(shapeOf(fresh.body, unknown))
  expect([...taken.headers.keys()]).toEqual([...fresh.headers.keys()])
  // A second sign-up with the same address must not reveal the id, times or name from the first sign-up.
  const idsOf = ({ body: answer }: { body: unknown }) => (answer as { id: string }).id
  expect(idsOf(waiting)).not.toBe(idsOf(fresh))
  expect(shapeOf(waiting.body, unknown).replaceAll('Tercera', 'Otra')).toBe(shapeOf(fresh.body, unknown))
  expect(taken.body).toMatchObject({ email, user_metadata: body.data })
  expect(taken.body).not.toMatchObject({ id })
  await waitForMail(unknown, 2)
  expect(await readMails(email)).toHaveLength(1)
  expect((await client.auth.getUser()).data.user?.user_metadata).toMatchObject({ full_name: 'Ana Pérez' })
})

test('a change to a taken address gets the same answer as a change to a free address', async () => {
  const { email: taken } = await signUpCustomer()
  const [ana, luis, free] = [await signUpCustomer(), await signUpCustomer(), newEmail()]

  const one = await ana.client.auth.updateUser({ email: taken })
  const other = await luis.client.auth.updateUser({ email: free })

  expect([one.error, other.error]).toEqual([null, null])
  const shape = (person: { email: string }, user: unknown, next: string) =>
    shapeOf(user, person.email).replaceAll(next, '<next>')
  expect(shape(ana, one.data.user, taken)).toBe(shape(luis, other.data.user, free))
  // The person who requests the change gets the same mail for a taken address as for a free address. The owner of the
  // taken address gets a notice without a link and keeps the address.
  await waitForMail(ana.email, 2)
  await expect.poll(() => readMails(taken)).toHaveLength(2)
  const notice = (await readMails(taken))[1] ?? ''
  expect(notice).toContain('pidió usar este email')
  expect(notice).not.toMatch(/^https?:/m)
  expect((await ana.client.auth.getUser()).data.user?.email).toBe(ana.email)
})

// An attacker who signs up with another person's address must not set the password of the resulting account (decision
// 0022).

const attackers = 'la clave de otra persona'
const owners = 'la clave de la dueña'
const signUp = (email: string, text: string) => newClient().auth.signUp({ email, password: text })
const signInError = async (email: string, text: string) =>
  (await newClient().auth.signInWithPassword({ email, password: text })).error

test.each([
  ['first', [attackers, owners]],
  ['last', [owners, attackers]],
])(
  'if an attacker signs up %s neither password works, and the link opens the form for a new password',
  async (_, texts) => {
    const email = newEmail()
    for (const text of texts) await signUp(email, text)

    const { fragment } = await followMail(email, 2)

    expect(fragment.get('type')).toBe('recovery')
    expect(await signInError(email, attackers)).toMatchObject(wrongCredentials)
    expect(await signInError(email, owners)).toMatchObject(wrongCredentials)
    const client = await openSession(fragment)
    expect((await client.auth.updateUser({ password: owners })).error).toBe(null)
    expect(await signInError(email, owners)).toBe(null)
  },
)

test.each(['recovery', 'magiclink'])(
  'a %s link to an unconfirmed address does not activate the password that was chosen at the sign-up',
  async (type) => {
    const email = newEmail()
    await signUp(email, attackers)
    const { auth } = newClient()
    await (type === 'recovery' ? auth.resetPasswordForEmail(email) : auth.signInWithOtp({ email }))

    const { fragment } = await followMail(email, 2)

    expect(fragment.get('access_token')).not.toBe(null)
    expect(await signInError(email, attackers)).toMatchObject(wrongCredentials)
  },
)

test("a sign-up link that an operator generates activates the operator's password, not an attacker's", async () => {
  const email = newEmail()
  await signUp(email, attackers)
  const { data } = await operator().auth.admin.generateLink({ type: 'signup', email, password: owners })

  const { fragment } = await followLink(data.properties?.action_link ?? '')

  expect(fragment.get('access_token')).not.toBe(null)
  expect(await signInError(email, attackers)).toMatchObject(wrongCredentials)
  expect(await signInError(email, owners)).toBe(null)
})
