import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { createStore } from '#ui/store.ts'
import { showQuietly } from '#ui/toast/toast-store.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { dataCopy } from './copy.ts'
import { areAmountsHidden } from '#amounts/money-text.tsx'

/** Time for which a new deposit's row is highlighted. */
const lightMs = 2000
/** Number of deleted rows to remember, so that a restored deposit is not announced as a new deposit. */
const removalsMax = 1000

let lit: ReadonlySet<string> = new Set()
const store = createStore(() => lit)
const removed = new Set<string>()

/**
 * Announces a deposit that arrives while the page is open: highlights its row, and shows the amount in an unobtrusive
 * toast.
 */
export function announceArrival({ id, type, amount }: Transaction): void {
  if (type !== 'deposit' || removed.has(id)) return
  light(new Set(lit).add(id))
  window.setTimeout(() => light(new Set([...lit].filter((other) => other !== id))), lightMs)
  const { received, receivedHidden } = dataCopy
  showQuietly({ title: areAmountsHidden() ? receivedHidden : received(displayedMoney(amount)) })
}

/** Remembers that a row was deleted. If the row is restored, the page does not announce it as a new deposit. */
export function noteRemoval(id: string): void {
  if (removed.size >= removalsMax) removed.clear()
  removed.add(id)
}

export function useHasArrived(id: string): boolean {
  return store.useValue().has(id)
}

function light(ids: ReadonlySet<string>): void {
  lit = ids
  store.announce()
}
