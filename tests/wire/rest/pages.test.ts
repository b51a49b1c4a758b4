// Pagination, counts and the maximum number of rows. server/rest/respond.test.ts tests how a range is computed.
import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from '#tests/wire/expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: SignedIn
beforeAll(async () => {
  customer = await signUpCustomer()
  await recordExpenses(
    customer,
    [1, 2, 3, 4, 5].map((amount) => ({ amount })),
  )
})

test.each([
  ['', 'limit=3&offset=1&', '', 200, [2, 3, 4], '1-3/*'],
  ['0-1', '', 'count=exact', 206, [1, 2], '0-1/5'],
] as const)(
  'a read with Range: %s and the parameters %s and the preference %s gets %i',
  async (range, query, prefer, status, amounts, contentRange) => {
    const path = `/transactions?${query}order=amount&select=amount`

    const answer = await rawRest('GET', path, {
      as: customer,
      headers: { prefer, ...(range === '' ? {} : { 'range-unit': 'items', range }) },
    })

    expect(answer.status).toBe(status)
    expect(answer.body).toEqual(amounts.map((amount) => ({ amount })))
    expect(answer.headers.get('content-range')).toBe(contentRange)
    expect(answer.headers.get('content-location')).toBe(path)
  },
)

test('a count can be read without rows', async () => {
  const { status, headers, text } = await rawRest('HEAD', '/transactions?select=*&amount=gt.3', {
    as: customer,
    headers: { prefer: 'count=exact' },
  })

  expect({ status, text }).toEqual({ status: 200, text: '' })
  expect(headers.get('content-range')).toBe('0-1/2')
  expect(headers.get('preference-applied')).toBe('count=exact')
})

test.each(['exact', 'planned', 'estimated'] as const)(
  'a count that is %s does not include rows of another customer',
  async (count) => {
    const [ana, luis] = await Promise.all([signUpCustomer(), signUpCustomer()])
    await Promise.all([
      recordExpenses(ana, [{ amount: 1 }, { amount: 2 }, { amount: 3 }]),
      recordExpenses(
        luis,
        Array.from({ length: 40 }, () => ({ amount: 1 })),
      ),
    ])
    const counted = async (query: PromiseLike<{ count: number | null }>) => (await query).count
    const transactions = ana.client.from('transactions')

    expect(await counted(transactions.select('*', { count, head: true }))).toBe(3)
    expect(await counted(transactions.select('id', { count }).eq('user_id', luis.id))).toBe(0)
    expect(await counted(transactions.delete({ count }).eq('user_id', luis.id))).toBe(0)
    expect(await counted(transactions.delete({ count }).gt('amount', 0))).toBe(3)
    expect(await counted(luis.client.from('transactions').select('*', { count, head: true }))).toBe(40)
  },
)

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
