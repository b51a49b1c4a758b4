import { useQuery } from '@tanstack/react-query'
import { dashboardCopy } from '#dashboard/copy.ts'
import { hasFeature } from '#api/configuration.ts'
import { displayedMinor, displayedMoney } from '#amounts/amounts.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { announceNotImplemented } from '#ui/toast/not-implemented.ts'
import { balanceQuery } from '#data/queries.ts'
import { Link } from '#ui/address/link.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { Plate } from '#ui/plate.tsx'
import { dashboardSumsQuery } from '#planning/sums/sums.ts'

type Props = { userId: string; now: Date; className: string }

const balanceDialog = lazyCode(() => import('./balance-dialog.tsx'), 'BalanceDialog')

export function BankCard({ userId, now, className }: Props) {
  const { open, dialog } = useLazyDialog(balanceDialog)
  const explain = () => open({})
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
        <Parts userId={userId} now={now} onExplain={explain} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4">
        <TransferButton />
        <Button variant="quiet-plate" size="small" className="-mr-3 -ml-3" onClick={explain}>
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

type PartsProps = Pick<Props, 'userId' | 'now'> & { onExplain: () => void }

/**
 * The two parts of the balance, as long as they differ from it: what the bank holds, and what the customer noted. The
 * line keeps a constant height while the figures load.
 */
function Parts({ userId, now, onExplain }: PartsProps) {
  const { data: sums } = useQuery(dashboardSumsQuery(userId, now))
  return (
    <div className="min-h-8 text-sm text-on-vault-muted">
      {sums !== undefined && sums.notedMinor !== 0 && (
        <button
          type="button"
          className="@container w-full py-1 text-left hover:underline"
          onClick={onExplain}
        >
          <MoneyText within={dashboardCopy.inBank}>{displayedMinor(sums.bookedMinor)}</MoneyText>
          {' · '}
          <MoneyText within={dashboardCopy.noted}>{displayedMinor(0 - sums.notedMinor)}</MoneyText>
        </button>
      )}
    </div>
  )
}
