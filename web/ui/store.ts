import { useSyncExternalStore } from 'react'

/** Creates a value outside React that components can subscribe to. `announce` reports a change. */
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
