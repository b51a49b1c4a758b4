import { useSyncExternalStore } from 'react'

/**
 * Creates a store for a value outside of React, to which components can subscribe. `announce` notifies the subscribers
 * of a change.
 */
export function createStore<Value>(read: () => Value) {
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    useValue: () => useSyncExternalStore(subscribe, read),
    announce: () => {
      for (const listener of listeners) listener()
    },
  }
}
