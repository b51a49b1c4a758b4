// A long list is cut at 1,000 rows, and the pages after it follow by key without a gap.
import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'

const rowsPerInsert = 300

test('1,200 transactions are read in two pages, each row once', { timeout: 60_000 }, async () => {
  const customer = await signUpCustomer()
  const dayMs = 86_400_000
  const now = Date.now()
  for (let start = 0; start < 1200; start += rowsPerInsert) {
    // Five transactions share each moment, so the pages meet inside one.
    const date = (index: number) => new Date(now - Math.floor((start + index) / 5) * dayMs).toISOString()
    await recordExpenses(
      customer,
      Array.from({ length: rowsPerInsert }, (_, index) => ({ date: date(index) })),
    )
  }
  const newestFirst = () =>
    customer.client
      .from('transactions')
      .select('*')
      .eq('user_id', customer.id)
      .order('date', { ascending: false })

  const first = ((await newestFirst()).data ?? []) as Transaction[]
  const last = first.at(-1)
  const second = ((
    await newestFirst()
      .order('id', { ascending: false })
      .or(`date.lt."${last?.date}",and(date.eq."${last?.date}",id.lt.${last?.id})`)
      .limit(5 * restRowsMax)
  ).data ?? []) as Transaction[]

  expect(first).toHaveLength(restRowsMax)
  expect(second).toHaveLength(200)
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(1200)
})
