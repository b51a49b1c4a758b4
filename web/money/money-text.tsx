import { Eye, EyeOff } from 'lucide-react'
import type { CSSProperties } from 'react'
import { createStore } from '#ui/store.ts'
import { moneyCopy } from './copy.ts'

type Props = {
  /** Formatted already. */
  children: string
  /** The sentence that the amount stands in: hidden figures leave it readable. */
  within?: (amount: string) => string
  /** Amounts that the reader has just typed stay visible. */
  isTyped?: boolean
  className?: string
}

/**
 * Every amount on a screen. It never wraps: neighbours give way, and in a container (`@container`) narrower than the
 * amount its figures shrink. While amounts are hidden it is covered at a fixed length.
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

/** Stands for the amount in a sentence; no copy has it. */
const place = '\0'

function lengthOf(amount: string): CSSProperties {
  return { '--figures': amount.length } as CSSProperties
}

export function AmountsEye({ className }: { className?: string }) {
  const [isHidden, toggle] = useAmountsHidden()
  const Icon = isHidden ? EyeOff : Eye
  return (
    <button
      type="button"
      aria-label={moneyCopy.hideAmounts}
      aria-pressed={isHidden}
      onClick={toggle}
      className={`grid size-11 place-items-center rounded-md border border-transparent transition-colors ${className ?? ''}`}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  )
}

const storageKey = 'finanzas-amounts-hidden'
const choice = createStore(areAmountsHidden)

/**
 * Whether amounts are hidden, and the function that toggles it. Anything that reveals an amount, such as a bar's
 * length, is hidden too.
 */
export function useAmountsHidden(): [boolean, () => void] {
  return [choice.useValue(), toggle]
}

// Every amount on the screen asks, at every drawing: storage is read once and when another tab writes it.
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
