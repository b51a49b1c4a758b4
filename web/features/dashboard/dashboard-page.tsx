import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { configuration } from '#backend/configuration.ts'
import { formatDateLong } from '#format/dates.ts'
import { balanceQuery, latestQuery } from '#ledger/queries.ts'
import { fullNameOf, useUser } from '#session/session.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { BankCard } from './bank-card.tsx'
import { BudgetCard } from './budget-card.tsx'
import { dashboardCopy } from './copy.ts'
import { ExpenseCard } from './expense-card.tsx'
import { LatestCard } from './latest-card.tsx'
import { MarketCard } from './market-card.tsx'
import { NewsCard } from './news-card.tsx'

export function DashboardPage() {
  const user = useUser()
  const [now] = useState(() => new Date())
  const balance = useQuery(balanceQuery(user.id))
  const latest = useQuery(latestQuery(user.id))
  const [firstName = ''] = fullNameOf(user).split(' ')

  return (
    <>
      <PageHeading
        documentTitle={dashboardCopy.documentTitle(configuration().brandName)}
        heading={dashboardCopy.greeting(firstName)}
        overline={<p className="mb-1 text-sm text-muted first-letter:uppercase">{formatDateLong(now)}</p>}
      >
        {(balance.isPending || latest.isPending) && <Spinner size="small" label={dashboardCopy.loading} />}
      </PageHeading>
      <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-[1.6fr_1fr]">
        <BankCard balance={balance} />
        <ExpenseCard userId={user.id} />
        <LatestCard latest={latest} />
        <div className="grid min-w-0 grid-cols-1 content-start gap-4 sm:gap-6">
          <BudgetCard userId={user.id} now={now} />
          <NewsCard />
        </div>
        <MarketCard />
      </div>
    </>
  )
}
