import { useCallback, useEffect, useState } from 'react'
import { decimalFromMinor, minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import type { Order } from '#money/list/history-index.ts'
import { dayOf, isoDay } from '#ui/format/dates.ts'
import { useAddress, useSearchParameters } from '#ui/address/address.tsx'
import { entryOfBrowser } from '#ui/address/entry.ts'
import { everything, type Selection } from './selection.ts'

/** Delay before typed text is written to the URL, because browsers limit how often a page may change its URL. */
const addressDelayMs = 300

/**
 * Stores the selection in the URL, so that a reload or a link restores it. Each choice adds an entry to the browser's
 * history, but typing does not.
 */
export function useSelection(): [Selection, (selection: Selection) => void] {
  const [parameters, setParameters] = useSearchParameters()
  const { visit, isHistoryStep } = useAddress()
  const [selection, setSelection] = useState(() => readSelection(parameters))
  const [adoptedVisit, setAdoptedVisit] = useState(visit)

  if (adoptedVisit !== visit) {
    setAdoptedVisit(visit)
    if (isHistoryStep) setSelection(readSelection(parameters))
  }

  const { search } = selection
  const isWritten = readSelection(parameters).search === search.trim()
  useEffect(() => {
    if (isWritten) return undefined
    const timer = window.setTimeout(() => {
      // The browser is already at another URL that React has not rendered yet. Writing the text now would return to the
      // old URL.
      if (entryOfBrowser()?.visit !== visit) return
      setParameters((current) => writeSelection(current, { ...readSelection(current), search }), {
        replace: true,
      })
    }, addressDelayMs)
    return () => window.clearTimeout(timer)
  }, [search, isWritten, visit, setParameters])

  const select = useCallback(
    (next: Selection) => {
      setSelection(next)
      if (choiceOf(next) !== choiceOf(selection)) setParameters((current) => writeSelection(current, next))
    },
    [selection, setParameters],
  )
  return [selection, select]
}

/** Returns the selection without its search text, as a string that can be compared. */
function choiceOf(selection: Selection): string {
  return writeSelection(new URLSearchParams(), { ...selection, search: '' }).toString()
}

/**
 * Names of the URL parameters, which are Spanish like all URLs:
 * `?buscar=renta&categoria=Servicios&categoria=Salud&orden=monto`, `?tipo=deposito`,
 * `?desde=2026-11-01&hasta=2026-11-30&minimo=10&maximo=99.5`. The days and the amounts are inclusive limits.
 */
const names = {
  search: 'buscar',
  category: 'categoria',
  type: 'tipo',
  from: 'desde',
  to: 'hasta',
  min: 'minimo',
  max: 'maximo',
  order: 'orden',
} as const

const orderWords: Readonly<Record<Order, string>> = {
  date: 'fecha',
  amount: 'monto',
  description: 'descripcion',
}
const depositWord = 'deposito'

const searchLengthMax = 200
const categoriesMax = 50

/** Reads the selection from URL parameters. Missing or invalid parameters get their default values. */
export function readSelection(parameters: URLSearchParams): Selection {
  const orderWord = parameters.get(names.order)
  const order = (Object.keys(orderWords) as Order[]).find((key) => orderWords[key] === orderWord)
  const categories = new Set(parameters.getAll(names.category).filter((name) => name !== ''))
  return {
    search: (parameters.get(names.search) ?? '').slice(0, searchLengthMax),
    categories: [...categories].slice(0, categoriesMax),
    withDeposits: parameters.get(names.type) === depositWord,
    from: readDay(parameters.get(names.from)),
    to: readDay(parameters.get(names.to)),
    minMinor: readAmountOf(parameters.get(names.min)),
    maxMinor: readAmountOf(parameters.get(names.max)),
    order: order ?? everything.order,
  }
}

/** Writes a selection to URL parameters, and omits default values. */
export function writeSelection(parameters: URLSearchParams, selection: Selection): URLSearchParams {
  const { search, categories, withDeposits, from, to, minMinor, maxMinor, order } = selection
  const written = new URLSearchParams(parameters)
  const set = (name: string, values: readonly string[]) => {
    written.delete(name)
    for (const value of values) if (value !== '') written.append(name, value)
  }
  set(names.search, [search.trim()])
  set(names.category, categories)
  set(names.type, [withDeposits ? depositWord : ''])
  set(names.from, [from])
  set(names.to, [to])
  set(names.min, [decimalOrNone(minMinor)])
  set(names.max, [decimalOrNone(maxMinor)])
  set(names.order, [order === everything.order ? '' : orderWords[order]])
  return written
}

function readDay(text: string | null): string {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return ''
  const day = dayOf(text)
  return !Number.isNaN(day) && isoDay(day) === text ? text : ''
}

function readAmountOf(text: string | null): number | null {
  const minor: number | null = minorFromDecimal(text ?? '')
  return minor === null || minor < 0 ? null : minor
}

function decimalOrNone(minor: number | null): string {
  return minor === null ? '' : decimalFromMinor(minor as MinorUnits).replace(/\.00$/, '')
}
