// SQL functions at /rest/v1/rpc: called by the names of their arguments, with the caller's rights.
import { expect, test } from 'vitest'
import { administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { rawRest } from './raw-rest.ts'

function depositFor(userId: string) {
  return {
    user_id: userId,
    type: 'deposit',
    amount: '100.50',
    description: 'Nómina',
    date: new Date().toISOString(),
    category: 'Deposito',
  }
}

test('an administrator calls a function and has its result', async () => {
  const [customer, admin] = await Promise.all([signUpCustomer(), administrator()])

  const { data, error } = await admin.client.rpc('register_transaction', depositFor(customer.id))

  expect(error).toBeNull()
  const { data: rows } = await customer.client.from('transactions').select('id,amount,recorded_by')
  expect(rows).toEqual([{ id: data, amount: 100.5, recorded_by: 'bank' }])
})

test('a function that returns nothing answers 204', async () => {
  const [customer, admin] = await Promise.all([signUpCustomer(), administrator()])

  const { status, error } = await admin.client.rpc('delete_user', { user_id: customer.id })

  expect({ status, error }).toEqual({ status: 204, error: null })
  expect((await rawRest('GET', '/budgets', { as: customer })).status).toBe(401)
})

test('neither a customer nor somebody who is not signed in acts as the bank', async () => {
  const customer = await signUpCustomer()

  const asCustomer = await customer.client.rpc('register_transaction', depositFor(customer.id))
  const asNobody = await newClient().rpc('register_transaction', depositFor(customer.id))

  expect([asCustomer.status, asCustomer.error?.code]).toEqual([403, '42501'])
  expect([asNobody.status, asNobody.error?.code]).toEqual([401, '42501'])
  expect((await customer.client.from('transactions').select('id')).data).toEqual([])
})

test.each([
  ['POST', '/rpc/nothing', {}, 404, 'PGRST202'],
  ['POST', '/rpc/delete_user', { person: 'x' }, 404, 'PGRST202'],
  ['POST', '/rpc/delete_user', {}, 404, 'PGRST202'],
  ['POST', '/rpc/delete_user', { user_id: 'x' }, 400, '22P02'],
  ['POST', '/rpc/delete_user', [], 400, 'PGRST102'],
  ['POST', '/rpc/is_admin', {}, 404, 'PGRST202'],
  ['POST', '/rpc/delete_user?select=x', { user_id: 'x' }, 400, '42703'],
  ['GET', '/rpc/delete_user?user_id=x', undefined, 405, 'PGRST101'],
  ['PUT', '/rpc/delete_user', {}, 405, 'PGRST101'],
])('%s %s with %j answers %i %s', async (method, path, body, status, code) => {
  const customer = await signUpCustomer()

  const answer = await rawRest(method, path, { as: customer, body })

  expect(answer.status).toBe(status)
  expect(answer.body).toMatchObject({ code })
})
