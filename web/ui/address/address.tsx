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

/** The rendered address. The browser's own address is ahead of it while the code of a page is loading. */
export type Address = {
  pathname: string
  search: string
  /** Identifier of the visit. Each step has a new one, and a reload keeps it. */
  visit: string
  /** Whether the user reached this address by a step in the browser's history instead of a link. */
  isHistoryStep: boolean
}

/**
 * Goes to a path of this page. Adds an entry to the history, or replaces the present entry with `replace` or if the
 * address is the same.
 */
export type Go = (to: string, options?: { replace?: boolean }) => void

const AddressContext = createContext<{ address: Address; go: Go } | null>(null)

/**
 * Provides the page's address and a function that changes it. A step is a transition: the previous page stays until the
 * next one can render.
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

/** Returns the parameters of the rendered address, and a function that changes them. */
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

/** Returns the browser's entry. Gives it this number first if the page did not create it. */
function ownEntry(index: number): Entry {
  const found = entryOfBrowser()
  if (found !== null) return found
  const entry = newEntry(index)
  window.history.replaceState(entry, '')
  return entry
}
