// Orders, and what happens where they leave rows equal.
import { beforeAll, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
beforeAll(async () => {
  customer = await signUpCustomer()
})

test('transactions of the same moment come in descending order of their ids', async () => {
  const date = new Date().toISOString()
  const rows = await recordExpenses(
    customer,
    Array.from({ length: 8 }, () => ({ date })),
  )

  for (const ascending of [false, true]) {
    const { data } = await customer.client
      .from('transactions')
      .select('id')
      .eq('date', date)
      .order('date', { ascending })
    const ids = rows
      .map(({ id }) => id)
      .sort()
      .toReversed()
    expect(data?.map(({ id }) => id as string)).toEqual(ids)
  }
})

test('rows without a value come where the client wants them', async () => {
  await recordExpenses(customer, [
    { amount: 77, category: null },
    { amount: 77, category: 'Comida' },
    { amount: 77, category: 'Viajes' },
  ])
  const categories = async (ascending: boolean, nullsFirst?: boolean) => {
    const { data } = await customer.client
      .from('transactions')
      .select('category')
      .eq('amount', 77)
      .order('category', { ascending, ...(nullsFirst === undefined ? {} : { nullsFirst }) })
    return data?.map(({ category }) => category as string | null)
  }

  expect(await categories(true)).toEqual(['Comida', 'Viajes', null])
  expect(await categories(true, true)).toEqual([null, 'Comida', 'Viajes'])
  expect(await categories(false)).toEqual([null, 'Viajes', 'Comida'])
  expect(await categories(false, false)).toEqual(['Viajes', 'Comida', null])
})
