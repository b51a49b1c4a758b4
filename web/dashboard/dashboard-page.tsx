import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { configuration } from '#api/configuration.ts'
import { bogotaDay, formatDateLong } from '#ui/format/dates.ts'
import { MoneyPages } from '#navigation/money-pages.tsx'
import { useNews } from '#navigation/news.ts'
import { AmountsEye } from '#amounts/money-text.tsx'
import { balanceQuery, latestQuery } from '#data/queries.ts'
import { fullNameOf, useUser } from '#people/session/session.ts'
import { Card } from '#ui/card.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyCode } from '#ui/lazy/use-lazy-code.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { BankCard } from '#dashboard/balance/bank-card.tsx'
import { BudgetCard } from '#dashboard/budget/budget-card.tsx'
import { dashboardCopy } from './copy.ts'
import { ExpenseCard } from './expense-card.tsx'
import { LatestCard } from './latest-card.tsx'
import { MarketCard } from './market-card.tsx'
import { MoneyCard } from '#dashboard/money/money-card.tsx'
import { hasEnded, hasJoinedLately, readKept, stepsPlace } from '#dashboard/start/joined.ts'

export function DashboardPage() {
  const user = useUser()
  const today = useToday()
  const [firstName = ''] = fullNameOf(user).split(' ')

  return (
    <>
      <PageHeading
        documentTitle={dashboardCopy.documentTitle(configuration().brandName)}
        heading={dashboardCopy.greeting(firstName)}
        reading={<FirstReading userId={user.id} />}
        below={<MoneyPages />}
        note={
          <p className="text-sm text-muted first-letter:uppercase">
            {formatDateLong(today)}
            <NewNotices />
          </p>
        }
      >
        <AmountsEye />
      </PageHeading>
      {/* The page has two columns on the desktop, and one column with the cards in the same order on a phone. */}
      <div className="grid grid-cols-1 gap-4 sm:gap-6 md:grid-cols-2 lg:grid-cols-[1.6fr_1fr]">
        <div className={columnClass}>
          <BankCard userId={user.id} now={today} className="md:col-span-2" />
          <Start userId={user.id} now={today} />
          <LatestCard userId={user.id} className="md:col-span-2" />
          <MoneyCard userId={user.id} now={today} className="md:col-span-2" />
        </div>
        <div className={columnClass}>
          <ExpenseCard userId={user.id} className="" />
          <BudgetCard userId={user.id} now={today} className="" />
          <MarketCard className="md:col-span-2" />
        </div>
        <NewsCard className="md:col-span-2" />
      </div>
    </>
  )
}

/** Link to the notices that the customer has not read. */
function NewNotices() {
  return useNews()['/perfil']?.line
}

/** This component is separate, so that a query result does not render the whole page again. */
function FirstReading({ userId }: { userId: string }) {
  const balance = useQuery(balanceQuery(userId))
  const latest = useQuery(latestQuery(userId))
  return (balance.isPending || latest.isPending) && <Spinner size="small" label={dashboardCopy.loading} />
}

const firstSteps = lazyCode(() => import('#dashboard/start/first-steps.tsx'), 'FirstSteps')

/** The first steps of a new customer, whose code loads after the figures. Their place is kept, so that nothing moves. */
function Start(props: { userId: string; now: Date }) {
  const { data: FirstSteps } = useLazyCode(firstSteps)
  const isNew = hasJoinedLately(useUser(), props.now) && !hasEnded(readKept(props.userId))
  return FirstSteps ? <FirstSteps {...props} /> : isNew && <div className={stepsPlace} />
}

const columnClass = 'contents lg:flex lg:flex-col sm:gap-6'

function NewsCard({ className }: { className: string }) {
  return (
    <Card title={dashboardCopy.newsTitle} className={className}>
      <ul className="grid grid-cols-1 gap-x-6 px-4 py-1.5 sm:px-6 lg:grid-cols-3">
        {dashboardCopy.news.map(({ headline, source }) => (
          <li key={headline} className="py-3">
            <p className="leading-snug font-medium">{headline}</p>
            <p className="mt-1 text-sm text-muted">{source}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const lookIntervalMs = 30_000

/** Returns a time on the current day in Bogotá. After midnight in Bogotá, the component renders again. */
function useToday(): Date {
  const [today, setToday] = useState(() => new Date())
  useEffect(() => {
    const look = () => {
      const now = new Date()
      setToday((shown) => (bogotaDay(shown) === bogotaDay(now) ? shown : now))
    }
    const timer = window.setInterval(look, lookIntervalMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return today
}
