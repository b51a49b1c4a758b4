import type { ComponentProps, KeyboardEvent } from 'react'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { InputField } from '#ui/field.tsx'

type Props = Omit<ComponentProps<typeof InputField>, 'type' | 'inputMode' | 'autoComplete'>

/**
 * A field for an amount. It is a text field with a numeric keyboard: a number field would swallow a
 * comma and change the amount under the mouse wheel. The arrow keys step by one (spec §9).
 */
export function AmountField(props: Props) {
  return (
    <InputField
      {...props}
      inputMode="decimal"
      autoComplete="off"
      maxLength={24}
      step={1}
      onKeyDown={stepByOne}
    />
  )
}

function stepByOne(event: KeyboardEvent<HTMLInputElement>): void {
  const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
  const input = event.currentTarget
  const minor = minorFromDecimal(input.value.trim().replace(',', '.') || '0')
  if (direction === 0 || minor === null) return
  event.preventDefault()
  const stepped = Math.max(0, minor + direction * 100)
  input.value = stepped % 100 === 0 ? String(stepped / 100) : (stepped / 100).toFixed(2)
}
