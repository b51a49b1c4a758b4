// Compares the results of public.sum_transactions for random histories with sums that the test calculates from
// individual transactions.
import { expect, onTestFinished, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, call, correct, deposit, expense, record, remove, run } from './people.ts'
import { seeded } from './random-bank.ts'

const bank = useBank()

type Part = {
  type: string
  category: string | null
  recorded_by: string
  amount: number
  transactions: number
}
type Sums = {
  balance: number
  months: { month: string; balance: number; sums: Part[] }[]
  days: { day: string; spent: number }[]
  /** The payments that are still expected. recurring.test.ts tests these payments. */
  coming: { payments: number; amount: number; recurs: boolean }
  /** The balance now. */
  held: number
  noted: number
  monthly_limit: number | null
  /** The counts of public.count_news. news-counts.test.ts tests these counts. */
  news: { unread: number; waiting: number | null }
}
type Asked = { since?: string; until?: string; dailySince?: string }

const sumsOf = (person: Person, { since, until, dailySince }: Asked = {}) =>
  call<Sums>(person, sql`public.sum_transactions(${since ?? null}, ${until ?? null}, ${dailySince ?? null})`)

/** A listed transaction. `day` is the transaction's date in Bogotá. Void transactions do not count towards the sums. */
type Listed = {
  type: string
  category: string | null
  by: string
  minor: number
  day: string
  isVoid?: boolean
}

/**
 * Calculates the expected sums. `removed` contains the amounts and dates of bank transactions that the customer
 * removed from the list.
 */
function reference(
  all: readonly Listed[],
  removed: readonly { minor: number; day: string }[],
  { since = '0000', until = '9999', dailySince }: Asked,
): Sums {
  const listed = all.filter(({ isVoid }) => isVoid !== true)
  const signed = ({ type, minor }: Listed) => (type === 'deposit' ? minor : -minor)
  const total = (minors: readonly number[]) => minors.reduce((sum, minor) => sum + minor, 0)
  const balanceOn = (day: string) =>
    total(listed.filter((row) => row.day <= day).map(signed)) +
    total(removed.filter((row) => row.day <= day).map(({ minor }) => minor))
  const days = all.map(({ day }) => day).toSorted()
  const [first, last] = [days.at(0) ?? '9999', days.at(-1) ?? '0000']
  const months: Sums['months'] = []
  const from = first > since ? first : since
  const to = last < until ? last : until
  for (let month = from.slice(0, 7); `${month}-01` <= to; month = monthAfter(month)) {
    const within = listed.filter(({ day }) => day.startsWith(month) && day >= since && day <= until)
    const parts = Map.groupBy(within, ({ type, category, by }) => JSON.stringify([type, category, by]))
    const end = `${month}-99` < until ? `${month}-99` : until
    months.push({
      month,
      balance: balanceOn(end) / 100,
      sums: [...parts.values()].map((rows) => ({
        type: rows[0]?.type ?? '',
        category: rows[0]?.category ?? null,
        recorded_by: rows[0]?.by ?? '',
        amount: total(rows.map(({ minor }) => minor)) / 100,
        transactions: rows.length,
      })),
    })
  }
  const spent = Map.groupBy(
    dailySince === undefined
      ? []
      : listed.filter(({ type, day }) => type === 'expense' && day >= dailySince && day <= until),
    ({ day }) => day,
  )
  return {
    balance: balanceOn(until) / 100,
    months: months.map((month) => ({ ...month, sums: sorted(month.sums) })),
    days: [...spent]
      .map(([day, rows]) => ({ day, spent: total(rows.map(({ minor }) => minor)) / 100 }))
      .sort((one, other) => (one.day < other.day ? -1 : 1)),
    coming: nothingComing,
    held: balanceOn('9999') / 100,
    noted: total(listed.filter(({ by }) => by === 'customer').map(signed)) / 100,
    monthly_limit: null,
    news: noNews,
  }
}

const noNews = { unread: 0, waiting: null }
const nothingComing = { payments: 0, amount: 0, recurs: false }

/** Sorts the parts by their key, whereas the SQL function sorts them by amount. */
const sorted = (parts: readonly Part[]) => {
  const keyOf = ({ type, category, recorded_by }: Part) => `${type} ${category} ${recorded_by}`
  return parts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

const inOrder = ({ months, ...rest }: Sums): Sums => ({
  ...rest,
  months: months.map((month) => ({ ...month, sums: sorted(month.sums) })),
})

const todayInBogota = () => new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10)

/**
 * Records transactions over two years, often at times when the date in UTC differs from the date in Bogotá. Also
 * deletes some of these transactions.
 */
