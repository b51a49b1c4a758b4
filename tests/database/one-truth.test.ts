/**
 * Compares the monthly figures on each screen with a model, using random histories. The list, the sums, the daily
 * spending, the budget, the figure that staff see, the statement and the balance must match the model to the cent.
 * After each action, the balance without the customer's notes must equal the sum of the bank's own transactions.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkStatement } from '@finanzas/contract/papers/check.ts'
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import { type StatementAnswer, isLate, statementOf } from '@finanzas/contract/papers/statement.ts'
import { totalsOf } from '@finanzas/contract/papers/totals.ts'
import { sql } from '#server/database/database.ts'
import { runWithoutTriggers, useBank } from './database.ts'
import { type Person, balanceOf, call, correct, record, remove, run } from './people.ts'
import { seeded } from './random-bank.ts'

const bank = useBank()

/**
 * A transaction in the model. The amount is negative if the transaction reduces the balance. The month is the month of
 * the transaction's date in Bogotá.
 */
type Known = {
  id: string
  minor: number
  month: string
  category: string
  isOwn: boolean
  isListed: boolean
  /** Id of the last transaction in the correction chain, and the number of corrections. */
  latest: string
  corrections: number
}

const dayMs = 86_400_000
const dayOf = (at: number) => new Date(at - 5 * 3_600_000).toISOString().slice(0, 10)
const monthOf = (at: number) => dayOf(at).slice(0, 7)
const thisMonth = monthOf(Date.now())
const months = [5, 4, 3, 2, 1, 0].map((ago) => {
  const [year = 0, month = 0] = thisMonth.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - ago, 1)).toISOString().slice(0, 7)
})
const lastDayOf = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
const decimal = (minor: number) => (Math.abs(minor) / 100).toFixed(2)
const minorOf = (amount: unknown) => Math.round(Number(amount) * 100)
/**
 * The transactions that the model includes in the balance. Transactions of the bank count even after the customer
 * removes them.
 */
const standingOf = (known: readonly Known[]) =>
  known.filter(({ isOwn, isListed, corrections }) => (isOwn ? isListed : corrections % 2 === 0))
const sumOfThese = (known: readonly Known[], isOwn: boolean) =>
  total(
    standingOf(known)
      .filter((each) => each.isOwn === isOwn)
      .map(({ minor }) => minor),
  )
const total = (minors: readonly number[]) => minors.reduce((sum, minor) => sum + minor, 0)

const statement = (person: Person, month: string, untilSeq: number | null = null) =>
  call<StatementAnswer>(person, sql`public.statement(${`${month}-01`}::date, ${untilSeq})`)

/**
 * Performs 70 random actions. Returns the model's transactions, and the statements that were issued between the
 * actions.
 */
