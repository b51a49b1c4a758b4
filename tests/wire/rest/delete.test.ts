// Deleting a transaction: what is not mine is not there.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

test('a customer deletes their own expense and has the balance back', async () => {
  const customer = await signUpCustomer()
  const [row] = await recordExpenses(customer)

  const { data, error, status } = await customer.client.from('transactions').delete().eq('id', row?.id)

  expect({ data, error, status }).toEqual({ data: null, error: null, status: 204 })
  expect(await countTransactions(customer)).toBe(0)
  expect((await customer.client.from('budgets').select('balance').single()).data).toEqual({ balance: 0 })
})

test("another customer's transaction is answered like one that does not exist, and stays", async () => {
  const [customer, other] = await Promise.all([signUpCustomer(), signUpCustomer()])
  const [row] = await recordExpenses(other)
  const shape = async (id: string | undefined, prefer: string) => {
    const { status, text, headers } = await rawRest('DELETE', `/transactions?id=eq.${id}`, {
      as: customer,
      headers: { prefer },
    })
    const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
    return { status, text, headers: kept }
  }

  for (const prefer of ['', 'return=representation', 'count=exact']) {
    expect(await shape(row?.id, prefer)).toEqual(await shape(randomUUID(), prefer))
  }
  expect((await shape(row?.id, '')).status).toBe(204)
  expect(await countTransactions(other)).toBe(1)
})

test('an administrator cannot delete the transaction of a customer here', async () => {
  const [customer, admin] = await Promise.all([signUpCustomer(), administrator()])
  const [row] = await recordExpenses(customer)

  const { status } = await admin.client.from('transactions').delete().eq('id', row?.id)

  expect(status).toBe(204)
  expect(await countTransactions(customer)).toBe(1)
})

test('nobody who is not signed in deletes anything', async () => {
  const { status, error } = await newClient().from('transactions').delete().eq('id', randomUUID())

  expect(status).toBe(401)
  expect(error?.code).toBe('42501')
})

test('what was deleted is answered when that is asked for', async () => {
  const customer = await signUpCustomer()
  const [row] = await recordExpenses(customer)

  const { data, status } = await customer.client.from('transactions').delete().eq('id', row?.id).select()

  expect(status).toBe(200)
  expect(data).toEqual([row])
})
