// A customer records, deletes and restores expenses, and reads the balance and the journal.
// The access of other people to these rows is tested in tests/database/authorization.test.ts.
import { randomUUID } from 'node:crypto'
import { transactionColumns } from '@finanzas/contract/database-types.ts'
import { expect, test } from 'vitest'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf, recordExpenses } from '#tests/wire/expenses.ts'
import { rawRest } from './raw-rest.ts'

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

test('several expenses are recorded together or not at all', async () => {
  const customer = await signUpCustomer()

  const { error } = await customer.client
    .from('transactions')
    .insert([expenseOf(customer), expenseOf(customer, { amount: 0 })])
  const nothing = await rawRest('POST', '/transactions', { as: customer, body: [] })

  expect(error?.code).toBe('23514')
  expect(nothing.status).toBe(201)
  expect(await countTransactions(customer)).toBe(0)
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

test('a customer can restore an expense with every column, and repeating the call returns the same answer', async () => {
  const customer = await signUpCustomer()
  const [row] = await recordExpenses(customer)
  const restore = (id: string | undefined) => customer.client.rpc('restore_transaction', { id })
  await customer.client.from('transactions').delete().eq('id', row?.id)

  for (let time = 0; time < 2; time += 1) {
    const { data, error } = await restore(row?.id)
    expect({ data, error }).toEqual({ data: row, error: null })
  }

  expect((await customer.client.from('transactions').select('*')).data).toEqual([row])
  expect(await balanceOf(customer)).toBe(-12.5)
  expect(await restore(randomUUID())).toMatchObject({
    status: 404,
    error: { code: 'PT404', details: null, hint: null, message: 'Este movimiento ya no se puede recuperar.' },
  })
})

test('a customer can change the category and description of a transaction but not its amount', async () => {
  const customer = await signUpCustomer()
  const [row] = await recordExpenses(customer)
  const edit = (words: object) =>
    customer.client
      .from('transactions')
      .update(words)
      .eq('user_id', customer.id)
      .eq('id', row?.id)
      .select()
      .single()

  const edited = await edit({ description: 'Almuerzo con Ana', category: null })
  const again = await edit({ description: 'Almuerzo con Ana' })
  const amount = await edit({ amount: 1 })

  expect(edited).toMatchObject({
    status: 200,
    data: { ...row, description: 'Almuerzo con Ana', category: null },
  })
  expect(again).toMatchObject({ status: 200, data: edited.data })
  expect(amount).toMatchObject({ status: 403, error: { code: '42501' } })
  expect(await balanceOf(customer)).toBe(-12.5)
  expect((await customer.client.from('transaction_edits').select('*')).data).toEqual([
    {
      user_id: customer.id,
      seq: 2,
      transaction_id: row?.id,
      recorded_at: expect.stringMatching(/\+00:00$/),
      before: { description: 'Almuerzo', category: 'Comida' },
      after: { description: 'Almuerzo con Ana', category: null },
    },
  ])
})

test('a customer can read the journal and the explanation of their balance', async () => {
  const customer = await signUpCustomer()
  const nine = Array.from({ length: 9 }, () => ({ amount: 0.1 }))
  const [first] = await recordExpenses(customer, nine)
  await customer.client.from('transactions').delete().eq('id', first?.id)

  const { data } = await customer.client
    .from('journal_entries')
    .select('seq,kind,hash,previous_hash')
    .gt('seq', 8)
    .order('seq')

  expect(data).toMatchObject([
    { seq: 9, kind: 'note' },
    { seq: 10, kind: 'reversal', previous_hash: data?.[0]?.hash as string },
  ])
  expect((await customer.client.rpc('explain_balance')).data).toEqual({
    balance: -0.8,
    opening: 0,
    deposits: 0,
    expenses: -0.9,
    corrections: 0.1,
    booked: 0,
    noted: -0.8,
    void_ids: [],
    entries: 10,
    last_seq: 10,
    last_kind: 'reversal',
    last_recorded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}\+00:00$/),
  })
})
