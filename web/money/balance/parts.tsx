import { useQuery } from '@tanstack/react-query'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { displayedMinor, readMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { balanceQuery, notedQuery } from '#data/queries.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { partsCopy as copy } from './parts-copy.ts'

export const balanceDialog = lazyCode(() => import('./balance-dialog.tsx'), 'BalanceDialog')

type Props = { bookedMinor: MinorUnits; notedMinor: MinorUnits }

/**
 * The two parts of a balance on a plate, as long as they differ from it: the money in the bank, and the customer's own
 * notes. The line opens the explanation of the balance.
 */
export function BalanceParts({ bookedMinor, notedMinor }: Props) {
  const { open, dialog } = useLazyDialog(balanceDialog)
  if (notedMinor === 0) return null
  return (
    <>
      <button
        type="button"
        className="@container w-full py-1 text-left text-sm text-on-vault-muted hover:underline"
        onClick={() => open({})}
      >
        <MoneyText within={copy.inBank}>{displayedMinor(bookedMinor)}</MoneyText>
        {' · '}
        <MoneyText within={copy.noted}>{displayedMinor(0 - notedMinor)}</MoneyText>
      </button>
      {dialog}
    </>
  )
}

/** The parts of the customer's balance on a page that does not read the sums. */
export function OwnBalanceParts({ userId }: { userId: string }) {
  const { data: balance = null } = useQuery(balanceQuery(userId))
  const { data: noted = null } = useQuery(notedQuery(userId))
  if (balance === null || noted === null) return null
  const notedMinor = readMinor(noted)
  return (
    <BalanceParts bookedMinor={(readMinor(balance) - notedMinor) as MinorUnits} notedMinor={notedMinor} />
  )
}
