// Each transaction counts as the payment for at most one due day of a recurring expense. An automatic expense is
// recorded once for each due date in Bogotá, even if calls are simultaneous, interrupted or late.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { runJobs } from '#server/jobs/run-jobs.ts'
import { asCaller } from '#server/database/scope.ts'
import { letPass, partsOfDay, use } from './counters.ts'
import { useBank } from './database.ts'
import {
  type Person,
  ageAccount,
  balanceOf,
  call,
  deposit,
  expense,
  openSession,
  record,
  remove,
  run,
} from './people.ts'
import { day as dayIn } from './transfers.ts'

const bank = useBank()

type Saved = { id: string; due_day: number | null; next_due_on: string; status: string }
type Wanted = Partial<
  Record<'id' | 'description' | 'amount' | 'rhythm' | 'next_due_on' | 'status', string>
> & {
  due_day?: number
  is_automatic?: boolean
}

/**
 * Saves a recurring expense, which by default is automatic, monthly and due tomorrow. An existing expense with the
 * same id is replaced.
 */
async function save(person: Person, wanted: Wanted = {}): Promise<Saved> {
  const { id = crypto.randomUUID(), description = 'Arriendo', amount = '10' } = wanted
  const { rhythm = 'monthly', next_due_on = await day(1), due_day = null, status = 'active' } = wanted
  const { is_automatic = true } = wanted
  return call<Saved>(
    person,
    sql`public.save_recurring_expense(
      ${id}, ${description}, ${amount}, ${rhythm}, ${next_due_on}, 'Servicios', ${due_day}, ${status}, ${is_automatic})`,
  )
}

const day = (days = 0) => dayIn(bank, days)

test('recording many due expenses with long descriptions does not occupy the database for long', async () => {
  const customer = await bank.addCustomer()
  const thousand = sql`
    insert into public.transactions (user_id, type, description, amount, date, category)
    select ${customer.id}, 'expense', 'Pago ' || chr(97 + n % 10) || repeat('ñ', 190), 10,
      now() - (n % 9 || ' days')::interval, 'Casa'
    from generate_series(1, 1000) n`
  await ageAccount(bank.owner, customer)
  for (let place = 0; place < 2; place += 1) {
    await run(customer, thousand)
    await letPass(bank, 'own posting', customer.id, partsOfDay + 1)
  }
  await bank.owner.query(sql`
    insert into public.recurring_expenses
      (user_id, id, description, amount, rhythm, next_due_on, expected_from, is_automatic)
    select ${customer.id}, gen_random_uuid(), 'Cuota ' || chr(96 + n), 10, 'weekly', ${await day()}, ${await day()}, true
    from generate_series(1, 20) n`)

  const begun = performance.now()
  expect(await recordDue()).toBe(20)

  // If the query were slow, the database would need more than a second for each of the twenty due expenses.
  expect(performance.now() - begun).toBeLessThan(5000)
}, 60_000)

/**
 * Records due expenses as a server does. `at` replaces the current time. Returns the number of due dates that were
 * handled.
 */
async function recordDue({ most = 1000, at }: { most?: number; at?: string } = {}): Promise<number> {
  const moment = sql<{ handled: number }>`
    select private.record_due_expenses(${most}, coalesce(${at ?? null}::timestamptz, now())) as handled`
  const [[row]] = await bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [moment])
  return row?.handled ?? -1
}

/**
 * Sets the next due date of a recurring expense to `since`. Also sets the day of the month of this expense, by default
 * to the day of `since`.
 */
const dueSince = (id: string, since: string, dueDay: number | null = null) =>
  bank.owner.query(sql`
    update public.recurring_expenses
    set next_due_on = ${since},
        due_day = case when due_day is not null then coalesce(${dueDay}, extract(day from ${since}::date)) end
    where id = ${id}`)

/** Saves a recurring expense whose next due date is `since`, by default today. */
async function saveDue(
  person: Person,
  { since, ...wanted }: Wanted & { since?: string } = {},
): Promise<string> {
  const { id } = await save(person, wanted)
  await dueSince(id, since ?? (await day()))
  return id
}
const recordedDays = async (person: Person) =>
  (
    await run(
      person,
      sql<{ day: string }>`
        select to_char(date at time zone 'America/Bogota', 'YYYY-MM-DD') as day from public.transactions order by date`,
    )
  ).map((row) => row.day)
const nextOf = async (id: string) => {
  const [row] = await bank.owner.query(
    sql<{ next: string }>`select next_due_on::text as next from public.recurring_expenses where id = ${id}`,
  )
  return row?.next
}

