import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { balanceQuery } from '#data/queries.ts'
import { displayedMinor, displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { listCopy } from '#money/list/copy.ts'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { Plate } from '#ui/plate.tsx'

type Props = {
  userId: string
  inMinor: number | null
  outMinor: number | null
  /** Describes which rows are included in the sums. */
  sumsOf: string
}

/**
 * Shows the customer's balance, and the total income and spending of the rows on screen. A dash replaces any figure
 * that could not be read.
 */
export function HistorySummary({ userId, inMinor, outMinor, sumsOf }: Props) {
  return (
    <Plate
      aria-label={listCopy.summary}
      rosette="hidden lg:block -right-24 top-1/2 size-96 -translate-y-1/2"
      className="history-summary print:hidden"
    >
      <div className="@container flex flex-wrap items-end justify-between">
        <dl className="flex flex-wrap justify-between">
          <Figure label={listCopy.balance}>
            <Balance userId={userId} />
          </Figure>
          {[
            { label: listCopy.moneyIn, minor: inMinor },
            { label: listCopy.moneyOut, minor: outMinor },
          ].map(({ label, minor }) => (
            <Figure key={label} label={label}>
              {minor === null ? '—' : <MoneyText>{displayedMinor(minor)}</MoneyText>}
            </Figure>
          ))}
        </dl>
        <p className="text-xs text-on-vault-muted">{sumsOf}</p>
      </div>
    </Plate>
  )
}

function Balance({ userId }: { userId: string }) {
  const balance = useQuery({ ...balanceQuery(userId), refetchOnMount: 'always' })
  if (balance.isPending)
    return <span aria-hidden="true" className="skeleton block h-[1lh] w-24 bg-on-vault/20" />
  if (balance.data !== undefined) return <MoneyText>{displayedMoney(balance.data)}</MoneyText>
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {'—'}
      <Button variant="quiet-plate" size="small" onClick={() => void balance.refetch()}>
        {uiCopy.retry}
      </Button>
    </span>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="max-w-full">
      <dt className="text-xs text-on-vault-muted">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}
