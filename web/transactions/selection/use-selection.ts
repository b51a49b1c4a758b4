import { useCallback, useEffect, useState } from 'react'
import { decimalFromMinor, minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import type { Order } from '#transactions/list/history-index.ts'
import { dayOf, isoDay } from '#format/dates.ts'
import { useAddress, useSearchParameters } from '#ui/address/address.tsx'
import { entryOfBrowser } from '#ui/address/entry.ts'
import { everything, type Selection } from './selection.ts'

/** Delay before typed text reaches the address: browsers limit how often a page may change it. */
const addressDelayMs = 300

/**
 * Keeps the selection in the address, so that a reload or a link restores it. Each choice adds an entry to the
 * browser's history, and typing adds none.
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
      // The browser is already at another address, which React has not rendered yet. Writing now would return to the
      // old address.
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

/** Returns the selection without the typed text, as one string. */
function choiceOf(selection: Selection): string {
  return writeSelection(new URLSearchParams(), { ...selection, search: '' }).toString()
}

/**
 * Names of the parameters in the address, in Spanish like all addresses:
 * `?buscar=renta&categoria=Servicios&categoria=Salud&orden=monto`, `?tipo=deposito`,
 * `?desde=2026-11-01&hasta=2026-11-30&minimo=10&maximo=99.5`. Both days and both amounts are included.
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

/** Reads the selection from an address. Missing or invalid parts get their defaults. */
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

/** Writes a selection into the parameters of an address, without parts that have their defaults. */
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
