import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'
import { bandsBefore, isBand, rowAfter, rowBefore } from './bands.ts'
import { useListWindow, type ListSource } from './use-list-window.ts'

type Props = {
  source: ListSource
  /** Identity of the list. When `listKey` changes, the list scrolls to its top. */
  listKey: unknown
  label: string
  renderItem: (index: number) => ReactNode
  /** Handles a key that is pressed in an item. Returns whether the key had an effect. */
  onKey?: (key: string, index: number) => boolean
  className?: string
}

/**
 * A long list that renders only the visible items and a few items around them. The list scrolls together with the page.
 * When rows appear or disappear elsewhere, the visible rows stay in place and the focus stays in the list. The list is
 * a single tab stop: the arrow keys, Home and End move the focus within it. The element of a band is as tall as the
 * rows below it, so that the band's content can be sticky.
 */
export function VirtualList({ source, listKey, label, renderItem, onKey, className }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<Focused | null>(null)
  const lastFocused = useRef<string | null>(null)
  const { offsets, range, firstInView } = useListWindow({ list, source, listKey })
  const focusedIndex = focused === null ? -1 : source.indexOf(focused.key)
  useFocusKept({ list, source, focused, focusedIndex })

  const moveTo = (index: number) => {
    // The item must be in the document before it can receive the focus.
    flushSync(() => setFocused({ key: source.keyOf(index), control: 0 }))
    const item = list.current?.querySelector(`[data-index="${index}"]`)
    if (item === null || item === undefined) return
    controlsOf(item)[0]?.focus({ preventScroll: true })
    item.scrollIntoView({ block: 'nearest' })
  }
  const handleFocus = (event: FocusEvent<HTMLElement>) => {
    if (event.target === list.current) {
      // A click between two rows also focuses the list, but must not move the focus to a row.
      if (!event.target.matches(':focus-visible')) return
      const last = source.indexOf(lastFocused.current ?? '')
      return moveTo(last >= range.first && last <= range.last ? last : firstInView())
    }
    const item = itemAround(event.target)
    if (item === null) return setFocused(null)
    const key = source.keyOf(Number(item.dataset['index']))
    lastFocused.current = key
    setFocused({ key, control: controlsOf(item).indexOf(event.target) })
  }
  const handleBlur = useCallback(() => setFocused(null), [])
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    const item = itemAround(event.target as Element)
    if (item === null || altKey || ctrlKey || metaKey || shiftKey) return
    const index = Number(item.dataset['index'])
    const next = placeOf(key, index, source)
    if (next !== null) moveTo(next)
    else if (onKey?.(key, index) !== true) return
    event.preventDefault()
  }

  return (
    <div
      ref={list}
      role="list"
      aria-label={label}
      tabIndex={focused === null ? 0 : -1}
      className={`relative [overflow-anchor:none] ${className ?? ''}`}
      style={{ height: offsets.totalPx() }}
      onFocus={handleFocus}
      onBlur={handleBlur}
      onKeyDown={handleKeyDown}
    >
      {drawnIndexes(range, focusedIndex, source.bands).map((index) => {
        const element = isBand(source.bands, index) ? bandElement : itemElement
        return element(index, { source, offsets, renderItem })
      })}
    </div>
  )
}

type Drawn = Pick<Props, 'source' | 'renderItem'> & { offsets: ReturnType<typeof useListWindow>['offsets'] }

// These are functions and not components, because the list draws them again after each typed letter.
function bandElement(index: number, { source, offsets, renderItem }: Drawn) {
  const topPx = offsets.offsetOf(index)
  const next = source.bands[bandsBefore(source.bands, index) + 1]
  const endPx = next === undefined ? offsets.totalPx() : offsets.offsetOf(next)
  return (
    <div
      key={source.keyOf(index)}
      role="presentation"
      data-index={index}
      className="pointer-events-none absolute inset-x-0 z-1"
      // A transform would not work here, because browsers ignore it when they position sticky content.
      style={{ top: topPx, height: endPx - topPx }}
    >
      {renderItem(index)}
    </div>
  )
}

function itemElement(index: number, { source, offsets, renderItem }: Drawn) {
  return (
    <div
      key={source.keyOf(index)}
      role="listitem"
      data-index={index}
      aria-posinset={index - bandsBefore(source.bands, index) + 1}
      aria-setsize={source.count - source.bands.length}
      className="absolute inset-x-0 top-0"
      style={{ transform: `translateY(${offsets.offsetOf(index)}px)` }}
    >
      {renderItem(index)}
    </div>
  )
}

type Range = { first: number; last: number }

/** Returns the indexes to render in ascending order: the range, the band above it, and the focused item. */
function drawnIndexes({ first, last }: Range, focused: number, bands: readonly number[]): number[] {
  const indexes = Array.from({ length: last - first + 1 }, (_, step) => first + step)
  const beside = [focused, bands[bandsBefore(bands, first) - 1] ?? -1].filter(
    (index) => index !== -1 && (index < first || index > last),
  )
  return [...new Set([...beside, ...indexes])].toSorted((one, other) => one - other)
}

/** Returns the index of the row to which a key moves the focus, or `null` if the key does not move the focus. */
function placeOf(key: string, index: number, { bands, count }: ListSource): number | null {
  if (key === 'ArrowDown') return rowAfter(bands, index, count) ?? index
  if (key === 'ArrowUp') return rowBefore(bands, index) ?? index
  if (key === 'Home') return rowAfter(bands, -1, count) ?? index
  if (key === 'End') return rowBefore(bands, count) ?? index
  return null
}

/** The focused item, and the index of its focused control. */
type Focused = { key: string; control: number }

type FocusKept = {
  list: { current: HTMLElement | null }
  source: ListSource
  focused: Focused | null
  focusedIndex: number
}

/** When the focused item disappears, moves the focus to the same control of the item that takes its place. */
function useFocusKept({ list, source, focused, focusedIndex }: FocusKept): void {
  const last = useRef({ focused, index: focusedIndex })
  useLayoutEffect(() => {
    const { focused: before, index } = last.current
    last.current = { focused, index: focusedIndex }
    const key = before?.key ?? null
    const isGone = key !== null && source.indexOf(key) === -1
    if (!isGone || (document.activeElement !== document.body && document.activeElement !== null)) return
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[role=listitem]') ?? [])]
    const next = items.find((item) => Number(item.dataset['index']) >= index) ?? items.at(-1)
    if (next === undefined) return
    const controls = controlsOf(next)
    ;(controls[before?.control ?? 0] ?? controls[0])?.focus({ preventScroll: true })
  }, [list, source, focused, focusedIndex])
}

function itemAround(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>('[role=listitem]')
}

function controlsOf(item: Element): HTMLElement[] {
  return [...item.querySelectorAll<HTMLElement>('a, button')]
}
