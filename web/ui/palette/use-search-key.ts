import { useKeyDown } from '#ui/use-key-down.ts'

/** Calls the function when Ctrl+K is pressed, unless a dialog is open. */
export function useSearchKey(open: () => void): void {
  useKeyDown((event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return
    event.preventDefault()
    if (document.getElementById('root')?.inert !== true) open()
  })
}
