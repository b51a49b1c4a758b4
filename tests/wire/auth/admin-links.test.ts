// Links of the operator's making: an invitation by mail, and links that a program sends in its own way.
import { expect, inject, test } from 'vitest'
import { refusal } from '#tests/wire/client-version.ts'
import {
  followLink,
  newClient,
  newEmail,
  openSession,
  operator,
  signIn,
  signUpCustomer,
  waitForMail,
} from '#tests/wire/people.ts'

test('somebody who is invited signs in by the link and chooses a password', async () => {
  const email = newEmail()
  const { data, error } = await operator().auth.admin.inviteUserByEmail(email, { data: { full_name: 'Ana' } })
  expect(error).toBe(null)
  expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ana' } })
  expect(data.user?.invited_at).toBeDefined()

  const { fragment } = await followLink((await waitForMail(email)).link)

  expect(fragment.get('type')).toBe('invite')
  const client = await openSession(fragment)
  expect((await client.auth.updateUser({ password: 'una clave nueva' })).error).toBe(null)
  await expect(signIn({ email, password: 'una clave nueva' })).resolves.toBeDefined()
})

test('who has an account is not invited', async () => {
  const { email } = await signUpCustomer()

  const { error } = await operator().auth.admin.inviteUserByEmail(email)

  expect(error).toMatchObject(refusal(422, 'email_exists'))
})

test.each(['signup', 'invite', 'magiclink', 'recovery'] as const)(
  'a generated %s link, its token and its digits each sign in, and no mail is sent',
  async (type) => {
    for (const way of ['link', 'token', 'digits']) {
      const email = type === 'recovery' ? (await signUpCustomer()).email : newEmail()
      const { data, error } = await operator().auth.admin.generateLink({
        type,
        email,
        password: 'una clave larga',
      })
      expect(error).toBe(null)
      const { action_link: link, hashed_token, email_otp, verification_type } = data.properties ?? {}
      expect(new URL(link ?? '').origin).toBe(inject('server').url.replace('127.0.0.1', 'localhost'))
      expect(verification_type).toBe(type)

      const client = newClient()
      if (way === 'link') {
        expect((await followLink(link ?? '')).fragment.get('access_token')).not.toBe(null)
      } else if (way === 'token') {
        const verified = await client.auth.verifyOtp({ type, token_hash: hashed_token ?? '' })
        expect(verified.data.user?.email).toBe(email)
      } else {
        const verified = await client.auth.verifyOtp({ type, email, token: email_otp ?? '' })
        expect(verified.data.user?.email).toBe(email)
      }
    }
  },
)

test('the two links of a change of address are generated one by one', async () => {
  const { email, password } = await signUpCustomer()
  const newOne = newEmail()
  const link = async (type: 'email_change_current' | 'email_change_new') => {
    const { data } = await operator().auth.admin.generateLink({ type, email, newEmail: newOne })
    return data.properties?.action_link ?? ''
  }

  const current = await link('email_change_current')
  await followLink(current)
  const next = await link('email_change_new')
  await followLink(next)

  await expect(signIn({ email: newOne, password })).resolves.toBeDefined()
})

test.each([
  ['recovery', 404, 'user_not_found'],
  ['email_change_new', 404, 'user_not_found'],
  ['phone_change', 400, 'validation_failed'],
])('a %s link to nobody is refused', async (type, status, code) => {
  const { error } = await operator().auth.admin.generateLink({
    type,
    email: newEmail(),
    newEmail: newEmail(),
  } as never)

  expect(error).toMatchObject(refusal(status, code))
})

test('a sign-up link for a customer is refused', async () => {
  const { email, password } = await signUpCustomer()

  const { error } = await operator().auth.admin.generateLink({ type: 'signup', email, password })

  expect(error).toMatchObject(refusal(422, 'email_exists'))
})
