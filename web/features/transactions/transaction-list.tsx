import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useRef, type CSSProperties } from 'react'
import { rowStaggerSeconds } from '@finanzas/contract/limits.ts'
import { DayHeading } from './day-heading.tsx'
import type { HistoryIndex } from './history-index.ts'
import type { ListItem } from './list-items.ts'
import { RemovableRow } from './removable-row.tsx'
import { useFirstMoments } from './use-first-moments.ts'
import { useScrollDistance } from './use-scroll-distance.ts'
import { useStickyHeading } from './use-sticky-heading.ts'

type Props = {
  index: HistoryIndex
  items: readonly ListItem[]
  /** Whether the first rows enter one after the other. */
  isStaggered: boolean
}

const rowHeightRem = 4.5
const headingHeightRem = 2.5
const staggeredItemsMax = 12

/** The rows in view and a few around them; the page scrolls, not the list. */
export function TransactionList({ index, items, isStaggered }: Props) {
  const list = useRef<HTMLUListElement>(null)
  // The view begins below the header, where the heading of the day sticks.
  const scrollMargin = useScrollDistance(list)
  const isEntering = useFirstMoments() && isStaggered
  const { stickyIndex, rangeExtractor } = useStickyHeading(items)
  const focusAfterRemoval = useFocusAfterRemoval(list, items)
  const remPx = rootFontSizePx()

  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: (position) => (isDay(items, position) ? headingHeightRem : rowHeightRem) * remPx + 1,
    getItemKey: (position) => keyOf(index, items[position]) ?? position,
    overscan: 6,
    scrollMargin,
    rangeExtractor,
  })

  const place = ({ index: position, start }: VirtualItem): CSSProperties =>
    position === stickyIndex.current
      ? { position: 'sticky', top: 'var(--header-height)', zIndex: 1 }
      : { position: 'absolute', top: 0, transform: `translateY(${start - scrollMargin}px)` }

  return (
    <ul
      ref={list}
      className="relative scroll-mt-(--header-height) border-t border-line"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map((virtual) => (
        <li
          key={virtual.key}
          ref={virtualizer.measureElement}
          data-index={virtual.index}
          aria-posinset={virtual.index + 1}
          aria-setsize={items.length}
          className="inset-x-0 w-full"
          style={place(virtual)}
        >
          <div
            className={isEntering && virtual.index < staggeredItemsMax ? 'row-enter' : undefined}
            style={staggerOf(virtual.index)}
          >
            <ItemContent
              index={index}
              item={items[virtual.index]}
              position={virtual.index}
              onRemove={focusAfterRemoval}
            />
          </div>
        </li>
      ))}
    </ul>
  )
}

type ItemContentProps = {
  index: HistoryIndex
  item: ListItem | undefined
  position: number
  onRemove: (position: number) => void
}

// Scrolling draws the list anew at every step; rows that stay keep what they have drawn.
const ItemContent = memo(function ItemContent({ index, item, position, onRemove }: ItemContentProps) {
  if (item === undefined) return null
  if (item.kind === 'day') return <DayHeading day={item.day} totalMinor={item.totalMinor} />
  const transaction = index.rows[item.position]
  if (transaction === undefined) return null
  return <RemovableRow transaction={transaction} onRemove={() => onRemove(position)} />
})

/** After a row is deleted the focus goes to the button of the row that took its place. */
function useFocusAfterRemoval(list: { current: HTMLElement | null }, items: readonly ListItem[]) {
  const removedIndex = useRef<number | null>(null)
  useEffect(() => {
    const removed = removedIndex.current
    if (removed === null) return
    removedIndex.current = null
    const next = items.findIndex((item, position) => position >= removed && item.kind === 'row')
    const target = next === -1 ? items.findLastIndex((item) => item.kind === 'row') : next
    list.current?.querySelector<HTMLElement>(`[data-index="${target}"] button`)?.focus()
  }, [items, list])
  return useCallback((position: number) => {
    removedIndex.current = position
  }, [])
}

function isDay(items: readonly ListItem[], position: number): boolean {
  return items[position]?.kind === 'day'
}

function keyOf(index: HistoryIndex, item: ListItem | undefined): string | undefined {
  return item?.kind === 'row' ? index.rows[item.position]?.id : `day ${item?.day}`
}

function staggerOf(position: number): CSSProperties {
  return { '--row': position, '--row-stagger': `${rowStaggerSeconds}s` } as CSSProperties
}

function rootFontSizePx(): number {
  return Number.parseFloat(window.getComputedStyle(document.documentElement).fontSize) || 16
}
