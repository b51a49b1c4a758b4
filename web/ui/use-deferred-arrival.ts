import { useDeferredValue } from 'react'

/**
 * The result of a query. The first result is drawn in slices, and the browser answers between them. Later changes are
 * drawn at once.
 */
export function useDeferredArrival<T>(read: T | undefined): T | undefined {
  const hasArrived = useDeferredValue(read !== undefined)
  return hasArrived ? read : undefined
}