test('a due expense is recorded as the customer’s own expense and linked to its recurring expense', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '100'))
  const id = await saveDue(customer, { description: 'Gimnasio', amount: '40.5' })

  await recordDue()

  expect(
    await run(
      customer,
      sql`select t.description, t.amount::text, t.category, t.recorded_by, t.date <= now() as is_past, j.delta::text, j.actor,
                 o.recurring_id
          from public.transactions t
          join public.journal_entries j on j.transaction_id = t.id
          join public.recurring_occurrences o on o.transaction_id = t.id and o.due_on = ${await day()}`,
    ),
  ).toEqual([
    {
      description: 'Gimnasio',
      amount: '40.5',
      category: 'Servicios',
      recorded_by: 'customer',
      is_past: true,
      delta: '-40.5',
      actor: null,
      recurring_id: id,
    },
  ])
  expect(await balanceOf(customer)).toBe('59.5')
  expect(await nextOf(id)).toBe(
    (
      await run(
        customer,
        sql<{ d: string }>`select (${await day()}::date + interval '1 month')::date::text as d`,
      )
    )[0]?.d,
  )
})

test('a recurring expense that starts today is recorded immediately', async () => {
  const customer = await bank.addCustomer()

  const { next_due_on } = await save(customer, { rhythm: 'weekly', next_due_on: await day() })

  expect(next_due_on).toBe(await day(7))
  expect(await recordedDays(customer)).toEqual([await day()])
  expect(await run(customer, sql`select actor from public.journal_entries`)).toEqual([{ actor: customer.id }])
})

test('a recorded due expense causes a realtime event like any other transaction', async () => {
  const customer = await bank.addCustomer()
  await saveDue(customer, { description: 'Anunciado' })

  await recordDue()

  expect(
    await bank.owner.query(
      sql`select operation from realtime.outbox where table_name = 'transactions' and record ->> 'description' = 'Anunciado'`,
    ),
  ).toEqual([{ operation: 'INSERT' }])
})

test('several servers that run at the same time record each due date only once', async () => {
  const customers = [await bank.addCustomer(), await bank.addCustomer(), await bank.addCustomer()]
  for (const customer of customers)
    for (const description of ['Luz', 'Agua', 'Gas'])
      await saveDue(customer, { description, rhythm: 'weekly', since: await day(-21) })

  // A server skips rows that another server has locked, so the server must run again.
  for (let round = 0; round < 3; round += 1)
    await Promise.all(Array.from({ length: 4 }, () => recordDue({ most: 5 })))
  await recordDue()

  for (const customer of customers) {
    expect(await recordedDays(customer)).toHaveLength(12)
    expect(await balanceOf(customer)).toBe('-120')
  }
})

test('a due expense is recorded by the next call if its recording was rolled back', async () => {
  const customer = await bank.addCustomer()
  const id = await saveDue(customer)

  const crash = bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    sql`select private.record_due_expenses(10)`,
    sql`select 1 / 0`,
  ])
  await expect(crash).rejects.toMatchObject({ sqlState: '22012' })
  expect([await recordedDays(customer), await nextOf(id)]).toEqual([[], await day()])

  await recordDue()
  await recordDue()

  expect(await recordedDays(customer)).toEqual([await day()])
})

test('each expense that became due during an outage is recorded with its due date', async () => {
  const customer = await bank.addCustomer()
  await saveDue(customer, { rhythm: 'weekly', since: await day(-28) })

  expect([await recordDue({ most: 2 }), await recordDue({ most: 2 }), await recordDue()]).toEqual([2, 2, 1])

  const days = await Promise.all([-28, -21, -14, -7, 0].map((days) => day(days)))
  expect(await recordedDays(customer)).toEqual(days)
})

test('a server records every missed expense when it starts', async () => {
  const customer = await bank.addCustomer()
  for (let count = 0; count < 5; count += 1)
    await saveDue(customer, { rhythm: 'weekly', since: await day(-7 * 50) })

  const jobs = runJobs(bank.database, [{ name: 'record', failure: '' }], (error) => {
    throw error
  })
  await expect.poll(() => recordedDays(customer), { timeout: 30_000 }).toHaveLength(5 * 51)
  await jobs.close()
})

