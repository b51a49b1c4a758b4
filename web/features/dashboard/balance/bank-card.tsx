import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ComponentType } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'
import { displayedMoney } from '#ledger/amounts.ts'
import { AmountsEye, MoneyText } from '#ledger/money-text.tsx'
import { announceNotImplemented } from '#ledger/not-implemented.ts'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { Plate } from '#ui/plate.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'

type Props = { balance: UseQueryResult<number | null>; className: string }

export function BankCard({ balance, className }: Props) {
  return (
    <Plate
      aria-labelledby="bank-title"
      rosette="top-1/2 right-0 size-[30rem] translate-x-[45%] -translate-y-1/2 sm:size-[34rem] sm:translate-x-1/3"
      className={`flex min-h-72 flex-col justify-between gap-6 p-6 sm:p-8 ${className}`}
    >
      <h2 id="bank-title" className="font-semibold">
        {dashboardCopy.bankTitle}
      </h2>
      <div>
        <p className="flex items-center gap-1 text-sm text-on-vault-muted">
          {/* The amount below is read out with its name. */}
          <span aria-hidden="true">{dashboardCopy.balance}</span>
          <AmountsEye className="text-on-vault hover:bg-on-vault/10" />
        </p>
        <Balance balance={balance} />
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Button variant="plate" onClick={announceNotImplemented}>
          {dashboardCopy.requestTransfer}
        </Button>
        <BalanceButton />
      </div>
    </Plate>
  )
}

function Balance({ balance }: { balance: UseQueryResult<number | null> }) {
  if (balance.isPending) {
    return <div aria-hidden="true" className="skeleton h-[3.4rem] w-64 max-w-full bg-on-vault/20" />
  }
  // What could not be read is not zero.
  if (balance.data === undefined) {
    return (
      <p className="flex min-h-[3.4rem] flex-wrap items-center gap-x-4">
        <span className="text-3xl font-semibold sm:text-4xl">{'—'}</span>
        <Button variant="quiet-plate" size="small" onClick={() => void balance.refetch()}>
          {uiCopy.retry}
        </Button>
      </p>
    )
  }
  // Screen readers announce a change of it, but not the first amount, which was always here.
  return (
    <p role="status" className="@container min-h-[3.4rem] text-3xl font-semibold tracking-tight sm:text-4xl">
      <span className="sr-only">{`${dashboardCopy.balance}: `}</span>
      <MoneyText>{displayedMoney(balance.data)}</MoneyText>
    </p>
  )
}

type DialogPart = ComponentType<{ onClose: () => void }>

/** Opens the explanation of the balance, which is fetched only then: few ask. */
function BalanceButton() {
  const [part, setPart] = useState<{ Dialog: DialogPart } | null>(null)
  const { isBusy, run } = useTask((error) => {
    logQuietly(error, 'balance dialog')
    showFailure({ title: dashboardCopy.openFailedTitle, description: dashboardCopy.openFailedText })
  })
  const open = async () => {
    const { BalanceDialog } = await import('./balance-dialog.tsx')
    setPart({ Dialog: BalanceDialog })
  }

  return (
    <>
      {/* Not disabled while it is fetched: the dialog gives the focus back to it. */}
      <Button
        variant="quiet-plate"
        size="small"
        className="-ml-3"
        aria-busy={isBusy || undefined}
        onClick={() => run(open)}
      >
        {isBusy && <Spinner size="small" />}
        {dashboardCopy.whyBalance}
      </Button>
      {part !== null && <part.Dialog onClose={() => setPart(null)} />}
    </>
  )
}
