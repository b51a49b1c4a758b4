// Another address: the present one and the next must both agree (GoTrue's secure change of address).
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

const partlyConfirmedMessage =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

async function askForChange() {
  const person = await signUpCustomer()
  const next = newEmail()
  const { data, error } = await person.client.auth.updateUser({ email: next })
  if (data.user === null) throw new Error('The change was not taken.', { cause: error })
  return { ...person, next, user: data.user }
}

test('asking changes nothing yet but shows what was asked for', async () => {
  const { client, email, next, user } = await askForChange()

  expect(user).toMatchObject({ email, new_email: next })
  expect(user.email_change_sent_at).toBeDefined()
  expect((await client.auth.getUser()).data.user?.email).toBe(email)
})

test.each([
  ['the present address first', true],
  ['the next address first', false],
])(
  'after both have agreed, %s, the new address signs in and the old one does not',
  async (_, isPresentFirst) => {
    const { email, next, password, id } = await askForChange()
    const links = [(await waitForMail(email, 2)).link, (await waitForMail(next)).link]
    const [first = '', second = ''] = isPresentFirst ? links : links.toReversed()

    const half = await followLink(first)
    expect(half.fragment.get('message')).toBe(partlyConfirmedMessage)
    await expect(signIn({ email, password })).resolves.toBeDefined()
    const whole = await followLink(second)

    expect(whole.fragment.get('type')).toBe('email_change')
    const { data } = await newClient().auth.getUser(whole.fragment.get('access_token') ?? '')
    expect(data.user).toMatchObject({ id, email: next, identities: [{ identity_data: { email: next } }] })
    expect(data.user).not.toHaveProperty('new_email')
    await expect(signIn({ email: next, password })).resolves.toBeDefined()
    await expect(signIn({ email, password })).rejects.toThrow()
  },
)

test('one address that agrees twice is not two that agree', async () => {
  const { client, email, next } = await askForChange()
  const { link } = await waitForMail(email, 2)
  await followLink(link)

  expect((await followLink(link)).errorCode).toBe('otp_expired')
  expect((await client.auth.getUser()).data.user).toMatchObject({ email, new_email: next })
})

test('a client that posts the tokens is told of the first half, and signed in by the second', async () => {
  const { email, next } = await askForChange()
  const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? ''
  const first = tokenIn((await waitForMail(email, 2)).link)
  const second = tokenIn((await waitForMail(next)).link)

  const half = await rawAuth('POST', '/verify', { body: { type: 'email_change', token_hash: first } })
  const client = newClient()
  const whole = await client.auth.verifyOtp({ type: 'email_change', email: next, token: second })

  expect([half.status, half.body]).toEqual([200, { msg: partlyConfirmedMessage, code: '200' }])
  expect(whole.data.session?.user.email).toBe(next)
})

test('asking again makes both links new while neither has agreed', async () => {
  const { email, next } = await askForChange()
  const [before, nextBefore] = [await waitForMail(email, 2), await waitForMail(next)]

  await newClient().auth.resend({ type: 'email_change', email })

  const [link, nextLink] = [(await waitForMail(email, 3)).link, (await waitForMail(next, 2)).link]
  for (const old of [before.link, nextBefore.link])
    expect((await followLink(old)).errorCode).toBe('otp_expired')
  expect((await followLink(nextLink)).fragment.get('message')).toBe(partlyConfirmedMessage)
  expect((await followLink(link)).type).toBe('email_change')
})

test('an attacker who asks again takes back nothing that was agreed: only the missing link is new', async () => {
  const { email, next } = await askForChange()
  const before = await waitForMail(email, 2)
  await followLink((await waitForMail(next)).link)

  expect((await newClient().auth.resend({ type: 'email_change', email })).error).toBe(null)

  const { link } = await waitForMail(email, 3)
  expect((await followLink(before.link)).errorCode).toBe('otp_expired')
  expect((await followLink(link)).type).toBe('email_change')
  expect(await readMails(next)).toHaveLength(1)
})

test('one’s own address is no change', async () => {
  const { client, email } = await signUpCustomer()

  const own = await client.auth.updateUser({ email })

  expect(own.error).toBe(null)
  expect(own.data.user).not.toHaveProperty('new_email')
})

test('an address that somebody took meanwhile is not changed to', async () => {
  const { email, next, password } = await askForChange()
  await followLink((await waitForMail(email, 2)).link)
  const { link } = await waitForMail(next)
  await newClient().auth.signUp({ email: next, password: 'una clave larga' })
  await waitForMail(next, 2)

  expect((await followLink(link)).errorCode).toBe('otp_expired')
  await expect(signIn({ email, password })).resolves.toBeDefined()
})

test('resending to an address without a change tells nothing', async () => {
  const { error } = await newClient().auth.resend({ type: 'email_change', email: newEmail() })

  expect(error).toBe(null)
})
