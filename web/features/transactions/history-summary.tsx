import { useQuery } from '@tanstack/react-query'
import { displayedMinor, displayedMoney } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { balanceQuery } from '#ledger/queries.ts'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { Plate } from '#ui/plate.tsx'
import { transactionsCopy } from './copy.ts'

type Props = { userId: string; inMinor: number | null; outMinor: number | null }

/** What the bank holds now, and what came in and went out in the rows that are shown; a dash for what could not be read. */
export function HistorySummary({ userId, inMinor, outMinor }: Props) {
  const balance = useQuery(balanceQuery(userId))
  return (
    <Plate
      aria-label={transactionsCopy.summary}
      rosette="-right-60 top-1/2 size-96 -translate-y-1/2 sm:-right-24"
      className="mb-3 px-5 py-3.5 sm:mb-6 sm:px-8 sm:py-6 print:hidden"
    >
      <dl className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1 sm:justify-start sm:gap-x-10 sm:gap-y-3 lg:gap-x-14">
        <div className="min-w-0 sm:pr-4">
          <dt className="text-xs text-on-vault-muted sm:text-sm">{transactionsCopy.balance}</dt>
          <dd className="min-h-6 text-lg font-semibold tracking-tight wrap-anywhere sm:min-h-10 sm:text-3xl">
            {balance.isPending && (
              <span aria-hidden="true" className="skeleton block h-[1lh] w-[5.5em] bg-on-vault/20" />
            )}
            {balance.data !== undefined ? (
              <Amount>{displayedMoney(balance.data)}</Amount>
            ) : (
              balance.isError && (
                <span className="flex flex-wrap items-center gap-x-2">
                  {'—'}
                  <Button variant="quiet-plate" size="small" onClick={() => void balance.refetch()}>
                    {uiCopy.retry}
                  </Button>
                </span>
              )
            )}
          </dd>
        </div>
        <Figure label={transactionsCopy.moneyIn} minor={inMinor} />
        <Figure label={transactionsCopy.moneyOut} minor={outMinor} />
      </dl>
    </Plate>
  )
}

function Figure({ label, minor }: { label: string; minor: number | null }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-on-vault-muted">{label}</dt>
      <dd className="text-sm font-medium wrap-anywhere sm:text-lg">
        <Amount>{minor === null ? '—' : displayedMinor(minor)}</Amount>
      </dd>
    </div>
  )
}

function Amount({ children }: { children: string }) {
  return <MoneyText className="whitespace-normal">{children}</MoneyText>
}
