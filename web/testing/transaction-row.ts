import type { Transaction } from '@finanzas/contract/wire/rows.ts'

/** Returns a row of `transactions`. By default, the row is an expense of 1 that the customer entered. */
export function transactionRow(part: Partial<Transaction> = {}): Transaction {
  return {
    id: crypto.randomUUID(),
    user_id: 'u',
    type: 'expense',
    description: 'Algo',
    amount: 1,
    date: '2026-11-20T15:00:00+00:00',
    category: 'Comida',
    recorded_by: 'customer',
    is_void: false,
    origin: 'own',
    origin_id: null,
    ...part,
  }
}
