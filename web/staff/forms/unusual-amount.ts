import { useRef } from 'react'
import type { TransactionType } from '@finanzas/contract/wire/rows.ts'
import { staffCopy } from '#staff/staff-copy.ts'
import { useQuestion } from '#ui/dialog/use-question.ts'

/** A typed amount in whole units. */
type Typed = { type: TransactionType; amount: number }

/**
 * A customer's largest amounts so far, in whole units. `null` if the customer does not have a transaction of the type.
 */
export type LargestAmounts = Readonly<Record<TransactionType, number | null>>

/**
 * If an amount exceeds the customer's largest amount so far by more than this factor, it is probably a typing error.
 */
const usualTimesMax = 20

/**
 * Asks a question before an unusual amount is sent. The question is asked once for each amount. This check is meant only
 * to catch typing errors, and is skipped while the customer's largest amounts are unknown. The database enforces the
 * limits.
 */
export function useUnusualAmount(largest: LargestAmounts | undefined) {
  const { ask, question } = useQuestion()
  const confirmed = useRef<Typed>(null)
  const askAboutAmount = async ({ type, amount }: Typed) => {
    const times = timesTheLargest({ type, amount }, largest)
    const isKnown = confirmed.current?.type === type && confirmed.current.amount === amount
    if (isKnown || times <= usualTimesMax) return true
    const isConfirmed = await ask({
      text: staffCopy.unusual[type](Math.floor(times)),
      confirm: staffCopy.unusualConfirmed[type],
    })
    if (isConfirmed) confirmed.current = { type, amount }
    return isConfirmed
  }
  return { askAboutAmount, question }
}

function timesTheLargest({ type, amount }: Typed, largest: LargestAmounts | undefined): number {
  const usual = largest?.[type] ?? null
  return usual === null ? 0 : amount / usual
}
