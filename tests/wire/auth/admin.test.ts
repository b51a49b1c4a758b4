// Calls with the service key, which come from programs and never from a browser (security.md AZ-07). The tests cover
// `auth.admin` of the client, invitations, and links that the calling program sends itself.
import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { newEmail } from '#testing/population.ts'
import {
  administrator,
  newClient,
  openSession,
  operator,
  signIn,
  signUpCustomer,
} from '#tests/wire/people.ts'
import { followLink, followMail } from '#tests/wire/mails.ts'
import { rawAuth } from './raw-auth.ts'

const password = 'una clave larga'

/** Creates a user with the service key. */
async function createUser(
  more: Parameters<ReturnType<typeof operator>['auth']['admin']['createUser']>[0] = {},
) {
  const email = newEmail()
  const wanted = { email, password, email_confirm: true, ...more }
  const { data, error } = await operator().auth.admin.createUser(wanted)
  if (data.user === null) throw new Error('Creating failed.', { cause: error })
  return { email, password, id: data.user.id, user: data.user }
}

function asService(method: string, path: string, body?: unknown) {
  const { serviceRoleKey } = inject('server')
  return rawAuth(method, path, {
    headers: { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` },
    ...(body === undefined ? {} : { body }),
  })
}

const someId = '7f0c0b52-5f0e-4a9b-9a57-6f1d4f8f7d01'
const endpoints = [
  ['GET', '/admin/users'],
  ['POST', '/admin/users'],
  ['GET', `/admin/users/${someId}`],
  ['PUT', `/admin/users/${someId}`],
  ['DELETE', `/admin/users/${someId}`],
  ['GET', `/admin/users/${someId}/factors`],
  ['DELETE', `/admin/users/${someId}/factors/${someId}`],
  ['POST', '/admin/generate_link'],
  ['POST', '/invite'],
] as const

test('every endpoint refuses callers without the service key, and refuses browsers even with the key', async () => {
  const { url, anonKey, serviceRoleKey } = inject('server')
  const [customer, admin] = [await signUpCustomer(), await administrator()]
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const inBrowser = { apikey: serviceRoleKey, ...bearer(serviceRoleKey), origin: url }
  const callers: [who: string, headers: Record<string, string>, status: number, body: object][] = [
    ['nobody', {}, 401, { code: 'no_authorization' }],
    ['the public key', bearer(anonKey), 403, { code: 'not_admin' }],
    ['a customer', bearer(customer.session.access_token), 403, { code: 'not_admin' }],
    ['an administrator of the bank', bearer(admin.session.access_token), 403, { code: 'not_admin' }],
    ['the service key beside the public one', bearer(serviceRoleKey), 403, { code: 'bad_jwt' }],
    ['an invalid token', bearer('x.y.z'), 403, { code: 'bad_jwt' }],
    ['the service key in a browser', inBrowser, 401, { message: 'Invalid API key' }],
  ]
  const body = { email: 'nadie@banco.example', type: 'recovery', app_metadata: { role: 'admin' } }

  for (const [method, path] of endpoints)
    for (const [who, headers, status, refused] of callers) {
      const answer = await rawAuth(method, path, { headers, ...(method === 'GET' ? {} : { body }) })

      expect([method, path, who, answer.status, answer.body]).toMatchObject([
        method,
        path,
        who,
        status,
        refused,
      ])
    }
})

test('a created user has the given values and can sign in', async () => {
  const id = randomUUID()

  const created = await createUser({
    id,
    user_metadata: { full_name: 'Ana Pérez' },
    app_metadata: { branch: 'Chapinero' },
  })

  expect(created.user).toMatchObject({
    id,
    email: created.email,
    role: 'authenticated',
    app_metadata: { provider: 'email', providers: ['email'], branch: 'Chapinero' },
    user_metadata: { full_name: 'Ana Pérez', email_verified: true },
    identities: [{ provider: 'email', identity_data: { email: created.email, email_verified: true } }],
  })
  const { client } = await signIn(created)
  expect((await client.from('budgets').select('balance').single()).data).toEqual({ balance: 0 })
})

test('app_metadata can make a user an administrator and remove the role', async () => {
  const created = await createUser({ app_metadata: { role: 'admin' } })
  const { client } = await signIn(created)
  expect((await client.from('profiles').select('id,role').eq('id', created.id)).data).toEqual([
    { id: created.id, role: 'admin' },
  ])

  const { data } = await operator().auth.admin.updateUserById(created.id, { app_metadata: { role: null } })

  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
  // Removing the role must end the user's sessions.
  expect((await client.auth.getUser()).error).not.toBe(null)
})

test('the list of users is paginated, begins with the newest users and contains the total', async () => {
  const older = await createUser()
  const newer = await createUser()
  const { admin } = operator().auth

  const { data, error } = await admin.listUsers({ page: 1, perPage: 2 })

  expect(error).toBe(null)
  expect(data.users).toHaveLength(2)
  // Other tests create users at the same time, so this test checks only the order of its own two users.
  const all = await asService('GET', '/admin/users?per_page=1000')
  const ids = (all.body as { users: { id: string }[] }).users.map(({ id }) => id)
  expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id))
  expect(data).toMatchObject({ aud: 'authenticated', nextPage: 2, lastPage: expect.any(Number) })
  const page = await asService('GET', '/admin/users?page=2&per_page=1')
  expect(Number(page.headers.get('x-total-count'))).toBeGreaterThanOrEqual(2)
  expect(page.headers.get('link')).toMatch(/^<[^>]+\?page=3&per_page=1>; rel="next", <[^>]+>; rel="last"$/)
  for (const none of ['page=0', 'page=x', 'per_page=1001', 'per_page=-1'])
    expect((await asService('GET', `/admin/users?${none}`)).status).toBe(400)
})

test('a program can change and confirm an address without a mail', async () => {
  const created = await createUser({ email_confirm: false })
  expect(created.user).not.toHaveProperty('email_confirmed_at')
  await expect(signIn(created)).rejects.toThrow()
  const [email, user_metadata] = [newEmail(), { full_name: 'Ana María' }]

  const change = { email, email_confirm: true, user_metadata }
  const { data } = await operator().auth.admin.updateUserById(created.id, change)

  expect(data.user).toMatchObject({ email, user_metadata })
  await expect(signIn({ email, password })).resolves.toBeDefined()
})

test('a program that sets an address cancels a pending change of address', async () => {
  const { client, id } = await signUpCustomer()
  await client.auth.updateUser({ email: newEmail() })

  const { data } = await operator().auth.admin.updateUserById(id, { email: newEmail() })

  expect(data.user).not.toHaveProperty('new_email')
})

test('a program can read a user until the user is deleted', async () => {
  const { user, ...created } = await createUser()
  const { admin } = operator().auth
  expect((await admin.getUserById(created.id)).data.user).toEqual(user)

  expect((await admin.deleteUser(created.id)).error).toBe(null)

  expect((await admin.getUserById(created.id)).error).toMatchObject({ status: 404, code: 'user_not_found' })
  await expect(signIn(created)).rejects.toThrow()
})

test('a program can remove a lost authenticator app, and the user can sign in with the password alone', async () => {
  const person = await signUpCustomer()
  const { factorId } = await addApp(person)
  const { mfa } = operator().auth.admin

  const listed = await mfa.listFactors({ userId: person.id })
  const removed = await mfa.deleteFactor({ userId: person.id, id: factorId })

  expect(listed.data?.factors).toMatchObject([{ id: factorId, status: 'verified' }])
  expect(removed.error).toBe(null)
  const { client } = await signIn(person)
  expect((await client.from('budgets').select('balance').single()).error).toBe(null)
})

const address = 'a@banco.example'

test.each([
  ['no address', { password }, 400, 'validation_failed'],
  ['an invalid address', { email: 'ana', password }, 400, 'validation_failed'],
  ['a short password', { email: address, password: 'corta' }, 422, 'weak_password'],
  ['a phone', { email: address, phone: '+573001234567' }, 422, 'validation_failed'],
  ['a database role', { email: address, role: 'service_role' }, 422, 'validation_failed'],
  ['a foreign hash', { email: address, password_hash: '$2y$10$x' }, 422, 'validation_failed'],
  ['a ban of an invalid duration', { email: address, ban_duration: 'ever' }, 400, 'validation_failed'],
  ['an invalid flag', { email: address, email_confirm: 'yes' }, 400, 'validation_failed'],
  ['an invalid id', { email: address, id: '7' }, 404, 'validation_failed'],
  ['metadata that is not an object', { email: address, app_metadata: [] }, 400, 'validation_failed'],
])('the creation of a user with %s is refused', async (_, body, status, code) => {
  const answer = await asService('POST', '/admin/users', body)

  expect([answer.status, answer.body]).toMatchObject([status, { code }])
})

test('soft deletion and an invalid id are refused', async () => {
  const soft = await asService('DELETE', `/admin/users/${someId}`, { should_soft_delete: true })
  const none = await asService('DELETE', '/admin/users/7')

  expect([soft.status, none.status]).toEqual([422, 404])
})

test('a user cannot be created with an address or id that is already taken', async () => {
  const { id, email } = await createUser()

  const sameEmail = await asService('POST', '/admin/users', { email })
  const sameId = await asService('POST', '/admin/users', { email: newEmail(), id })
  const other = await createUser()
  const changed = await asService('PUT', `/admin/users/${other.id}`, { email })

  expect([sameEmail.status, sameEmail.body]).toMatchObject([422, { code: 'email_exists' }])
  expect([sameId.status, sameId.body]).toMatchObject([422, { code: 'user_already_exists' }])
  expect([changed.status, changed.body]).toMatchObject([422, { code: 'email_exists' }])
})

test('an invited person can sign in through the link and choose a password', async () => {
  const email = newEmail()
  const { data, error } = await operator().auth.admin.inviteUserByEmail(email, { data: { full_name: 'Ana' } })
  expect(error).toBe(null)
  expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ana' } })
  expect(data.user?.invited_at).toBeDefined()

  const { fragment } = await followMail(email)

  expect(fragment.get('type')).toBe('invite')
  const client = await openSession(fragment)
  expect((await client.auth.updateUser({ password: 'una clave nueva' })).error).toBe(null)
  await expect(signIn({ email, password: 'una clave nueva' })).resolves.toBeDefined()
})

test.each(['signup', 'invite', 'magiclink', 'recovery'] as const)(
  'a generated %s link and its token and its digits each sign a person in',
  async (type) => {
    for (const way of ['link', 'token', 'digits']) {
      const email = type === 'recovery' ? (await signUpCustomer()).email : newEmail()
      const { data, error } = await operator().auth.admin.generateLink({ type, email, password })
      expect(error).toBe(null)
      const { action_link: link, hashed_token, email_otp, verification_type } = data.properties ?? {}
      expect(new URL(link ?? '').origin).toBe(inject('server').url.replace('127.0.0.1', 'localhost'))
      expect(verification_type).toBe(type)

      const client = newClient()
      if (way === 'link') {
        expect((await followLink(link ?? '')).fragment.get('access_token')).not.toBe(null)
        continue
      }
      const shown = way === 'token' ? { token_hash: hashed_token ?? '' } : { email, token: email_otp ?? '' }
      expect((await client.auth.verifyOtp({ type, ...shown })).data.user?.email).toBe(email)
    }
  },
)

test('a program can generate both links of a change of address', async () => {
  const person = await signUpCustomer()
  const next = newEmail()

  for (const type of ['email_change_current', 'email_change_new'] as const) {
    const wanted = { type, email: person.email, newEmail: next }
    const { data } = await operator().auth.admin.generateLink(wanted)
    await followLink(data.properties?.action_link ?? '')
  }

  await expect(signIn({ ...person, email: next })).resolves.toBeDefined()
})

test.each([
  ['recovery', 404, 'user_not_found'],
  ['email_change_new', 404, 'user_not_found'],
  ['phone_change', 400, 'validation_failed'],
])('a %s link for an unknown address is refused', async (type, status, code) => {
  const { error } = await operator().auth.admin.generateLink({
    type,
    email: newEmail(),
    newEmail: newEmail(),
  } as never)

  expect(error).toMatchObject({ status, code })
})

test('a person who has an account cannot be invited', async () => {
  const { email } = await signUpCustomer()
  const { admin } = operator().auth

  for (const { error } of [
    await admin.inviteUserByEmail(email),
    await admin.generateLink({ type: 'signup', email, password }),
  ])
    expect(error).toMatchObject({ status: 422, code: 'email_exists' })
})
