// A customer's own rows: expenses recorded, deleted and restored, the balance, the limit and the journal. What others
// may do with them is proven cell by cell in tests/wire/authorization.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf, recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

type Entry = { seq: number; kind: string; hash: string; previous_hash: string }
type Customer = Awaited<ReturnType<typeof signUpCustomer>>

const balanceOf = async ({ client }: Customer) =>
  (await client.from('budgets').select('balance').single()).data?.balance as number | undefined

test('a customer records an expense of their own, and the balance moves', async () => {
  const customer = await signUpCustomer()
  expect(await balanceOf(customer)).toBe(0)

  const { data, error, status } = await customer.client.from('transactions').insert(expenseOf(customer))

  expect({ data, error, status }).toEqual({ data: null, error: null, status: 201 })
  expect(await countTransactions(customer)).toBe(1)
  expect(await balanceOf(customer)).toBe(-12.5)
})

test('the new row is answered when that is asked for, with what the database added', async () => {
  const customer = await signUpCustomer()

  const { data, status } = await customer.client
    .from('transactions')
    .insert(expenseOf(customer, { amount: '999999999999.99' }))
    .select()
    .single()

  expect(status).toBe(201)
  expect(data).toEqual({
    ...expenseOf(customer),
    amount: 999_999_999_999.99,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    date: expect.stringMatching(/\+00:00$/),
    recorded_by: 'customer',
  })
})

test('a customer cannot record a deposit', async () => {
  const customer = await signUpCustomer()

  const { error, status } = await customer.client
    .from('transactions')
    .insert({ ...expenseOf(customer), type: 'deposit' })

  expect(status).toBe(403)
  expect(error).toMatchObject({
    code: '42501',
    message: 'new row violates row-level security policy for table "transactions"',
  })
  expect(await countTransactions(customer)).toBe(0)
})

test('several expenses are recorded together or not at all, and an insert of nothing records nothing', async () => {
  const customer = await signUpCustomer()

  const { error } = await customer.client
    .from('transactions')
    .insert([expenseOf(customer), expenseOf(customer, { amount: 0 })])
  const nothing = await rawRest('POST', '/transactions', { as: customer, body: [] })

  expect(error?.code).toBe('23514')
  expect(nothing.status).toBe(201)
  expect(await countTransactions(customer)).toBe(0)
})

test('an insert whose headers are wanted says where the new row is read', async () => {
  const customer = await signUpCustomer()

  const { status, headers, text } = await rawRest('POST', '/transactions', {
    as: customer,
    body: expenseOf(customer),
    headers: { prefer: 'return=headers-only' },
  })
  const row = await rawRest('GET', headers.get('location') ?? '', { as: customer })

  expect({ status, text }).toEqual({ status: 201, text: '' })
  expect(headers.get('preference-applied')).toBe('return=headers-only')
  expect(row.body).toMatchObject([{ description: 'Almuerzo' }])
})

test('only the columns that columns= names are written', async () => {
  const customer = await signUpCustomer()
  const { category: _, ...withoutCategory } = expenseOf(customer)

  const { data, error } = await customer.client
    .from('transactions')
    .insert([withoutCategory, { ...expenseOf(customer), category: 'Viajes' }])
    .select('category')

  expect(error).toBeNull()
  expect(data).toEqual([{ category: null }, { category: 'Viajes' }])
})

test('a column that a row leaves out has its default where that is wanted, and null otherwise', async () => {
  const customer = await signUpCustomer()
  const date = '2026-02-03T04:05:06+00:00'
  const rows = [expenseOf(customer, { amount: 1, date }), expenseOf(customer, { amount: 2 })]

  const withDefaults = await customer.client
    .from('transactions')
    .insert(rows, { defaultToNull: false })
    .select('amount,date')
    .order('amount')
  const withNulls = await customer.client.from('transactions').insert(rows)

  expect(withDefaults.data).toEqual([
    { amount: 1, date },
    { amount: 2, date: expect.any(String) },
  ])
  expect([withNulls.status, withNulls.error?.code]).toEqual([400, '23502'])
})

test('a transaction is never changed', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(customer)

  const { error, status } = await customer.client
    .from('transactions')
    .update({ amount: 1 })
    .eq('user_id', customer.id)

  expect([status, error?.code]).toEqual([403, '42501'])
})

test('a customer deletes an expense, which is answered when that is asked for, and has the balance back', async () => {
  const customer = await signUpCustomer()
  const [one, other] = await recordExpenses(customer, [{}, {}])

  const silent = await customer.client.from('transactions').delete().eq('id', one?.id)
  const answered = await customer.client.from('transactions').delete().eq('id', other?.id).select()

  expect(silent).toMatchObject({ data: null, error: null, status: 204 })
  expect(answered).toMatchObject({ data: [other], status: 200 })
  expect(await countTransactions(customer)).toBe(0)
  expect(await balanceOf(customer)).toBe(0)
})

test('a deleted expense is restored with every column and the balance, and asked again it is the same answer', async () => {
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

test('a customer sets their own monthly limit and nobody else does', async () => {
  const [customer, other] = await Promise.all([signUpCustomer(), signUpCustomer()])

  const own = await customer.client.from('budgets').update({ monthly_limit: 300 }).eq('user_id', customer.id)
  const foreign = await other.client.from('budgets').update({ monthly_limit: 1 }).eq('user_id', customer.id)

  expect(own).toMatchObject({ status: 204, error: null })
  expect(foreign).toMatchObject({ status: 204, error: null })
  const { data } = await customer.client.from('budgets').select('monthly_limit').single()
  expect(data).toEqual({ monthly_limit: 300 })
})

test('a customer cannot write their balance', async () => {
  const customer = await signUpCustomer()
  const budgets = () => customer.client.from('budgets')

  for (const { error, status } of [
    await budgets().update({ balance: 1_000_000 }).eq('user_id', customer.id),
    await budgets().upsert({ user_id: customer.id, balance: 1_000_000 }),
    await budgets().delete().eq('user_id', customer.id),
  ])
    expect([status, error?.code]).toEqual([403, '42501'])

  expect(await balanceOf(customer)).toBe(0)
})

test('the journal is read page by page along seq, and explains the balance', async () => {
  const customer = await signUpCustomer()
  const rows = await recordExpenses(
    customer,
    Array.from({ length: 9 }, () => ({ amount: 0.1 })),
  )
  await customer.client.from('transactions').delete().eq('id', rows[0]?.id)
  const chain: Entry[] = []
  for (;;) {
    const { data } = await customer.client
      .from('journal_entries')
      .select('*')
      .gt('seq', chain.at(-1)?.seq ?? 0)
      .order('seq')
      .limit(4)
      .overrideTypes<Entry[], { merge: false }>()
    if (data === null || data.length === 0) break
    chain.push(...data)
  }

  expect(chain.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(chain.at(-1)?.kind).toBe('reversal')
  expect(chain.map(({ previous_hash }) => previous_hash)).toEqual([
    '0'.repeat(64),
    ...chain.slice(0, -1).map(({ hash }) => hash),
  ])
  expect((await customer.client.rpc('explain_balance')).data).toEqual({
    balance: -0.8,
    opening: 0,
    deposits: 0,
    expenses: -0.9,
    corrections: 0.1,
    entries: 10,
    last_seq: 10,
    last_kind: 'reversal',
    last_recorded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}\+00:00$/),
  })
})
