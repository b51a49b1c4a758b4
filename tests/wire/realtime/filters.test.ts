// Filters of realtime subscriptions. server/realtime/changes/filters.test.ts tests their operators and syntax.
import { realtimeFilterConditionsPerSocketMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { addExpense, isInsertOf, watch } from './watch.ts'

test('a channel gets only the changes that match its filter', async () => {
  const ana = await signUpCustomer()
  const passing = ['amount=eq.4.50', 'type=eq.expense,amount=lt.10,category=in.("Ocio, y más",Comida,Otro)']
  const failing = ['description=eq.Té', 'type=eq.expense,amount=gt.10']
  const subscriptions = [...passing, ...failing].map((filter) => ({ table: 'transactions', filter }))
  const watching = await watch(ana.client, ...subscriptions)

  const id = await addExpense(ana, 'Café')
  const last = await addExpense(ana, 'Café')
  await watching.change(isInsertOf(last))

  expect(watching.changes.filter(isInsertOf(id))).toHaveLength(passing.length)
})

test('a subscription that selects columns is refused, because the server always sends whole rows', async () => {
  const ana = await signUpCustomer()

  const watching = await watch(ana.client, { table: 'transactions', select: ['id', 'amount'] })

  expect(await watching.message(() => true)).toContain('Columns cannot be chosen')
})

test('a subscription with an invalid filter is refused with an explanation', async () => {
  const ana = await signUpCustomer()

  const watching = await watch(ana.client, { table: 'transactions', filter: 'amount=eq.cuatro' })

  expect(await watching.message((text) => text !== '')).toMatch(/^Error parsing `filter` params: /)
})

test('all channels of a socket share one limit for the number of filter conditions', async () => {
  const ana = await signUpCustomer()
  const half = Array.from({ length: realtimeFilterConditionsPerSocketMax / 2 }, () => 'amount=gt.1').join(',')
  const filtered = { table: 'transactions', filter: half }
  const first = await watch(ana.client, filtered)
  await watch(ana.client, filtered)
  const tooMany = await watch(ana.client, { table: 'transactions', filter: 'amount=gt.1' })

  expect(await tooMany.message((text) => text !== '')).toBe(
    'Error parsing `filter` params: too many conditions in the channels of this socket',
  )

  await ana.client.removeChannel(first.channel)
  const next = await watch(ana.client, { table: 'transactions', filter: 'amount=gt.1' })
  expect(await next.message((text) => text !== '')).toBe('Subscribed to PostgreSQL')
})
