import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParameters } from '#ui/address/address.tsx'
import { dayInBogota } from '#ui/format/dates.ts'
import { AmountsEye } from '#amounts/money-text.tsx'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { MoneyPages } from '#navigation/money-pages.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { useKeptFocus } from '#ui/focus/use-kept-focus.ts'
import { recurringCopy as copy } from './copy.ts'
import { ProposalsCard } from './proposals-card.tsx'
import { proposalsQuery, recurringQuery, repeatedQuery, type Plan, type Wanted } from './recurring.ts'
import { RecurringDialog } from './recurring-dialog.tsx'
import { MonthSummary, RecurringList } from './recurring-list.tsx'
import { monthAfter } from './rhythm.ts'
import './recurring.css'

/** The customer's recurring expenses. The URL may contain the id of a transaction that the customer wants to repeat. */
export function RecurringPage() {
  const user = useUser()
  const [parameters, setParameters] = useSearchParameters()
  const [opened, setOpened] = useState<Partial<Wanted> | null>(null)
  const recurring = useQuery(recurringQuery(user.id))
  // The proposals are shown above the list. Proposals and list appear at the same time, so that the list does not move.
  const proposals = useQuery(proposalsQuery(user.id))
  const area = useKeptFocus<HTMLDivElement>()
  const repeated = useQuery(repeatedQuery(user.id, parameters.get('repetir')))
  const begun = opened ?? (repeated.data ? beginningOf(repeated.data) : null)
  const close = () => {
    // A late answer closes only the dialog that sent the request, not a dialog that was opened in the meantime.
    setOpened((now) => (now === opened ? null : now))
    if (parameters.size > 0) setParameters(() => new URLSearchParams(), { replace: true })
  }
  return (
    <>
      <PageHeading documentTitle={copy.documentTitle} heading={copy.heading} below={<MoneyPages />}>
        <div className="flex items-center gap-2">
          <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpened({})}>
            <Plus aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            {copy.add}
          </Button>
          <AmountsEye />
        </div>
      </PageHeading>
      <div ref={area} tabIndex={-1} className="grid grid-cols-1 gap-4 sm:gap-6">
        {recurring.data !== undefined && proposals.data !== undefined && (
          <ProposalsCard userId={user.id} proposals={proposals.data} />
        )}
        {recurring.data === undefined || (proposals.isPending && proposals.failureCount === 0) ? (
          recurring.isError ? (
            <RetryLine message={copy.unread} onRetry={() => void recurring.refetch()} />
          ) : (
            <div className="grid min-h-60 place-content-center">
              <Spinner label={copy.loading} />
            </div>
          )
        ) : (
          <Card title={copy.title} action={<MonthSummary recurring={recurring.data} />}>
            {recurring.data.length === 0 ? (
              <p className="p-4 text-sm text-muted sm:p-6">{copy.none}</p>
            ) : (
              <RecurringList userId={user.id} recurring={recurring.data} onOpen={setOpened} />
            )}
          </Card>
        )}
      </div>
      {begun !== null && <RecurringDialog userId={user.id} plan={begun} onClose={close} />}
    </>
  )
}

/** Returns a monthly recurring expense that has the transaction's values and starts next month. */
function beginningOf({
  date,
  ...words
}: Pick<Plan, 'description' | 'amount' | 'category'> & { date: string }): Partial<Plan> {
  const day = dayInBogota(new Date(date))
  return { ...words, rhythm: 'monthly', next_due_on: monthAfter(day, dayInBogota()) }
}