test('an expense becomes due at midnight in Bogotá', async () => {
  const customer = await bank.addCustomer()
  const { id } = await save(customer, { next_due_on: await day(1) })
  const tomorrow = await day(1)

  expect(await recordDue({ at: `${tomorrow}T00:00:00-05:00` })).toBe(1)
  expect(await recordedDays(customer)).toEqual([tomorrow])

  const { id: other } = await save(customer, { next_due_on: tomorrow })
  expect(await recordDue({ at: `${await day()}T23:59:59.999-05:00` })).toBe(0)
  expect([await nextOf(other), (await nextOf(id)) === tomorrow]).toEqual([tomorrow, false])
})

test.for<[string, string, number | null, string, string[]]>([
  [
    'monthly on the 31st, which is the last day of shorter months',
    'monthly',
    31,
    '2027-12-31',
    ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'],
  ],
  [
    'monthly on the 30th, also after February',
    'monthly',
    30,
    '2027-01-30',
    ['2027-02-28', '2027-03-30', '2027-04-30'],
  ],
  [
    'yearly on a leap day, which is the 28th in other years',
    'yearly',
    29,
    '2028-02-29',
    ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
  ],
  ['weekly over the end of a year', 'weekly', null, '2026-12-28', ['2027-01-04', '2027-01-11']],
  ['biweekly over a leap day', 'biweekly', null, '2028-02-20', ['2028-03-05']],
])(
  'the bank computes the due dates of an expense that is %s',
  async ([, rhythm, dueDay, from, following]) => {
    const days: string[] = []
    for (let on = from; days.length < following.length; days.push(on)) {
      const [row] = await bank.owner.query(
        sql<{
          next: string
        }>`select private.next_due(${rhythm}, ${dueDay}::integer, ${on}::date)::text as next`,
      )
      on = row?.next ?? ''
    }

    expect(days).toEqual(following)
  },
)

test('a due expense that would take the balance below the minimum does not block other expenses', async () => {
  const [poor, other] = [await bank.addCustomer(), await bank.addCustomer()]
  const refused = await saveDue(poor, { amount: '999999999999.99', since: await day(-1) })
  await run(poor, expense(poor, '999999999999.99'))
  await saveDue(poor, { description: 'Café', amount: '0.01' })
  await saveDue(other)

  await recordDue()

  expect(
    await run(
      poor,
      sql`select due_on::text, transaction_id from public.recurring_occurrences where recurring_id = ${refused}`,
    ),
  ).toEqual([{ due_on: await day(-1), transaction_id: null }])
  expect(await balanceOf(poor)).toBe('-1000000000000.00')
  expect(await balanceOf(other)).toBe('-10')
  expect(await recordDue()).toBe(0)
})

test('a recorded expense that the customer deletes is not recorded again, but can be restored', async () => {
  const customer = await bank.addCustomer()
  const { id } = await save(customer, { next_due_on: await day() })
  const [movement] = await run(customer, sql<{ id: string }>`select id from public.transactions`)
  await run(customer, remove(movement?.id ?? ''))

  // Even if the customer saves the same due date again, the expense is not recorded a second time.
  await save(customer, { id, next_due_on: await day() })
  expect(await recordedDays(customer)).toEqual([])

  await run(customer, sql`select public.restore_transaction(${movement?.id ?? ''})`)
  expect([await recordedDays(customer), await balanceOf(customer)]).toEqual([[await day()], '-10'])
})

test('due expenses of a blocked customer are not recorded until the customer is unblocked', async () => {
  const customer = await bank.addCustomer()
  await saveDue(customer, { rhythm: 'weekly', since: await day(-7) })
  const ban = (until: string | null) =>
    bank.owner.query(
      sql`update auth.users set banned_until = ${until}::timestamptz where id = ${customer.id}`,
    )
  await ban('2999-01-01')
  await recordDue()
  await ban(null)
  // The block has ended the customer's sessions.
  const again = await openSession(customer)
  expect(await recordedDays(again)).toEqual([])

  await recordDue()

  expect(await recordedDays(again)).toEqual([await day(-7), await day()])
})

test('a paused or ended recurring expense is not recorded', async () => {
  const customer = await bank.addCustomer()
  const paused = await save(customer, { rhythm: 'weekly' })
  await save(customer, { id: paused.id, rhythm: 'weekly', status: 'paused' })
  await dueSince(paused.id, await day(-10))
  const ended = await save(customer)
  await save(customer, { id: ended.id, status: 'ended' })
  await dueSince(ended.id, await day())
  await save(customer, { description: 'Periódico', status: 'dismissed', next_due_on: await day() })
  expect(await recordDue()).toBe(0)

  const resumed = await save(customer, { id: paused.id, rhythm: 'weekly', next_due_on: await day(-10) })

  expect(resumed.next_due_on).toBe(await day(4))
  expect([await recordDue(), await recordedDays(customer)]).toEqual([0, []])
  await expect(save(customer, { id: ended.id })).rejects.toMatchObject({ sqlState: 'PT409' })
})

