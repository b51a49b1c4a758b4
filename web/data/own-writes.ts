import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { isSameRow } from './history.ts'

/** Number of writes to remember. The server announces each write within a moment. */
const writesMax = 100
const writes = new Map<string, Transaction | null>()

/** Remembers the row that the server returned for one of this page's writes, or `null` for a deletion. */
export function noteWrite(id: string, row: Transaction | null): void {
  if (writes.size >= writesMax) writes.clear()
  writes.set(id, row)
}

/**
 * Returns whether an announced row equals this page's latest write of the row, because the page already shows that
 * write.
 */
export function isEcho(id: string, row: Transaction | null): boolean {
  const written = writes.get(id)
  writes.delete(id)
  if (written === undefined) return false
  return written === null || row === null ? written === row : isSameRow(written, row)
}
