// If the user has an authenticator app, a session in which only the password was verified can do nothing but finish the
// sign-in. All surfaces refuse the session's other requests. These refusals do not make clients sign out. A session can
// add or remove factors only if the person has entered the password or a code recently (docs/decisions/0044).
import { expect, test } from 'vitest'
import { addApp, signUpWithApp } from '#tests/wire/authenticator-app.ts'
import { newEmail } from '#testing/population.ts'
import { type Person, channelOf, newClient, openSession, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { followMail, waitForCode } from '#tests/wire/mails.ts'
import { onPostgres, signedInLongAgo } from './passing-time.ts'

test('before the second factor, a session cannot use tables or channels or change the account', async () => {
  const { halfway, client: whole, factorId } = await signUpWithApp()
  const { client, id } = halfway
  const expense = { user_id: id, type: 'expense', amount: 5, description: 'Café', category: 'Comida' }

  for (const answer of [
    await client.from('transactions').select('*').eq('user_id', id),
    await client.from('transactions').insert(expense),
    await client.rpc('end_sessions', { user_id: id }),
  ])
    expect({ status: answer.status, ...answer.error }).toMatchObject({
      status: 403,
      code: '42501',
      message: 'Completa la verificación en dos pasos para continuar.',
    })
  expect(await join(halfway)).toBe('CHANNEL_ERROR')
  for (const { error } of [
    await client.auth.updateUser({ password: 'una clave nueva' }),
    await client.auth.updateUser({ email: 'otra@banco.example' }),
    await client.auth.updateUser({ data: { full_name: 'Otra Persona' } }),
    await client.auth.mfa.enroll({ factorType: 'totp' }),
    await client.auth.mfa.unenroll({ factorId }),
    await client.auth.reauthenticate(),
  ])
    expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' })
  expect((await whole.from('transactions').select('*')).data).toEqual([])
})

test('a person can read their own user, refresh the session and sign out before the second factor', async () => {
  const { halfway } = await signUpWithApp()
  const { auth } = halfway.client
  await halfway.client.from('budgets').select('balance')

  expect((await auth.getUser()).data.user?.id).toBe(halfway.id)
  const { data } = await auth.refreshSession()
  expect(data.session).not.toBe(null)
  const level = await auth.mfa.getAuthenticatorAssuranceLevel()
  expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
  expect((await auth.signOut()).error).toBe(null)
})

test('a session that verified only the password cannot sign out a session that verified the app', async () => {
  const { halfway, client: whole, ...person } = await signUpWithApp()

  await halfway.client.auth.signOut({ scope: 'global' })
  expect((await whole.auth.getUser()).error).toBe(null)

  const again = await signIn(person)
  await whole.auth.signOut({ scope: 'others' })
  expect((await again.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
})

test('the right code gives access to tables and channels at once', async () => {
  const { halfway, app, factorId } = await signUpWithApp()

  const { error } = await halfway.client.auth.mfa.challengeAndVerify({ factorId, code: await app.nextCode() })

  expect(error).toBe(null)
  expect((await halfway.client.from('budgets').select('balance').single()).error).toBe(null)
  expect(await join(halfway)).toBe('SUBSCRIBED')
})

test('the session of a recovery link requires a code before a new password', async () => {
  const { email, app, factorId, client: whole } = await signUpWithApp()
  await whole.auth.resetPasswordForEmail(email)
  // The second mail was the notice about the added app.
  const recovered = await openSession((await followMail(email, 3)).fragment)

  const before = await recovered.auth.updateUser({ password: 'una clave nueva' })
  await recovered.auth.mfa.challengeAndVerify({ factorId, code: await app.nextCode() })
  const after = await recovered.auth.updateUser({ password: 'una clave nueva' })

  expect(before.error).toMatchObject({ status: 403, code: 'insufficient_aal' })
  expect(after.error).toBe(null)
})

/** Subscribes to the person's transactions and returns the state of the channel. */
async function join(person: Pick<Person, 'client' | 'id'>): Promise<string> {
  const status = await new Promise<string>((resolve) => {
    channelOf(person).subscribe((state) => resolve(state))
  })
  await person.client.removeAllChannels()
  return status
}

const needsProof = { status: 400, code: 'reauthentication_needed' }

onPostgres('an hour after the sign-in a person can add an app only with the current password', async () => {
  const { client, password } = await signedInLongAgo(await signUpCustomer())

  const alone = await client.auth.mfa.enroll({ factorType: 'totp' })
  const wrong = await client.auth.updateUser({ current_password: 'otra clave' })
  const proven = await client.auth.updateUser({ current_password: password })
  const added = await client.auth.mfa.enroll({ factorType: 'totp' })

  expect(alone.error).toMatchObject(needsProof)
  expect(wrong.error).toMatchObject({ status: 400, code: 'current_password_invalid' })
  expect(proven.error).toBe(null)
  expect(added.error).toBe(null)
})

onPostgres('a mailed code is accepted once in place of the current password', async () => {
  const person = await signedInLongAgo(await signUpCustomer())
  const { client, email } = person
  await client.auth.reauthenticate()
  const nonce = await waitForCode(email, 2)

  expect((await client.auth.updateUser({ nonce })).error).toBe(null)
  expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toBe(null)

  expect((await client.auth.updateUser({ nonce })).error).toMatchObject({
    status: 422,
    code: 'reauthentication_not_valid',
  })
})

onPostgres(
  'an hour after the sign-in a person without a password can choose one only with a mailed code',
  async () => {
    const email = newEmail()
    const client = newClient()
    expect((await client.auth.signInWithOtp({ email })).error).toBe(null)
    const { data } = await client.auth.verifyOtp({ type: 'email', email, token: await waitForCode(email) })
    await signedInLongAgo({ id: data.user?.id ?? '' })

    const alone = await client.auth.updateUser({ password: 'su primera clave' })
    expect(alone.error).toMatchObject({ status: 400, code: 'current_password_required' })
    await client.auth.reauthenticate()
    const nonce = await waitForCode(email, 2)
    const proven = await client.auth.updateUser({ password: 'su primera clave', nonce })

    expect(proven.error).toBe(null)
    await expect(signIn({ email, password: 'su primera clave' })).resolves.toBeDefined()
  },
)

onPostgres(
  'an hour after the sign-in a person can remove an app or renew codes only with the current password',
  async () => {
    const person = await signUpCustomer()
    const { factorId } = await addApp(person)
    await signedInLongAgo(person)

    const removed = await person.client.auth.mfa.unenroll({ factorId })
    expect(removed.error).toMatchObject(needsProof)
    const made = await person.client.auth.mfa.recoveryCodes.generate()
    expect(made.error).toMatchObject(needsProof)

    await person.client.auth.updateUser({ current_password: person.password })

    expect((await person.client.auth.mfa.recoveryCodes.generate()).error).toBe(null)
    await signedInLongAgo(person)
    expect((await person.client.auth.mfa.recoveryCodes.unenroll()).error).toMatchObject(needsProof)
    await person.client.auth.updateUser({ current_password: person.password })
    expect((await person.client.auth.mfa.unenroll({ factorId })).error).toBe(null)
  },
)
