import type { MinorUnits } from '@finanzas/contract/money.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { addMonths, daysIn, formatMonth, monthOf } from '#ui/format/months.ts'
import { displayedMinor, sumOf } from '#amounts/amounts.ts'
import { MonthsChart } from '#planning/sums/charts/months-chart.tsx'
import { MonthsTable } from './months-table.tsx'
import { SpendingChart } from './spending-chart.tsx'
import { MoneyText } from '#amounts/money-text.tsx'
import { sumByCategory } from '#planning/sums/categories.ts'
import { CategoryList } from '#planning/sums/category-list.tsx'
import { monthTotals } from '#planning/sums/month-totals.ts'
import { spendingIn, type Part, type Period, type Sums } from '#planning/sums/sums.ts'
import { picturesCopy } from './pictures-copy.ts'
import { MonthEnd } from './month-end.tsx'

type Props = { sums: Sums; limitMinor: MinorUnits | null; now: Date }

export function MoneyPictures({ sums, limitMinor, now }: Props) {
  const today = dayInBogota(now)
  const months = monthTotals(sums)
  const spentMinor = sumOf(spendingIn(sums, monthOf(today)))
  return (
    <>
      <Headline today={today} sums={sums} limitMinor={limitMinor} spentMinor={spentMinor} />
      <div className="mt-4">
        <SpendingChart today={today} spentMinorByDay={sums.spentMinorByDay} limitMinor={limitMinor} />
      </div>
      <section aria-labelledby="months-title" className="mt-5 border-t border-line pt-4">
        <h3 id="months-title" className="mb-3 text-sm text-muted">
          {picturesCopy.months}
        </h3>
        <MonthsChart months={months} />
        <MonthsTable months={months} />
      </section>
    </>
  )
}

type HeadlineProps = { today: string; sums: Sums; limitMinor: MinorUnits | null; spentMinor: number }

/** Heading that summarizes the month: the remaining budget, and a comparison with the previous month. */
function Headline({ today, sums, limitMinor, spentMinor }: HeadlineProps) {
  // Today counts as a remaining day, as it does in left-to-spend.tsx.
  const daysLeft = daysIn(monthOf(today)) - Number(today.slice(8)) + 1
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

/** Spending of a month by category. */
export function Spending({ expenses, period }: { expenses: readonly Part[]; period: Period }) {
  return (
    <section aria-labelledby="spending-title" className="mt-5 border-t border-line pt-4">
      <h3 id="spending-title" className="mb-1.5 text-sm text-muted">
        {picturesCopy.spendingTitle}
      </h3>
      <CategoryList categories={sumByCategory(expenses)} period={period} most={linesMax} />
    </section>
  )
}
