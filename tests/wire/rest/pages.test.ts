// Pagination, counts and the maximum number of rows. server/rest/parse/parse.test.ts tests
// how a range is read, and server/rest/respond.test.ts how it is answered.
import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from '#tests/wire/expenses.ts'

test('a count does not include rows of another customer', async () => {
  const [ana, luis] = await Promise.all([signUpCustomer(), signUpCustomer()])
  const many = Array.from({ length: 40 }, () => ({ amount: 1 }))
  await Promise.all([recordExpenses(ana, many.slice(0, 3)), recordExpenses(luis, many)])
  const counted = async (query: PromiseLike<{ count: number | null }>) => (await query).count
  const transactions = ana.client.from('transactions')

  for (const count of ['exact', 'planned', 'estimated'] as const)
    expect(await counted(transactions.select('*', { count, head: true }))).toBe(3)
  expect(await counted(transactions.select('id', { count: 'planned' }).eq('user_id', luis.id))).toBe(0)
  expect(await counted(transactions.delete({ count: 'exact' }).eq('user_id', luis.id))).toBe(0)
  expect(await counted(transactions.delete({ count: 'exact' }).gt('amount', 0))).toBe(3)
})

test('two pages of 1,200 transactions contain each row exactly once', { timeout: 60_000 }, async () => {
  const payer = await signUpCustomer()
  const rowsPerInsert = 300
  const now = Date.now()
  for (let start = 0; start < 1200; start += rowsPerInsert) {
    // Five transactions share each date, so that the end of a page can fall between two transactions with the same
    // date.
    const date = (index: number) => new Date(now - Math.floor((start + index) / 5) * 86_400_000).toISOString()
    await recordExpenses(
      payer,
      Array.from({ length: rowsPerInsert }, (_, index) => ({ date: date(index) })),
    )
  }
  const newestFirst = () =>
    payer.client.from('transactions').select('*').eq('user_id', payer.id).order('date', { ascending: false })

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