test.for<[string, Wanted, string]>([
  ['a date in the past', { next_due_on: '2026-01-01' }, 'PT422'],
  ['a date in the far future', { next_due_on: '2999-01-01' }, 'PT422'],
  ['an unknown rhythm', { rhythm: 'daily' }, '23514'],
  ['an amount of zero', { amount: '0' }, '23514'],
  ['a fraction of a hundredth', { amount: '1.001' }, '23514'],
  ['a description of two lines', { description: 'uno\ndos' }, '23514'],
  ['the 32nd day of a month', { due_day: 32 }, 'PT422'],
  ['a new expense that is paused', { status: 'paused' }, 'PT422'],
])('a recurring expense with %s is refused', async ([, wanted, sqlState]) => {
  await expect(save(await bank.addCustomer(), wanted)).rejects.toMatchObject({ sqlState })
})

test('a recurring expense whose first date is not on its day of the month is refused', async () => {
  const tomorrow = Number((await day(1)).slice(8))

  await expect(save(await bank.addCustomer(), { due_day: (tomorrow % 28) + 1 })).rejects.toMatchObject({
    sqlState: '23514',
  })
})

test('a paused expense cannot resume with an invalid day of the month', async () => {
  const customer = await bank.addCustomer()
  const paused = await save(customer)
  await save(customer, { id: paused.id, status: 'paused' })
  await dueSince(paused.id, await day(-40))

  await expect(
    save(customer, { id: paused.id, next_due_on: await day(-40), due_day: -1 }),
  ).rejects.toMatchObject({ sqlState: 'PT422' })
})

test('a customer cannot change another customer’s recurring expense by its id', async () => {
  const [owner, other] = [await bank.addCustomer(), await bank.addCustomer()]
  const { id } = await save(owner)
  await save(other, { id, description: 'Ajeno' })

  expect(await run(owner, sql`select description from public.recurring_expenses`)).toEqual([
    { description: 'Arriendo' },
  ])
})

test('a customer can have a hundred active recurring expenses and save a hundred in 24 hours', async () => {
  const customer = await bank.addCustomer()
  const many = (status: string) =>
    bank.owner.query(sql`
      insert into public.recurring_expenses (user_id, id, description, amount, rhythm, next_due_on, expected_from, status)
      select ${customer.id}, gen_random_uuid(), 'Cuota', 1, 'weekly', '2999-01-01', '2999-01-01', ${status}
      from generate_series(1, 100)`)
  await many('active')
  await expect(save(customer)).rejects.toMatchObject({ sqlState: 'PT409' })
  await bank.owner.query(
    sql`update public.recurring_expenses set status = 'ended' where user_id = ${customer.id}`,
  )
  await use(bank, 'recurring expense', customer.id, 99)
  await save(customer)

  await expect(save(customer)).rejects.toMatchObject({
    sqlState: 'PT429',
    message: 'Ya guardaste el máximo de pagos recurrentes de 24 horas (100).',
  })
})

// Proposals ------------------------------------------------------------------------------------------------

type Proposal = {
  description: string
  amount: number
  rhythm: string
  due_day: number | null
  next_due_on: string
}

const proposalsOf = (person: Person) => call<Proposal[]>(person, sql`public.propose_recurring_expenses()`)

/**
 * Records an expense on each of the days before today. A `#` in the description is replaced with a different number
 * in each expense.
 */
async function spend(
  person: Person,
  description: string,
  days: readonly number[],
  amounts: readonly number[] = [10],
) {
  for (const [index, daysAgo] of days.entries())
    await run(
      person,
      sql`insert into public.transactions (type, description, amount, date, category)
          values ('expense', ${description.replace('#', String(index + 100))}, ${amounts[index % amounts.length] ?? 10},
                  (${await day(-daysAgo)}::date + time '08:00') at time zone 'America/Bogota', 'Servicios')`,
    )
}

