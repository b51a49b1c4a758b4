import { useSyncExternalStore } from 'react'

const storageKey = 'finanzas-amounts-hidden'
const listeners = new Set<() => void>()

/** Whether amounts are covered on this device, and the switch for it. */
export function useAmountsHidden(): [boolean, () => void] {
  return [useSyncExternalStore(subscribe, areHidden), toggle]
}

function areHidden(): boolean {
  return window.localStorage.getItem(storageKey) === 'true'
}

function toggle(): void {
  window.localStorage.setItem(storageKey, String(!areHidden()))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
