import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useSearchParameters } from '#ui/address/address.tsx'
import { dayInBogota } from '#ui/format/dates.ts'
import { MonthsChart } from '#planning/sums/charts/months-chart.tsx'
import { AmountsEye } from '#amounts/money-text.tsx'
import { sumByCategory } from '#planning/sums/categories.ts'
import { CategoryList } from '#planning/sums/category-list.tsx'
import { monthTotals, type MonthTotals } from '#planning/sums/month-totals.ts'
import { sumsQuery, type Part, type Period, type Sums } from '#planning/sums/sums.ts'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { UnreadCard } from '#ui/ghost-rows.tsx'
import { MoneyPages } from '#navigation/money-pages.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Spinner } from '#ui/spinner.tsx'
import { useDeferredArrival } from '#ui/use-deferred-arrival.ts'
import { overviewCopy } from './copy.ts'
import { csvText } from './csv.ts'
import { MonthRows } from './month-rows.tsx'
import { PeriodBar } from './period-bar.tsx'
import { periodBefore, readPeriod } from './period.ts'
import './overview.css'
import { Totals } from './totals.tsx'

/** The customer's income and spending over any period, by month and by category. The URL contains the period. */
export function OverviewPage() {
  const user = useUser()
  const [parameters, setParameters] = useSearchParameters()
  const today = dayInBogota()
  const period = readPeriod(parameters, today)
  const sums = useQuery({ ...sumsQuery(user.id, period), placeholderData: keepPreviousData })
  const drawn = useDeferredArrival(sums.data)
  const before = useQuery({ ...sumsQuery(user.id, periodBefore(period)), enabled: drawn !== undefined })
  // The page reports a failure after the first failed attempt, without waiting for the retries. If a retry succeeds,
  // the result replaces the message.
  const isAway = sums.data === undefined && (sums.failureCount > 0 || !navigator.onLine)

  return (
    <>
      <PageHeading
        documentTitle={overviewCopy.documentTitle}
        heading={overviewCopy.heading}
        reading={sums.isPlaceholderData && <Spinner size="small" label={overviewCopy.loading} />}
        below={<MoneyPages />}
      >
        <AmountsEye />
      </PageHeading>
      <div className="grid grid-cols-1 gap-4 sm:gap-6">
        <PeriodBar
          period={period}
          today={today}
          onChange={({ since, until }) =>
            setParameters(() => new URLSearchParams({ desde: since, hasta: until }))
          }
        />
        {drawn !== undefined ? (
          // While another period loads, the page still shows the previous period with its dates.
          <Overview sums={drawn} before={before.data} />
        ) : (
          <UnreadCard
            query={{ isError: isAway, refetch: sums.refetch }}
            loading={overviewCopy.loading}
            message={overviewCopy.unread}
          />
        )}
      </div>
    </>
  )
}

function Overview({ sums, before }: { sums: Sums; before: Sums | undefined }) {
  const { period } = sums
  const months = withoutEmptyBeginning(monthTotals(sums))
  const parts = sums.months.flatMap((month) => month.parts)
  // While another period loads, `before` and `sums` may belong to different periods.
  const isBefore = before?.period.since === periodBefore(period).since
  const partsBefore = isBefore ? before.months.flatMap((month) => month.parts) : []
  const download = () =>
    saveFile(
      overviewCopy.csvName(period.since, period.until),
      new Blob([csvText(sums)], { type: 'text/csv;charset=utf-8' }),
    )

  return (
    <>
      <Totals months={months} balanceMinor={sums.balanceMinor} />
      <Card
        title={overviewCopy.monthsTitle}
        action={
          <Button variant="quiet" size="small" className="-mr-3" onClick={download}>
            <Download aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            {overviewCopy.download}
          </Button>
        }
      >
        {months.length > 1 && (
          <div className="p-4 sm:p-6">
            <MonthsChart months={months} isNet />
          </div>
        )}
        <MonthRows months={months} period={period} />
      </Card>
      <div className="overview-parts">
        <Categories
          title={overviewCopy.spendingTitle}
          parts={parts.filter(isSpending)}
          before={partsBefore.filter(isSpending)}
          period={period}
          none={overviewCopy.nothingSpent}
        />
        <Categories
          title={overviewCopy.incomeTitle}
          parts={parts.filter((part) => !isSpending(part))}
          before={partsBefore.filter((part) => !isSpending(part))}
          period={period}
          none={overviewCopy.nothingReceived}
        />
      </div>
    </>
  )
}

/** Drops leading months without any transactions, unless all months are empty. */
function withoutEmptyBeginning(months: readonly MonthTotals[]): readonly MonthTotals[] {
  const first = months.findIndex(
    ({ inMinor, outMinor, balanceMinor }) => inMinor !== 0 || outMinor !== 0 || balanceMinor !== 0,
  )
  return first === -1 ? months.slice(-1) : months.slice(first)
}

function isSpending({ type }: Part): boolean {
  return type !== 'deposit'
}

type CategoriesProps = {
  title: string
  parts: readonly Part[]
  before: readonly Part[]
  period: Period
  none: string
}

/** The spending or income by category. */
function Categories({ title, parts, before, period, none }: CategoriesProps) {
  const categories = sumByCategory(parts)
  return (
    <Card title={title}>
      <div className="px-4 py-3 sm:px-6">
        {categories.length === 0 ? (
          <p className="text-sm text-muted">{none}</p>
        ) : (
          <CategoryList categories={categories} before={sumByCategory(before)} period={period} />
        )}
      </div>
    </Card>
  )
}
