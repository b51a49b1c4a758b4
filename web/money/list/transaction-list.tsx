import { memo, useCallback, useEffect, useMemo, useState } from 'react'
import { rowStaggerSeconds } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { formatMonth } from '#ui/format/months.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { VirtualList } from '#ui/virtual-list/virtual-list.tsx'
import { listCopy } from './copy.ts'
import { listSource, sameDay, type ListItems } from './grouped-rows.ts'
import type { HistoryIndex } from './history-index.ts'
import { HistoryRow } from './history-row.tsx'

type Props = {
  index: HistoryIndex
  items: ListItems
  /** Identifies the selection. When the selection changes, the list scrolls to its top. */
  selectionKey: unknown
  onOpen: (transaction: Transaction) => void
  /** Opens the dialog for choosing a category. The function is missing if rows cannot be categorized. */
  onCategorize?: ((transaction: Transaction) => void) | undefined
  /** Deletes a transaction. The function is missing if rows cannot be deleted. */
  onRemove?: ((transaction: Transaction) => void) | undefined
  /** Keyboard actions for the focused row, by key name. */
  keys?: RowKeys | undefined
}

export type RowKeys = Readonly<Record<string, (transaction: Transaction) => void>>

/**
 * Number of rows that appear one after another. All further rows appear together with the last of these rows. A list
 * that is restored at a lower scroll position appears without an animation.
 */
const staggeredRowsMax = 12
const enteringItemsMax = 48

// Scrolling renders the list again. With `memo`, rows that stay in view are not rendered again.
const Row = memo(HistoryRow)
const Band = memo(MonthBand)

export function TransactionList({ index, items, selectionKey, onOpen, onCategorize, onRemove, keys }: Props) {
  const isEntering = useFirstMoments()
  const source = useMemo(() => listSource(index, items), [index, items])
  const { rows } = index.columns
  const renderItem = useCallback(
    (position: number) => {
      const code = items.codes[position] ?? 0
      const month = items.months[-1 - code]
      if (month !== undefined) return <Band {...month} />
      const transaction = rows[code]
      const days = items.sameDays[position] ?? 0
      const isRising = isEntering && position < enteringItemsMax
      // The element must stay the same after the animation, because a replacement would lose the focus.
      return (
        <div
          className={`history-item ${(days & sameDay.below) === 0 ? '' : 'history-day-goes-on'} ${isRising ? 'row-enter' : ''}`}
          style={isRising ? delayOf(position, items) : undefined}
        >
          {transaction !== undefined && (
            <Row
              transaction={transaction}
              isDayRepeated={(days & sameDay.above) !== 0}
              onOpen={onOpen}
              onCategorize={onCategorize}
              onRemove={onRemove}
            />
          )}
        </div>
      )
    },
    [rows, items, isEntering, onOpen, onCategorize, onRemove],
  )
  const handleKey = useCallback(
    (key: string, position: number) => {
      const transaction = rows[items.codes[position] ?? -1]
      const act = keys?.[key]
      if (act === undefined || transaction === undefined) return false
      act(transaction)
      return true
    },
    [rows, items, keys],
  )
  return (
    <VirtualList
      source={source}
      listKey={selectionKey}
      label={listCopy.listLabel}
      renderItem={renderItem}
      onKey={handleKey}
      className="rows scroll-mt-(--list-top) overflow-clip rounded-b-lg border-t border-line"
    />
  )
}

// The delay is not a custom property, because each row's content would inherit the property, and the browser would have
// to style the content of each row separately.
function delayOf(position: number, { bands }: ListItems) {
  const row = position - bands.filter((band) => band < position).length
  return { animationDelay: `${Math.min(row, staggeredRowsMax - 1) * rowStaggerSeconds}s` }
}

type BandProps = { month: string; inMinor: number; outMinor: number }

/**
 * The heading above a month's rows, with the month's income and spending. The heading stays in view while the month's
 * rows scroll.
 */
function MonthBand({ month, inMinor, outMinor }: BandProps) {
  return (
    <div className="history-band">
      <span className="font-semibold text-ink first-letter:uppercase">
        {month !== '' && `${formatMonth(month)} ${month.slice(0, 4)}`}
      </span>
      {inMinor > 0 && <MoneyText>{`+${displayedMinor(inMinor)}`}</MoneyText>}
      {outMinor > 0 && <MoneyText>{`-${displayedMinor(outMinor)}`}</MoneyText>}
    </div>
  )
}

const entranceMs = 1200

/**
 * Returns whether the first rows are still being animated. Rows that are scrolled into view later appear without an
 * animation.
 */
function useFirstMoments(): boolean {
  const [isFirst, setIsFirst] = useState(true)
  useEffect(() => {
    const timer = window.setTimeout(() => setIsFirst(false), entranceMs)
    return () => window.clearTimeout(timer)
  }, [])
  return isFirst
}
