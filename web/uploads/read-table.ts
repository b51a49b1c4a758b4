/** Converts a file or pasted rows to a table and a column mapping. The data stays in the browser. */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import { splitHeading } from './columns.ts'
import { contentOf, type FileContent } from './content.ts'
import { readRows } from './read-rows.ts'
import { RefusedFile, type Refusal } from './refused-file.ts'
import { sheetRows } from '#uploads/sheet/sheet-rows.ts'
import type { Row, Table } from './table.ts'
import { unreadFormatOf } from './unread-formats.ts'

/** The table that was read, or the reason why the file could not be read. */
export type ReadTable<Mapping> =
  | { readonly ok: true; readonly table: Table; readonly mapping: Mapping }
  | ({ readonly ok: false } & Refusal)

/** A file or pasted rows. */
export type Upload = Uint8Array | string

/** How a table's heading and columns are recognized, and the sheet of a workbook if the user chose one. */
type Recognition<Mapping> = {
  readonly isHeading: (row: Row) => boolean
  readonly recognizeMapping: (table: Table) => Mapping
  readonly sheet?: string | undefined
}

export function readTable<Mapping>(
  file: Upload,
  { isHeading, recognizeMapping, sheet }: Recognition<Mapping>,
): Promise<ReadTable<Mapping>> {
  return readContent<ReadTable<Mapping>>({ file, sheet }, async (content) => {
    const read = await readRows(sheetRows(content))
    if (typeof read === 'number') throw new RefusedFile({ reason: 'long', rows: read })
    const table = { format: read.format, ...splitHeading(read.rows, isHeading) }
    checkRows(table)
    return { ok: true, table, mapping: recognizeMapping(table) }
  })
}

/** Calls `read` with the content of a file in a known format. Returns the reason if the file cannot be read. */
export async function readContent<Read>(
  { file, sheet }: { file: Upload; sheet?: string | undefined },
  read: (content: FileContent) => Promise<Read>,
): Promise<Read | ({ readonly ok: false } & Refusal)> {
  const content = contentOf(file)
  const format = unreadFormatOf(content)
  if (format !== null) return { ok: false, reason: 'format', format }
  try {
    return await read({ ...content, sheet })
  } catch (error) {
    if (error instanceof RefusedFile) return { ok: false, ...error.refusal }
    throw error
  }
}

/** Throws `RefusedFile` if the table is empty or too long. */
export function checkRows({ rows: { length } }: Table): void {
  if (length === 0) throw new RefusedFile({ reason: 'empty' })
  if (length > fileRowsMax) throw new RefusedFile({ reason: 'long', rows: length })
}
