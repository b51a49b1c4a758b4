import { Trash2 } from 'lucide-react'
import { memo, useCallback, useEffect, useMemo, useState } from 'react'
import { rowStaggerSeconds } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { listCopy } from './copy.ts'
import type { HistoryIndex } from './history-index.ts'
import { bogotaDay, formatDay, isoDay } from '#format/dates.ts'
import { signedMinor } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { TransactionRow } from '#transactions/transaction-row.tsx'
import { Button } from '#ui/button.tsx'
import { VirtualList } from '#ui/virtual-list/virtual-list.tsx'
import { listSource, places, type ListItems } from './grouped-rows.ts'

type Props = {
  index: HistoryIndex
  items: ListItems
  /** Key of the selection. Another selection starts at its top. */
  selectionKey: unknown
  isStaggered: boolean
  onOpen: (transaction: Transaction) => void
  /** Where rows can be removed. */
  onRemove?: ((transaction: Transaction) => void) | undefined
}

/** Rows further down come in together with the last of these; a place that is restored far down comes at once. */
const staggeredItemsMax = 12
const enteringItemsMax = 48

export function TransactionList({ index, items, selectionKey, isStaggered, onOpen, onRemove }: Props) {
  const isEntering = useFirstMoments() && isStaggered
  const source = useMemo(() => listSource(index, items), [index, items])
  const renderItem = useCallback(
    (position: number) => {
      // The frame stays when the entrance is over: another one would be a new row, without the focus.
      return (
        <div {...(isEntering && position < enteringItemsMax && entranceOf(position))}>
          <ItemContent {...{ index, items, position, onOpen, onRemove }} />
        </div>
      )
    },
    [index, items, isEntering, onOpen, onRemove],
  )
  return (
    <VirtualList
      source={source}
      listKey={selectionKey}
      label={listCopy.listLabel}
      renderItem={renderItem}
      className="rows scroll-mt-(--list-top) overflow-clip rounded-b-lg border-t border-line"
    />
  )
}

// Scrolling draws the list anew at every step; rows that stay keep what they have drawn.
const Row = memo(RemovableRow)
const Heading = memo(DayHeading)

type ItemContentProps = Pick<Props, 'index' | 'items' | 'onOpen' | 'onRemove'> & { position: number }

function ItemContent({ index, items, position, ...actions }: ItemContentProps) {
  const code = items.codes[position] ?? 0
  if (code < 0) {
    const day = items.days[-1 - code]
    return day === undefined ? null : <Heading day={day.day} totalMinor={day.totalMinor} />
  }
  const transaction = index.columns.rows[code]
  return transaction === undefined ? null : (
    <Row transaction={transaction} place={items.places[position] ?? places.alone} {...actions} />
  )
}

// A custom property in its place would be inherited: all within each row would be styled by itself.
function entranceOf(position: number) {
  const delaySeconds = Math.min(position, staggeredItemsMax) * rowStaggerSeconds
  return { className: 'row-enter', style: { animationDelay: `${delaySeconds}s` } }
}

function DayHeading({ day, totalMinor }: { day: number; totalMinor: number }) {
  return (
    <div className="history-item bg-sunken text-xs text-muted">
      <div className="flex min-h-6 flex-wrap items-center gap-x-4">
        <h3 className="font-semibold first-letter:uppercase">{nameOf(day)}</h3>
        <MoneyText className="ml-auto">{signedMinor(totalMinor)}</MoneyText>
      </div>
    </div>
  )
}

function nameOf(day: number): string {
  const today = bogotaDay(new Date())
  if (day === today) return listCopy.today
  if (day === today - 1) return listCopy.yesterday
  return formatDay(day, Number(isoDay(today).slice(0, 4)))
}

const placeClasses: Readonly<Record<number, string>> = {
  [places.within]: 'history-grouped',
  [places.last]: 'history-grouped history-group-end',
}

type RowProps = { transaction: Transaction; place: number } & Pick<Props, 'onOpen' | 'onRemove'>

/**
 * With a pointer that can hover, the row shows its button. On other devices the row opens a dialog with the button. The
 * button is made when the pointer or the focus comes to the row: in each row it would be a sixth of what a letter in
 * the search costs.
 */
function RemovableRow({ transaction, place, onOpen, onRemove }: RowProps) {
  const [isVisited, setIsVisited] = useState(false)
  const visit = () => setIsVisited(true)
  return (
    <div
      className={`history-item hover:bg-sunken/60 ${placeClasses[place] ?? ''}`}
      onPointerEnter={visit}
      onFocus={visit}
    >
      <TransactionRow
        transaction={transaction}
        iconBy="category"
        onOpen={() => onOpen(transaction)}
        action={
          isVisited &&
          onRemove !== undefined && (
            <span className="history-action">
              <Button
                variant="muted-danger"
                size="icon"
                aria-label={listCopy.remove(transaction.description)}
                onClick={() => onRemove(transaction)}
              >
                <Trash2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
              </Button>
            </span>
          )
        }
      />
    </div>
  )
}

const entranceMs = 1200

/** True while the rows make their entrance; rows that are scrolled into view later come without one. */
function useFirstMoments(): boolean {
  const [isFirst, setIsFirst] = useState(true)
  useEffect(() => {
    const timer = window.setTimeout(() => setIsFirst(false), entranceMs)
    return () => window.clearTimeout(timer)
  }, [])
  return isFirst
}
