import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isBand } from './bands.ts'
import { createOffsets, type Offsets } from './offsets.ts'

/** The items of a virtual list. When the items or their order change, a new object must be passed. */
export type ListSource = {
  count: number
  /** Returns an identifier that an item keeps when it moves. */
  keyOf: (index: number) => string
  /** Returns the current index of the item, or -1 if it is not in the list. */
  indexOf: (key: string) => number
  /**
   * Returns the item's kind, which is an index into `kindHeightsRem`. Items of the same kind have about the same
   * height.
   */
  kindOf: (index: number) => number
  kindHeightsRem: readonly number[]
  /** Indexes of the bands above groups of rows, in ascending order. */
  bands: readonly number[]
}

type Options = { list: { current: HTMLElement | null }; source: ListSource; listKey: unknown }

/** Indexes of the first and last item. */
type View = { first: number; last: number }

const itemsAround = 3
const firstItems = 20

/** Follows the scroll position of the page, and returns which list items to render and at which positions. */
export function useListWindow({ list, source, listKey }: Options) {
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(new Map())
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [view, setView] = useState<View>({ first: 0, last: firstItems - 1 })
  const anchor = useRef<Anchor>([])
  const shownKey = useRef(listKey)

  const offsets = useMemo(() => {
    const remPx = Number.parseFloat(window.getComputedStyle(document.documentElement).fontSize) || 16
    const kinds = source.kindHeightsRem.map((rem, kind) => heights.get(kind) ?? rem * remPx)
    return createOffsets(source.count, (index) => kinds[source.kindOf(index)] ?? 0)
  }, [source, heights])

  const follow = useCallback(() => {
    if (list.current === null) return
    const top = distanceAbove(list.current)
    const next = viewAt({ offsets, top, heightPx: window.innerHeight })
    anchor.current = top <= 0 ? [] : anchorAt({ source, offsets, top })
    setView((drawn) => (covers(drawn, next, source.count) ? drawn : withMargin(next, source.count)))
  }, [list, source, offsets])

  useLayoutEffect(() => {
    if (list.current === null) return
    const { learnt, hasChanged } = measure({ list: list.current, source, offsets, heights })
    if (learnt !== heights) setHeights(learnt)
    else if (hasChanged) redraw()
    if (shownKey.current !== listKey) {
      shownKey.current = listKey
      anchor.current = []
      if (distanceAbove(list.current) > 0) list.current.scrollIntoView()
    }
    list.current.style.height = `${offsets.totalPx()}px`
    const moved = displacement(anchor.current, source, offsets)
    if (Math.abs(moved) >= 1) window.scrollBy(0, moved)
    follow()
  }, [list, source, offsets, heights, listKey, view, follow])

  useEffect(() => {
    const handleScroll = () => flushSync(follow)
    const handleResize = () => {
      setHeights(new Map())
      redraw()
    }
    window.addEventListener('scroll', handleScroll, { passive: true })
    window.addEventListener('resize', handleResize)
    return () => {
      window.removeEventListener('scroll', handleScroll)
      window.removeEventListener('resize', handleResize)
    }
  }, [follow])

  const last = Math.min(view.last, source.count - 1)
  return {
    offsets,
    range: { first: Math.min(view.first, Math.max(0, last)), last },
    firstInView: () =>
      firstRowAt({ source, offsets, top: list.current === null ? 0 : distanceAbove(list.current) }),
  }
}

type ScrollState = { source: ListSource; offsets: Offsets; top: number }

/** Returns the index of the first row that is completely visible below the sticky bar and the band. */
function firstRowAt({ source, offsets, top }: ScrollState): number {
  const above = Math.max(0, top)
  const bandPx = offsets.heightOf(source.bands[0] ?? -1)
  let index = Math.max(0, offsets.indexAt(above))
  while (
    index < source.count - 1 &&
    (isBand(source.bands, index) || offsets.offsetOf(index) < above + bandPx)
  )
    index += 1
  return index
}

function viewAt({ offsets, top, heightPx }: Omit<ScrollState, 'source'> & { heightPx: number }): View {
  const first = Math.max(0, offsets.indexAt(Math.max(0, top)))
  const last = Math.max(first, offsets.indexAt(top + heightPx))
  return { first, last }
}

/** Returns whether the rendered items still extend beyond the visible items at both ends, but not too far. */
function covers(drawn: View, { first, last }: View, count: number): boolean {
  const spare = itemsAround / 3
  return (
    (drawn.first === 0 || drawn.first <= first - spare) &&
    (drawn.last >= count - 1 || drawn.last >= last + spare) &&
    // The range is limited to the end of the list, because the list may have become shorter.
    Math.min(drawn.last, count - 1) - drawn.first <= last - first + 4 * itemsAround
  )
}

function withMargin({ first, last }: View, count: number): View {
  return {
    first: Math.max(0, first - itemsAround),
    last: Math.min(count - 1, last + itemsAround),
  }
}

/**
 * The first visible items and their positions. Several items are stored, because some of them may disappear when the
 * list changes.
 */
type Anchor = readonly { key: string; offset: number }[]

const anchorItems = 8

function anchorAt({ source, offsets, top }: ScrollState): Anchor {
  const first = Math.max(0, offsets.indexAt(top))
  const count = Math.min(anchorItems, source.count - first)
  return Array.from({ length: count }, (_, step) => ({
    key: source.keyOf(first + step),
    offset: offsets.offsetOf(first + step),
  }))
}

/** Returns how far to scroll so that the visible rows keep their place on screen. */
function displacement(anchor: Anchor, source: ListSource, offsets: Offsets): number {
  for (const { key, offset } of anchor) {
    const index = source.indexOf(key)
    if (index !== -1) return offsets.offsetOf(index) - offset
  }
  return 0
}

/**
 * Records the real heights of the rendered items. The first item whose height differs from the estimate also sets the
 * estimate for its kind.
 */
function measure({
  list,
  source,
  offsets,
  heights,
}: {
  list: HTMLElement
  source: ListSource
  offsets: Offsets
  heights: ReadonlyMap<number, number>
}): { learnt: ReadonlyMap<number, number>; hasChanged: boolean } {
  let learnt = heights
  let hasChanged = false
  for (const item of list.querySelectorAll<HTMLElement>(':scope > [data-index]')) {
    const index = Number(item.dataset['index'])
    // Measures the item's content, because the element of a band is as tall as the group of rows below it.
    const heightPx = item.firstElementChild?.getBoundingClientRect().height ?? 0
    if (heightPx === 0 || Math.abs(heightPx - offsets.heightOf(index)) < 0.5) continue
    offsets.setHeight(index, heightPx)
    hasChanged = true
    const kind = source.kindOf(index)
    if (!learnt.has(kind)) learnt = new Map(learnt).set(kind, heightPx)
  }
  return { learnt, hasChanged }
}

/**
 * Returns the distance by which the list extends above the line that its `scroll-margin-top` defines. The result is
 * negative if the list begins below this line.
 */
function distanceAbove(list: HTMLElement): number {
  const marginPx = Number.parseFloat(window.getComputedStyle(list).scrollMarginTop) || 0
  return marginPx - list.getBoundingClientRect().top
}
