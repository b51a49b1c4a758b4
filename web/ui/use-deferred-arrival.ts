import { useDeferredValue } from 'react'

/**
 * Defers the first result of a query, which then renders in slices so that the browser stays responsive. Later changes
 * render at once.
 */
export function useDeferredArrival<T>(read: T | undefined): T | undefined {
  const hasArrived = useDeferredValue(read !== undefined)
  return hasArrived ? read : undefined
}
