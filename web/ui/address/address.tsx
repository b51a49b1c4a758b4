import {
  createContext,
  startTransition,
  use,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { entryOfBrowser, newEntry, type Entry } from './entry.ts'

/**
 * The URL of the rendered page. While the next page's code is loading, the browser already shows the next page's URL.
 */
export type Address = {
  pathname: string
  search: string
  /** Identifier of the visit. Each navigation gets a new identifier, and a reload keeps the identifier. */
  visit: string
  /** Whether the user reached this URL with the back or forward button instead of a link. */
  isHistoryStep: boolean
}

/**
 * Navigates to a path of this site. Adds an entry to the browser's history. If `replace` is true or the URL stays the
 * same, replaces the current entry instead.
 */
export type Go = (to: string, options?: { replace?: boolean }) => void

const AddressContext = createContext<{ address: Address; go: Go } | null>(null)

/**
 * Provides the current URL and a function that changes it. Navigation is a React transition, so that the previous page
 * stays on screen until the next page can render.
 */
export function AddressProvider({ children }: { children: ReactNode }) {
  const [address, setAddress] = useState(() => readAddress(ownEntry(0), true))
  const index = useRef(0)

  const show = useCallback((entry: Entry, isHistoryStep: boolean) => {
    index.current = entry.index
    startTransition(() => setAddress(readAddress(entry, isHistoryStep)))
  }, [])
  useLayoutEffect(() => {
    index.current = ownEntry(0).index
    const follow = () => show(ownEntry(index.current + 1), true)
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [show])
  const go = useCallback<Go>(
    (to, options) => {
      const { pathname, search } = new URL(to, window.location.href)
      const path = pathname + search
      const isReplaced =
        options?.replace === true || path === window.location.pathname + window.location.search
      const entry = newEntry(isReplaced ? index.current : index.current + 1)
      if (isReplaced) window.history.replaceState(entry, '', path)
      else window.history.pushState(entry, '', path)
      show(entry, false)
    },
    [show],
  )
  const value = useMemo(() => ({ address, go }), [address, go])
  return <AddressContext value={value}>{children}</AddressContext>
}

export function useAddress(): Address {
  return useAddressContext().address
}

export function useGo(): Go {
  return useAddressContext().go
}

/** Returns the URL parameters of the rendered page, and a function that changes them. */
export function useSearchParameters(): [
  URLSearchParams,
  (change: (current: URLSearchParams) => URLSearchParams, options?: { replace?: boolean }) => void,
] {
  const { address, go } = useAddressContext()
  const { pathname, search } = address
  const parameters = useMemo(() => new URLSearchParams(search), [search])
  const change = useCallback(
    (changed: (current: URLSearchParams) => URLSearchParams, options?: { replace?: boolean }) => {
      const query = changed(parameters).toString()
      go(query === '' ? pathname : `${pathname}?${query}`, options)
    },
    [go, parameters, pathname],
  )
  return [parameters, change]
}

function useAddressContext() {
  const context = use(AddressContext)
  if (context === null) throw new Error('The address is known inside of AddressProvider only.')
  return context
}

function readAddress({ visit }: Entry, isHistoryStep: boolean): Address {
  const { pathname, search } = window.location
  return { pathname, search, visit, isHistoryStep }
}

/**
 * Returns the current entry of the browser's history. If the page did not create the entry, the function first gives it
 * the number `index`.
 */
function ownEntry(index: number): Entry {
  const found = entryOfBrowser()
  if (found !== null) return found
  const entry = newEntry(index)
  window.history.replaceState(entry, '')
  return entry
}
