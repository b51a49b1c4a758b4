import { useState } from 'react'
import type { TransactionType } from '@finanzas/contract/wire/rows.ts'
import { staffCopy } from '#staff/staff-copy.ts'

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
 * Asks for a second click before an unusual amount is sent. This check is meant only to catch typing errors, and is
 * skipped while the customer's largest amounts are unknown. The database enforces the limits.
 */
export function useUnusualAmount(largest: LargestAmounts | undefined) {
  const [asked, setAsked] = useState<Typed | null>(null)
  const isAsked = ({ type, amount }: Typed) => asked?.type === type && asked.amount === amount
  /**
   * Returns whether the page must first ask the user to confirm an unusual amount. The next click then sends the
   * amount.
   */
  const mustAsk = (typed: Typed) => {
    if (isAsked(typed) || timesTheLargest(typed, largest) <= usualTimesMax) return false
    setAsked(typed)
    return true
  }
  /** Returns the confirmation question for the typed amount, or `null` if the page has not asked about this amount. */
  const questionOf = ({ type, amount }: { type: TransactionType; amount: number | null }) => {
    if (amount === null || !isAsked({ type, amount })) return null
    return staffCopy.unusual[type](Math.floor(timesTheLargest({ type, amount }, largest)))
  }
  return { mustAsk, questionOf }
}

function timesTheLargest({ type, amount }: Typed, largest: LargestAmounts | undefined): number {
  const usual = largest?.[type] ?? null
  return usual === null ? 0 : amount / usual
}
