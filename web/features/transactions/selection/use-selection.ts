import { useCallback, useEffect, useState } from 'react'
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router'
import { readSelection, writeSelection } from './address.ts'
import type { Selection } from './selection.ts'

/** The address follows the typing after a pause: browsers refuse to write it at every key. */
const addressDelayMs = 300
/** What the router calls the visit that a page was opened with. */
const firstVisit = 'default'

/**
 * What is selected, kept in the address: a reload and a link show the same, going back shows what was
 * before. Each choice is a step of its own, typing is none.
 */
export function useSelection(): [Selection, (selection: Selection) => void] {
  const [parameters, setParameters] = useSearchParams()
  const { key: visit } = useLocation()
  const hasGoneBack = useNavigationType() === NavigationType.Pop
  const [selection, setSelection] = useState(() => readSelection(parameters))
  const [adoptedVisit, setAdoptedVisit] = useState(visit)

  if (adoptedVisit !== visit) {
    setAdoptedVisit(visit)
    if (hasGoneBack) setSelection(readSelection(parameters))
  }

  const { search } = selection
  const isWritten = readSelection(parameters).search === search.trim()
  useEffect(() => {
    if (isWritten) return undefined
    const timer = window.setTimeout(() => {
      // The browser is at another address, and React has not drawn it yet: writing now would go back.
      if (visitOfBrowser() !== visit) return
      setParameters((current) => writeSelection(current, { ...readSelection(current), search }), {
        replace: true,
        preventScrollReset: true,
      })
    }, addressDelayMs)
    return () => window.clearTimeout(timer)
  }, [search, isWritten, visit, setParameters])

  const select = useCallback(
    (next: Selection) => {
      setSelection(next)
      const isChoice = next.order !== selection.order || next.filter !== selection.filter
      if (isChoice) setParameters((current) => writeSelection(current, next), { preventScrollReset: true })
    },
    [selection, setParameters],
  )
  return [selection, select]
}

/** The visit that the browser's address belongs to; the router's own follows with the next drawing. */
function visitOfBrowser(): string {
  const state = window.history.state as { key?: string } | null
  return state?.key ?? firstVisit
}
