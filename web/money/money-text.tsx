import { Eye, EyeOff } from 'lucide-react'
import type { CSSProperties } from 'react'
import { createStore } from '#ui/store.ts'
import { moneyCopy } from './copy.ts'

type Props = {
  /** The formatted amount. */
  children: string
  /** The sentence around the amount, which stays readable while amounts are hidden. */
  within?: (amount: string) => string
  /** An amount that the user has just typed stays visible. */
  isTyped?: boolean
  className?: string
}

/**
 * Renders an amount. An amount never wraps: its neighbours wrap instead, and its font shrinks if the container
 * (`@container`) is too narrow. A hidden amount is covered by a bar of fixed length.
 */
export function MoneyText({ children, within, isTyped = false, className }: Props) {
  const isHidden = useAmountsHidden()[0] && !isTyped
  const [before = '', after = ''] = within?.(place).split(place) ?? []
  const amount = (
    <span data-money="" className="money" style={lengthOf(children)}>
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

/** Placeholder for the amount in a sentence, a character that no text contains. */
const place = '\0'

function lengthOf(amount: string): CSSProperties {
  return { '--figures': amount.length } as CSSProperties
}

/** Button that hides all amounts or shows them again. It is the last action of a heading. */
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
 * Returns whether amounts are hidden, and a function that toggles it. Anything that reveals an amount is hidden too,
 * such as the length of a bar.
 */
export function useAmountsHidden(): [boolean, () => void] {
  return [choice.useValue(), toggle]
}

// Every amount needs this value at every render. Storage is therefore read only once, and again after another tab
// writes it.
let hidden: boolean | undefined

export function areAmountsHidden(): boolean {
  if (hidden === undefined) {
    hidden = window.localStorage.getItem(storageKey) === 'true'
    window.addEventListener('storage', handleStorage, { once: true })
  }
  return hidden
}

function toggle(): void {
  hidden = !areAmountsHidden()
  window.localStorage.setItem(storageKey, String(hidden))
  choice.announce()
}

function handleStorage(): void {
  hidden = undefined
  choice.announce()
}
