/** Reads the bytes of a file, and returns a table and a column mapping. The file's data do not leave the browser. */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import { splitHeading } from '#upload/columns.ts'
import { decodeText, isBinary, type ReadTable } from '#upload/read-table.ts'
import type { Table } from '#upload/table.ts'
import { isHeading, recognizeMapping, type ColumnMapping } from './column-mapping.ts'
import { foreignCurrencies } from './expenses-from-rows.ts'
import { rowsOf, type FileRows } from './reader.ts'
import { openFile } from './readers.ts'

export type ReadFile =
  | ReadTable<ColumnMapping>
  | { readonly ok: false; readonly reason: 'currency'; readonly currencies: readonly string[] }

/**
 * Reads a file for a bank whose accounts are in the given currency. Amounts in other currencies are never treated as
 * amounts in the bank's currency.
 */
export async function readFile(file: Uint8Array | string, currency: string): Promise<ReadFile> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  if (isBinary(bytes)) return { ok: false, reason: 'binary' }
  const text = typeof file === 'string' ? file : decodeText(file)
  const read = await rowsOf(await openFile({ bytes, text }))
  if (typeof read === 'number') return { ok: false, reason: 'long', rows: read }
  const table = tableOf(read)
  if (table.rows.length === 0) return { ok: false, reason: 'empty' }
  if (table.rows.length > fileRowsMax) return { ok: false, reason: 'long', rows: table.rows.length }
  const mapping = mappingOf(table, read, currency)
  const currencies = foreignCurrencies(table, mapping, currency)
  return currencies.length === 0
    ? { ok: true, table, mapping }
    : { ok: false, reason: 'currency', currencies }
}

function tableOf({ format, fields, rows }: FileRows): Table {
  return fields === null
    ? { format, ...splitHeading(rows, isHeading) }
    : { format, columns: fields.names, rows }
}

/** Recognizes the columns of a table. The roles that the format states take precedence. */
function mappingOf(table: Table, { fields, decimal }: FileRows, bankCurrency: string): ColumnMapping {
  const mapping = recognizeMapping(table, bankCurrency)
  if (fields === null) return mapping
  const placeOf = (role: keyof typeof fields.roles) => fields.roles[role] ?? null
  return {
    ...mapping,
    date: placeOf('date'),
    description: placeOf('description'),
    amount: placeOf('amount'),
    debit: null,
    credit: null,
    kind: placeOf('direction'),
    currency: placeOf('currency'),
    category: placeOf('category'),
    reference: placeOf('reference'),
    expenseSign: 'negative',
    ...(decimal !== undefined && { decimal, openFigure: '' }),
  }
}
