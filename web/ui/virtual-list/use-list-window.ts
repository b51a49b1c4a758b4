import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createOffsets, type Offsets } from './offsets.ts'

/** The visible part of a virtual list. Another object means other items, or the same ones in other places. */
export type ListSource = {
  count: number
  /** A name that the item keeps wherever it stands. */
  keyOf: (index: number) => string
  /** Where the item of that name stands now, or -1. */
  indexOf: (key: string) => number
  /** Items of one kind have about the same height: an index into `kindHeightsRem`. */
  kindOf: (index: number) => number
  kindHeightsRem: readonly number[]
}

type Options = { list: { current: HTMLElement | null }; source: ListSource; listKey: unknown }

/** The drawn rows, and the position of the view in them. */
type View = { first: number; last: number }

const itemsAround = 3
const firstItems = 20

/** Follows the scrolling of the page and says which items of the list to draw, and where. */
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
  }
}

type ScrollState = { source: ListSource; offsets: Offsets; top: number }

function viewAt({ offsets, top, heightPx }: Omit<ScrollState, 'source'> & { heightPx: number }): View {
  const first = Math.max(0, offsets.indexAt(Math.max(0, top)))
  const last = Math.max(first, offsets.indexAt(top + heightPx))
  return { first, last }
}

/** Whether what is drawn still has some items to spare on both sides of what is in view. */
function covers(drawn: View, { first, last }: View, count: number): boolean {
  const spare = itemsAround / 3
  return (
    (drawn.first === 0 || drawn.first <= first - spare) &&
    (drawn.last >= count - 1 || drawn.last >= last + spare) &&
    // Items past the end are not drawn, and are there again when a longer list comes back.
    Math.min(drawn.last, count - 1) - drawn.first <= last - first + 4 * itemsAround
  )
}

function withMargin({ first, last }: View, count: number): View {
  return {
    first: Math.max(0, first - itemsAround),
    last: Math.min(count - 1, last + itemsAround),
  }
}

/** The first items in view and where they stood: one of them will still be there. */
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

/** Distance to scroll that puts the visible rows back in place. */
function displacement(anchor: Anchor, source: ListSource, offsets: Offsets): number {
  for (const { key, offset } of anchor) {
    const index = source.indexOf(key)
    if (index !== -1) return offsets.offsetOf(index) - offset
  }
  return 0
}

/** Puts the true heights of the drawn items in; the first of a kind that differs teaches for the others. */
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
  for (const item of list.querySelectorAll<HTMLElement>(':scope > li')) {
    const index = Number(item.dataset['index'])
    const heightPx = item.getBoundingClientRect().height
    if (heightPx === 0 || Math.abs(heightPx - offsets.heightOf(index)) < 0.5) continue
    offsets.setHeight(index, heightPx)
    hasChanged = true
    const kind = source.kindOf(index)
    if (!learnt.has(kind)) learnt = new Map(learnt).set(kind, heightPx)
  }
  return { learnt, hasChanged }
}

/** How much of the list lies above the place in the view that its `scroll-margin-top` names; negative when none does. */
function distanceAbove(list: HTMLElement): number {
  const marginPx = Number.parseFloat(window.getComputedStyle(list).scrollMarginTop) || 0
  return marginPx - list.getBoundingClientRect().top
}
