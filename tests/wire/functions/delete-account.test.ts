import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { administrator, newClient, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { invoke } from './invoke.ts'

test('a person can delete their account with the password, and the e-mail address becomes available again', async () => {
  const person = await signUpCustomer()
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

test('a person cannot delete their account with a wrong password', async () => {
  const person = await signUpCustomer()

  const answer = await invoke(person.client, 'delete-account', { password: `otra ${randomUUID()}` })

  expect(answer).toEqual({ status: 403, body: { error: 'La contraseña no es correcta.' } })
  expect((await person.client.auth.getUser()).error).toBeNull()
})
