import { useCallback, useEffect, useState } from 'react'
import { useAddress, useSearchParameters } from '#ui/address/address.tsx'
import { entryOfBrowser } from '#ui/address/entry.ts'
import { sorts, userStates, type UserSelection } from './users.ts'

/** Delay before typed text is written to the URL and sent to the database. */
const searchDelayMs = 250

/** Values of the URL parameters, as in `?buscar=laura&mostrar=negativo&orden=-saldo`. */
const stateNames = {
  user: 'clientes',
  admin: 'administradores',
  overdrawn: 'negativo',
  blocked: 'bloqueados',
  unconfirmed: 'sin-confirmar',
} as const
const sortNames = {
  name: 'nombre',
  email: 'email',
  role: 'rol',
  balance: 'saldo',
  last_transaction: 'movimiento',
  last_sign_in: 'acceso',
} as const

/**
 * Stores the list's search, filter and order in the URL. `typed` is the text in the search field; the search in the URL
 * is updated after a delay.
 */
export function useUserSelection() {
  const [parameters, setParameters] = useSearchParameters()
  const { visit } = useAddress()
  const selection = readUserSelection(parameters)
  const [typed, setTyped] = useState(selection.search)
  const isCurrent = typed.trim() === selection.search
  const select = useCallback(
    (change: Partial<UserSelection>, options?: { replace?: boolean }) =>
      setParameters(
        (current) => writeUserSelection(current, { ...readUserSelection(current), ...change }),
        options,
      ),
    [setParameters],
  )
  useEffect(() => {
    if (isCurrent) return undefined
    const timer = window.setTimeout(() => {
      // The browser may already be at another URL that React has not rendered yet.
      if (entryOfBrowser()?.visit === visit) select({ search: typed.trim() }, { replace: true })
    }, searchDelayMs)
    return () => window.clearTimeout(timer)
  }, [typed, isCurrent, visit, select])
  return { selection, select, typed, setTyped, isCurrent }
}

export function readUserSelection(parameters: URLSearchParams): UserSelection {
  const order = parameters.get('orden') ?? ''
  const isDescending = order.startsWith('-')
  const sort = sorts.find((name) => sortNames[name] === order.slice(isDescending ? 1 : 0))
  return {
    search: (parameters.get('buscar') ?? '').trim(),
    state: userStates.find((name) => stateNames[name] === parameters.get('mostrar')) ?? null,
    sort: sort ?? 'name',
    isDescending: sort !== undefined && isDescending,
  }
}

export function writeUserSelection(
  current: URLSearchParams,
  { search, state, sort, isDescending }: UserSelection,
): URLSearchParams {
  const parameters = new URLSearchParams(current)
  const set = (name: string, value: string) =>
    value === '' ? parameters.delete(name) : parameters.set(name, value)
  set('buscar', search)
  set('mostrar', state === null ? '' : stateNames[state])
  set('orden', sort === 'name' && !isDescending ? '' : `${isDescending ? '-' : ''}${sortNames[sort]}`)
  return parameters
}
