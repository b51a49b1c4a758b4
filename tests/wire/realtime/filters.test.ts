import {
  descriptionLengthMax,
  realtimeFilterConditionsPerSocketMax,
  realtimeLikePatternLengthMax,
} from '@finanzas/contract/limits.ts'
import { expect, inject, onTestFinished, test } from 'vitest'
import { signIn, signUpCustomer } from '#tests/wire/people.ts'
import { AwakeClock } from '#testing/awake-clock.ts'
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

test('a choice of columns is refused: the whole row would be sent', async () => {
  const ana = await signUpCustomer()

  const watching = await watch(ana.client, { table: 'transactions', select: ['id', 'amount'] })

  expect(await watching.message(() => true)).toContain('Columns cannot be chosen')
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
    `description=like.${'a'.repeat(realtimeLikePatternLengthMax + 1)}`,
  ]

  for (const filter of bad) {
    const watching = await watch(ana.client, { table: 'transactions', filter })
    expect(await watching.message((text) => text !== '')).toMatch(/^Error parsing `filter` params: /)
    await ana.client.removeChannel(watching.channel)
  }
})

test('the channels of one socket have room for a limited number of conditions, and a closed one makes room', async () => {
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

test('nobody waits long while the costliest filters of one customer are put to many changes', async () => {
  const ana = await signUpCustomer()
  const pattern = `%${'a'.repeat(realtimeLikePatternLengthMax - 2)}b`
  const filter = Array.from(
    { length: realtimeFilterConditionsPerSocketMax },
    () => `description=not.like.${pattern}`,
  ).join(',')
  const devices = await Promise.all(Array.from({ length: 5 }, () => signIn(ana)))
  for (const { client } of devices) await watch(client, { table: 'transactions', filter })
  const rows = Array.from({ length: 200 }, () => ({
    user_id: ana.id,
    type: 'expense',
    description: 'a'.repeat(descriptionLengthMax),
    amount: 1,
    category: 'Comida',
  }))

  const { error } = await ana.client.from('transactions').insert(rows)
  expect(error).toBeNull()
  const waits: number[] = []
  const clock = new AwakeClock()
  onTestFinished(() => clock.stop())
  for (let count = 0; count < 10; count += 1) {
    clock.restart()
    await fetch(`${inject('server').url}/health`)
    waits.push(clock.ms)
  }

  expect(Math.max(...waits)).toBeLessThan(500)
})
