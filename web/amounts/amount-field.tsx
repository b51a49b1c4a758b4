import { useEffect, useRef, useState, type ComponentProps, type KeyboardEvent } from 'react'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { configuration } from '#api/configuration.ts'
import { InputField } from '#ui/form/field.tsx'
import { displayedMinor, displayedMoney, readAmount, typedAmount } from './amounts.ts'
import { moneyCopy } from './copy.ts'

/**
 * Delay after the last key press before screen readers announce the amount. The delay prevents an announcement for each
 * digit.
 */
const announcementDelayMs = 1000

/**
 * Example amount that illustrates the notation. The example has no currency sign, so that customers do not mistake it
 * for their own amount.
 */
const example = 12_500

type Props = Omit<
  ComponentProps<typeof InputField>,
  'type' | 'inputMode' | 'autoComplete' | 'hint' | 'defaultValue' | 'mark'
> & {
  defaultMinor?: number | null
  /** Currency code shown in the field. The notation of the amount is always the bank's display notation. */
  currency?: string
  /**
   * Returns a message about the amount, which is emphasized. The message replaces the line that shows how the amount
   * will be saved.
   */
  echo?: (money: string) => string
  /**
   * Returns an error message for an amount that is valid but not permitted. The field shows the message while the user
   * types.
   */
  check?: (amountMinor: MinorUnits) => string | undefined
  /** Hint shown in place of the example while the field does not contain a valid amount. */
  emptyHint?: string
}

/**
 * Input field for an amount, with a line that shows how the amount was interpreted. The input is a text field with a
 * numeric keyboard, because a number field would reject a comma and would change its value when the mouse wheel turns.
 * The arrow keys change the amount by one (docs/specification.md §9).
 */
export function AmountField({
  defaultMinor = null,
  currency = configuration().displayCurrency,
  echo: sentence,
  check,
  emptyHint = moneyCopy.amountExample(displayedMoney(example).replace(/[^\d.,]/g, '')),
  error,
  ...props
}: Props) {
  const initial = defaultMinor === null ? '' : typedAmount(defaultMinor)
  const [typed, setTyped] = useState(initial)
  const input = useRef<HTMLInputElement>(null)
  const amount = readAmount(typed)
  const echo = amount.ok ? echoOf(amount, sentence ?? moneyCopy.amountRead) : ''
  const refusal = amount.ok ? check?.(amount.amountMinor) : undefined

  useEffect(() => {
    const form = input.current?.form
    const handleReset = () => setTyped(initial)
    form?.addEventListener('reset', handleReset)
    return () => form?.removeEventListener('reset', handleReset)
  }, [initial])

  return (
    <>
      <InputField
        {...props}
        ref={input}
        // `error` belongs to an earlier amount. If this amount is valid, `error` would hide the line that shows how the
        // amount was interpreted.
        error={amount.ok ? refusal : error}
        inputMode="decimal"
        autoComplete="off"
        maxLength={28}
        step={1}
        mark={currency}
        defaultValue={initial}
        hint={echo === '' ? emptyHint : <span className={sentence && 'font-medium text-ink'}>{echo}</span>}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => stepByOne(event, setTyped)}
      />
      <p role="status" className="sr-only">
        {useDelayed(typed === initial ? '' : (refusal ?? echo))}
      </p>
    </>
  )
}

function echoOf(
  { amountMinor, thousands }: { amountMinor: number; thousands?: '.' | ',' },
  sentence: (money: string) => string,
): string {
  const echo = sentence(displayedMinor(amountMinor))
  return thousands === undefined ? echo : `${echo} ${moneyCopy.thousands[thousands]}`
}

/** Returns the text with a delay: only after it has not changed for `announcementDelayMs`. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState('')
  useEffect(() => {
    const timer = window.setTimeout(() => setDelayed(text), announcementDelayMs)
    return () => window.clearTimeout(timer)
  }, [text])
  return delayed
}

function stepByOne(event: KeyboardEvent<HTMLInputElement>, onStep: (typed: string) => void): void {
  const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
  const input = event.currentTarget
  const amount = readAmount(input.value)
  const isZero = ['', '0'].includes(input.value.trim())
  if (direction === 0 || !(amount.ok || isZero)) return
  event.preventDefault()
  input.value = typedAmount(Math.max(0, (amount.ok ? amount.amountMinor : 0) + direction * 100))
  onStep(input.value)
}
