// Compares the results of public.sum_category_budgets with sums that the test calculates month by month. The
// authorization matrix tests that other users cannot read or change a customer's limits.
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, call, charge, correct, deposit, record, run } from './people.ts'
import { seeded } from './random-bank.ts'

const bank = useBank()

type Limit = {
  category: string
  monthly_limit: number
  carries_over: boolean
  since: string
  carried: number
  spent: number
}
type Sums = { month: string; limits: Limit[]; others: { category: string | null; spent: number }[] }

const sumsOf = (person: Person) => call<Sums>(person, sql`public.sum_category_budgets()`)
const set = (person: Person, category: string, limit: number | null, carriesOver = false) =>
  run(
    person,
    sql`select public.set_category_budget(${category}, ${limit === null ? null : String(limit)}, ${String(carriesOver)})`,
  )
/** Sets a limit as if the customer had set it `monthsAgo` months ago. */
const setAgo = (
  person: Person,
  monthsAgo: number,
  category: string,
  limit: number | null,
  carriesOver: boolean,
) =>
  bank.owner.query(sql`
    insert into public.category_budgets (user_id, category, month, monthly_limit, carries_over)
    values (${person.id}, ${category},
      (date_trunc('month', now() at time zone 'America/Bogota') - ${`${monthsAgo} months`}::interval)::date,
      ${limit === null ? null : String(limit)}, ${String(carriesOver)})`)
/** Records an expense on the first day of a month. `time` is the time after midnight in Bogotá. */
const spend = (
  person: Person,
  monthsAgo: number,
  category: string | null,
  amount: number,
  time = '23:59:59',
) =>
  record(
    person,
    sql`insert into public.transactions (user_id, type, description, amount, category, date)
        values (${person.id}, 'expense', 'Compra', ${String(amount)}, ${category}, least(now(),
          (date_trunc('month', now() at time zone 'America/Bogota') - ${`${monthsAgo} months`}::interval + ${time}::interval)
            at time zone 'America/Bogota')) returning id`,
  )

test('a customer cannot change limits more than two thousand times', async () => {
  const customer = await bank.addCustomer()
  await bank.owner.query(sql`
    insert into public.category_budgets (user_id, category, month)
    select ${customer.id}, 'Número ' || n, '2026-01-01' from generate_series(1, 1999) n`)
  await set(customer, 'Comida', 300)

  await set(customer, 'Comida', 400)
  await expect(set(customer, 'Salud', 300)).rejects.toMatchObject({
    sqlState: '23514',
    message: 'Caben 2000 como máximo.',
  })
})

test('a limit shows this month’s spending, and categories without a limit are listed separately', async () => {
  const customer = await bank.addCustomer()
  await set(customer, 'Comida', 300)
  await spend(customer, 0, 'Comida', 40.5, '00:00')
  // This expense is in the last second of the previous month in Bogotá.
  await spend(customer, 0, 'Comida', 500, '-00:00:01')
  await spend(customer, 0, 'Viajes', 20, '00:00')
  await spend(customer, 0, null, 1, '00:00')
  for (const recorded of [deposit(customer, '9'), charge(customer, '8')])
    await run(bank.administrator, correct(customer, await record(bank.administrator, recorded)))

  const { month, limits, others } = await sumsOf(customer)

  expect(limits).toEqual([
    { category: 'Comida', monthly_limit: 300, carries_over: false, since: month, carried: 0, spent: 40.5 },
  ])
  expect(others).toEqual([
    { category: 'Viajes', spent: 20 },
    { category: null, spent: 1 },
  ])
  expect((await sumsOf(await bank.addCustomer())).limits).toEqual([])
})

test('an expense of the bank counts toward the category that the customer gave it', async () => {
  const customer = await bank.addCustomer()
  const rent = await record(bank.administrator, charge(customer, '300'))
  for (const category of ['Servicios', 'Gasto']) await set(customer, category, 400)
  const spent = async () => (await sumsOf(customer)).limits.map(({ category, spent }) => [category, spent])
  expect(await spent()).toEqual([
    ['Gasto', 300],
    ['Servicios', 0],
  ])

  await run(customer, sql`update public.transactions set category = 'Servicios' where id = ${rent}`)

  expect(await spent()).toEqual([
    ['Gasto', 0],
    ['Servicios', 300],
  ])
})

test('a limit carries over the unspent amount of each month in which carry-over was enabled', async () => {
  const customer = await bank.addCustomer()
  await setAgo(customer, 5, 'Comida', 1000, false)
  await setAgo(customer, 3, 'Comida', 100, true)
  await setAgo(customer, 1, 'Comida', 200, true)
  for (const [ago, amount] of [
    [4, 7],
    [3, 60],
    [2, 150],
    [1, 30],
    [0, 5],
  ] as const)
    await spend(customer, ago, 'Comida', amount, '00:00')

  expect((await sumsOf(customer)).limits).toMatchObject([
    { monthly_limit: 200, carries_over: true, carried: 400 - 240, spent: 5 },
  ])

  // A transaction that is recorded late counts in the month of its date.
  await spend(customer, 2, 'Comida', 200)
  expect((await sumsOf(customer)).limits).toMatchObject([{ carried: 400 - 440 }])
})