async function recordRandomly(person: Person, seed: number) {
  const random = seeded(seed)
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const listed: Listed[] = []
  const removed: { minor: number; day: string }[] = []
  for (let count = 30 + Math.floor(random() * 40); count > 0; count -= 1) {
    const day = new Date(Date.now() - Math.floor(random() * 730 + 1) * 86_400_000).toISOString().slice(0, 10)
    const at = `${day}T${pick(['00:00:00', '04:59:59.999999', '12:30:00', '19:00:00', '23:59:59.999999'])}-05:00`
    const type = pick(['deposit', 'expense'] as const)
    const minor = pick([
      1,
      10,
      12_345,
      Math.ceil(random() * 1e6),
      type === 'deposit' ? 99_999_999_999_999 : 2,
    ])
    const amount = (minor / 100).toFixed(2)
    const byBank = type === 'deposit' || random() < 0.3
    const category = byBank ? pick(['Deposito', 'Gasto', 'Comida']) : pick([null, 'Comida', 'Otra cosa'])
    const statement: SqlStatement<{ id: string }> = byBank
      ? sql`select private.register_transaction(${person.id}, ${type}, ${amount}, 'Algo', ${at}, ${category}) ->> 'id' as id`
      : sql`insert into public.transactions (user_id, type, description, amount, date, category)
            values (${person.id}, ${type}, 'Algo', ${amount}, ${at}, ${category}) returning id`
    const id = await record(byBank ? bank.administrator : person, statement)
    const isDeleted = random() < 0.2
    if (isDeleted) await run(person, remove(id))
    if (isDeleted && random() < 0.4) {
      await run(person, sql`select public.restore_transaction(${id})`)
      listed.push({ type, category, by: byBank ? 'bank' : 'customer', minor, day })
    } else if (!isDeleted) {
      // Corrects some transactions. A correction of the correction makes the transaction count again.
      const corrections = byBank ? pick([0, 0, 0, 1, 2, 3]) : 0
      let corrected = id
      for (let nth = 1; nth <= corrections; nth += 1) {
        corrected = await record(bank.administrator, correct(person, corrected))
        listed.push({ type, category: 'Corrección', by: 'bank', minor, day: todayInBogota(), isVoid: true })
      }
      listed.push({
        type,
        category,
        by: byBank ? 'bank' : 'customer',
        minor,
        day,
        isVoid: corrections % 2 === 1,
      })
    } else if (byBank) {
      const corrections = pick([0, 0, 1, 2])
      let corrected = id
      for (let nth = 1; nth <= corrections; nth += 1) {
        corrected = await record(bank.administrator, correct(person, corrected))
        // The customer also removes some of the corrections from the list.
        if (random() < 0.5) await run(person, remove(corrected))
        else
          listed.push({ type, category: 'Corrección', by: 'bank', minor, day: todayInBogota(), isVoid: true })
      }
      if (corrections % 2 === 0) removed.push({ minor: type === 'deposit' ? minor : -minor, day })
    }
  }
  return { listed, removed }
}

test('the sums of any period equal the sums of the listed transactions', async () => {
  const seeds = Array.from({ length: 4 }, () => Math.floor(Math.random() * 2 ** 31))
  for (const seed of seeds) {
    const person = await bank.addCustomer()
    const { listed, removed } = await recordRandomly(person, seed)
    const random = seeded(seed + 1)
    const someDay = () => new Date(Date.now() - random() * 800 * 86_400_000).toISOString().slice(0, 10)
    const periods: Asked[] = [
      {},
      { dailySince: '1990-01-01' },
      { since: '0001-01-01', until: '9999-12-31', dailySince: '0001-01-01' },
      { since: '-infinity', until: 'infinity', dailySince: '-infinity' },
      ...Array.from({ length: 12 }, () => {
        const [since, until] = [someDay(), someDay()].toSorted()
        return { since: since ?? '', until: until ?? '', dailySince: someDay() }
      }),
    ]
    for (const period of periods)
      expect(inOrder(await sumsOf(person, period)), `seed ${seed}, ${JSON.stringify(period)}`).toEqual(
        reference(listed, removed, period),
      )
  }
})

test('the sums contain the customer’s own monthly limit', async () => {
  const [ana, luis] = [await bank.addCustomer(), await bank.addCustomer()]
  await run(ana, sql`update public.budgets set monthly_limit = 300.5 where user_id = ${ana.id}`)

  expect(await sumsOf(ana)).toMatchObject({ monthly_limit: 300.5 })
  expect(await sumsOf(luis)).toMatchObject({ monthly_limit: null })
})

test('the sums without a period add up to the balance, even in an empty account', async () => {
  const person = await bank.addCustomer()
  expect(await sumsOf(person, { dailySince: '2026-01-01' })).toEqual({
    balance: 0,
    months: [],
    days: [],
    coming: nothingComing,
    held: 0,
    noted: 0,
    monthly_limit: null,
    news: noNews,
  })

  await run(bank.administrator, deposit(person, '100.50'))
  await run(person, expense(person, '0.25'))

  const { balance, held, noted, months } = await sumsOf(person)
  expect([held, noted]).toEqual([100.25, -0.25])
  expect([balance, months.map((month) => month.balance)]).toEqual([100.25, [100.25]])
  // The first of these periods is after the last transaction, and the second is before the first transaction.
  expect(await sumsOf(person, { since: '2199-01-01', until: '2199-12-31' })).toMatchObject({
    balance: 100.25,
  })
  expect(await sumsOf(person, { since: '2001-01-01', until: '2001-12-31' })).toMatchObject({ balance: 0 })
})

test('the sums include only the caller’s rows, even without the row-level security policies', async () => {
  const [ana, luis] = [await bank.addCustomer(), await bank.addCustomer()]
  await run(bank.administrator, deposit(luis, '7000'))
  await run(luis, expense(luis, '70'))
  await run(luis, remove(await record(bank.administrator, deposit(luis, '700'))))
  await run(ana, expense(ana, '1'))
  const asked = [{ dailySince: '2026-01-01' }, { until: '2026-01-01' }]
  const before = await Promise.all(asked.map((period) => sumsOf(ana, period)))
  const policies = [
    ['public.transactions', 'customers read their own transactions'],
    ['public.budgets', 'customers read their own budget'],
    ['ledger.journal', 'customers read their own journal'],
  ] as const
  const alter = async (using: string) => {
    for (const [table, policy] of policies)
      await bank.owner.script(`alter policy "${policy}" on ${table} using (${using})`)
  }
  onTestFinished(() => alter('user_id = (select auth.uid())'))

  await alter('true')

  expect(await Promise.all(asked.map((period) => sumsOf(ana, period)))).toEqual(before)
  expect(before).toMatchObject([
    { balance: -1, months: [{ sums: [{ amount: 1 }] }] },
    { balance: 0, months: [] },
  ])
})
