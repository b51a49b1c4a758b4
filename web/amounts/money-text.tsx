import { Eye, EyeOff } from 'lucide-react'
import type { CSSProperties } from 'react'
import { readStored, writeStored } from '#storage/device-storage.ts'
import { createStore } from '#ui/store.ts'
import { moneyCopy } from './copy.ts'

type Props = {
  /** The formatted amount. */
  children: string
  /** Returns a sentence that contains the amount. If amounts are hidden, the rest of the sentence is still readable. */
  within?: (amount: string) => string
  /** Whether the user has just typed the amount. A typed amount stays visible. */
  isTyped?: boolean
  className?: string
}

/**
 * Renders an amount. The amount itself never wraps: the text around it wraps instead, and the font shrinks if the
 * container (`@container`) is too narrow. A hidden amount is replaced by a bar of fixed length.
 */
export function MoneyText({ children, within, isTyped = false, className }: Props) {
  const isHidden = useAmountsHidden()[0] && !isTyped
  const [before = '', after = ''] = within?.(place).split(place) ?? []
  const amount = (
    <span data-money="" translate="no" className="money" style={lengthOf(children)}>
      {isHidden ? (
        <>
          <span aria-hidden="true">{'••••••'}</span>
          <span className="sr-only">{moneyCopy.hiddenAmount}</span>
        </>
      ) : (
        children
      )}
    </span>
  )
  return (
    <span className={className}>
      {before}
      {amount}
      {after}
    </span>
  )
}

/** Placeholder for the amount in a sentence. No text contains this character. */
const place = '\0'

function lengthOf(amount: string): CSSProperties {
  return { '--figures': amount.length } as CSSProperties
}

/** Button that hides all amounts or shows them again. The button is placed after a heading's other actions. */
export function AmountsEye({ className = '-mr-3' }: { className?: string }) {
  const [isHidden, toggle] = useAmountsHidden()
  const Icon = isHidden ? EyeOff : Eye
  return (
    <button
      type="button"
      aria-label={moneyCopy.hideAmounts}
      aria-pressed={isHidden}
      onClick={toggle}
      className={`grid size-11 place-items-center shrink-0 rounded-md border border-transparent transition-colors hover:bg-primary-soft ${className}`}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  )
}

const storageKey = 'finanzas-amounts-hidden'
const choice = createStore(areAmountsHidden)

/**
 * Returns whether amounts are hidden, and a function that toggles this state. Components must also hide everything else
 * that reveals an amount, such as the length of a bar.
 */
export function useAmountsHidden(): [boolean, () => void] {
  return [choice.useValue(), toggle]
}

// Every amount uses `hidden` at every render. The page therefore does not read storage each time, but only at first and
// after another tab has changed the value.
let hidden: boolean | undefined

export function areAmountsHidden(): boolean {
  if (hidden === undefined) {
    hidden = readStored(storageKey) === 'true'
    window.addEventListener('storage', handleStorage, { once: true })
  }
  return hidden
}

function toggle(): void {
  hidden = !areAmountsHidden()
  writeStored(storageKey, String(hidden))
  choice.announce()
}

function handleStorage(): void {
  hidden = undefined
  choice.announce()
}