test('carry-over restarts when it is enabled again, and ignores months without a limit', async () => {
  const customer = await bank.addCustomer()
  await setAgo(customer, 4, 'Comida', 100, true)
  await setAgo(customer, 3, 'Comida', null, true)
  await setAgo(customer, 2, 'Comida', 100, true)
  await setAgo(customer, 4, 'Viajes', 100, true)
  await setAgo(customer, 1, 'Viajes', 100, false)

  expect((await sumsOf(customer)).limits).toMatchObject([
    { category: 'Comida', carried: 200 },
    { category: 'Viajes', carried: 0 },
  ])

  await set(customer, 'Viajes', 50, true)
  await set(customer, 'Comida', null)
  const { month, limits } = await sumsOf(customer)
  expect(limits).toMatchObject([{ category: 'Viajes', monthly_limit: 50, since: month, carried: 0 }])
})

test('the last limit that was set in a month applies to that month', async () => {
  const customer = await bank.addCustomer()
  await set(customer, 'Comida', 100, true)
  await set(customer, 'Comida', 80)

  expect((await sumsOf(customer)).limits).toMatchObject([{ monthly_limit: 80, carries_over: false }])
  for (const wrong of [0, -1, 0.001, 1e12]) {
    await expect(set(customer, 'Comida', wrong)).rejects.toMatchObject({ sqlState: '23514' })
  }
})

test('a renamed category keeps its limit, and a deleted category loses it', async () => {
  const customer = await bank.addCustomer()
  await run(customer, sql`insert into public.categories (name) values ('Mascotas')`)
  await setAgo(customer, 1, 'Mascotas', 100, true)
  await spend(customer, 1, 'Mascotas', 30)

  await run(customer, sql`update public.categories set name = 'Animales'`)
  expect((await sumsOf(customer)).limits).toMatchObject([{ category: 'Animales', carried: 70 }])

  await run(customer, sql`delete from public.categories`)
  expect((await sumsOf(customer)).limits).toEqual([])
})

test('sums for random limits and expenses equal the test’s own calculation', async () => {
  const seed = Math.trunc(Math.random() * 1e9)
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(`The seed was ${seed}.\n`)
  })
  const random = seeded(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const categories = ['Comida', 'Viajes', 'Jardín']
  for (let round = 0; round < 5; round += 1) {
    const customer = await bank.addCustomer()
    /** Each category's settings, keyed by how many months ago they were set. */
    const changes = new Map(
      categories.map((category) => [category, new Map<number, { limit: number | null; isOn: boolean }>()]),
    )
    for (const category of categories)
      for (const ago of [6, 5, 4, 3, 2, 1, 0])
        if (random() < 0.4) {
          const change = { limit: pick([null, 50, 80.25, 100]), isOn: random() < 0.7 }
          changes.get(category)?.set(ago, change)
          await setAgo(customer, ago, category, change.limit, change.isOn)
        }
    const spent = new Map<string, number>()
    for (let index = 0; index < 40; index += 1) {
      const [category, ago, minor] = [pick(categories), pick([0, 1, 2, 3, 4, 5, 6]), pick([100, 2550, 7001])]
      spent.set(`${category} ${ago}`, (spent.get(`${category} ${ago}`) ?? 0) + minor)
      await spend(
        customer,
        ago,
        category,
        minor / 100,
        ago === 0 ? '00:00' : pick(['00:00', '12:00', '650:00']),
      )
    }

    const expected = categories.flatMap((category) => {
      let holds = { limit: null as number | null, isOn: false }
      let carriedMinor = 0
      for (const ago of [6, 5, 4, 3, 2, 1, 0]) {
        const before = holds
        holds = changes.get(category)?.get(ago) ?? holds
        const isOn = (each: typeof holds) => each.isOn && each.limit !== null
        if (!isOn(holds) || !isOn(before)) carriedMinor = 0
        if (ago > 0 && isOn(holds))
          carriedMinor += Math.round((holds.limit ?? 0) * 100) - (spent.get(`${category} ${ago}`) ?? 0)
      }
      return holds.limit === null
        ? []
        : [{ category, carried: carriedMinor / 100, spent: (spent.get(`${category} 0`) ?? 0) / 100 }]
    })
    expect(
      (await sumsOf(customer)).limits.map(({ category, carried, spent: now }) => ({
        category,
        carried,
        spent: now,
      })),
    ).toEqual(expected.toSorted((one, other) => (one.category < other.category ? -1 : 1)))
  }
})
