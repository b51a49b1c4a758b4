import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { displayedMinor, displayedMoney } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { balanceQuery } from '#ledger/queries.ts'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { Plate } from '#ui/plate.tsx'
import { transactionsCopy } from './copy.ts'

type Props = {
  userId: string
  inMinor: number | null
  outMinor: number | null
  /** Of which rows the sums are. */
  sumsOf: string
}

/** What the bank holds now, and what came in and went out in the rows that are shown; a dash for what could not be read. */
export function HistorySummary({ userId, inMinor, outMinor, sumsOf }: Props) {
  const balance = useQuery(balanceQuery(userId))
  return (
    <Plate
      aria-label={transactionsCopy.summary}
      rosette="hidden lg:block -right-24 top-1/2 size-96 -translate-y-1/2"
      className="history-summary print:hidden"
    >
      <div className="@container flex flex-wrap items-end justify-between">
        <dl className="flex flex-wrap justify-between">
          <Figure label={transactionsCopy.balance}>
            {balance.isPending && (
              <span aria-hidden="true" className="skeleton block h-5 w-24 bg-on-vault/20" />
            )}
            {balance.data !== undefined ? (
              <MoneyText>{displayedMoney(balance.data)}</MoneyText>
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
          </Figure>
          {[
            { label: transactionsCopy.moneyIn, minor: inMinor },
            { label: transactionsCopy.moneyOut, minor: outMinor },
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

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="max-w-full">
      <dt className="text-xs text-on-vault-muted">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}
