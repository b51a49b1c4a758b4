import { useQuery } from '@tanstack/react-query'
import { configuration } from '#backend/configuration.ts'
import { formatDateLong } from '#format/dates.ts'
import { balanceQuery, latestQuery } from '#ledger/queries.ts'
import { fullNameOf, useUser } from '#session/session.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { BankCard } from './balance/bank-card.tsx'
import { BudgetCard } from './budget/budget-card.tsx'
import { dashboardCopy } from './copy.ts'
import { ExpenseCard } from './expense-card.tsx'
import { LatestCard } from './latest-card.tsx'
import { MarketCard } from './market-card.tsx'
import { NewsCard } from './news-card.tsx'
import { useToday } from './use-today.ts'

export function DashboardPage() {
  const user = useUser()
  const today = useToday()
  const balance = useQuery(balanceQuery(user.id))
  const latest = useQuery(latestQuery(user.id))
  const [firstName = ''] = fullNameOf(user).split(' ')

  return (
    <>
      <PageHeading
        documentTitle={dashboardCopy.documentTitle(configuration().brandName)}
        heading={dashboardCopy.greeting(firstName)}
        overline={<p className="mb-1 text-sm text-muted first-letter:uppercase">{formatDateLong(today)}</p>}
      >
        {(balance.isPending || latest.isPending) && <Spinner size="small" label={dashboardCopy.loading} />}
      </PageHeading>
      {/* Read downwards, the left column first: what there is, then what one does with it. */}
      <div className="grid grid-cols-1 gap-4 sm:gap-6 md:grid-cols-2 lg:grid-cols-[1.6fr_1fr]">
        <BankCard balance={balance} className="md:max-lg:col-span-2" />
        <LatestCard latest={latest} className="md:max-lg:col-span-2" />
        <ExpenseCard userId={user.id} className="lg:col-start-2 lg:row-start-1" />
        <BudgetCard userId={user.id} now={today} className="lg:col-start-2 lg:row-start-2" />
        <MarketCard className="md:max-lg:col-span-2" />
        <NewsCard className="md:max-lg:col-span-2" />
      </div>
    </>
  )
}
