// A customer has themself erased. Seen red with: the password not compared.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { administrator, newClient, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { invoke } from './invoke.ts'

test('with the password the account is gone, its sessions end everywhere, and the address is free again', async () => {
  const person = await signUpCustomer('Inés Mora')
  const { client: elsewhere } = await signIn(person)
  const office = (await administrator()).client

  const answer = await invoke(person.client, 'delete-account', { password: person.password })

  expect(answer).toEqual({
    status: 200,
    body: { message: 'Tu cuenta fue eliminada. Gracias por haber confiado en nosotros.' },
  })
  expect((await person.client.auth.getUser()).error).not.toBeNull()
  expect((await elsewhere.from('transactions').select('id')).status).toBe(401)
  expect((await newClient().auth.signInWithPassword(person)).error).toMatchObject({
    code: 'invalid_credentials',
  })
  expect((await office.from('profiles').select('id').eq('id', person.id)).data).toEqual([])
  const again = await newClient().auth.signUp({ email: person.email, password: person.password })
  expect(again.data.user?.identities).toHaveLength(1)
})

test('with another password, or none, or anything else in the body, nothing happens', async () => {
  const person = await signUpCustomer()
  const bodies = [
    { password: `otra ${randomUUID()}` },
    {},
    { password: '' },
    { password: person.password, userId: randomUUID() },
    { password: 12345678 },
    { password: 'x'.repeat(500) },
  ]

  const statuses: number[] = []
  for (const body of bodies) statuses.push((await invoke(person.client, 'delete-account', body)).status)

  expect(statuses).toEqual([403, 400, 400, 400, 400, 400])
  expect((await person.client.auth.getUser()).error).toBeNull()
})

test('without a session nobody is erased', async () => {
  expect(await invoke(newClient(), 'delete-account', { password: 'una clave larga' })).toMatchObject({
    status: 401,
  })
})

test('the export has the person’s own data and no secret', async () => {
  const person = await signUpCustomer('Inés Mora')

  const { data, error } = await person.client.rpc('export_my_data')

  expect(error).toBeNull()
  expect(data).toMatchObject({
    'auth.users': [{ id: person.id, email: person.email }],
    'public.profiles': [{ full_name: 'Inés Mora' }],
  })
  expect(JSON.stringify(data)).not.toMatch(/argon2|encrypted_password|token_hash/)
  expect((await newClient().rpc('export_my_data')).status).toBe(401)
})
