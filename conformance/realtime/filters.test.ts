import { expect, test } from 'vitest'
import { signUpCustomer } from '#conformance/people.ts'
import { addExpense, isInsertOf, watch } from './watch.ts'

test('every operator narrows what a channel hears', async () => {
  const ana = await signUpCustomer()
  const passing = [
    'amount=eq.4.50',
    'amount=neq.5',
    'amount=gt.4',
    'amount=gte.4.5',
    'amount=lt.4.51',
    'amount=lte.4.5',
    'category=in.(Comida,"Ocio, y más")',
    'description=like.Caf%',
    'description=ilike.CAF_',
    'category=not.is.null',
    'category=isdistinct.Ocio',
    'date=gt.2020-01-01',
    'type=eq.expense,amount=lt.10,category=not.in.(Ocio)',
  ]
  const failing = [
    'amount=eq.4.51',
    'amount=not.eq.4.5',
    'category=in.()',
    'description=like.caf%',
    'category=is.null',
    'date=lt.2020-01-01',
    'type=eq.expense,amount=gt.10',
  ]
  const subscriptions = [...passing, ...failing].map((filter) => ({ table: 'transactions', filter }))
  const watching = await watch(ana.client, ...subscriptions)

  const id = await addExpense(ana, 'Café')
  await watching.change(isInsertOf(id))
  const last = await addExpense(ana, 'Café')
  await watching.change(isInsertOf(last))

  expect(watching.changes.filter(isInsertOf(id))).toHaveLength(passing.length)
})

test('a filter that cannot be read subscribes to nothing and says why', async () => {
  const ana = await signUpCustomer()
  const bad = [
    'undefined',
    'amount=match.^4',
    'description=imatch.caf',
    'amount=eq.cuatro',
    'missing=eq.1',
    'amount=like.4%',
    'description="eq.x',
    'category=in.Comida',
  ]

  for (const filter of bad) {
    const watching = await watch(ana.client, { table: 'transactions', filter })
    expect(await watching.message((text) => text !== '')).toMatch(/^Error parsing `filter` params: /)
    await ana.client.removeChannel(watching.channel)
  }
})