test.for<[string, string | null, string, number[], number[]]>([
  ['every week', 'weekly', 'Mercado', [1, 8, 15], [100]],
  ['every week, a day early or late', 'weekly', 'Mercado', [1, 9, 15, 22], [100]],
  ['every two weeks', 'biweekly', 'Aseo', [3, 17, 31], [50]],
  ['every month with a changing number', 'monthly', 'NETFLIX.COM #', [5, 35, 66, 96], [20, 20, 19, 19]],
  ['every year', 'yearly', 'Seguro', [100, 465, 830], [900]],
  ['twice', null, 'Luz', [5, 35], [20]],
  ['irregularly', null, 'Taxi', [1, 4, 35], [20]],
  ['every month with different amounts', null, 'Restaurante', [5, 35, 66], [20, 40, 60]],
  ['until four months ago', null, 'Revista', [100, 130, 160], [20]],
])(
  'the proposed rhythm of an expense that was made %s is %s',
  async ([, rhythm, description, days, amounts]) => {
    const customer = await bank.addCustomer()
    await spend(customer, description, days, amounts)

    const proposals = await proposalsOf(customer)

    expect(proposals.map((proposal) => proposal.rhythm)).toEqual(rhythm === null ? [] : [rhythm])
    for (const { amount, next_due_on } of proposals) {
      expect(amount).toBe(amounts[0])
      expect(next_due_on >= (await day())).toBe(true)
    }
  },
)

test('known and dismissed expenses are not proposed again', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]
  for (const description of ['Spotify', 'Gimnasio', 'Periódico', 'Internet'])
    await spend(customer, description, [5, 35, 66])
  await spend(other, 'Ajeno', [5, 35, 66])
  await save(customer, { description: 'spotify 2' })
  await save(customer, { description: 'Gimnasio', status: 'dismissed' })
  const { id } = await save(customer, { description: 'periodico' })
  await save(customer, { id, description: 'periodico', status: 'ended' })
  await bank.owner.query(sql`
    insert into public.transactions (user_id, type, description, amount, date, recorded_by, origin, origin_id)
    select ${customer.id}, 'expense', 'Cuota de manejo', 5, now() - make_interval(days => 30 * n), 'bank', 'clerk', gen_random_uuid()
    from generate_series(0, 3) n`)

  expect((await proposalsOf(customer)).map(({ description }) => description)).toEqual(['Internet'])
})

test('an expense on the last day of each month is proposed for the last day', async () => {
  const customer = await bank.addCustomer()
  await bank.owner.query(sql`
    insert into public.transactions (user_id, type, description, amount, date)
    select ${customer.id}, 'expense', 'Arriendo', 5,
           (date_trunc('month', now() at time zone 'America/Bogota') - make_interval(months => n) - interval '12 hours') at time zone 'America/Bogota'
    from generate_series(0, 3) n`)

  expect(await proposalsOf(customer)).toMatchObject([{ rhythm: 'monthly', due_day: 31 }])
})

// Settled due days ------------------------------------------------------------------------------------------

type DueDay = { due_on: string; paid_on: string | null; is_overdue: boolean }

/** Returns the customer's due days in a period, and for each due day the date of its payment. */
const settledDays = (person: Person, since: string, until: string) =>
  run(
    person,
    sql<DueDay>`
      select s.due_on::text, s.paid_on::text, s.is_overdue
      from private.settle_due_days(${person.id}, ${since}, ${until}) s order by s.due_on, s.paid_on`,
  )

/** Saves a recurring expense of 100, due on the 15th of each month, which is not recorded automatically. */
const saveExpected = (
  person: Person,
  { since = '2026-03-15', ...wanted }: Wanted & { since?: string } = {},
) => saveDue(person, { description: 'Netflix', amount: '100', is_automatic: false, since, ...wanted })

/** Records an expense at noon in Bogotá, by default 100 for Netflix on 15 March. */
const pay = async (person: Person, paid: { description?: string; amount?: string; on?: string } = {}) => {
  const { description = 'Netflix', amount = '100', on = '2026-03-15' } = paid
  return record(
    person,
    sql<{ id: string }>`
      insert into public.transactions (type, description, amount, date, category)
      values ('expense', ${description}, ${amount}, (${on}::date + time '12:00') at time zone 'America/Bogota', 'Otro')
      returning id`,
  )
}

