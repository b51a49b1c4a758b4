import { memo, useCallback, useMemo, type CSSProperties } from 'react'
import { rowStaggerSeconds } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { VirtualList } from '#ui/virtual-list/virtual-list.tsx'
import { transactionsCopy } from '#features/transactions/copy.ts'
import { DayHeading } from './day-heading.tsx'
import type { HistoryIndex } from '#features/transactions/history/history-index.ts'
import type { ListItems } from './items.ts'
import { listSource } from './source.ts'
import { RemovableRow } from './removable-row.tsx'
import { useFirstMoments } from './use-first-moments.ts'

type Props = {
  index: HistoryIndex
  items: ListItems
  /** What the list was selected by: another selection is shown from its top. */
  selectionKey: unknown
  /** Whether the first rows enter one after the other. */
  isStaggered: boolean
  onRemove: (transaction: Transaction) => void
}

const staggeredItemsMax = 12

/** The rows in view, under their days in date order. */
export function TransactionList({ index, items, selectionKey, isStaggered, onRemove }: Props) {
  const isEntering = useFirstMoments() && isStaggered
  const source = useMemo(() => listSource(index, items), [index, items])
  const renderItem = useCallback(
    (position: number) => {
      // The frame stays when the entrance is over: another one would be a new row, without the focus.
      return (
        <div
          className={isEntering && position < staggeredItemsMax ? 'row-enter' : undefined}
          style={staggerOf(position)}
        >
          <ItemContent index={index} items={items} position={position} onRemove={onRemove} />
        </div>
      )
    },
    [index, items, isEntering, onRemove],
  )
  return (
    <VirtualList
      source={source}
      listKey={selectionKey}
      label={transactionsCopy.listLabel}
      renderItem={renderItem}
      className="overflow-clip rounded-b-lg border-t border-line"
    />
  )
}

// Scrolling draws the list anew at every step; rows that stay keep what they have drawn.
const Row = memo(RemovableRow)
const Heading = memo(DayHeading)

type ItemContentProps = Pick<Props, 'index' | 'items' | 'onRemove'> & { position: number }

function ItemContent({ index, items, position, onRemove }: ItemContentProps) {
  const code = items.codes[position] ?? 0
  if (code < 0) {
    const day = items.days[-1 - code]
    return day === undefined ? null : <Heading day={day.day} totalMinor={day.totalMinor} />
  }
  const transaction = index.columns.rows[code]
  return transaction === undefined ? null : <Row transaction={transaction} onRemove={onRemove} />
}

function staggerOf(position: number): CSSProperties {
  return { '--row': position, '--row-stagger': `${rowStaggerSeconds}s` } as CSSProperties
}
