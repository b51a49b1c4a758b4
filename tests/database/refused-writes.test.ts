// Writes that the database refuses (security.md DO-08). Rows that a refused write had already inserted remain in the
// table files until a vacuum, so the tests measure the size of these files. The code in server/throttle counts a user's
// refused writes. Once the count exceeds a limit, the code refuses all further writes.
import { ownBalanceMin } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { type Database, SqlError, sql } from '#server/database/database.ts'
import { countingRefusedWrites } from '#server/throttle/refused-writes.ts'
import { openThrottle } from '#server/throttle/throttle.ts'
import { limitOf, use } from './counters.ts'
import { useBank } from './database.ts'
import { type Person, expense, openSession, run } from './people.ts'

const bank = useBank()

const fileRowsMax = 10_000
const perSessionMax = () => limitOf(bank, 'refused write of a session')
const megabyte = 1024 * 1024

async function sizeOfTables(): Promise<number> {
  const [answer] = await bank.owner.query(sql<{ bytes: number }>`
    select sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'ledger', 'realtime')`)
  return answer?.bytes ?? Number.NaN
}

/** Makes an attempt that the database must refuse with `sqlState`. Returns by how many bytes the table files grew. */
async function growthOfRefused(sqlState: string, attempt: () => Promise<unknown>): Promise<number> {
  const before = await sizeOfTables()
  await expect(attempt()).rejects.toMatchObject({ sqlState })
  return (await sizeOfTables()) - before
}

const importing = (person: Person, rows: readonly object[]) =>
  run(person, sql`select from public.import_transactions(${crypto.randomUUID()}, ${JSON.stringify(rows)})`)
const lines = (amount: number, last: object = {}) =>
  Array.from({ length: fileRowsMax }, (_, index) => ({
    date: '2026-01-15',
    description: `Compra ${index}`,
    amount,
    category: 'Comida',
    ...(index === fileRowsMax - 1 ? last : {}),
  }))

test('an import that would take the balance below the minimum does not write a row', async () => {
  const customer = await bank.addCustomer()
  const amount = Math.ceil((-2 * ownBalanceMin) / fileRowsMax)

  expect(await growthOfRefused('FZ402', () => importing(customer, lines(amount)))).toBe(0)
})

test('an import whose last line is invalid does not write a row', async () => {
  const customer = await bank.addCustomer()

  expect(await growthOfRefused('PT422', () => importing(customer, lines(1, { date: '2026-02-31' })))).toBe(0)
})

test('expenses above the daily limit do not write a journal entry', async () => {
  const customer = await bank.addCustomer()
  const before = await sizeOf('ledger.journal')

  for (let round = 0; round < 10; round += 1) {
    await expect(
      run(
        customer,
        sql`insert into public.transactions (user_id, type, description, amount)
            select ${customer.id}, 'expense', 'Café', 0.01 from generate_series(1, 250)`,
      ),
    ).rejects.toMatchObject({ sqlState: 'PT429' })
  }

  expect(await sizeOf('ledger.journal')).toBe(before)
})

async function sizeOf(table: string): Promise<number> {
  const [answer] = await bank.owner.query(sql<{ bytes: number }>`
    select pg_total_relation_size(${table}::text::regclass)::float8 as bytes`)
  return answer?.bytes ?? Number.NaN
}

/** Adds transactions without an actor, because they do not count towards any limit. */
const addMovements = (person: Person, count: number) =>
  bank.owner.query(sql`
    insert into public.transactions (user_id, type, description, amount, category)
    select ${person.id}, 'expense', 'Compra ' || n, 0.01, 'Comida' from generate_series(1, ${count}::integer) n`)

