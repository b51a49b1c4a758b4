import { expect, test } from 'vitest'
import { administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { invoke, newUser } from './invoke.ts'

const office = (await administrator()).client

const rowOf = async (id: unknown) =>
  (
    await office
      .from('profiles')
      .select('id,full_name,role,user_safe(email,last_sign_in_at)')
      .eq('id', id)
      .single()
  ).data

test('a user created by an administrator can sign in at once', async () => {
  const user = newUser()

  const answer = await invoke(office, 'manage-users', user)

  expect(answer.status).toBe(200)
  const { data } = await newClient().auth.signInWithPassword(user)
  expect(data.user?.user_metadata).toMatchObject({ full_name: 'Luis Mora' })
  expect(await rowOf(answer.body['id'])).toMatchObject({
    full_name: 'Luis Mora',
    role: 'user',
    user_safe: { email: user.email },
  })
})

test('an administrator can create another administrator with the same rights', async () => {
  const user = newUser({ role: 'admin' })
  await invoke(office, 'manage-users', user)
  const client = newClient()
  const { data } = await client.auth.signInWithPassword(user)

  expect(data.user?.app_metadata['role']).toBe('admin')
  expect((await client.from('profiles').select('id')).error).toBeNull()
})

test('an administrator cannot create a user whose address is already taken, regardless of case', async () => {
  const user = newUser()
  await invoke(office, 'manage-users', user)

  const answer = await invoke(office, 'manage-users', newUser({ email: user.email.toUpperCase() }))

  expect(answer).toEqual({ status: 422, body: { error: 'Ya existe un usuario con ese email.' } })
})

test.each([
  [{ password: 'corta' }, 422, 'La contraseña debe tener entre 8 y 128 caracteres.'],
  [{ app_metadata: {} }, 400, 'El campo «app_metadata» no existe.'],
])('a new user with %j is refused with a message that names the mistake', async (change, status, error) => {
  expect(await invoke(office, 'manage-users', newUser(change))).toEqual({ status, body: { error } })
})

test('a deleted user cannot sign in or continue to use an open session', async () => {
  const customer = await signUpCustomer()

  const answer = await invoke(office, 'manage-users', { action: 'delete', userId: customer.id })

  expect(answer.status).toBe(200)
  expect((await customer.client.from('transactions').select('*')).status).toBe(401)
  expect((await newClient().auth.signInWithPassword(customer)).error?.code).toBe('invalid_credentials')
})

test('a customer cannot create or delete a user', async () => {
  const { client, id } = await signUpCustomer()
  const refusal = { status: 403, body: { error: 'Solo un administrador puede hacer esto.' } }

  expect(await invoke(client, 'manage-users', newUser({ role: 'admin' }))).toEqual(refusal)
  expect(await invoke(client, 'manage-users', { action: 'delete', userId: id })).toEqual(refusal)
})
