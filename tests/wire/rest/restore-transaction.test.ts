// Undo through the table API: `rpc('restore_transaction', { id })`.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

/** A customer who deleted an expense a moment ago. */
async function customerWhoDeleted() {
  const customer = await signUpCustomer()
  const [row] = await recordExpenses(customer)
  await customer.client.from('transactions').delete().eq('id', row?.id)
  return { customer, row, id: row?.id ?? '' }
}

test('a customer has back what they deleted, every column of it, and the balance with it', async () => {
  const { customer, row, id } = await customerWhoDeleted()

  const { data, error } = await customer.client.rpc('restore_transaction', { id })

  expect({ data, error }).toEqual({ data: row, error: null })
  expect((await customer.client.from('transactions').select('*')).data).toEqual([row])
  expect((await customer.client.from('budgets').select('balance').single()).data).toEqual({ balance: -12.5 })
})

test('asked again, because the first answer was lost, it is the same answer', async () => {
  const { customer, row, id } = await customerWhoDeleted()
  await customer.client.rpc('restore_transaction', { id })

  const { data } = await customer.client.rpc('restore_transaction', { id })

  expect(data).toEqual(row)
  expect(await countTransactions(customer)).toBe(1)
})

test("somebody else's deleted row, an administrator's try and an id of nobody are one answer", async () => {
  const { customer, id } = await customerWhoDeleted()
  const [other, admin] = await Promise.all([signUpCustomer(), administrator()])
  const answerTo = async (as: typeof other, wanted: string) => {
    const { status, text } = await rawRest('POST', '/rpc/restore_transaction', { as, body: { id: wanted } })
    return { status, text }
  }

  const nobodys = await answerTo(customer, randomUUID())

  expect(nobodys.status).toBe(404)
  expect(JSON.parse(nobodys.text)).toEqual({
    code: 'PT404',
    details: null,
    hint: null,
    message: 'Este movimiento ya no se puede recuperar.',
  })
  expect(await answerTo(other, id)).toEqual(nobodys)
  expect(await answerTo(admin, id)).toEqual(nobodys)
  expect(await countTransactions(customer)).toBe(0)
})

test('who is not signed in may not even ask', async () => {
  const { id } = await customerWhoDeleted()

  const { status, error } = await newClient().rpc('restore_transaction', { id })

  expect([status, error?.code]).toEqual([401, '42501'])
})
