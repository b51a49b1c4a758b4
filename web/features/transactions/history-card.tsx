import { useCallback, useMemo, type ComponentProps } from 'react'
import { Link } from '#ui/address/link.tsx'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { useRemoval } from '#features/transactions/list/use-removal.ts'
import { ListCard } from '#transactions/list/list-card.tsx'
import { buttonClass } from '#ui/button.tsx'
import { lazyCode } from '#lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { transactionsCopy } from './copy.ts'

const detailsDialog = lazyCode(() => import('#transactions/details/details-dialog.tsx'), 'DetailsDialog')

/** The customer's own history, whose rows can be opened and deleted. */
export function HistoryCard(list: Pick<ComponentProps<typeof ListCard>, 'rows' | 'onRetry' | 'search'>) {
  const remove = useRemoval()
  const { open, dialog } = useLazyDialog(detailsDialog)
  const openRow = useCallback(
    (transaction: Transaction) => open({ transaction, onRemove: remove }),
    [open, remove],
  )
  const keys = useMemo(
    () => ({
      Delete: remove,
      e: (transaction: Transaction) => open({ transaction, onRemove: remove, startsEditing: true }),
    }),
    [open, remove],
  )
  return (
    <>
      <ListCard {...list} onOpen={openRow} onRemove={remove} keys={keys} firstStep={firstStep} />
      {dialog}
    </>
  )
}

const firstStep = (
  <Link to="/dashboard" className={buttonClass()}>
    {transactionsCopy.firstExpense}
  </Link>
)
