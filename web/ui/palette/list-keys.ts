import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'

/**
 * Handles key presses in a search field and its results. The arrow keys move the focus between the search field and the
 * items (`data-item`), and Enter in the field calls `onEnter`. `data-row` marks a row that contains several controls.
 */
export function handleListKey(event: KeyboardEvent<HTMLElement>, onEnter: () => void): void {
  const { key, target, currentTarget } = event
  // React also passes key events from a dialog to the handler of the list that opened the dialog.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return
  if (target instanceof HTMLSelectElement) return
  if (key === 'Enter' && target instanceof HTMLInputElement) onEnter()
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step === undefined) return
  const items = [...currentTarget.querySelectorAll<HTMLElement>('[data-item], input[type=search]')]
  const row = target.closest('[data-row]')
  const at = items.findIndex((item) => item === target || row?.contains(item))
  const next = at < 0 ? undefined : items[at + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** Returns a function that opens the first search result as soon as the results match the typed text. */
export function useOpenFirst<Item>(first: Item | undefined, isCurrent: boolean, open: (item: Item) => void) {
  const [isWanted, setIsWanted] = useState(false)
  const settle = useEffectEvent(() => {
    setIsWanted(false)
    if (first !== undefined) open(first)
  })
  useEffect(() => {
    if (isWanted && isCurrent) settle()
  }, [isWanted, isCurrent])
  return () => setIsWanted(true)
}
