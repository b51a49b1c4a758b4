// The limiter (private.consume), and the limit on the rows that a customer writes. tests/database/writes.test.ts tries
// every write.
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { importedOfNewAccountMax, importedPerDayMax } from '@finanzas/contract/limits.ts'
import { sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import { type Person, ageAccount, expense, run } from './people.ts'

/** A window of ten minutes in five parts. */
const bank = useBank(({ owner }) =>
  owner.script(`
    insert into private.limits (name, uses_max, window_seconds, slots, is_counted_afterwards, sentence) values
      ('known before', 10, 600, 5, false, 'Solo %s veces.'), ('known afterwards', 10, 600, 5, true, 'Ya basta.'),
      ('lower at first', 10, 600, 5, false, 'Solo %s veces.');
    update private.limits set new_account_max = 4 where name = 'lower at first';
    -- Makes the calls at the given times, and checks after each refusal whether the stated wait is long enough.
    create function private.answers(calls jsonb, subject text)
      returns table (at double precision, uses integer, admitted boolean, is_next boolean) language plpgsql as $$
    declare
      rule private.limits;
      later timestamptz;
    begin
      select l.* into rule from private.limits l where l.name = 'known before';
      for at, uses in select c.at, c.uses from jsonb_to_recordset(calls) as c (at double precision, uses integer) loop
        admitted := private.admits(rule, subject, uses, rule.uses_max, false, to_timestamp(at));
        later := to_timestamp(at + ceil(private.seconds_to_wait(rule, subject, uses, rule.uses_max, to_timestamp(at))));
        is_next := admitted or private.admits(rule, subject, uses, rule.uses_max, true, later);
        return next;
      end loop;
    end $$`),
)

const partSeconds = 120
const consume = async (limit: string, subject: string, uses = 1) => {
  await bank.owner.query(sql`select private.consume(${limit}, ${subject}, ${uses})`)
}
/** Moves the uses of a subject into the past, by whole parts of the window. */
const letPass = (subject: string, parts: number) =>
  bank.owner.query(sql`update private.counters set slot = slot - ${parts} where subject = ${subject}`)
const secondsOf = async (refused: Promise<unknown>) => {
  const error = await refused.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ sqlState: 'PT429' })
  return Number(/^Retry-After: (\d+)$/.exec((error as { detail: string }).detail)?.[1])
}

test('a limit admits its number of uses and says when the next one is possible', async () => {
  await consume('known before', 'a', 4)
  await letPass('a', 2)
  await consume('known before', 'a', 6)

  const seconds = await secondsOf(consume('known before', 'a'))
  await expect(consume('known before', 'a')).rejects.toMatchObject({ message: 'Solo 10 veces.' })
  // The first four uses are two parts old. They leave after the window has passed, and at most one part later.
  expect(seconds).toBeGreaterThan(3 * partSeconds)
  expect(seconds).toBeLessThanOrEqual(4 * partSeconds)
})

test('a refused call counts nothing', async () => {
  await consume('known before', 'b', 9)

  await expect(consume('known before', 'b', 2)).rejects.toMatchObject({ sqlState: 'PT429' })
  await consume('known before', 'b')
})

test('a use leaves the window only after the whole window has passed', async () => {
  await consume('known before', 'c', 10)
  await letPass('c', 5)
  await expect(consume('known before', 'c')).rejects.toMatchObject({ sqlState: 'PT429' })

  await letPass('c', 1)

  await consume('known before', 'c', 10)
})

test('each subject has a count of its own', async () => {
  await consume('known before', 'd', 10)
  await consume('known before', 'e', 10)
})

test('more uses than a limit can ever admit are refused', async () => {
  expect(await secondsOf(consume('known before', 'f', 11))).toBe(600)
})

test('where the number is known only afterwards, the last call may exceed the limit and the next one waits', async () => {
  await consume('known afterwards', 'g', 9)
  await consume('known afterwards', 'g', 500)

  await expect(consume('known afterwards', 'g')).rejects.toMatchObject({ message: 'Ya basta.' })
  await expect(consume('known afterwards', 'g', 0)).rejects.toMatchObject({ sqlState: 'PT429' })
  await letPass('g', 6)
  await consume('known afterwards', 'g', 0)
})

