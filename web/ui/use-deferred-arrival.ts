import { useDeferredValue } from 'react'

/**
 * Defers the first result of a query, so that React renders the result in time slices and the browser stays responsive.
 * Later results are rendered immediately.
 */
export function useDeferredArrival<T>(read: T | undefined): T | undefined {
  const hasArrived = useDeferredValue(read !== undefined)
  return hasArrived ? read : undefined
}