test.for<[string, 'settles' | 'does not settle', Parameters<typeof pay>[1]]>([
  ['of the same name, amount and day', 'settles', {}],
  ['in other case, without accents and with a number', 'settles', { description: 'NÉTFLIX 0815' }],
  ['of another name', 'does not settle', { description: 'Netflix Regalo' }],
  ['10 % cheaper', 'settles', { amount: '90' }],
  ['more than 10 % cheaper', 'does not settle', { amount: '89.99' }],
  ['10 % dearer', 'settles', { amount: '110' }],
  ['more than 10 % dearer', 'does not settle', { amount: '110.01' }],
  ['three days early', 'settles', { on: '2026-03-12' }],
  ['four days early', 'does not settle', { on: '2026-03-11' }],
  ['three days late', 'settles', { on: '2026-03-18' }],
  ['four days late', 'does not settle', { on: '2026-03-19' }],
])('a payment %s %s a due day', async ([, effect, paid]) => {
  const customer = await bank.addCustomer()
  await saveExpected(customer)
  await pay(customer, paid)

  expect(await settledDays(customer, '2026-03-01', '2026-03-31')).toEqual([
    effect === 'settles'
      ? { due_on: '2026-03-15', paid_on: paid?.on ?? '2026-03-15', is_overdue: false }
      : { due_on: '2026-03-15', paid_on: null, is_overdue: true },
  ])
})

test('an imported expense or a bank expense can be the payment of a recurring expense', async () => {
  const customer = await bank.addCustomer()
  await saveExpected(customer)
  await run(
    customer,
    sql`select public.import_transactions(gen_random_uuid(), '[{"date": "2026-03-16", "description": "netflix", "amount": 101}]')`,
  )
  await run(
    bank.administrator,
    sql`select private.register_transaction(${customer.id}, 'expense', 99, 'NETFLIX', '2026-04-14T12:00:00-05:00', 'Gasto')`,
  )

  expect(await settledDays(customer, '2026-03-01', '2026-04-30')).toMatchObject([
    { paid_on: '2026-03-16' },
    { paid_on: '2026-04-14' },
  ])
})

test('deposits and corrected bank expenses do not count as payments', async () => {
  const customer = await bank.addCustomer()
  await saveExpected(customer)
  const register = (type: string) =>
    sql<{
      id: string
    }>`select private.register_transaction(${customer.id}, ${type}, 100, 'Netflix', '2026-03-15T12:00:00-05:00', 'Gasto') ->> 'id' as id`
  await run(bank.administrator, register('deposit'))
  const mistake = await record(bank.administrator, register('expense'))
  await run(
    bank.administrator,
    sql`select public.correct_transaction(${customer.id}, ${mistake}, 'Duplicado')`,
  )

  expect(await settledDays(customer, '2026-03-01', '2026-03-31')).toMatchObject([{ paid_on: null }])
})

test('another customer’s expense does not count as the payment of a recurring expense', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]
  await saveExpected(customer)
  await pay(other)

  expect(await settledDays(customer, '2026-03-01', '2026-03-31')).toMatchObject([{ paid_on: null }])
  expect(
    await run(
      other,
      sql`select s.due_on from private.settle_due_days(${customer.id}, '2026-03-01', '2026-03-31') s`,
    ),
  ).toEqual([])
})

test('a payment counts only for the nearest due day if two recurring expenses have the same name', async () => {
  const customer = await bank.addCustomer()
  await saveExpected(customer)
  await saveExpected(customer, { since: '2026-03-17' })
  const paidOn = async () =>
    (await settledDays(customer, '2026-03-01', '2026-03-31')).map(({ paid_on }) => paid_on)

  await pay(customer, { on: '2026-03-18' })
  expect(await paidOn()).toEqual([null, '2026-03-18'])

  await pay(customer, { on: '2026-03-14' })
  expect(await paidOn()).toEqual(['2026-03-14', '2026-03-18'])
})

test('a payment counts for the nearest due day even if that day is outside the requested period', async () => {
  const customer = await bank.addCustomer()
  await saveExpected(customer, { since: '2026-03-15' })
  await saveExpected(customer, { since: '2026-03-18' })
  await pay(customer, { on: '2026-03-16' })

  expect(await settledDays(customer, '2026-03-18', '2026-03-31')).toMatchObject([{ paid_on: null }])
})

test('an expense on the 31st is due on the last day of a shorter month', async () => {
  const customer = await bank.addCustomer()
  await saveExpected(customer, { since: '2026-01-31' })
  await pay(customer, { on: '2026-02-28' })
  await pay(customer, { on: '2026-05-03' })

  expect(await settledDays(customer, '2026-02-01', '2026-04-30')).toMatchObject([
    { due_on: '2026-02-28', paid_on: '2026-02-28' },
    { due_on: '2026-03-31', paid_on: null },
    { due_on: '2026-04-30', paid_on: '2026-05-03' },
  ])
})

