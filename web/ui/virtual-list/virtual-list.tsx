import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type FocusEvent,
  type ReactNode,
} from 'react'
import { useListWindow, type ListSource } from './use-list-window.ts'

type Props = {
  source: ListSource
  /** When it changes the list is another one, and is shown from its top. */
  listKey: unknown
  label: string
  renderItem: (index: number) => ReactNode
  className?: string
}

/**
 * A long list of which only the rows in view and a few around them are drawn; the page scrolls, not the
 * list. What is in view stays in place when rows come and go elsewhere, and the focus stays in the list.
 */
export function VirtualList({ source, listKey, label, renderItem, className }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [focusedKey, setFocusedKey] = useState<string | null>(null)
  const { offsets, range, stickyIndex } = useListWindow({ list, source, listKey })
  const focusedIndex = focusedKey === null ? -1 : source.indexOf(focusedKey)
  useFocusKept({ list, source, focusedKey, focusedIndex })

  const handleFocus = useCallback(
    (event: FocusEvent<HTMLElement>) => {
      const item = event.target.closest('li')
      setFocusedKey(item === null ? null : source.keyOf(Number(item.dataset['index'])))
    },
    [source],
  )
  const handleBlur = useCallback(() => setFocusedKey(null), [])

  const positionOf = (index: number): CSSProperties =>
    index === stickyIndex
      ? { position: 'sticky', top: 'var(--header-height)', zIndex: 1 }
      : { position: 'absolute', top: 0, transform: `translateY(${offsets.offsetOf(index)}px)` }

  return (
    <ul
      ref={list}
      aria-label={label}
      className={`relative scroll-mt-(--header-height) [overflow-anchor:none] ${className ?? ''}`}
      style={{ height: offsets.totalPx() }}
      onFocus={handleFocus}
      onBlur={handleBlur}
    >
      {drawnIndexes(range, [stickyIndex, focusedIndex]).map((index) => (
        <li
          key={source.keyOf(index)}
          data-index={index}
          aria-posinset={index + 1}
          aria-setsize={source.count}
          className="inset-x-0 w-full"
          style={positionOf(index)}
        >
          {renderItem(index)}
        </li>
      ))}
    </ul>
  )
}

/** The range, and further items that must be drawn, ascending. */
function drawnIndexes(
  { first, last }: { first: number; last: number },
  further: readonly number[],
): number[] {
  const indexes = Array.from({ length: last - first + 1 }, (_, step) => first + step)
  for (const index of further) if (index !== -1 && !indexes.includes(index)) indexes.push(index)
  return indexes.sort((one, other) => one - other)
}

type FocusKept = {
  list: { current: HTMLElement | null }
  source: ListSource
  focusedKey: string | null
  focusedIndex: number
}

/** When the item that has the focus goes away, the focus goes to the control of the one that takes its place. */
function useFocusKept({ list, source, focusedKey, focusedIndex }: FocusKept): void {
  const last = useRef({ key: focusedKey, index: focusedIndex })
  useLayoutEffect(() => {
    const { key, index } = last.current
    last.current = { key: focusedKey, index: focusedIndex }
    const isGone = key !== null && source.indexOf(key) === -1
    if (!isGone || (document.activeElement !== document.body && document.activeElement !== null)) return
    const controls = [...(list.current?.querySelectorAll<HTMLElement>('li :is(a, button)') ?? [])]
    const indexOf = (control: HTMLElement) => Number(control.closest('li')?.dataset['index'])
    const next = controls.find((control) => indexOf(control) >= index) ?? controls.at(-1)
    next?.focus({ preventScroll: true })
  }, [list, source, focusedKey, focusedIndex])
}
