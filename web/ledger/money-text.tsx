import { Eye, EyeOff } from 'lucide-react'
import { createStore } from '#ui/store.ts'
import { ledgerCopy } from './copy.ts'

/** An amount that was formatted already, in tabular figures, covered at a fixed length while amounts are hidden. */
export function MoneyText({ children, className }: { children: string; className?: string }) {
  const [isHidden] = useAmountsHidden()
  if (!isHidden) return <span className={`figures ${className ?? ''}`}>{children}</span>
  return (
    <span className={`figures ${className ?? ''}`}>
      <span aria-hidden="true">{'••••••'}</span>
      <span className="sr-only">{ledgerCopy.hiddenAmount}</span>
    </span>
  )
}

export function AmountsEye({ className }: { className?: string }) {
  const [isHidden, toggle] = useAmountsHidden()
  const Icon = isHidden ? EyeOff : Eye
  return (
    <button
      type="button"
      aria-label={ledgerCopy.hideAmounts}
      aria-pressed={isHidden}
      onClick={toggle}
      className={`grid size-11 place-items-center rounded-md transition-colors ${className ?? ''}`}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  )
}

const storageKey = 'finanzas-amounts-hidden'
const choice = createStore(areHidden)

function useAmountsHidden(): [boolean, () => void] {
  return [choice.useValue(), toggle]
}

// Every amount on the screen asks, at every drawing: storage is read once and when another tab writes it.
let hidden: boolean | undefined

function areHidden(): boolean {
  if (hidden === undefined) {
    hidden = window.localStorage.getItem(storageKey) === 'true'
    window.addEventListener('storage', handleStorage, { once: true })
  }
  return hidden
}

function toggle(): void {
  hidden = !areHidden()
  window.localStorage.setItem(storageKey, String(hidden))
  choice.announce()
}

function handleStorage(): void {
  hidden = undefined
  choice.announce()
}