test.for<[string, string, string, string[]]>([
  ['weekly', 'weekly', '2026-04-13', ['2026-03-02', '2026-03-09', '2026-03-16']],
  ['every two weeks', 'biweekly', '2026-04-13', ['2026-03-02', '2026-03-16']],
  ['yearly', 'yearly', '2027-03-05', ['2026-03-05']],
  ['yearly in another month', 'yearly', '2027-04-05', []],
])(
  'the bank computes the due days before the next one of an expense that is %s',
  async ([, rhythm, since, days]) => {
    const customer = await bank.addCustomer()
    await saveExpected(customer, { rhythm, since })

    const dueOn = (await settledDays(customer, '2026-03-01', '2026-03-20')).map(({ due_on }) => due_on)
    expect(dueOn).toEqual(days)
  },
)

test('a due day is overdue if more than three days have passed without a payment', async () => {
  const customer = await bank.addCustomer()
  await saveExpected(customer, { rhythm: 'weekly', since: await day(-3) })
  await saveExpected(customer, { rhythm: 'weekly', since: await day(-4) })

  expect(await settledDays(customer, await day(-4), await day(-3))).toMatchObject([
    { is_overdue: true },
    { is_overdue: false },
  ])
})

test('a due day is unpaid again after its payment is deleted', async () => {
  const customer = await bank.addCustomer()
  await saveExpected(customer)
  const id = await pay(customer)
  await run(customer, remove(id))

  expect(await settledDays(customer, '2026-03-01', '2026-03-31')).toMatchObject([{ paid_on: null }])
})

test('a recurring expense that is not automatic is never recorded by the server', async () => {
  const customer = await bank.addCustomer()
  const { next_due_on } = await save(customer, {
    rhythm: 'weekly',
    next_due_on: await day(),
    is_automatic: false,
  })
  expect([next_due_on, await recordedDays(customer)]).toEqual([await day(7), []])
  const id = await saveExpected(customer, { since: await day(), rhythm: 'weekly' })

  await recordDue()

  expect([await nextOf(id), await recordedDays(customer)]).toEqual([await day(7), []])
})

test('a recurring expense that becomes automatic is not recorded for earlier due days', async () => {
  const customer = await bank.addCustomer()
  const id = await saveExpected(customer, { since: await day(-10), rhythm: 'weekly' })

  const { next_due_on } = await save(customer, { id, rhythm: 'weekly', next_due_on: await day(-10) })

  expect([next_due_on, await recordDue(), await recordedDays(customer)]).toEqual([await day(4), 0, []])
})

test('an automatic expense is not recorded for a due day that already has a payment', async () => {
  const customer = await bank.addCustomer()
  await pay(customer, { on: await day(-2), amount: '95' })
  const id = await saveDue(customer, { description: 'Netflix', amount: '100', rhythm: 'weekly' })
  await recordDue()
  expect([await recordedDays(customer), await nextOf(id)]).toEqual([[await day(-2)], await day(7)])

  // If two recurring expenses have the same name, a payment counts for only one of them.
  await saveDue(customer, { description: 'Netflix', amount: '100', rhythm: 'weekly' })
  await recordDue()
  expect(await recordedDays(customer)).toEqual([await day(-2), await day()])
})

test('a recorded payment still counts for its due day after the customer has renamed the payment', async () => {
  const customer = await bank.addCustomer()
  await saveDue(customer, { description: 'Netflix', rhythm: 'weekly' })
  await recordDue()
  await run(customer, sql`update public.transactions set description = 'Películas'`)
  await pay(customer, { on: await day(), amount: '10' })

  expect(
    await run(
      customer,
      sql`
    select t.description from private.settle_due_days(${customer.id}, ${await day()}, ${await day()}) s
    join public.transactions t on t.id = s.transaction_id`,
    ),
  ).toEqual([{ description: 'Películas' }])
})

// The current month -----------------------------------------------------------------------------------------

const expectedPayments = (person: Person) =>
  run(
    person,
    sql<DueDay>`select e.due_on::text, e.paid_on::text, e.is_overdue from public.expected_payments() e`,
  )
const coming = async (person: Person, until: string) => {
  const [row] = await run(
    person,
    sql<{ coming: unknown }>`select public.sum_transactions(null, ${until})::jsonb -> 'coming' as coming`,
  )
  return row?.coming
}

test('a due day before the expense’s first expected day is listed only if it was paid', async () => {
  const customer = await bank.addCustomer()
  const id = await saveExpected(customer, { rhythm: 'weekly', since: await day(7) })
  await bank.owner.query(
    sql`update public.recurring_expenses set expected_from = next_due_on where id = ${id}`,
  )
  const today = await day()
  const ofToday = async () => (await expectedPayments(customer)).filter(({ due_on }) => due_on === today)
  expect(await ofToday()).toEqual([])

  await pay(customer, { on: today })

  expect(await ofToday()).toEqual([{ due_on: today, paid_on: today, is_overdue: false }])
})

