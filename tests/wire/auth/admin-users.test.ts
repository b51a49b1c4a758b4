// Users as the operator's programs manage them, through the client's own `auth.admin`.
import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { refusal } from '#tests/wire/client-version.ts'
import { newEmail, operator, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

const password = 'una clave larga'

/** A user of the operator's making. */
async function createUser(
  more: Parameters<ReturnType<typeof operator>['auth']['admin']['createUser']>[0] = {},
) {
  const email = newEmail()
  const { data, error } = await operator().auth.admin.createUser({
    email,
    password,
    email_confirm: true,
    ...more,
  })
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

test('a user is created with what was asked for, and signs in', async () => {
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

test('without email_confirm the address is still to be confirmed', async () => {
  const created = await createUser({ email_confirm: false })

  expect(created.user).not.toHaveProperty('email_confirmed_at')
  await expect(signIn(created)).rejects.toThrow()
})

test('an administrator is made by app_metadata, and unmade', async () => {
  const created = await createUser({ app_metadata: { role: 'admin' } })
  const { client } = await signIn(created)
  expect((await client.from('profiles').select('id,role').eq('id', created.id)).data).toEqual([
    { id: created.id, role: 'admin' },
  ])

  const { data } = await operator().auth.admin.updateUserById(created.id, { app_metadata: { role: null } })

  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
  // Sessions of a former administrator have ended.
  expect((await client.auth.getUser()).error).not.toBe(null)
})

test('a user is read, and nobody is read by an id that nobody has', async () => {
  const { id, email } = await createUser()
  const { admin } = operator().auth

  expect((await admin.getUserById(id)).data.user).toMatchObject({ id, email })
  expect((await admin.getUserById(randomUUID())).error).toMatchObject(refusal(404, 'user_not_found'))
})

test('the list is paged, newest first, with the total and the way to the next page', async () => {
  const older = await createUser()
  const newer = await createUser()
  const { admin } = operator().auth

  const { data, error } = await admin.listUsers({ page: 1, perPage: 2 })

  expect(error).toBe(null)
  expect(data.users).toHaveLength(2)
  // Other tests create users at the same time; these two keep their order wherever they stand.
  const all = await asService('GET', '/admin/users?per_page=1000')
  const ids = (all.body as { users: { id: string }[] }).users.map(({ id }) => id)
  expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id))
  expect(data).toMatchObject({ aud: 'authenticated', nextPage: 2, lastPage: expect.any(Number) })
  const page = await asService('GET', '/admin/users?page=2&per_page=1')
  expect(Number(page.headers.get('x-total-count'))).toBeGreaterThanOrEqual(2)
  expect(page.headers.get('link')).toMatch(/^<[^>]+\?page=3&per_page=1>; rel="next", <[^>]+>; rel="last"$/)
})

test.each(['page=0', 'page=x', 'per_page=1001', 'per_page=-1'])('the page %s is none', async (query) => {
  expect((await asService('GET', `/admin/users?${query}`)).status).toBe(400)
})

test('address, name and confirmation are changed without asking anybody', async () => {
  const { id, password: kept } = await createUser()
  const email = newEmail()

  const { data } = await operator().auth.admin.updateUserById(id, {
    email,
    email_confirm: true,
    user_metadata: { full_name: 'Ana María' },
  })

  expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ana María' } })
  await expect(signIn({ email, password: kept })).resolves.toBeDefined()
})

test('a deleted user is gone', async () => {
  const created = await createUser()
  const { admin } = operator().auth

  expect((await admin.deleteUser(created.id)).error).toBe(null)

  expect((await admin.getUserById(created.id)).error).toMatchObject(refusal(404, 'user_not_found'))
  await expect(signIn(created)).rejects.toThrow()
})

test('a lost app is taken away, and its owner signs in with the password again', async () => {
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

test.each([
  ['no address', { password }, 400, 'validation_failed'],
  ['an address that is none', { email: 'ana', password }, 400, 'validation_failed'],
  ['a short password', { email: 'a@banco.example', password: 'corta' }, 422, 'weak_password'],
  ['a phone', { email: 'a@banco.example', phone: '+573001234567' }, 422, 'validation_failed'],
  ['a database role', { email: 'a@banco.example', role: 'service_role' }, 422, 'validation_failed'],
  ['a foreign hash', { email: 'a@banco.example', password_hash: '$2y$10$x' }, 422, 'validation_failed'],
  ['a ban without an end', { email: 'a@banco.example', ban_duration: 'ever' }, 400, 'validation_failed'],
  ['a flag that is none', { email: 'a@banco.example', email_confirm: 'yes' }, 400, 'validation_failed'],
  ['an id that is none', { email: 'a@banco.example', id: '7' }, 404, 'validation_failed'],
  ['metadata that is none', { email: 'a@banco.example', app_metadata: [] }, 400, 'validation_failed'],
])('creating with %s is refused', async (_, body, status, code) => {
  const answer = await asService('POST', '/admin/users', body)

  expect(answer.status).toBe(status)
  expect(answer.body).toMatchObject({ code })
})

test('an address and an id are taken once', async () => {
  const { id, email } = await createUser()

  const sameEmail = await asService('POST', '/admin/users', { email })
  const sameId = await asService('POST', '/admin/users', { email: newEmail(), id })
  const other = await createUser()
  const changed = await asService('PUT', `/admin/users/${other.id}`, { email })

  expect([sameEmail.status, sameEmail.body]).toMatchObject([422, { code: 'email_exists' }])
  expect([sameId.status, sameId.body]).toMatchObject([422, { code: 'user_already_exists' }])
  expect([changed.status, changed.body]).toMatchObject([422, { code: 'email_exists' }])
})

test('soft deletion is refused, and an id that is none too', async () => {
  const { id } = await createUser()

  const soft = await asService('DELETE', `/admin/users/${id}`, { should_soft_delete: true })
  const none = await asService('DELETE', '/admin/users/7')

  expect(soft.status).toBe(422)
  expect(none.status).toBe(404)
})
