// The administrators' list of users. Each profile in the list embeds the user's visible columns.
import { expect, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'

const list = 'id, full_name, role, user_safe(email, last_sign_in_at)'

test('an administrator can read every profile with its user as an object', async () => {
  const [customer, admin] = await Promise.all([signUpCustomer('Eva Ruiz'), administrator()])

  const { data, error } = await admin.client.from('profiles').select(list)

  expect(error).toBeNull()
  expect(data).toContainEqual({
    id: customer.id,
    full_name: 'Eva Ruiz',
    role: 'user',
    user_safe: { email: customer.email, last_sign_in_at: expect.stringMatching(/\+00:00$/) },
  })
  expect(data).toContainEqual(expect.objectContaining({ id: admin.id, role: 'admin' }))
})

test('a customer who requests the list of users gets an error', async () => {
  const { client, id } = await signUpCustomer()

  const attempts = [
    client.from('profiles').select(list),
    client.from('profiles').select(list).order('full_name').limit(1),
    client.from('profiles').select('id').eq('id', id),
    client.from('user_safe').select('email'),
  ]

  for (const { data, error, status } of await Promise.all(attempts)) {
    expect({ data, status }).toEqual({ data: null, status: 403 })
    expect(error?.code).toBe('42501')
  }
})

test('an administrator can change a customer’s role, but a customer cannot', async () => {
  const [customer, other, admin] = await Promise.all([signUpCustomer(), signUpCustomer(), administrator()])
  const roleOf = async () =>
    (await admin.client.from('profiles').select('role').eq('id', customer.id).single()).data

  for (const { client } of [customer, other]) {
    const refused = await client.from('profiles').update({ role: 'admin' }).eq('id', customer.id)
    expect(refused.status).toBe(403)
    expect(refused.error?.code).toBe('42501')
  }
  expect(await roleOf()).toEqual({ role: 'user' })

  const change = (role: string) => admin.client.from('profiles').update({ role }).eq('id', customer.id)
  expect((await change('owner')).error?.code).toBe('23514')
  expect((await change('admin')).status).toBe(204)
  expect(await roleOf()).toEqual({ role: 'admin' })
  await change('user')
})
