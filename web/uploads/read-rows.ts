/** Reads the rows of a file without blocking the page. */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import { nextTask } from './next-task.ts'
import { beginSlice } from './pieces.ts'
import type { Row } from './table.ts'

/**
 * Yields the rows in the file's order, and returns what the file states. The caller pauses between the rows, so that
 * the page stays responsive. The caller may stop before the end.
 */
export type RowReading<Stated> = Generator<Row, Stated> | AsyncGenerator<Row, Stated>

/** Maximum number of rows that are kept, including the rows above the heading. */
export const readRowsMax = fileRowsMax + 50

/** Reads all rows. Returns the number of rows instead if the file has more than `readRowsMax`. */
export async function readRows<Stated extends object>(
  reading: RowReading<Stated>,
  pause: () => Promise<void> = nextTask,
): Promise<(Stated & { readonly rows: readonly Row[] }) | number> {
  const rows: Row[] = []
  let count = 0
  let isOver = beginSlice()
  for (;;) {
    const next = reading.next()
    const { done, value } = next instanceof Promise ? await next : next
    if (done === true) return count > readRowsMax ? count : { ...value, rows }
    count += 1
    if (count <= readRowsMax) rows.push(value)
    if (!isOver()) continue
    await pause()
    isOver = beginSlice()
  }
}
