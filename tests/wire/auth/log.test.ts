// The server logs access events with the ids of users and sessions, but without addresses or secrets (docs/logging.md).
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { expectLogged, readLog } from '#tests/wire/log.ts'
import { newEmail } from '#testing/population.ts'
import {
  administrator,
  newClient,
  openRecovery,
  signIn,
  signUpCustomer,
  signUpUnconfirmed,
} from '#tests/wire/people.ts'
import { followLink, followMail, waitForMail } from '#tests/wire/mails.ts'
import { rawAuth } from './raw-auth.ts'

const password = () => `clave ${crypto.randomUUID()}`

test('sign-ups, sign-ins and sign-outs are logged', async () => {
  const { email, ...unconfirmed } = await signUpUnconfirmed()
  await newClient().auth.signInWithPassword({ email, password: unconfirmed.password })
  const { link } = await waitForMail(email)
  const { fragment } = await followLink(link)
  await followLink(link)
  const { data } = await newClient().auth.getUser(fragment.get('access_token') ?? '')
  const userId = data.user?.id
  await newClient().auth.signInWithPassword({ email, password: 'no es esta' })
  await newClient().auth.signUp({ email, password: password() })
  const { client, session } = await signIn({ email, password: unconfirmed.password })
  await client.auth.signOut({ scope: 'local' })
  await newClient().auth.refreshSession({ refresh_token: session.refresh_token })

  await expectLogged('signed up', { level: 30, userId })
  await expectLogged('mail requested', { level: 30, purpose: 'sign-up' })
  await expectLogged('sign-in refused', { level: 40, userId, reason: 'not confirmed' })
  await expectLogged('sign-in refused', { level: 40, userId, reason: 'wrong credentials' })
  await expectLogged('sign-up with a taken address', { level: 40 })
  await expectLogged('link refused', { level: 40, type: 'signup' })
  await expectLogged('signed in', { level: 30, userId, method: 'otp' })
  await expectLogged('signed in', { level: 30, userId, method: 'password' })
  await expectLogged('signed out', { level: 30, userId, scope: 'local' })
  await expectLogged('refresh refused', { level: 40, reason: 'not_found' })
})

test('changes of passwords and addresses are logged', async () => {
  const { client, email, id: userId, password: current_password } = await signUpCustomer()
  await client.auth.updateUser({ password: password(), current_password: 'no es esta' })
  await client.auth.updateUser({ password: password(), current_password })
  const next = newEmail()
  await client.auth.updateUser({ email: next })
  await followMail(email, 3)
  await followMail(next)

  await expectLogged('password change refused', { level: 40, userId, reason: 'wrong current password' })
  await expectLogged('password changed', { level: 30, userId })
  await expectLogged('mail requested', { level: 30, purpose: 'email change' })
  await expectLogged('email changed', { level: 30, userId })
})

test('changes of second factors are logged', async () => {
  const person = await signUpCustomer()
  const { auth } = person.client
  await auth.updateUser({ current_password: 'no es esta' })
  await auth.updateUser({ current_password: person.password })
  const { factorId } = await addApp(person)
  const recovered = await openRecovery(person.email, 3)
  await recovered.auth.mfa.unenroll({ factorId })
  await auth.mfa.challengeAndVerify({ factorId, code: '000000' })
  const { data } = await auth.mfa.recoveryCodes.generate()
  const other = await signIn(person)
  await other.client.auth.mfa.recoveryCodes.verify({ code: 'no es ninguna' })
  await other.client.auth.mfa.recoveryCodes.verify({ code: data?.codes[0] ?? '' })
  const { data: current } = await auth.getSession()
  const headers = { authorization: `Bearer ${current.session?.access_token}` }
  await rawAuth('DELETE', '/factors/recovery-codes', { headers })
  await auth.mfa.unenroll({ factorId })

  const userId = person.id
  await expectLogged('reauthentication refused', { level: 40, userId, reason: 'wrong current password' })
  await expectLogged('reauthentication accepted', { level: 30, userId })
  await expectLogged('second factor added', { level: 30, userId, factor: 'app' })
  await expectLogged('second factor verified', { level: 30, userId, factor: 'app' })
  await expectLogged('second factor refused', { level: 40, userId, factor: 'app', reason: 'wrong code' })
  await expectLogged('recovery codes made', { level: 30, userId })
  await expectLogged('second factor refused', { level: 40, userId, factor: 'recovery code' })
  await expectLogged('second factor verified', { level: 30, userId, factor: 'recovery code' })
  await expectLogged('removal of second factors requested', { level: 40, userId })
  await expectLogged('recovery codes removed', { level: 30, userId })
  await expectLogged('second factor removed', { level: 30, userId, factor: 'app' })
})

test('refusals are logged', async () => {
  const { client, id } = await signUpCustomer()
  const admin = await administrator()
  await client.from('audit_entries').select()
  await client.functions.invoke('manage-users', { body: { action: 'delete', userId: admin.id } })
  await client.rpc('end_sessions', { user_id: admin.id })
  const unknown = crypto.randomUUID()
  await admin.client.rpc('unblock_user', { user_id: unknown })

  await expectLogged('action denied', { level: 40, actor: id, action: 'GET audit_entries' })
  await expectLogged('action denied', { level: 40, actor: id, action: 'delete_user', target: admin.id })
  await expectLogged('action denied', { level: 40, actor: id, action: 'rpc end_sessions', target: admin.id })
  await expectLogged('action denied', { action: 'rpc unblock_user', target: unknown, code: 'PT404' })
})

test('a request that takes more than a second is logged', async () => {
  const { url, anonKey } = inject('server')
  const headers = { apikey: anonKey, 'content-type': 'application/json' }
  const slow = request(`${url}/auth/v1/recover`, { method: 'POST', headers })
  const answered = once(slow, 'response')
  slow.write('{')
  await pause(1200)
  slow.end('}')
  const [answer] = (await answered) as [IncomingMessage]
  answer.resume()

  const reqId = answer.headers['x-request-id']
  await expectLogged('slow request', { level: 30, reqId, path: '/auth/v1/recover', status: 400 })
})

test('the log contains no address or secret', async () => {
  const { session, ...person } = await signUpCustomer()
  const { link } = await waitForMail(person.email)
  const secrets = [
    person.password,
    session.access_token,
    session.refresh_token,
    new URL(link).searchParams.get('token') ?? '',
  ]

  const log = (await readLog()).join('\n')
  expect(log).toContain(person.id)
  expect(secrets.every((secret) => secret.length > 8)).toBe(true)
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
  expect(log).not.toMatch(/[\w.+-]+@[\w-]+\.example/)
})
