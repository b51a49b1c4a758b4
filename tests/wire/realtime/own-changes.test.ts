import { expect, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { depositFor, invoke } from '#tests/wire/functions/invoke.ts'
import { addExpense, isInsertOf, watch } from './watch.ts'

test('a customer receives their new expense within a second, in the same form as in the answer to a read', async () => {
  const ana = await signUpCustomer()
  const watching = await watch(ana.client, { table: 'transactions', filter: `user_id=eq.${ana.id}` })

  const id = await addExpense(ana, "Café '; drop table budgets")

  const change = await watching.change(isInsertOf(id))
  const { data: row } = await ana.client.from('transactions').select('*').eq('id', id).single()
  expect(change).toEqual({
    schema: 'public',
    table: 'transactions',
    eventType: 'INSERT',
    commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    new: row,
    old: {},
    errors: null,
  })
})

test('a customer receives their new balance and only the key of the old row', async () => {
  const ana = await signUpCustomer()
  const watching = await watch(ana.client, {
    table: 'budgets',
    event: 'UPDATE',
    filter: `user_id=eq.${ana.id}`,
  })

  await addExpense(ana)

  const change = await watching.change(({ eventType }) => eventType === 'UPDATE')
  expect(change.new).toEqual({ user_id: ana.id, balance: -4.5, noted: -4.5, monthly_limit: null })
  expect(change.old).toEqual({ user_id: ana.id })
})

test('a customer receives the whole row after an edit of their transaction', async () => {
  const ana = await signUpCustomer()
  const id = await addExpense(ana)
  const watching = await watch(ana.client, { table: 'transactions', filter: `user_id=eq.${ana.id}` })

  const { data: edited } = await ana.client
    .from('transactions')
    .update({ description: 'Café con Ana' })
    .eq('id', id)
    .select()
    .single()

  const change = await watching.change(({ eventType }) => eventType === 'UPDATE')
  expect(change.new).toEqual(edited)
  expect(change.new).toMatchObject({ id, description: 'Café con Ana' })
})

test('a customer receives only the key of their deleted transaction', async () => {
  const ana = await signUpCustomer()
  const id = await addExpense(ana)
  const watching = await watch(ana.client, { table: 'transactions', filter: `user_id=eq.${ana.id}` })

  await ana.client.from('transactions').delete().eq('id', id).eq('user_id', ana.id)

  const change = await watching.change(({ eventType }) => eventType === 'DELETE')
  expect(change.old).toEqual({ user_id: ana.id, id })
  expect(change.new).toEqual({})
})

test('a customer receives a deposit that an administrator registers', async () => {
  const ana = await signUpCustomer()
  const watching = await watch(
    ana.client,
    { table: 'transactions', filter: `user_id=eq.${ana.id}` },
    { table: 'budgets', filter: `user_id=eq.${ana.id}` },
  )
  const bank = await administrator()

  const deposited = await invoke(
    bank.client,
    'manage-transactions',
    depositFor(ana.id, { amount: '1250000.50' }),
  )

  expect(deposited.status).toBe(200)
  const deposit = await watching.change(({ table }) => table === 'transactions')
  const budget = await watching.change((each) => each.table === 'budgets' && each.eventType === 'UPDATE')
  expect(deposit.new).toMatchObject({ type: 'deposit', amount: 1250000.5, recorded_by: 'bank' })
  expect(budget.new).toMatchObject({ balance: 1250000.5 })
})

test('applying a rule to several transactions sends only the change of the rule’s own row', async () => {
  const ana = await signUpCustomer()
  // The test subscribes before it records the expenses, because a change that commits just before a join may still
  // arrive.
  const watching = await watch(ana.client, { table: 'transactions' }, { table: 'category_rules' })
  await addExpense(ana)
  await addExpense(ana)
  const id = crypto.randomUUID()
  const { error } = await ana.client
    .from('category_rules')
    .insert({ id, contains: 'cafe', category: 'Mascotas' })
  expect(error).toBeNull()

  const applied = await ana.client.rpc('apply_category_rule', { id })
  const last = await addExpense(ana)

  await watching.change(isInsertOf(last))
  expect(applied.data).toMatchObject({ entries: 2 })
  expect(watching.changes.map(({ table, eventType }) => `${eventType} ${table}`)).toEqual([
    'INSERT transactions',
    'INSERT transactions',
    'INSERT category_rules',
    'UPDATE category_rules',
    'INSERT transactions',
  ])
})

test('changes arrive in the order in which they were committed', async () => {
  const ana = await signUpCustomer()
  const watching = await watch(ana.client, { table: 'transactions', event: 'INSERT' })

  const ids: string[] = []
  for (let count = 0; count < 20; count += 1) ids.push(await addExpense(ana))

  await watching.change(isInsertOf(ids.at(-1) ?? ''))
  expect(watching.changes.map((change) => 'id' in change.new && change.new['id'])).toEqual(ids)
})
