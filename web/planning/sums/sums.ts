import { queryOptions } from '@tanstack/react-query'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import type { Recorder, TransactionType } from '@finanzas/contract/wire/rows.ts'
import { unwrap } from '#api/unwrap.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { addMonths, firstDay, lastDay, monthOf } from '#ui/format/months.ts'
import { readingClient } from '#data/wait-for-live-channel.ts'
import { keptOffline, dataKeys, newsKey, untilRead, type NewsCounts } from '#data/queries.ts'

/**
 * The first and the last day of a period, in Bogotá's time zone. The period includes both days. Format: `2026-11-01`.
 */
export type Period = { since: string; until: string }

/** Sum of one month's transactions that have the same type, category and recorder. */
export type Part = {
  type: TransactionType
  category: string | null
  recordedBy: Recorder
  amountMinor: MinorUnits
  transactions: number
}

export type MonthSums = {
  /** `2026-11` */
  month: string
  /** Balance at the end of the month, or at the end of the period if that is earlier. */
  balanceMinor: MinorUnits
  parts: readonly Part[]
}

/** Sums of the customer's transactions by month and by day. Void transactions are left out. */
export type Sums = {
  period: Period
  /** Balance at the end of the period. */
  balanceMinor: MinorUnits
  months: readonly MonthSums[]
  /** Spending by day. Days without expenses are left out. */
  spentMinorByDay: ReadonlyMap<string, MinorUnits>
  /** Recurring payments of the current month that have not been made yet and are due by the end of the period. */
  coming: Coming
  /** The balance now: the bank's postings (`bookedMinor`) and the customer's own notes, which are never positive. */
  bookedMinor: MinorUnits
  notedMinor: MinorUnits
  /** The monthly spending limit in whole units; `null` if the customer has not set a limit. */
  monthlyLimit: number | null
}

/**
 * The number of payments and their total amount in whole units. `recurs` is true if the customer has any recurring
 * expense, even if no payment is due.
 */
type Coming = { payments: number; amount: number; recurs: boolean }

/**
 * Reads the sums of a period in one request. The sums are refetched together with the balance. If `dailySince` is
 * given, the result also contains the sums of single days from that day on.
 */
export function sumsQuery(userId: string, { since, until }: Period, dailySince?: string) {
  return queryOptions({
    ...untilRead,
    queryKey: [...dataKeys.sums(userId), since, until, dailySince ?? null],
    queryFn: async ({ client: cache, signal }): Promise<SumsReading> => {
      const client = await readingClient()
      const days = dailySince === undefined ? {} : { daily_since: dailySince }
      const answer = await client
        .rpc('sum_transactions', { since, until, ...days }, { get: true })
        .abortSignal(signal)
      const { news, ...sums } = unwrap(answer) as unknown as SumsAnswer & { news: NewsCounts }
      cache.setQueryData(newsKey, news)
      return { period: { since, until }, ...sums }
    },
    select: readSums,
  })
}

/** Number of months that the dashboard shows, including the current month. */
const dashboardMonths = 6

/** Returns the period that the dashboard shows: the whole current month and the months before it. */
export function dashboardPeriod(now: Date): Period {
  const month = monthOf(dayInBogota(now))
  return { since: firstDay(addMonths(month, 1 - dashboardMonths)), until: lastDay(month) }
}

/** Reads the data for the dashboard's charts, including daily sums for the current month and the previous month. */
export function dashboardSumsQuery(userId: string, now: Date) {
  const period = dashboardPeriod(now)
  return { ...sumsQuery(userId, period, firstDay(addMonths(monthOf(period.until), -1))), ...keptOffline }
}

/** The database function's result, with amounts in whole units. */
type SumsAnswer = {
  balance: number
  months: readonly {
    month: string
    balance: number
    sums: readonly {
      type: TransactionType
      category: string | null
      recorded_by: Recorder
      amount: number
      transactions: number
    }[]
  }[]
  days: readonly { day: string; spent: number }[]
  /** Results that were stored by an earlier release do not contain these fields. */
  coming?: Coming
  /** The balance now, and the part of it that is the customer's own notes. */
  held?: number
  noted?: number
  monthly_limit?: number | null
}

/**
 * The unconverted result and the period to which it belongs. The result is cached in this form because only JSON can be
 * stored.
 */
type SumsReading = SumsAnswer & { period: Period }

function readSums(reading: SumsReading): Sums {
  const { period, balance, months, days, coming, held = 0, noted = 0, monthly_limit = null } = reading
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
    bookedMinor: (minor(held) - minor(noted)) as MinorUnits,
    notedMinor: minor(noted),
    monthlyLimit: monthly_limit,
  }
}

function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`sum_transactions answered ${amount} for an amount.`)
  return amountMinor
}

/** Returns a month's spending, divided by category and recorder. */
export function spendingIn({ months }: Sums, month: string): Part[] {
  const { parts = [] } = months.find((each) => each.month === month) ?? {}
  return parts.filter(({ type }) => type !== 'deposit')
}
