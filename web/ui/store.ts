import { useSyncExternalStore } from 'react'

/** A value outside of React that components follow: `announce` says that it is another one. */
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
