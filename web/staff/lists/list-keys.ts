import type { KeyboardEvent } from 'react'
import type { TransactionType } from '@finanzas/contract/wire/rows.ts'

const types: Readonly<Record<string, TransactionType>> = { d: 'deposit', g: 'expense' }

/** Handles the keys D and G, which begin a deposit or an expense for the customer whose row has the focus. */
export function handleTransactionKey(event: KeyboardEvent, onType: (type: TransactionType) => void): void {
  const type = types[event.key.toLowerCase()]
  if (type === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  onType(type)
}
