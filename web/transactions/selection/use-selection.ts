import { useCallback, useEffect, useState } from 'react'
import { decimalFromMinor, minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import type { Order } from '#transactions/list/history-index.ts'
import { dayOf, isoDay } from '#format/dates.ts'
import { useAddress, useSearchParameters } from '#ui/address/address.tsx'
import { entryOfBrowser } from '#ui/address/entry.ts'
import { everything, type Selection } from './selection.ts'

/** The address follows the typing after a pause: browsers refuse to write it at every key. */
const addressDelayMs = 300

/**
 * The selection, kept in the address. A reload and a link show the same; going back shows the former one. Each choice
 * is a step of the browser's history; typing adds no step.
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
      // The browser is at another address, and React has not drawn it yet: writing now would go back.
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

/** The chosen parts, without the typed text, as one string. */
function choiceOf(selection: Selection): string {
  return writeSelection(new URLSearchParams(), { ...selection, search: '' }).toString()
}

/**
 * The selection in the address, in Spanish as all addresses are: `?buscar=renta&categoria=Servicios&categoria=Salud&orden=monto`,
 * `?tipo=deposito`, `?desde=2026-11-01&hasta=2026-11-30&minimo=10&maximo=99.5`. Both days and both amounts are included.
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

/** The selection of an address. Missing or invalid parts have their defaults. */
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

/** The address of a selection, without parts at their defaults. */
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
