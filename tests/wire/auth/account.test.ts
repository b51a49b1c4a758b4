// Signed-in customers change their metadata, their password (security.md AN-10) and their e-mail address.
import { expect, test } from 'vitest'
import { newEmail } from '#testing/population.ts'
import { newClient, openRecovery, openSession, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { followLink, followMail, readMails, waitForCode, waitForMail } from '#tests/wire/mails.ts'
import { rawAuth } from './raw-auth.ts'

test('new metadata is merged with the old metadata and cannot make a person an administrator', async () => {
  const { client } = await signUpCustomer()
  await client.auth.updateUser({ data: { city: 'Bogotá', theme: { dark: null } } })

  const { data } = await client.auth.updateUser({ data: { role: 'admin', city: null } })

  expect(data.user).toMatchObject({
    role: 'authenticated',
    app_metadata: { provider: 'email', providers: ['email'] },
  })
  const user_metadata = { full_name: 'Ana Pérez', email_verified: true, theme: { dark: null }, role: 'admin' }
  expect(data.user?.user_metadata).toMatchObject(user_metadata)
  expect(data.user?.user_metadata).not.toHaveProperty('city')
  // The next access token also contains the metadata.
  const refreshed = await client.auth.refreshSession()
  expect(refreshed.data.session?.user.user_metadata).toMatchObject(user_metadata)
})

test('metadata cannot grow beyond the size that fits into a token', async () => {
  const { client } = await signUpCustomer()
  await client.auth.updateUser({ data: { first: 'x'.repeat(3000) } })

  const { error } = await client.auth.updateUser({ data: { second: 'x'.repeat(3000) }, email: newEmail() })

  expect(error).toMatchObject({ status: 400, code: 'validation_failed' })
  const { data } = await client.auth.getUser()
  expect(data.user?.user_metadata).not.toHaveProperty('second')
  // The refused request must change neither the metadata nor the address.
  expect(data.user?.new_email).toBeUndefined()
})

test('a person whose metadata exceeds the limit can still change the password', async () => {
  // The client sends 3,700 bytes of JSON, which PostgreSQL formats as 4,800 bytes.
  const data = Object.fromEntries(Array.from({ length: 540 }, (_, index) => [index.toString(36), 1]))
  const [email, password] = [newEmail(), 'una clave larga']
  await newClient().auth.signUp({ email, password, options: { data } })
  const client = await openSession((await followMail(email)).fragment)

  const changed = await client.auth.updateUser({ password: next, current_password: password })

  expect(changed.error).toBe(null)
  expect((await client.auth.updateUser({ data: { more: 1 } })).error).toMatchObject({
    status: 400,
    code: 'validation_failed',
  })
})

const next = 'una clave nueva'

test('a change of password requires the current password and a new password that is long enough', async () => {
  const person = await signUpCustomer()
  const { client, password } = person
  const refused = async (change: { password: string; current_password?: string }) =>
    (await client.auth.updateUser(change)).error

  expect(await refused({ password: next })).toMatchObject({ status: 400, code: 'current_password_required' })
  expect(await refused({ password: next, current_password: 'otra clave' })).toMatchObject({
    status: 400,
    code: 'current_password_invalid',
  })
  expect(await refused({ password, current_password: password })).toMatchObject({
    status: 422,
    code: 'same_password',
  })
  expect(await refused({ password: 'corta', current_password: password })).toMatchObject({
    name: 'AuthWeakPasswordError',
    status: 422,
    message: 'Password should be at least 8 characters.',
    reasons: ['length'],
  })
  await expect(signIn(person)).resolves.toBeDefined()
})

const notValid = { status: 422, code: 'reauthentication_not_valid' }

test('a mailed code permits one change of password', async () => {
  const person = await signUpCustomer()
  const { client, email, password } = person
  expect((await client.auth.reauthenticate()).error).toBe(null)
  const nonce = await waitForCode(email, 2)

  const changed = await client.auth.updateUser({ password: next, nonce })
  const again = await client.auth.updateUser({ password, nonce })

  expect(changed.error).toBe(null)
  expect(changed.data.user).toHaveProperty('reauthentication_sent_at')
  expect(again.error).toMatchObject(notValid)
  await expect.poll(async () => (await readMails(email))[2]).toContain('acaba de cambiar')
  await expect(signIn(person)).rejects.toThrow()
  await expect(signIn({ email, password: next })).resolves.toBeDefined()
})

test('a mailed code can be used again after the new password was refused', async () => {
  const { client, email } = await signUpCustomer()
  await client.auth.reauthenticate()
  const nonce = await waitForCode(email, 2)

  const weak = await client.auth.updateUser({ password: 'corta', nonce })
  const changed = await client.auth.updateUser({ password: next, nonce })

  expect(weak.error).toMatchObject({ status: 422, code: 'weak_password' })
  expect(changed.error).toBe(null)
})

test('another person’s code is refused, and five wrong codes void the right code', async () => {
  const [ana, luis] = [await signUpCustomer(), await signUpCustomer()]
  await ana.client.auth.reauthenticate()
  await luis.client.auth.reauthenticate()
  const [own, foreign] = [await waitForCode(ana.email, 2), await waitForCode(luis.email, 2)]

  for (let tries = 0; tries < 5; tries += 1) {
    const { error } = await ana.client.auth.updateUser({ password: next, nonce: foreign })
    expect(error).toMatchObject(notValid)
  }

  expect((await ana.client.auth.updateUser({ password: next, nonce: own })).error).toMatchObject(notValid)
})

test('a recovery session permits only one of several simultaneous changes of password and address', async () => {
  const { email } = await signUpCustomer()
  const client = await openRecovery(email, 2)
  const candidates = ['una clave nueva', 'y otra clave más', 'y una tercera más']
  const wanted = candidates.map((password) => ({ password, email: newEmail() }))

  const answers = await Promise.all(wanted.map((change) => client.auth.updateUser(change)))

  const won = wanted.filter((_, index) => answers[index]?.error === null)
  expect(won).toHaveLength(1)
  for (const { error } of answers)
    if (error !== null) expect(error).toMatchObject({ status: 400, code: 'current_password_required' })
  expect((await client.auth.getUser()).data.user?.new_email).toBe(won[0]?.email)
  await expect(signIn({ email, password: won[0]?.password ?? '' })).resolves.toBeDefined()
})

// Changes of address require a confirmation from both the current and the new address (GoTrue's secure email change).

const partlyConfirmedMessage =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

async function askForChange() {
  const person = await signUpCustomer()
  const { email, client } = person
  const nextEmail = newEmail()
  const { data, error } = await client.auth.updateUser({ email: nextEmail })
  if (data.user === null) throw new Error('The change was not taken.', { cause: error })
  const [link, nextLink] = [(await waitForMail(email, 2)).link, (await waitForMail(nextEmail)).link]
  return { ...person, nextEmail, user: data.user, link, nextLink }
}

test.each([
  ['the current address first', true],
  ['the new address first', false],
])('only the new address signs in after both addresses were confirmed, %s', async (_, isPresentFirst) => {
  const { email, nextEmail, password, id, user, link, nextLink } = await askForChange()
  expect(user).toMatchObject({ email, new_email: nextEmail, email_change_sent_at: expect.any(String) })
  const [first, second] = isPresentFirst ? [link, nextLink] : [nextLink, link]

  const half = await followLink(first)
  expect(half.fragment.get('message')).toBe(partlyConfirmedMessage)
  // The link that was followed first works only once.
  expect((await followLink(first)).errorCode).toBe('otp_expired')
  await expect(signIn({ email, password })).resolves.toBeDefined()
  const { type, fragment } = await followLink(second)

  expect(type).toBe('email_change')
  const { data } = await newClient().auth.getUser(fragment.get('access_token') ?? '')
  const identities = [{ identity_data: { email: nextEmail } }]
  expect(data.user).toMatchObject({ id, email: nextEmail, identities })
  expect(data.user).not.toHaveProperty('new_email')
  await expect(signIn({ email: nextEmail, password })).resolves.toBeDefined()
  await expect(signIn({ email, password })).rejects.toThrow()
})

test('a client that posts both tokens of an address change is signed in by the second token', async () => {
  const { nextEmail, ...links } = await askForChange()
  const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? ''
  const body = { type: 'email_change', token_hash: tokenIn(links.link) }

  const half = await rawAuth('POST', '/verify', { body })
  const typed = { type: 'email_change', email: nextEmail, token: tokenIn(links.nextLink) } as const
  const whole = await newClient().auth.verifyOtp(typed)

  expect([half.status, half.body]).toEqual([200, { msg: partlyConfirmedMessage, code: '200' }])
  expect(whole.data.session?.user.email).toBe(nextEmail)
})

test('a repeated request renews both links if neither address has been confirmed', async () => {
  const { email, nextEmail, link, nextLink } = await askForChange()

  await newClient().auth.resend({ type: 'email_change', email })

  const [renewed, nextRenewed] = [await waitForMail(email, 3), await waitForMail(nextEmail, 2)]
  for (const old of [link, nextLink]) expect((await followLink(old)).errorCode).toBe('otp_expired')
  expect((await followLink(nextRenewed.link)).fragment.get('message')).toBe(partlyConfirmedMessage)
  expect((await followLink(renewed.link)).type).toBe('email_change')
})

test('a repeated request renews only the link of the unconfirmed address', async () => {
  const { email, nextEmail, link, nextLink } = await askForChange()
  await followLink(nextLink)

  expect((await newClient().auth.resend({ type: 'email_change', email })).error).toBe(null)

  await waitForMail(email, 3)
  expect((await followLink(link)).errorCode).toBe('otp_expired')
  expect((await followMail(email, 3)).type).toBe('email_change')
  expect(await readMails(nextEmail)).toHaveLength(1)
})

test('a new password cancels a pending change of address, and the links of the change cannot be mailed again', async () => {
  const { client, email, password, nextEmail, link } = await askForChange()
  await followLink(link)

  const changed = await client.auth.updateUser({ password: next, current_password: password })

  expect(changed.data.user).not.toHaveProperty('new_email')
  expect((await newClient().auth.resend({ type: 'email_change', email })).error).toBe(null)
  await openRecovery(email, 4)
  expect(await readMails(nextEmail)).toHaveLength(1)
})

test('changing an address to the same address does nothing', async () => {
  const { client, email } = await signUpCustomer()

  const own = await client.auth.updateUser({ email })

  expect(own.error).toBe(null)
  expect(own.data.user).not.toHaveProperty('new_email')
})

test('a change to an address that another account takes in the meantime is refused', async () => {
  const { email, nextEmail, password, link, nextLink } = await askForChange()
  await followLink(link)
  await newClient().auth.signUp({ email: nextEmail, password: 'una clave larga' })
  await waitForMail(nextEmail, 2)

  expect((await followLink(nextLink)).errorCode).toBe('otp_expired')
  await expect(signIn({ email, password })).resolves.toBeDefined()
})
