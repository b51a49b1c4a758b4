import { queryOptions } from '@tanstack/react-query'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import type { Recorder, TransactionType } from '@finanzas/contract/rows.ts'
import { unwrap } from '#backend/unwrap.ts'
import { dayInBogota } from '#format/dates.ts'
import { addMonths, firstDay, lastDay, monthOf } from '#format/months.ts'
import { readingClient } from '#ledger/wait-for-live-channel.ts'
import { keptOffline, ledgerKeys, untilRead } from '#ledger/queries.ts'

/** From one day to another in Bogotá, both included: `2026-11-01`. */
export type Period = { since: string; until: string }

export type PartRecorder = Recorder | 'correction'

/** The sum of one type, category and recorder within one month. */
export type Part = {
  type: TransactionType
  category: string | null
  /** `correction`: a mistake of the bank's that stands corrected, or what corrects it. */
  recordedBy: PartRecorder
  amountMinor: MinorUnits
  transactions: number
}

export type MonthSums = {
  /** `2026-11` */
  month: string
  /** Balance at its end, or at the end of the period within it. */
  balanceMinor: MinorUnits
  parts: readonly Part[]
}

/** Sums of the customer's own transactions: one entry for each month and day between the first and the last of them. */
export type Sums = {
  period: Period
  /** Balance at the end of the period. */
  balanceMinor: MinorUnits
  months: readonly MonthSums[]
  /** Spending by day; days without expenses are absent. */
  spentMinorByDay: ReadonlyMap<string, MinorUnits>
  /** Recurring expenses that are due until the end of the period, in none of the sums; whole units. */
  coming: Coming
}

/** `recurs`: there are recurring expenses, also where none is due. */
type Coming = { payments: number; amount: number; recurs: boolean }

/** Sums of a period, in one reading; read again with the balance. `dailySince` asks for single days too. */
export function sumsQuery(userId: string, { since, until }: Period, dailySince?: string) {
  return queryOptions({
    ...untilRead,
    queryKey: [...ledgerKeys.refetchedOnChange(userId), 'sums', since, until, dailySince ?? null],
    queryFn: async ({ signal }): Promise<SumsReading> => {
      const client = await readingClient()
      const days = dailySince === undefined ? {} : { daily_since: dailySince }
      const answer = await client
        .rpc('sum_transactions', { since, until, ...days }, { get: true })
        .abortSignal(signal)
      const sums: unknown = unwrap(answer)
      return { period: { since, until }, ...(sums as SumsAnswer) }
    },
    select: readSums,
  })
}

/** Months that the dashboard shows, the current one included. */
const dashboardMonths = 6

/** The months that the dashboard compares: the current one, to its end, and those before it. */
function dashboardPeriod(now: Date): Period {
  const month = monthOf(dayInBogota(now))
  return { since: firstDay(addMonths(month, 1 - dashboardMonths)), until: lastDay(month) }
}

/** Data of the dashboard's charts, with the days of this month and the last. */
export function dashboardSumsQuery(userId: string, now: Date) {
  const period = dashboardPeriod(now)
  return { ...sumsQuery(userId, period, firstDay(addMonths(monthOf(period.until), -1))), ...keptOffline }
}

/** The function's result; amounts in whole units. */
type SumsAnswer = {
  balance: number
  months: readonly {
    month: string
    balance: number
    sums: readonly {
      type: TransactionType
      category: string | null
      recorded_by: PartRecorder
      amount: number
      transactions: number
    }[]
  }[]
  days: readonly { day: string; spent: number }[]
  /** Missing in data that an earlier release stored. */
  coming?: Coming
}

/** The raw answer with its period. It is cached in this form, because only JSON can be stored. */
type SumsReading = SumsAnswer & { period: Period }

function readSums({ period, balance, months, days, coming }: SumsReading): Sums {
  return {
    period,
    balanceMinor: minor(balance),
    months: months.map((month) => ({
      month: month.month,
      balanceMinor: minor(month.balance),
      parts: month.sums.map(({ type, category, recorded_by, amount, transactions }) => ({
        type,
        category,
        recordedBy: recorded_by,
        amountMinor: minor(amount),
        transactions,
      })),
    })),
    spentMinorByDay: new Map(days.map(({ day, spent }) => [day, minor(spent)])),
    coming: { payments: 0, amount: 0, recurs: false, ...coming },
  }
}

function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`sum_transactions answered ${amount} for an amount.`)
  return amountMinor
}

/** Spending of a month by category, without corrected charges. */
export function spendingIn({ months }: Sums, month: string): Part[] {
  const { parts = [] } = months.find((each) => each.month === month) ?? {}
  return parts.filter((part) => part.type !== 'deposit' && !isCorrection(part))
}

/** Neither spending nor income: a charge that was taken back, say, and what took it back. */
export function isCorrection({ recordedBy }: Part): boolean {
  return recordedBy === 'correction'
}