test('a database transaction is not refused after its first write was admitted', async () => {
  const each = (uses: number) => `perform private.consume('known afterwards', 'h', ${uses});`

  await bank.owner.script(`do $$ begin ${each(500)} ${each(0)} ${each(500)} end $$`)

  await expect(consume('known afterwards', 'h')).rejects.toMatchObject({ sqlState: 'PT429' })
})

test('simultaneous uses of the last free use admit only one of them', async () => {
  const person = await bank.addCustomer()
  await consume('known before', person.id, 9)

  const both = await Promise.allSettled([
    consume('known before', person.id),
    consume('known before', person.id),
  ])

  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

const windowSeconds = 600
const usesMax = 10
/** A call after a time, with a number of uses. Some calls come just at the edge of the window. */
const call = fc.record({
  after: fc.oneof(
    fc.double({ min: 0, max: 60, noNaN: true }),
    fc.double({ min: windowSeconds - 1, max: windowSeconds + 1, noNaN: true }),
  ),
  uses: fc.integer({ min: 1, max: 3 }),
})
type Answer = { at: number; uses: number; admitted: boolean; is_next: boolean }

test('over random times no window has more uses than the limit allows, and the stated wait is long enough', async () => {
  let fullest = 0
  const tried = fc.asyncProperty(fc.array(call, { minLength: 50, maxLength: 150 }), async (calls) => {
    let at = Date.parse('2026-11-28T12:00:00Z') / 1000 + Math.random()
    const timed = calls.map(({ after, uses }) => ({ at: (at += after), uses }))
    const answers = await bank.owner.query(
      sql<Answer>`select * from private.answers(${JSON.stringify(timed)}, ${crypto.randomUUID()})`,
    )
    const admitted = answers.filter((answer) => answer.admitted)

    for (const { at: end } of admitted) {
      const window = admitted.filter((each) => each.at > end - windowSeconds && each.at <= end)
      const sum = window.reduce((total, { uses }) => total + uses, 0)
      expect(sum).toBeLessThanOrEqual(usesMax)
      fullest = Math.max(fullest, sum)
    }
    expect(answers.filter((answer) => !answer.is_next)).toEqual([])
  })

  await fc.assert(tried, { numRuns: 30 })

  expect(fullest).toBe(usesMax)
})

test('a new account has the lower number, and Retry-After ends at the latest when the account is no longer new', async () => {
  const person = await bank.addCustomer()
  await consume('lower at first', person.id, 4)

  const refused = consume('lower at first', person.id)
  await expect(refused).rejects.toMatchObject({ message: 'Solo 4 veces.' })
  expect(await secondsOf(refused)).toBeLessThanOrEqual(600)
  await ageAccount(bank.owner, person)
  await consume('lower at first', person.id, 6)
  await expect(consume('lower at first', person.id)).rejects.toMatchObject({ message: 'Solo 10 veces.' })
})

test('a check counts nothing', async () => {
  const check = (uses: number) =>
    bank.owner.query(sql`select private.consume('known before', 'i', ${uses}, only_checks => true)`)
  await check(10)
  await consume('known before', 'i', 10)

  await expect(check(1)).rejects.toMatchObject({ sqlState: 'PT429' })
})

test('a call that names an unknown limit fails', async () => {
  await expect(consume('pagos', 'j')).rejects.toMatchObject({ sqlState: 'P0002' })
  await expect(bank.owner.query(sql`select private.require_room('pagos', 1)`)).rejects.toMatchObject({
    sqlState: 'P0002',
  })
})

test('the page knows the limits of imports as the database has them', async () => {
  expect(
    await bank.owner.query(
      sql`select uses_max, new_account_max from private.limits where name = 'imported line'`,
    ),
  ).toEqual([{ uses_max: importedPerDayMax, new_account_max: importedOfNewAccountMax }])
})

test('a load test runs without limits', async () => {
  await bank.asService(settings({ auth_rate_limits: 'off' }))
  try {
    await consume('known before', 'k', 100)
  } finally {
    await bank.asService(settings({ auth_rate_limits: 'on' }))
  }

  await consume('known before', 'k', 10)
})

// Rows that customers write --------------------------------------------------------------------------------

const rowsMax = 3000
const addRules = (person: Person, count: number) =>
  run(
    person,
    sql`insert into public.category_rules (contains, category)
        select 'regla ' || n, 'Casa' from generate_series(1, ${count}::integer) n`,
  )
const order = (person: Person) =>
  run(
    person,
    sql`select public.order_category_rules(
      (select array_agg(id order by position, random()) from public.category_rules))`,
  )
const reverse = (person: Person) =>
  run(
    person,
    sql`select public.order_category_rules((select array_agg(id order by position desc) from public.category_rules))`,
  )
const announced = async () => {
  const [row] = await bank.owner.query(
    sql<{ count: number }>`select count(*)::integer as count from realtime.outbox`,
  )
  return row?.count ?? 0
}
const useUp = (person: Person) =>
  bank.owner.query(sql`select private.consume('rows written', ${person.id}, ${rowsMax})`)

test('putting 200 rules in order announces one change', async () => {
  const person = await bank.addCustomer()
  await addRules(person, 200)
  await order(person)
  const before = await announced()

  await reverse(person)

  expect((await announced()) - before).toBe(1)
})

test('a customer cannot put rules in order without end', async () => {
  const person = await bank.addCustomer()
  await addRules(person, 200)
  let calls = 0
  const again = async (): Promise<number> => {
    await reverse(person)
    calls += 1
    return calls < 50 ? again() : calls
  }

  await expect(again()).rejects.toMatchObject({
    sqlState: 'PT429',
    detail: expect.stringMatching(/^Retry-After: \d+$/),
  })
  expect(calls).toBeGreaterThanOrEqual(10)
})

test('renaming a category announces one change, even if many rules belong to it', async () => {
  const person = await bank.addCustomer()
  await run(person, sql`insert into public.categories (name) values ('Casa')`)
  await addRules(person, 200)
  await run(person, expense(person, '1'))
  const before = await announced()

  await run(person, sql`update public.categories set name = 'Hogar' where name = 'Casa'`)

  expect((await announced()) - before).toBe(1)
})

test('a customer who has used up the limit can still record and delete and close the account', async () => {
  const person = await bank.addCustomer()
  await addRules(person, 3)
  await useUp(person)

  await run(person, expense(person, '1'))
  await run(person, sql`delete from public.transactions`)
  await expect(run(person, sql`update public.budgets set monthly_limit = 5`)).rejects.toMatchObject({
    sqlState: 'PT429',
    message: 'Hiciste muchos cambios seguidos. Espera unos minutos.',
  })
  await run(person, sql`select private.delete_own_account()`)

  expect(await bank.owner.query(sql`select from private.counters where subject = ${person.id}`)).toEqual([])
})

test('an honest day of imports and rules and renamed categories stays within the limit', async () => {
  // A tenth of the limit and of a long import. Several thousand rows would take seconds on the embedded engine.
  const setLimit = (uses: number) =>
    bank.owner.query(sql`update private.limits set uses_max = ${uses} where name = 'rows written'`)
  await setLimit(rowsMax / 10)
  onTestFinished(async () => {
    await setLimit(rowsMax)
  })
  const person = await bank.addCustomer()
  await ageAccount(bank.owner, person)
  await run(person, sql`insert into public.categories (name) values ('Casa')`)
  const lines = Array.from({ length: 350 }, (_, index) => ({
    date: '2026-01-15',
    description: `Panadería ${index}`,
    amount: 1,
    category: 'Casa',
  }))
  await run(
    person,
    sql`select from public.import_transactions(${crypto.randomUUID()}, ${JSON.stringify(lines)})`,
  )
  await run(person, sql`update public.categories set name = 'Hogar' where name = 'Casa'`)
  const rule = crypto.randomUUID()
  await run(
    person,
    sql`insert into public.category_rules (id, contains, category) values (${rule}, 'panadería', 'Comida')`,
  )
  await run(person, sql`select public.apply_category_rule(${rule})`)
  await run(person, sql`select public.undo_category_rule(${rule})`)
  await run(person, sql`update public.budgets set monthly_limit = 5`)
})

test('the bank can change the rows of a customer who has used up the limit', async () => {
  const person = await bank.addCustomer()
  await addRules(person, 1)
  await useUp(person)

  await bank.owner.query(
    sql`update public.category_rules set category = 'Hogar' where user_id = ${person.id}`,
  )
})

test('counters are purged once their window has passed', async () => {
  await consume('known before', 'old')
  await consume('known before', 'fresh')
  await letPass('old', 6)

  await bank.asService(sql`select private.purge_expired(500)`)

  const subjects = await bank.owner.query(
    sql`select subject from private.counters where subject in ('old', 'fresh')`,
  )
  expect(subjects).toEqual([{ subject: 'fresh' }])
})
