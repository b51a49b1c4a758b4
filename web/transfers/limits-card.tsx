import { displayedMinor } from '#amounts/amounts.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { limitTexts, transfersCopy } from './copy.ts'
import { limitNamed, type TransferAccount } from './transfers.ts'

const copy = transfersCopy.limits
const reception = transfersCopy.reception
const limitsDialog = lazyCode(() => import('./limits-dialog.tsx'), 'LimitsDialog')
const receptionDialog = lazyCode(() => import('./reception-dialog.tsx'), 'ReceptionDialog')

/** The limits that apply to the customer's transfers. */
export function LimitsCard({ userId, account }: { userId: string; account: TransferAccount }) {
  // An open dialog also shows limits that another window has set in the meantime.
  const { open, dialog } = useLazyDialog(limitsDialog, { account })
  const { open: openReception, dialog: ofReception } = useLazyDialog(receptionDialog, { account })
  const limits = account.limits.flatMap(({ name, maxMinor, leftMinor }) => {
    const texts = limitTexts(name)
    if (texts === undefined) return []
    const max = [texts.max, maxMinor] as const
    return texts.left === null ? [max] : [max, [texts.left, leftMinor] as const]
  })
  return (
    <Card
      title={copy.title}
      action={
        <Button
          variant="outline"
          size="touch"
          aria-label={copy.editLabel}
          onClick={() => open({ userId, account })}
        >
          {copy.edit}
        </Button>
      }
    >
      <div className="px-4 py-4 sm:px-6">
        <dl className="grid gap-2">
          {limits.map(([name, minor]) => (
            <div key={name} className="@container flex flex-wrap items-baseline justify-between gap-x-4">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="ml-auto font-medium">
                <MoneyText>{displayedMinor(minor)}</MoneyText>
              </dd>
            </div>
          ))}
        </dl>
        <Approval account={account} />
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <Reception account={account} />
          <Button
            variant="outline"
            size="touch"
            aria-label={reception.editLabel}
            onClick={() => openReception({ userId, account })}
          >
            {copy.edit}
          </Button>
        </div>
      </div>
      {dialog}
      {ofReception}
    </Card>
  )
}

/** Says what the customer can still send today without the bank's approval, unless a lower limit applies anyway. */
function Approval({ account }: { account: TransferAccount }) {
  const { automaticMaxMinor, automaticDayMaxMinor } = account
  const day = limitNamed(account, 'day')
  if (automaticDayMaxMinor >= day.maxMinor) return null
  return (
    <p className="@container mt-3 text-sm text-muted">
      {automaticDayMaxMinor === 0 ? (
        copy.approvalOfAll
      ) : (
        <>
          <MoneyText within={copy.unapproved}>
            {displayedMinor(Math.min(automaticMaxMinor, day.leftMinor))}
          </MoneyText>
          <MoneyText within={copy.unapprovedDay}>{displayedMinor(automaticDayMaxMinor)}</MoneyText>
        </>
      )}
    </p>
  )
}

function Reception({ account }: { account: TransferAccount }) {
  return (
    <p className="@container text-sm">
      {account.receiveMinMinor === null ? (
        reception.everyAmount
      ) : (
        <MoneyText within={reception.fromAmount}>{displayedMinor(account.receiveMinMinor)}</MoneyText>
      )}{' '}
      {account.receivesFromKnown ? reception.known : reception.everybody}
    </p>
  )
}