test('a category change above the daily limit of edits writes almost nothing', async () => {
  const customer = await bank.addCustomer()
  await addMovements(customer, 1000)
  await run(customer, sql`insert into public.categories (name) values ('Mercado')`)
  const [rule] = await run(
    customer,
    sql<{ id: string }>`
      insert into public.category_rules (contains, category) values ('compra', 'Mercado') returning id`,
  )
  const id = rule?.id ?? ''
  const apply = () => run(customer, sql`select from public.apply_category_rule(${id})`)
  await apply()
  await use(bank, 'edit', customer.id, 19_000)

  const undone = await growthOfRefused('PT429', () =>
    run(customer, sql`select from public.undo_category_rule(${id})`),
  )
  const renamed = await growthOfRefused('PT429', () =>
    run(customer, sql`update public.categories set name = 'Mercado grande' where name = 'Mercado'`),
  )
  await run(customer, sql`update public.category_rules set category = 'Comida' where id = ${id}`)
  const applied = await growthOfRefused('PT429', apply)

  expect(Math.max(applied, undone, renamed)).toBeLessThan(megabyte / 10)
})

test('a write stops at the first row above the row limit', async () => {
  const customer = await bank.addCustomer()
  await addMovements(customer, fileRowsMax)
  const update = sql`
    update public.transactions t set category = 'Otro' where t.description like 'Compra%' and rest.limit_written_rows(500)`

  expect(await growthOfRefused('FZ413', () => run(customer, update))).toBeLessThan(megabyte)
})

/** Returns a copy of the person object with a database that counts the person's refused writes. */
function counted(person: Person): Person {
  return { ...person, database: countingRefusedWrites(bank.database, openThrottle(bank.database)) }
}
const refusedWrite = (person: Person) => run(person, expense(person, '-1'))
const tooManyRefusals = { sqlState: 'FZ429', detail: expect.stringMatching(/^(?:600|5\d\d)$/) }

test('a customer with too many refused writes can read but cannot write for a while', async () => {
  const customer = counted(await bank.addCustomer())
  await run(customer, expense(customer, '1'))
  const most = await perSessionMax()
  for (let count = 0; count < most; count += 1)
    await expect(refusedWrite(customer)).rejects.toMatchObject({ sqlState: '23514' })

  await expect(refusedWrite(customer)).rejects.toMatchObject(tooManyRefusals)
  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooManyRefusals)

  const [rows] = await customer.database.transaction(customer.as('read'), [
    sql`select id from public.transactions`,
  ])
  expect(rows).toHaveLength(1)
  const other = counted(await bank.addCustomer())
  await run(other, expense(other, '1'))
})

test('a stolen session cannot prevent the owner from writing in another session', async () => {
  const stolen = counted(await bank.addCustomer())
  const own = await openSession(stolen)
  const most = await perSessionMax()
  for (let count = 0; count < most; count += 1)
    await expect(refusedWrite(stolen)).rejects.toMatchObject({ sqlState: '23514' })

  await expect(refusedWrite(stolen)).rejects.toMatchObject(tooManyRefusals)

  await run(own, expense(own, '1'))
})

test('accepted writes and writes in ended sessions do not count as refused', async () => {
  const customer = counted(await bank.addCustomer())
  const ended = {
    ...customer,
    as: () => ({ ...customer.as('write'), session: { id: crypto.randomUUID(), userId: customer.id } }),
  }
  const most = await perSessionMax()
  for (let count = 0; count < most; count += 1) {
    await run(customer, sql`select public.set_category_budget('Comida', 10)`)
    await expect(run(ended, expense(ended, '1'))).rejects.toMatchObject({ sqlState: 'FZ401' })
  }

  await run(customer, expense(customer, '1'))
})

test('an outage does not count as a refused write', async () => {
  const busy: Database = {
    ...bank.database,
    transaction: () => Promise.reject(new SqlError({ message: 'full', sqlState: '53100' })),
  }
  const uses: unknown[] = []
  const throttle = {
    ...openThrottle(bank.database),
    consume: (each: unknown) => Promise.resolve(void uses.push(each)),
  }
  const customer = { ...(await bank.addCustomer()), database: countingRefusedWrites(busy, throttle) }

  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject({ sqlState: '53100' })

  expect(uses).toEqual([])
})
