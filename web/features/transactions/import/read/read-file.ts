/** Reads the bytes of a file. The file's data do not leave the browser. */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import { decodeText, isBinary, type ReadTable } from '#upload/read-table.ts'
import { tableOf, type BankTable } from '#features/transactions/import/read/judge/headings.ts'
import { judge } from '#features/transactions/import/read/judge/judge.ts'
import { foreignCurrencies } from './expenses-from-rows.ts'
import { rowsOf } from './reader.ts'
import { openFile } from './readers.ts'

export type ReadFile =
  | ReadTable<BankTable>
  | { readonly ok: false; readonly reason: 'currency'; readonly currencies: readonly string[] }

type Bank = { readonly currency: string; readonly last: string }

/**
 * Reads a file for a bank whose accounts are in the given currency. Amounts in other currencies are never treated as
 * amounts in the bank's currency.
 */
export async function readFile(file: Uint8Array | string, { currency, last }: Bank): Promise<ReadFile> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  if (isBinary(bytes)) return { ok: false, reason: 'binary' }
  const text = typeof file === 'string' ? file : decodeText(file)
  const read = await rowsOf(await openFile({ bytes, text }))
  if (typeof read === 'number') return { ok: false, reason: 'long', rows: read }
  const table = tableOf(read)
  if (table.rows.length === 0) return { ok: false, reason: 'empty' }
  if (table.rows.length > fileRowsMax) return { ok: false, reason: 'long', rows: table.rows.length }
  const currencies = foreignCurrencies(judge(table, {}, { bankCurrency: currency, last }), currency)
  return currencies.length === 0
    ? { ok: true, table, mapping: table }
    : { ok: false, reason: 'currency', currencies }
}
