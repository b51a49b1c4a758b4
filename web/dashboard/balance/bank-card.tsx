import { useQuery } from '@tanstack/react-query'
import { dashboardCopy } from '#dashboard/copy.ts'
import { hasFeature } from '#api/configuration.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { balanceDialog, BalanceParts } from '#money/balance/parts.tsx'
import { announceNotImplemented } from '#ui/toast/not-implemented.ts'
import { balanceQuery } from '#data/queries.ts'
import { Link } from '#ui/address/link.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { Plate } from '#ui/plate.tsx'
import { dashboardSumsQuery } from '#planning/sums/sums.ts'

type Props = { userId: string; now: Date; className: string }

export function BankCard({ userId, now, className }: Props) {
  const { open, dialog } = useLazyDialog(balanceDialog)
  return (
    <Plate
      aria-labelledby="bank-title"
      rosette="top-1/2 right-0 size-[30rem] translate-x-[45%] -translate-y-1/2 sm:size-[34rem] sm:translate-x-1/3"
      className={`flex flex-col justify-between gap-1 px-5 py-3 sm:gap-2 sm:p-8 low:py-3 ${className}`}
    >
      <h2 id="bank-title" className="font-semibold">
        {dashboardCopy.bankTitle}
      </h2>
      <div>
        {/* Hidden from screen readers, because the accessible text of the amount below begins with the same words. */}
        <p aria-hidden="true" className="text-sm text-on-vault-muted">
          {dashboardCopy.balance}
        </p>
        <Balance userId={userId} />
        <Parts userId={userId} now={now} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4">
        <TransferButton />
        <Button variant="quiet-plate" size="small" className="-mr-3 -ml-3" onClick={() => open({})}>
          {dashboardCopy.whyBalance}
        </Button>
      </div>
      {dialog}
    </Plate>
  )
}

/**
 * Button that opens the form for a new transfer. If transfers are disabled, the button shows the toast of the
 * specification.
 */
function TransferButton() {
  if (hasFeature('transferencias')) {
    return (
      <Link to="/transferencias?nueva=1" className={buttonClass({ variant: 'outline-plate' })}>
        {dashboardCopy.requestTransfer}
      </Link>
    )
  }
  return (
    <Button variant="outline-plate" onClick={() => announceNotImplemented()}>
      {dashboardCopy.requestTransfer}
    </Button>
  )
}

function Balance({ userId }: { userId: string }) {
  const balance = useQuery(balanceQuery(userId))
  if (balance.isPending) {
    return (
      <div
        aria-hidden="true"
        className="skeleton min-h-11 w-64 sm:min-h-[3.4rem] max-w-full bg-on-vault/20"
      />
    )
  }
  // A balance that could not be read must not be displayed as zero.
  if (balance.data === undefined) {
    return (
      <p className="flex min-h-11 sm:min-h-[3.4rem] flex-wrap items-center gap-x-4">
        <span className="text-3xl font-semibold sm:text-4xl">{'—'}</span>
        <Button variant="quiet-plate" size="small" onClick={() => void balance.refetch()}>
          {uiCopy.retry}
        </Button>
      </p>
    )
  }
  // In a live region, screen readers announce changes to the balance, but not its initial value.
  return (
    <p
      role="status"
      className="@container min-h-11 sm:min-h-[3.4rem] text-3xl font-semibold tracking-tight sm:text-4xl"
    >
      <span className="sr-only">{`${dashboardCopy.balance}: `}</span>
      <MoneyText>{displayedMoney(balance.data)}</MoneyText>
    </p>
  )
}

/** The two parts of the balance. The line keeps a constant height while the figures load. */
function Parts({ userId, now }: Pick<Props, 'userId' | 'now'>) {
  const { data: sums } = useQuery(dashboardSumsQuery(userId, now))
  return (
    <div className="min-h-8">
      {sums !== undefined && <BalanceParts bookedMinor={sums.bookedMinor} notedMinor={sums.notedMinor} />}
    </div>
  )
}
