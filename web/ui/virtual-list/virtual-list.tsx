import { useCallback, useLayoutEffect, useRef, useState, type FocusEvent, type ReactNode } from 'react'
import { useListWindow, type ListSource } from './use-list-window.ts'

type Props = {
  source: ListSource
  /** Identity of the list. When it changes, the list shows its top. */
  listKey: unknown
  label: string
  renderItem: (index: number) => ReactNode
  className?: string
}

/**
 * A long list that renders only the visible rows and a few around them. The page scrolls, not the list. Visible rows
 * stay in place when rows appear or disappear elsewhere, and the focus stays in the list.
 */
export function VirtualList({ source, listKey, label, renderItem, className }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState<Focused | null>(null)
  const { offsets, range } = useListWindow({ list, source, listKey })
  const focusedIndex = focused === null ? -1 : source.indexOf(focused.key)
  useFocusKept({ list, source, focused, focusedIndex })

  const handleFocus = useCallback(
    (event: FocusEvent<HTMLElement>) => {
      const item = event.target.closest('li')
      if (item === null) return setFocused(null)
      setFocused({
        key: source.keyOf(Number(item.dataset['index'])),
        control: controlsOf(item).indexOf(event.target),
      })
    },
    [source],
  )
  const handleBlur = useCallback(() => setFocused(null), [])

  return (
    <ul
      ref={list}
      aria-label={label}
      className={`relative [overflow-anchor:none] ${className ?? ''}`}
      style={{ height: offsets.totalPx() }}
      onFocus={handleFocus}
      onBlur={handleBlur}
    >
      {drawnIndexes(range, focusedIndex).map((index) => (
        <li
          key={source.keyOf(index)}
          data-index={index}
          aria-posinset={index + 1}
          aria-setsize={source.count}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${offsets.offsetOf(index)}px)` }}
        >
          {renderItem(index)}
        </li>
      ))}
    </ul>
  )
}

/** Returns the indexes of the range and of the focused item, in ascending order. */
function drawnIndexes({ first, last }: { first: number; last: number }, focused: number): number[] {
  const indexes = Array.from({ length: last - first + 1 }, (_, step) => first + step)
  if (focused === -1 || indexes.includes(focused)) return indexes
  return focused < first ? [focused, ...indexes] : [...indexes, focused]
}

/** The focused item, and the index of its focused control. */
type Focused = { key: string; control: number }

type FocusKept = {
  list: { current: HTMLElement | null }
  source: ListSource
  focused: Focused | null
  focusedIndex: number
}

/** Moves the focus when the focused item disappears: to the same control of the item that takes its place. */
function useFocusKept({ list, source, focused, focusedIndex }: FocusKept): void {
  const last = useRef({ focused, index: focusedIndex })
  useLayoutEffect(() => {
    const { focused: before, index } = last.current
    last.current = { focused, index: focusedIndex }
    const key = before?.key ?? null
    const isGone = key !== null && source.indexOf(key) === -1
    if (!isGone || (document.activeElement !== document.body && document.activeElement !== null)) return
    const items = [...(list.current?.querySelectorAll<HTMLElement>('li:has(a, button)') ?? [])]
    const next = items.find((item) => Number(item.dataset['index']) >= index) ?? items.at(-1)
    if (next === undefined) return
    const controls = controlsOf(next)
    ;(controls[before?.control ?? 0] ?? controls[0])?.focus({ preventScroll: true })
  }, [list, source, focused, focusedIndex])
}

function controlsOf(item: Element): HTMLElement[] {
  return [...item.querySelectorAll<HTMLElement>('a, button')]
}
