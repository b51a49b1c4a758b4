import { useCallback, useMemo, type ComponentProps } from 'react'
import { Link } from '#ui/address/link.tsx'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { useRemoval } from './use-removal.ts'
import { ListCard } from '#money/list/list-card.tsx'
import { buttonClass } from '#ui/button.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { transactionsCopy } from './copy.ts'

const detailsDialog = lazyCode(() => import('#money/details/details-dialog.tsx'), 'DetailsDialog')

const categoryDialog = lazyCode(() => import('#money/details/category-dialog.tsx'), 'CategoryDialog')

/** The customer's own history. The customer can open, categorize and delete its rows. */
export function HistoryCard(
  list: Pick<ComponentProps<typeof ListCard>, 'rows' | 'unread' | 'onRetry' | 'search'>,
) {
  const remove = useRemoval()
  const { open, dialog } = useLazyDialog(detailsDialog)
  const { open: openCategories, dialog: categories } = useLazyDialog(categoryDialog)
  const openRow = useCallback(
    (transaction: Transaction) => open({ transaction, onRemove: remove }),
    [open, remove],
  )
  const categorize = useCallback(
    (transaction: Transaction) => openCategories({ transaction }),
    [openCategories],
  )
  const keys = useMemo(
    () => ({
      Delete: remove,
      c: categorize,
      e: (transaction: Transaction) => open({ transaction, onRemove: remove, startsEditing: true }),
    }),
    [open, remove, categorize],
  )
  return (
    <>
      <ListCard
        {...list}
        onOpen={openRow}
        onCategorize={categorize}
        onRemove={remove}
        keys={keys}
        firstStep={firstStep}
      />
      {dialog}
      {categories}
    </>
  )
}

const firstStep = (
  <Link to="/dashboard" className={buttonClass()}>
    {transactionsCopy.firstExpense}
  </Link>
)
