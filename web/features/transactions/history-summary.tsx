import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { displayedMoney } from '#money/amounts.ts'
import { ListSummary } from '#transactions/list/list-summary.tsx'
import { MoneyText } from '#money/money-text.tsx'
import { balanceQuery } from '#ledger/queries.ts'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'

type Props = { userId: string } & Omit<ComponentProps<typeof ListSummary>, 'balance'>

/** Shows the customer's balance beside the totals of the listed transactions. */
export function HistorySummary({ userId, ...sums }: Props) {
  const balance = useQuery({ ...balanceQuery(userId), refetchOnMount: 'always' })
  return (
    <ListSummary
      {...sums}
      balance={
        balance.isPending ? (
          <span aria-hidden="true" className="skeleton block h-[1lh] w-24 bg-on-vault/20" />
        ) : balance.data !== undefined ? (
          <MoneyText>{displayedMoney(balance.data)}</MoneyText>
        ) : (
          <span className="flex flex-wrap items-center gap-x-2">
            {'—'}
            <Button variant="quiet-plate" size="small" onClick={() => void balance.refetch()}>
              {uiCopy.retry}
            </Button>
          </span>
        )
      }
    />
  )
}
