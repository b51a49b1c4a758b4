import type { UseQueryResult } from '@tanstack/react-query'
import { displayedMoney } from '#ledger/displayed-money.ts'
import { AmountsEye, MoneyText } from '#ledger/money-text.tsx'
import { announceNotImplemented } from '#ledger/not-implemented.ts'
import { Button } from '#ui/button.tsx'
import { Plate } from '#ui/plate.tsx'
import { dashboardCopy } from './copy.ts'

/** What the bank holds for the customer, on the engraved plate. */
export function BankCard({ balance }: { balance: UseQueryResult<number | null> }) {
  return (
    <Plate
      aria-labelledby="bank-title"
      rosette="top-1/2 right-0 size-[30rem] translate-x-[45%] -translate-y-1/2 sm:size-[34rem] sm:translate-x-1/3"
      className="flex min-h-72 flex-col justify-between gap-6 p-6 sm:p-8"
    >
      <h2 id="bank-title" className="font-semibold">
        {dashboardCopy.bankTitle}
      </h2>
      <div>
        <p className="flex items-center gap-1 text-sm text-on-vault-muted">
          {dashboardCopy.balance}
          <AmountsEye className="text-on-vault hover:bg-on-vault/10" />
        </p>
        <Balance balance={balance} />
      </div>
      <div>
        <Button variant="plate" onClick={announceNotImplemented}>
          {dashboardCopy.requestTransfer}
        </Button>
      </div>
    </Plate>
  )
}

function Balance({ balance }: { balance: UseQueryResult<number | null> }) {
  if (balance.isPending) {
    return <div aria-hidden="true" className="skeleton h-[3.4rem] w-64 max-w-full bg-on-vault/20" />
  }
  return (
    <p className="min-h-[3.4rem] text-3xl font-semibold tracking-tight sm:text-4xl">
      <MoneyText className="wrap-anywhere whitespace-normal">{displayedMoney(balance.data)}</MoneyText>
    </p>
  )
}
