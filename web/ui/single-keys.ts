import { readStored, writeStored } from '#storage/device-storage.ts'
import { createStore } from './store.ts'
import { useKeyDown } from './use-key-down.ts'

/**
 * Users can turn off single-key shortcuts, because speech control software may trigger them by accident (WCAG 2.1.4).
 */
const storageKey = 'finanzas-single-keys'
const store = createStore(areOn)

function areOn(): boolean {
  return readStored(storageKey) !== 'off'
}

export const useSingleKeys = store.useValue

export function switchSingleKeys(isOn: boolean): void {
  writeStored(storageKey, isOn ? null : 'off')
  store.announce()
}

/** Calls a key's action when the key is pressed without a modifier, outside of fields and dialogs. */
export function useSingleKey(keys: Readonly<Record<string, () => void>>): void {
  useKeyDown((event) => {
    const act = keys[event.key]
    const { target, altKey, ctrlKey, metaKey } = event
    const isTyping = target instanceof Element && target.closest('input, select, textarea') !== null
    const isBehindDialog = document.getElementById('root')?.inert === true
    if (act === undefined || altKey || ctrlKey || metaKey || isTyping || isBehindDialog || !areOn()) return
    event.preventDefault()
    act()
  })
}
