import { useCallback, useEffect, useState } from 'react'
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router'
import type { Order } from '#features/transactions/history/history-index.ts'
import { everything, type CategoryFilter, type Selection } from './selection.ts'

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

/**
 * The selection in the address, in Spanish as all addresses are: `?buscar=renta&categoria=Servicios&orden=monto`,
 * `?tipo=deposito`.
 */
const names = { search: 'buscar', category: 'categoria', type: 'tipo', order: 'orden' } as const

const orderWords: Readonly<Record<Order, string>> = {
  date: 'fecha',
  amount: 'monto',
  description: 'descripcion',
}
const depositWord = 'deposito'

const searchLengthMax = 200

/** What an address selects; what it does not say, or says wrongly, is as when the page is opened. */
export function readSelection(parameters: URLSearchParams): Selection {
  const orderWord = parameters.get(names.order)
  const order = (Object.keys(orderWords) as Order[]).find((key) => orderWords[key] === orderWord)
  return {
    search: (parameters.get(names.search) ?? '').slice(0, searchLengthMax),
    filter: readFilter(parameters),
    order: order ?? everything.order,
  }
}

/** The address of a selection; what is as when the page is opened is left out. */
export function writeSelection(parameters: URLSearchParams, selection: Selection): URLSearchParams {
  const { search, filter, order } = selection
  const written = new URLSearchParams(parameters)
  const set = (name: string, value: string) => {
    if (value === '') written.delete(name)
    else written.set(name, value)
  }
  set(names.search, search.trim())
  set(names.category, filter.kind === 'category' ? filter.name : '')
  set(names.type, filter.kind === 'deposits' ? depositWord : '')
  set(names.order, order === everything.order ? '' : orderWords[order])
  return written
}

function readFilter(parameters: URLSearchParams): CategoryFilter {
  if (parameters.get(names.type) === depositWord) return { kind: 'deposits' }
  const name = parameters.get(names.category) ?? ''
  return name === '' ? everything.filter : { kind: 'category', name }
}