async function actRandomly(person: Person, random: () => number) {
  const known: Known[] = []
  const issued: StatementAnswer[] = []
  const below = (end: number) => Math.floor(random() * end)
  const one = <T>(all: readonly T[], fits: (each: T) => boolean): T | undefined => {
    const fitting = all.filter(fits)
    return fitting[below(fitting.length)]
  }
  // Some of these times are on different days in Bogotá and in UTC. At the end of a month, these times are therefore in
  // different months.
  const moment = () => {
    const day = dayOf(Date.now() - (1 + below(150)) * dayMs)
    const hour = ['00:00:00', '04:59:59.999999', '12:00:00', '19:00:00', '23:59:59.999999'][below(5)]
    return { at: `${day}T${hour}-05:00`, month: day.slice(0, 7) }
  }
  const amount = () => [1, 10, 12_345, 1 + below(9_999_999)][below(4)] ?? 1
  const keep = (part: Omit<Known, 'isListed' | 'latest' | 'corrections'>) =>
    known.push({ ...part, isListed: true, latest: part.id, corrections: 0 })
  const acts: (() => Promise<unknown>)[] = [
    async () => {
      const [{ at, month }, minor] = [moment(), amount()]
      const category = ['Comida', 'Viajes'][below(2)] ?? ''
      const id = await record(
        person,
        sql`insert into public.transactions (user_id, type, description, amount, date, category)
            values (${person.id}, 'expense', 'Café', ${decimal(minor)}, ${at}, ${category}) returning id`,
      )
      keep({ id, minor: -minor, month, category, isOwn: true })
    },
    async () => {
      const [{ at, month }, minor] = [moment(), amount()]
      const type = ['deposit', 'expense'][below(2)] ?? ''
      const category = type === 'deposit' ? 'Deposito' : 'Comida'
      const id = await record(
        bank.administrator,
        sql`select private.register_transaction(${person.id}, ${type}, ${decimal(minor)}, 'Algo', ${at}, ${category}) ->> 'id' as id`,
      )
      keep({ id, minor: type === 'deposit' ? minor : -minor, month, category, isOwn: false })
    },
    async () => {
      const [imported, minor] = [randomUUID(), amount()]
      const rows = [0, 1, 2].map((nth) => {
        const date = dayOf(Date.now() - (1 + below(150)) * dayMs)
        return { date, amount: (minor + nth) / 100, description: `Importado ${imported}`, category: 'Viajes' }
      })
      await run(person, sql`select public.import_transactions(${imported}, ${JSON.stringify(rows)})`)
      for (const row of await run(
        person,
        sql<{ id: string; amount: string }>`
          select id, amount from public.transactions where description = ${`Importado ${imported}`}`,
      )) {
        const sent = rows.find((each) => minorOf(each.amount) === minorOf(row.amount))
        keep({
          id: row.id,
          minor: -minorOf(row.amount),
          month: sent?.date.slice(0, 7) ?? '',
          category: 'Viajes',
          isOwn: true,
        })
      }
    },
    async () => {
      const chosen = one(known, ({ isListed }) => isListed)
      if (chosen === undefined) return
      await run(person, remove(chosen.id))
      chosen.isListed = false
    },
    async () => {
      const chosen = one(known, ({ isListed }) => !isListed)
      if (chosen === undefined) return
      await run(person, sql`select public.restore_transaction(${chosen.id})`)
      chosen.isListed = true
    },
    async () => {
      const chosen = one(known, ({ isOwn }) => !isOwn)
      if (chosen === undefined) return
      chosen.latest = await record(bank.administrator, correct(person, chosen.latest))
      chosen.corrections += 1
      if (random() < 0.2) await run(person, remove(chosen.latest))
    },
    async () => {
      const chosen = one(known, ({ isOwn, isListed }) => isOwn && isListed)
      if (chosen === undefined) return
      const { at, month } = random() < 0.5 ? moment() : { at: null, month: chosen.month }
      const minor = random() < 0.7 ? amount() : -chosen.minor
      const category = ['Comida', 'Viajes'][below(2)] ?? ''
      await run(
        person,
        sql`select public.amend_expense(${chosen.id}, ${JSON.stringify({ amount: decimal(minor), category, ...(at !== null && { date: at }) })})`,
      )
      Object.assign(chosen, { minor: -minor, month, category })
    },
    async () => issued.push(await statement(person, months[below(months.length)] ?? thisMonth)),
  ]
  for (let act = 0; act < 70; act += 1) {
    await acts[below(acts.length)]?.()
    expect(await heldBy(person)).toEqual({ booked: sumOfThese(known, false), noted: sumOfThese(known, true) })
  }
  await recordInTime(person, random)
  return { known, issued }
}

/** Returns the balance without the customer's notes, and the sum of these notes. */
async function heldBy(person: Person) {
  const [row] = await run(
    person,
    sql<{ booked: string; noted: string }>`
      select (balance - noted)::text as booked, noted::text from public.budgets`,
  )
  return { booked: minorOf(row?.booked), noted: minorOf(row?.noted) }
}

/**
 * Sets the posting times of some entries to the dates of their transactions, with triggers disabled. The new times
 * invalidate the chain's hashes, which this file does not test.
 */
const recordInTime = ({ id }: Person, random: () => number) =>
  runWithoutTriggers(
    bank,
    `update ledger.journal set recorded_at = coalesce(dated_at, recorded_at)
     where user_id = '${id}' and seq % 3 <> ${Math.floor(random() * 3)}`,
  )

type Part = { type: string; category: string | null; amount: number }
type Sums = {
  balance: number
  months: { month: string; balance: number; sums: Part[] }[]
  days: { day: string; spent: number }[]
}

const seeds = Array.from({ length: 3 }, () => Math.floor(Math.random() * 2 ** 31))

