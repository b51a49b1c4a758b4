import { useSyncExternalStore } from 'react'

const storageKey = 'finanzas-amounts-hidden'
const listeners = new Set<() => void>()

/** Whether amounts are covered on this device, and the switch for it. */
export function useAmountsHidden(): [boolean, () => void] {
  return [useSyncExternalStore(subscribe, areHidden), toggle]
}

// Every amount on the screen asks, at every drawing: storage is read once and when another tab writes it.
let hidden: boolean | undefined

function areHidden(): boolean {
  hidden ??= window.localStorage.getItem(storageKey) === 'true'
  return hidden
}

function toggle(): void {
  hidden = !areHidden()
  window.localStorage.setItem(storageKey, String(hidden))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', handleStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', handleStorage)
  }
}

function handleStorage(event: StorageEvent): void {
  if (event.key !== storageKey && event.key !== null) return
  hidden = undefined
  for (const listener of listeners) listener()
}
