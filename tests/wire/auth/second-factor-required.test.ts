// A user with an app whose session has shown the password alone may only finish signing in; no surface lets them
// past, and no client throws the session away.
import { expect, test } from 'vitest'
import type { SupabaseClient } from '@supabase/supabase-js'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { refusal, sessionEnded } from '#tests/wire/client-version.ts'
import { followLink, openSession, signIn, signUpCustomer, waitForMail } from '#tests/wire/people.ts'

/** A person with an app in two sessions: one at aal2, the other with the password only. */
async function withApp() {
  const person = await signUpCustomer()
  const added = await addApp(person)
  return { ...person, ...added, halfway: await signIn(person) }
}

const sentence = 'Escribe el código de tu aplicación de autenticación para continuar.'
const table = { status: 403, code: '42501', message: sentence }

test('the tables answer nothing and take nothing', async () => {
  const { halfway, client: whole } = await withApp()
  const { client, id } = halfway

  const read = await client.from('transactions').select('*').eq('user_id', id)
  const written = await client
    .from('transactions')
    .insert({ user_id: id, type: 'expense', amount: 5, description: 'Café', category: 'Comida' })
  const called = await client.rpc('delete_user', { user_id: id })

  for (const answer of [read, written, called]) {
    expect({ status: answer.status, ...answer.error }).toMatchObject(table)
  }
  expect((await whole.from('transactions').select('*')).data).toEqual([])
})

test('no channel opens', async () => {
  const { halfway } = await withApp()

  const status = await join(halfway.client, halfway.id)

  expect(status).toBe('CHANNEL_ERROR')
})

test.each([
  ['a new password', { password: 'una clave nueva' }],
  ['another address', { email: 'otra@banco.example' }],
  ['another name', { data: { full_name: 'Otra Persona' } }],
])('%s has to wait', async (_, change) => {
  const { halfway } = await withApp()

  const { error } = await halfway.client.auth.updateUser(change)

  expect(error).toMatchObject(refusal(403, 'insufficient_aal'))
})

test('another app, the removal of the app, and a code by mail have to wait', async () => {
  const { halfway, factorId } = await withApp()
  const { auth } = halfway.client

  for (const { error } of [
    await auth.mfa.enroll({ factorType: 'totp' }),
    await auth.mfa.unenroll({ factorId }),
    await auth.reauthenticate(),
  ]) {
    expect(error).toMatchObject(refusal(403, 'insufficient_aal'))
  }
})

test('reading oneself, refreshing and signing out do not, and the client keeps its session until then', async () => {
  const { halfway } = await withApp()
  const { auth } = halfway.client
  await halfway.client.from('budgets').select('balance')

  expect((await auth.getUser()).data.user?.id).toBe(halfway.id)
  const { data } = await auth.refreshSession()
  expect(data.session).not.toBe(null)
  const level = await auth.mfa.getAuthenticatorAssuranceLevel()
  expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
  expect((await auth.signOut()).error).toBe(null)
})

test('who knows the password alone cannot sign out who has shown the app', async () => {
  const { halfway, client: whole } = await withApp()

  await halfway.client.auth.signOut({ scope: 'global' })

  expect((await whole.auth.getUser()).error).toBe(null)
})

test('who has shown the app signs everybody out', async () => {
  const { halfway, client: whole } = await withApp()

  await whole.auth.signOut({ scope: 'others' })

  expect((await halfway.client.auth.getUser()).error).toMatchObject(sessionEnded)
})

test('the code opens everything, at once', async () => {
  const { halfway, app, factorId } = await withApp()

  const { error } = await halfway.client.auth.mfa.challengeAndVerify({ factorId, code: await app.nextCode() })

  expect(error).toBe(null)
  expect((await halfway.client.from('budgets').select('balance').single()).error).toBe(null)
  expect(await join(halfway.client, halfway.id)).toBe('SUBSCRIBED')
})

test('a recovery link is one factor: the code comes before the new password', async () => {
  const { email, app, factorId, client: whole } = await withApp()
  await whole.auth.resetPasswordForEmail(email)
  // The second mail said that an app was added.
  const recovered = await openSession((await followLink((await waitForMail(email, 3)).link)).fragment)

  const before = await recovered.auth.updateUser({ password: 'una clave nueva' })
  await recovered.auth.mfa.challengeAndVerify({ factorId, code: await app.nextCode() })
  const after = await recovered.auth.updateUser({ password: 'una clave nueva' })

  expect(before.error).toMatchObject(refusal(403, 'insufficient_aal'))
  expect(after.error).toBe(null)
})

/** What becomes of a subscription to one's own transactions. */
async function join(client: SupabaseClient, id: string): Promise<string> {
  const channel = client
    .channel(`user-${id}`)
    .on(
      'postgres_changes',
      { event: '*', schema: 'public', table: 'transactions', filter: `user_id=eq.${id}` },
      () => undefined,
    )
  const status = await new Promise<string>((resolve) => {
    channel.subscribe((state) => resolve(state))
  })
  await client.removeAllChannels()
  return status
}
