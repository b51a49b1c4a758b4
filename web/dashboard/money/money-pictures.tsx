import type { MinorUnits } from '@finanzas/contract/money.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { addMonths, daysIn, daysLeftIn, formatMonth, monthOf } from '#ui/format/months.ts'
import { displayedMinor, sumOf } from '#amounts/amounts.ts'
import { MonthsChart } from '#planning/sums/charts/months-chart.tsx'
import { MonthsTable } from './months-table.tsx'
import { SpendingChart } from './spending-chart.tsx'
import { MoneyText } from '#amounts/money-text.tsx'
import { sumByCategory } from '#planning/sums/categories.ts'
import { CategoryList } from '#planning/sums/category-list.tsx'
import { isNearLimit } from '#planning/sums/limit-meter.tsx'
import { monthTotals, type MonthTotals } from '#planning/sums/month-totals.ts'
import { spendingIn, type Part, type Period, type Sums } from '#planning/sums/sums.ts'
import { picturesCopy } from './pictures-copy.ts'
import { MonthEnd } from './month-end.tsx'

type Props = { sums: Sums; limitMinor: MinorUnits | null; now: Date }

export function MoneyPictures({ sums, limitMinor, now }: Props) {
  const today = dayInBogota(now)
  const months = sinceFirst(sums)
  const isWhole = months[0]?.month === monthOf(sums.period.since)
  const spentMinor = sumOf(spendingIn(sums, monthOf(today)))
  return (
    <>
      <Headline today={today} sums={sums} limitMinor={limitMinor} spentMinor={spentMinor} />
      <div className="mt-4">
        <SpendingChart today={today} spentMinorByDay={sums.spentMinorByDay} limitMinor={limitMinor} />
      </div>
      <section aria-labelledby="months-title" className="mt-5 border-t border-line pt-4">
        <h3 id="months-title" className="mb-3 text-sm text-muted">
          {isWhole ? picturesCopy.months : picturesCopy.monthsSinceFirst}
        </h3>
        <MonthsChart months={months} />
        <MonthsTable months={months} />
      </section>
    </>
  )
}

/** Returns the totals of the months from the first transaction on, because an earlier month would show a zero. */
function sinceFirst(sums: Sums): MonthTotals[] {
  const first = sums.months[0]?.month ?? ''
  return monthTotals(sums).filter(({ month }) => month >= first)
}

type HeadlineProps = { today: string; sums: Sums; limitMinor: MinorUnits | null; spentMinor: number }

/** Heading that summarizes the month: the remaining budget, and a comparison with the previous month. */
function Headline({ today, sums, limitMinor, spentMinor }: HeadlineProps) {
  const lastDay = daysIn(monthOf(today))
  const daysLeft = daysLeftIn(today)
  const leftMinor = limitMinor === null ? null : limitMinor - spentMinor
  return (
    <>
      <p className="text-lg font-semibold tracking-tight text-balance">
        {leftMinor === 0 ? (
          picturesCopy.reached(daysLeft)
        ) : (
          <MoneyText
            within={(amount) =>
              leftMinor === null
                ? picturesCopy.spent(amount)
                : leftMinor > 0
                  ? picturesCopy.left(amount, daysLeft)
                  : picturesCopy.exceeded(amount, daysLeft)
            }
          >
            {displayedMinor(Math.abs(leftMinor ?? spentMinor))}
          </MoneyText>
        )}
      </p>
      <p className="mt-0.5 text-sm text-muted">
        {leftMinor !== null && leftMinor > 0 && daysLeft > 1 && (
          <>
            {/* The amount is rounded down, so that the budget lasts until the end of the month. */}
            <MoneyText within={(amount) => picturesCopy.byDay(amount, lastDay)}>
              {displayedMinor(Math.floor(leftMinor / daysLeft))}
            </MoneyText>{' '}
          </>
        )}
        <Comparison today={today} spentMinorByDay={sums.spentMinorByDay} />
      </p>
      <MonthEnd {...sums} />
    </>
  )
}

function Comparison({ today, spentMinorByDay }: { today: string; spentMinorByDay: Sums['spentMinorByDay'] }) {
  const monthBefore = addMonths(monthOf(today), -1)
  const day = Number(today.slice(8))
  const spentUntil = (month: string) =>
    [...spentMinorByDay].reduce(
      (sum, [on, minor]) => (monthOf(on) === month && Number(on.slice(8)) <= day ? sum + minor : sum),
      0,
    )
  const isFirst = ![...spentMinorByDay.keys()].some((on) => monthOf(on) === monthBefore)
  const moreMinor = spentUntil(monthOf(today)) - spentUntil(monthBefore)
  const name = formatMonth(monthBefore)
  if (isFirst) return spentMinorByDay.size === 0 ? picturesCopy.nothingSpent : picturesCopy.firstMonth
  if (moreMinor === 0) return picturesCopy.same(name)
  return (
    <MoneyText within={(amount) => (moreMinor < 0 ? picturesCopy.less : picturesCopy.more)(amount, name)}>
      {displayedMinor(Math.abs(moreMinor))}
    </MoneyText>
  )
}

/**
 * Maximum number of categories in the chart. A reader cannot compare more categories at a glance. The bank's charges
 * may add one more line.
 */
const linesMax = 4

type SpendingProps = { expenses: readonly Part[]; period: Period; limitMinor: MinorUnits | null }

/** Spending of a month by category. Near the month's limit and above it, a sentence warns first. */
export function Spending({ expenses, period, limitMinor }: SpendingProps) {
  const spentMinor = sumOf(expenses)
  return (
    <>
      {limitMinor !== null && isNearLimit({ limitMinor, spentMinor }) && (
        <p className={`mt-3 text-sm font-medium ${spentMinor > limitMinor ? 'text-danger' : 'text-warning'}`}>
          <LimitWarning leftMinor={limitMinor - spentMinor} />
        </p>
      )}
      <section aria-labelledby="spending-title" className="mt-5 border-t border-line pt-4">
        <h3 id="spending-title" className="mb-1.5 text-sm text-muted">
          {picturesCopy.spendingTitle}
        </h3>
        <CategoryList categories={sumByCategory(expenses)} period={period} most={linesMax} />
      </section>
    </>
  )
}

/** Says in words what the colour of the bar above means. */
function LimitWarning({ leftMinor }: { leftMinor: number }) {
  if (leftMinor > 0) return picturesCopy.limitNear
  if (leftMinor === 0) return picturesCopy.limitReached
  return <MoneyText within={picturesCopy.limitExceeded}>{displayedMinor(-leftMinor)}</MoneyText>
}