test.for(seeds)('every screen has the same figures for each month (%i)', async (seed) => {
  const person = await bank.addCustomer()
  const { known, issued } = await actRandomly(person, seeded(seed))
  const standing = standingOf(known)
  const balanceAt = (month: string) =>
    total(standing.filter((each) => each.month <= month).map(({ minor }) => minor))
  await bank.owner.query(sql`
    insert into public.category_budgets (user_id, category, month, monthly_limit, carries_over)
    values (${person.id}, 'Comida', ${`${months[0]}-01`}::date, 100, true)`)

  const everything = await call<Sums>(person, sql`public.sum_transactions(daily_since => '2000-01-01')`)
  const list = await run(
    person,
    sql<{ type: string; minor: number; month: string }>`
      select type, (amount * 100)::bigint::float8 as minor,
        to_char(date at time zone 'America/Bogota', 'YYYY-MM') as month
      from public.transactions where not is_void`,
  )

  for (const [place, month] of months.entries()) {
    const before = months[place - 1] ?? '0000-00'
    const listed = standing.filter((each) => each.isListed && each.month === month)
    const inMinor = total(listed.map(({ minor }) => Math.max(minor, 0)))
    const outMinor = total(listed.map(({ minor }) => Math.max(-minor, 0)))
    const expected = { inMinor, outMinor, closingMinor: balanceAt(month) }
    const ofPeriod = await call<Sums>(
      person,
      sql`public.sum_transactions(${`${month}-01`}, ${lastDayOf(month)})`,
    )
    const answer = await statement(person, month)
    const paper = statementOf(answer, issuer, statementCopy.unlisted)
    const { incomeMinor, spendingMinor, unlistedMinor } = totalsOf(paper)
    const sumOf = (type: string) =>
      total(
        ofPeriod.months
          .flatMap(({ sums }) => sums.filter((part) => part.type === type))
          .map(({ amount }) => minorOf(amount)),
      )
    const inList = (type: string) =>
      total(list.filter((row) => row.type === type && row.month === month).map(({ minor }) => minor))
    const spentByDay = everything.days
      .filter(({ day }) => day.startsWith(month))
      .map(({ spent }) => minorOf(spent))
    const figures = {
      history: { inMinor: inList('deposit'), outMinor: inList('expense') },
      days: { outMinor: total(spentByDay) },
      sums: {
        inMinor: sumOf('deposit'),
        outMinor: sumOf('expense'),
        closingMinor: minorOf(ofPeriod.balance),
      },
      statement: { inMinor: incomeMinor, outMinor: 0 - spendingMinor, closingMinor: paper.closingMinor },
    }

    expect(figures, `${seed}, ${month}`).toEqual({
      history: { inMinor, outMinor },
      days: { outMinor },
      sums: expected,
      statement: expected,
    })
    expect(paper.openingMinor, `${seed}, ${month}`).toBe(balanceAt(before))
    const notes = standing.filter((each) => each.isOwn && each.month <= month)
    expect(paper.notedMinor, `${seed}, ${month}`).toBe(total(notes.map(({ minor }) => minor)))
    const own = new Set(notes.filter((each) => each.month === month).map(({ minor }) => minor))
    expect(new Set(paper.rows.filter((row) => row.isNote).map((row) => row.amountMinor))).toEqual(own)
    expect(paper.openingMinor + incomeMinor + spendingMinor + unlistedMinor).toBe(paper.closingMinor)
    expect(paper.rows.map((row) => isLate(row, month))).toEqual(
      paper.rows.map((row) => isLate(row, month)).toSorted((one, other) => Number(one) - Number(other)),
    )
    expect(checkStatement(paper, answer, issuer)).toEqual({ holds: true, isWhole: true, otherWords: [] })
  }

  const atEnd = everything.months.map(({ month, balance }) => [month, minorOf(balance)])
  expect(atEnd).toEqual(atEnd.map(([month]) => [month, balanceAt(String(month))]))
  expect(minorOf(await balanceOf(person))).toBe(balanceAt(thisMonth))
  const explained = await call<Record<string, unknown>>(person, sql`public.explain_balance()`)
  expect({ booked: minorOf(explained['booked']), noted: minorOf(explained['noted']) }).toEqual(
    await heldBy(person),
  )
  await expectBudget(person, standing)
  // A second read of an issued statement, up to the same last entry, returns the same figures.
  for (const given of issued) {
    const again = await statement(person, given.month, given.last_seq)
    const [before, now] = [given, again].map((each) => statementOf(each, issuer, statementCopy.unlisted))
    expect(figuresOf(now), `${seed}, ${given.month} until ${given.last_seq}`).toEqual(figuresOf(before))
  }
})

const issuer = { bankName: 'Banco', customer: 'Ana', currency: 'USD', issuedAt: '2026-12-01 09:00' } as const

/**
 * Returns a statement's figures without the descriptions. Also omits the posting times, because the test has changed
 * them.
 */
function figuresOf(paper: ReturnType<typeof statementOf> | undefined) {
  const rows = paper?.rows.map(({ seq, kind, isNote, amountMinor, day }) => ({
    seq,
    kind,
    isNote,
    amountMinor,
    day,
  }))
  return { ...paper, rows: rows?.toSorted((one, other) => one.seq - other.seq) }
}

/**
 * Asserts that this month's budget and the spending that staff see equal the figures of the model. The amount carried
 * over depends on the spending of earlier months.
 */
async function expectBudget(person: Person, standing: readonly Known[]): Promise<void> {
  const spent = (fits: (each: Known) => boolean) =>
    0 -
    total(standing.filter((each) => each.isListed && each.minor < 0 && fits(each)).map(({ minor }) => minor))
  const budgets = await call<{
    limits: { category: string; carried: number; spent: number }[]
    others: { spent: number }[]
  }>(person, sql`public.sum_category_budgets()`)
  const [food] = budgets.limits
  const isFood = ({ category }: Known) => category === 'Comida'

  expect(minorOf(food?.spent)).toBe(spent((each) => isFood(each) && each.month === thisMonth))
  expect(minorOf(food?.carried)).toBe(
    5 * 10_000 - spent((each) => isFood(each) && each.month !== thisMonth && each.month >= (months[0] ?? '')),
  )
  expect(total([...budgets.limits, ...budgets.others].map((each) => minorOf(each.spent)))).toBe(
    spent(({ month }) => month === thisMonth),
  )
  const opened = await call<{ month_spent: number }>(
    bank.administrator,
    sql`public.open_customer(${person.id})`,
  )
  expect(minorOf(opened.month_spent)).toBe(spent(({ month }) => month === thisMonth))
}
