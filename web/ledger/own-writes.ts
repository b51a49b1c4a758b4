import type { Transaction } from '@finanzas/contract/rows.ts'
import { isSameRow } from './history.ts'

/** Remembered writes; the announcement of one follows within moments. */
const writesMax = 100
const writes = new Map<string, Transaction | null>()

/** Remembers the row that the server answered to a write of this page; `null` for a deleted one. */
export function noteWrite(id: string, row: Transaction | null): void {
  if (writes.size >= writesMax) writes.clear()
  writes.set(id, row)
}

/** Whether an announced row only repeats the page's latest write of it: that was shown and read then. */
export function isEcho(id: string, row: Transaction | null): boolean {
  const written = writes.get(id)
  writes.delete(id)
  if (written === undefined) return false
  return written === null || row === null ? written === row : isSameRow(written, row)
}
