/**
 * The interface of the readers. A reader turns the bytes of one format into rows of texts, and says what the format
 * itself states about these rows. A reader does not judge: judge/ decides for all formats which text is the amount, the
 * day or the direction.
 */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import type { DecimalMark } from '#upload/figures.ts'
import type { FileFormat, Row } from '#upload/table.ts'
import type { ColumnRole } from './roles.ts'
import type { DayOrder } from './days.ts'

/** A file as bytes, and as decoded text. The text of a binary file is empty. */
export type FileContent = { readonly bytes: Uint8Array; readonly text: string }

/** The reason why a row of the file is not a booked transaction. */
export type SkipReason =
  | 'balance'
  | 'total'
  | 'pending'
  | 'reversed'
  | 'refused'
  | 'information'
  | 'section'
  | 'empty'

/** A part of the file that is not offered. The page lists its line and its text with the reason. */
export type Skipped = { readonly line: number; readonly reason: SkipReason; readonly text: string }

/** The properties of the file that its format defines or that the file itself states. */
export type Stated = {
  readonly format: FileFormat
  /**
   * Names and roles of the fields. `null` for a format of tables (CSV, Excel, HTML), whose columns are recognized from
   * headings and values.
   */
  readonly fields: {
    readonly names: readonly string[]
    readonly roles: Readonly<Partial<Record<ColumnRole, number>>>
  } | null
  readonly dayOrder?: DayOrder | undefined
  readonly decimal?: DecimalMark | undefined
  /** The ISO 4217 code of amounts whose row does not name a currency. */
  readonly currency?: string | undefined
  /** Parts of the file that are not transactions and that the reader did not yield as rows. */
  readonly skipped?: readonly Skipped[] | undefined
}

/**
 * Yields the rows in the file's order, and returns what the file states. The caller pauses between the rows, so that
 * the page stays responsive. The caller may stop before the end.
 */
export type Reading = Generator<Row, Stated> | AsyncGenerator<Row, Stated>

export type ReadRows = (file: FileContent) => Reading

export type Recognized = {
  /** Returns whether the beginning of a file is in this format. */
  readonly recognizes: (beginning: FileContent) => boolean
  readonly load: () => Promise<ReadRows>
}

/** The rows of a file before its columns are recognized. `rows` includes the rows above the heading of a table. */
export type FileRows = Stated & { readonly rows: readonly Row[] }

/** Maximum number of rows that are kept, including the rows above the heading. */
const readRowsMax = fileRowsMax + 50

/** Maximum time for which rows are read before the page may handle input. */
const sliceMs = 24

/** Reads all rows. Returns the number of rows instead if the file has more than `readRowsMax`. */
export async function rowsOf(
  reading: Reading,
  pause: () => Promise<void> = nextTask,
): Promise<FileRows | number> {
  const rows: Row[] = []
  let count = 0
  let sliceEnd = performance.now() + sliceMs
  for (;;) {
    const next = reading.next()
    const { done, value } = next instanceof Promise ? await next : next
    if (done === true) return count > readRowsMax ? count : { ...value, rows }
    count += 1
    if (count <= readRowsMax) rows.push(value)
    if (performance.now() < sliceEnd) continue
    await pause()
    sliceEnd = performance.now() + sliceMs
  }
}

/** Resolves in a new task. A message arrives sooner than a timer, which browsers delay. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}
