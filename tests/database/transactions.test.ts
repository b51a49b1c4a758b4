import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, deposit, expense, run } from './people.ts'

let db: TestDatabase
let ana: Person
let luis: Person
let administrator: Person

beforeAll(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
  ana = await addPerson(db.database, 'user')
  luis = await addPerson(db.database, 'user')
})
afterAll(() => db.close())

const listOf = (person: Person) =>
  run(person, sql<{ user_id: string }>`select user_id from public.transactions`)
const balanceOf = async (person: Person) =>
  (await run(person, sql<{ balance: string }>`select balance::text from public.budgets`))[0]?.balance

describe('reading', () => {
  test('a reading request cannot write', async () => {
    const writing = db.database.transaction(ana.as('read'), [expense(ana, '1')])

    await expect(writing).rejects.toMatchObject({ sqlState: '25006' })
  })
})

describe('recording', () => {
  test('only an administrator registers a deposit, and the bank is its recorder', async () => {
    const customer = await addPerson(db.database, 'user')

    await expect(run(customer, deposit(customer, '5'))).rejects.toMatchObject({ sqlState: '42501' })
    await run(administrator, deposit(customer, '1250000.50'))

    expect(await run(customer, sql`select type, amount::text, recorded_by from public.transactions`)).toEqual(
      [{ type: 'deposit', amount: '1250000.50', recorded_by: 'bank' }],
    )
    expect(await balanceOf(customer)).toBe('1250000.50')
  })

  test.each([
    ['0', '23514'],
    ['-1', '23514'],
    ['0.001', '23514'],
    ['0.005', '23514'],
    ['12.345', '23514'],
    ['1000000000000', '23514'],
    ['1e13', '23514'],
    ['NaN', '23514'],
    ['Infinity', '23514'],
    ['-Infinity', '23514'],
    ['', '22P02'],
    ['abc', '22P02'],
    ['٣', '22P02'],
  ])('an amount of %j is refused and nothing moves', async (amount, sqlState) => {
    const customer = await addPerson(db.database, 'user')

    await expect(run(customer, expense(customer, amount))).rejects.toMatchObject({ sqlState })

    expect(await listOf(customer)).toEqual([])
    expect(await balanceOf(customer)).toBe('0')
  })

  test.each(['0.01', '999999999999.99', '1e3', '5.10'])(
    'an amount of %j is taken exactly',
    async (amount) => {
      const customer = await addPerson(db.database, 'user')

      await run(customer, expense(customer, amount))

      expect(Number(await balanceOf(customer))).toBe(-Number(amount))
    },
  )

  test.each([
    ['', 'an empty description'],
    ['  ', 'a description of blanks'],
    ['a'.repeat(201), 'a description of 201 characters'],
    ['uno\ndos', 'a description of two lines'],
    ['uno\u2028dos', 'a description of two lines to some readers'],
    ['\u200B\u200B', 'a description that shows nothing'],
    ['\u3164', 'a description of a filler'],
    ['abc\u202Egnp', 'a description that turns the writing round'],
    ['Cafe\u0301', 'a description that is not in its composed form'],
  ])('%#: %s is refused', async (description) => {
    const recording = run(
      ana,
      sql`insert into public.transactions (user_id, type, description, amount)
          values (${ana.id}, 'expense', ${description}, 1)`,
    )

    await expect(recording).rejects.toMatchObject({ sqlState: '23514' })
  })

  test.each(["now() - interval '11 years'", "now() + interval '2 days'"])(
    'a date of %s is refused',
    async (date) => {
      const recording = run(ana, {
        text: `insert into public.transactions (user_id, type, description, amount, date)
             values ($1, 'expense', 'x', 1, ${date})`,
        values: [ana.id],
      })

      await expect(recording).rejects.toMatchObject({ sqlState: '23514' })
    },
  )

  test('a transaction never changes, whoever asks', async () => {
    await expect(run(ana, sql`update public.transactions set amount = 1`)).rejects.toMatchObject({
      sqlState: '42501',
    })
    await expect(db.owner.query(sql`update public.transactions set amount = 1`)).rejects.toMatchObject({
      sqlState: '42501',
    })
  })
})

describe('deleting', () => {
  test("deleting one's own expense gives the money back", async () => {
    const customer = await addPerson(db.database, 'user')
    const [recorded] = await run(customer, expense(customer, '40.25'))
    expect(await balanceOf(customer)).toBe('-40.25')

    await run(customer, sql`delete from public.transactions where id = ${recorded?.id ?? ''}`)

    expect(await balanceOf(customer)).toBe('0.00')
  })

  test('deleting what the bank recorded takes it out of the list and leaves the balance', async () => {
    const customer = await addPerson(db.database, 'user')
    const [registered] = await run(administrator, deposit(customer, '100'))

    await run(customer, sql`delete from public.transactions where id = ${registered?.id ?? ''}`)

    expect(await listOf(customer)).toEqual([])
    expect(await balanceOf(customer)).toBe('100')
  })

  test("a customer cannot delete another customer's transaction", async () => {
    const [recorded] = await run(ana, expense(ana, '3'))

    await run(luis, sql`delete from public.transactions where id = ${recorded?.id ?? ''}`)

    const [still] = await run(ana, sql`select id from public.transactions where id = ${recorded?.id ?? ''}`)
    expect(still).toEqual({ id: recorded?.id })
  })
})
