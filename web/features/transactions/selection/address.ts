import type { Order } from '#features/transactions/history/history-index.ts'
import { everything, type CategoryFilter, type Selection } from './selection.ts'

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