test.for([
  ['is overdue until the expense is due again', 1, true],
  ['is not listed from the next due day on', 0, false],
] as const)('an unpaid due day of the previous month %s', async ([, daysToNext, isListed]) => {
  const customer = await bank.addCustomer()
  const [row] = await bank.owner.query(sql<{ due_on: string; due_day: number; is_recent: boolean }>`
    select d.due_on::text, extract(day from d.next)::integer as due_day, d.due_on >= d.first_day - 3 as is_recent
    from (
      select (n.next - interval '1 month')::date as due_on, n.next, date_trunc('month', n.today)::date as first_day
      from (select ${await day()}::date as today, ${await day(daysToNext)}::date as next) n
    ) d`)
  const { due_on, due_day, is_recent } = row ?? { due_on: '', due_day: 0, is_recent: true }
  const { id } = await save(customer, { is_automatic: false })
  await dueSince(id, due_on, due_day)
  await bank.owner.query(
    sql`update public.recurring_expenses set expected_from = next_due_on where id = ${id}`,
  )

  const missing = (await expectedPayments(customer)).map((each) => each.due_on)
  expect(missing.includes(due_on)).toBe(isListed || is_recent)
})

test.for<[string, 'keeps' | 'removes', Wanted]>([
  ['the category', 'keeps', {}],
  ['the amount', 'removes', { amount: '200' }],
  ['the description', 'removes', { description: 'Cine' }],
  ['the next day', 'removes', { next_due_on: 'later' }],
])('a change of %s %s the missing due day', async ([, effect, wanted]) => {
  const customer = await bank.addCustomer()
  const first = await save(customer, { rhythm: 'weekly', next_due_on: await day(6), is_automatic: false })
  await bank.owner.query(
    sql`update public.recurring_expenses set expected_from = ${await day(-1)} where id = ${first.id}`,
  )
  const isMissing = async () =>
    (await expectedPayments(customer)).some(({ due_on, paid_on }) => due_on < today && paid_on === null)
  const today = await day()
  expect(await isMissing()).toBe(true)

  const next_due_on = wanted.next_due_on === 'later' ? await day(14) : first.next_due_on
  await save(customer, { id: first.id, rhythm: 'weekly', is_automatic: false, ...wanted, next_due_on })

  expect(await isMissing()).toBe(effect === 'keeps')
})

test('the forecast counts each missing payment of the month once', async () => {
  const customer = await bank.addCustomer()
  const [row] = await bank.owner.query(sql<{ until: string; weeks: number }>`
    select m.until::text, 1 + (m.until - ${await day()}::date) / 7 as weeks
    from (select (date_trunc('month', ${await day()}::timestamp) + interval '1 month - 1 day')::date as until) m`)
  const { until, weeks } = row ?? { until: '', weeks: 0 }
  await save(customer, { description: 'Otro', status: 'dismissed' })
  // The function returns no sums before the first transaction.
  await record(customer, expense(customer, '1'))
  await save(customer, { rhythm: 'weekly', next_due_on: await day(), is_automatic: false })
  expect(await coming(customer, until)).toEqual({ payments: weeks, amount: 10 * weeks, recurs: true })
  expect(await coming(customer, await day())).toEqual({ payments: 1, amount: 10, recurs: true })
  expect(await coming(customer, await day(-40))).toEqual({ payments: 0, amount: 0, recurs: true })

  await pay(customer, { description: 'Arriendo', amount: '10', on: await day() })
  expect(await coming(customer, until)).toEqual({
    payments: weeks - 1,
    amount: 10 * (weeks - 1),
    recurs: true,
  })

  // The database records an automatic payment as soon as it is due, so an automatic payment is never missing.
  await save(customer, { description: 'Luz', rhythm: 'weekly', next_due_on: await day() })
  expect(await coming(customer, await day())).toEqual({ payments: 0, amount: 0, recurs: true })
})

test('a paused payment is not expected', async () => {
  const customer = await bank.addCustomer()
  const { id } = await save(customer, { rhythm: 'weekly', next_due_on: await day(), is_automatic: false })
  expect(await expectedPayments(customer)).not.toEqual([])

  await save(customer, { id, rhythm: 'weekly', next_due_on: await day(7), status: 'paused' })

  expect(await expectedPayments(customer)).toEqual([])
})
