import { useDeferredValue } from 'react'

/**
 * What a reading has brought. Where there was nothing before, what it fills is drawn in slices, and the browser answers
 * between them; a change of it is drawn at once.
 */
export function useDeferredArrival<T>(read: T | undefined): T | undefined {
  const hasArrived = useDeferredValue(read !== undefined)
  return hasArrived ? read : undefined
}
