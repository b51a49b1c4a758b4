import { expect, test } from 'vitest'
import { administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { openRawSocket, transactionsJoin } from './raw-socket.ts'
import { addExpense, isInsertOf, watch } from './watch.ts'

test('a customer never receives another customer’s changes', async () => {
  const ana = await signUpCustomer()
  const mallory = await signUpCustomer()
  const hostile = await Promise.all(
    [
      `user_id=eq.${ana.id}`,
      `user_id=in.(${ana.id},${mallory.id})`,
      `user_id=neq.${mallory.id}`,
      `user_id=not.is.null`,
      `user_id=in.()`,
      undefined,
    ].map((filter) => {
      const narrowed = filter === undefined ? {} : { filter }
      return watch(mallory.client, { table: 'transactions', ...narrowed }, { table: 'budgets', ...narrowed })
    }),
  )
  const everything = await watch(mallory.client, { table: '*' }, { schema: '*', table: '*' })
  const raw = await openRawSocket()
  await raw.join('realtime:mallory', transactionsJoin(mallory.session.access_token))

  const id = await addExpense(ana)
  await ana.client.from('budgets').update({ monthly_limit: 100 }).eq('user_id', ana.id)
  await ana.client.from('transactions').delete().eq('id', id).eq('user_id', ana.id)
  // Changes arrive in order, so Ana's changes would have arrived before Mallory's own change.
  const own = await addExpense(mallory)
  await everything.change(isInsertOf(own))

  const received = [...hostile, everything].flatMap(({ changes }) => changes)
  expect(received.filter((change) => JSON.stringify(change).includes(ana.id))).toEqual([])
  expect(received.filter(({ eventType }) => eventType === 'DELETE')).toEqual([])
  // The channel must not even get an empty frame for another person's change.
  await raw.frame(({ event }) => event === 'postgres_changes')
  expect(raw.frames.filter(({ event }) => event === 'postgres_changes')).toHaveLength(1)
})

test('an administrator never receives customers’ changes', async () => {
  const bank = await administrator()
  const ana = await signUpCustomer()
  const watching = await watch(bank.client, { table: 'transactions' })

  await addExpense(ana)
  const own = await addExpense(bank)

  await watching.change(isInsertOf(own))
  expect(JSON.stringify(watching.changes)).not.toContain(ana.id)
})

test('a caller without a session cannot subscribe to a table', async () => {
  const watching = await watch(newClient(), { table: 'transactions' })

  const message = await watching.message((text) => text.startsWith('Unable to subscribe'))

  expect(message).toContain('table: transactions')
})

test('a customer cannot subscribe to a table outside the publication', async () => {
  const ana = await signUpCustomer()

  const tables = ['public.profiles', 'public.user_safe', 'public.missing', 'ledger.journal', 'auth.sessions']
  for (const name of tables) {
    const [schema = '', table = ''] = name.split('.')
    const watching = await watch(ana.client, { schema, table })
    expect(await watching.message((text) => text.includes(table))).toContain('Unable to subscribe')
  }
})
