// A customer records and deletes expenses. tests/database tests restored and edited expenses, the journal and the
// explained balance.
// The access of other people to these rows is tested in tests/database/authorization.test.ts.
import { transactionColumns } from '@finanzas/contract/database-types.ts'
import { expect, test } from 'vitest'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf, recordExpenses } from '#tests/wire/expenses.ts'

const balanceOf = async ({ client }: SignedIn) =>
  (await client.from('budgets').select('balance').single()).data?.balance as number | undefined

test('a customer’s expense changes the balance, and the answer contains the row on request', async () => {
  const customer = await signUpCustomer()
  expect(await balanceOf(customer)).toBe(0)

  const silent = await customer.client.from('transactions').insert(expenseOf(customer))
  const answered = await customer.client
    .from('transactions')
    .insert(expenseOf(customer, { amount: '999999999987.50' }))
    .select()
    .single()

  expect(silent).toMatchObject({ data: null, error: null, status: 201 })
  expect(answered).toMatchObject({ error: null, status: 201 })
  expect(Object.keys(answered.data ?? {})).toEqual(transactionColumns)
  expect(answered.data).toMatchObject({
    ...expenseOf(customer),
    amount: 999_999_999_987.5,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    date: expect.stringMatching(/\+00:00$/),
    recorded_by: 'customer',
    is_void: false,
    origin: 'own',
    origin_id: null,
  })
  expect(await balanceOf(customer)).toBe(-1_000_000_000_000)
})

test('a deletion restores the balance, and the answer contains the deleted row on request', async () => {
  const customer = await signUpCustomer()
  const [one, other] = await recordExpenses(customer, [{}, {}])

  const silent = await customer.client.from('transactions').delete().eq('id', one?.id)
  const answered = await customer.client.from('transactions').delete().eq('id', other?.id).select()

  expect(silent).toMatchObject({ data: null, error: null, status: 204 })
  expect(answered).toMatchObject({ data: [other], status: 200 })
  expect(await countTransactions(customer)).toBe(0)
  expect(await balanceOf(customer)).toBe(0)
})
