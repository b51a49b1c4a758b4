/** Reads the bytes of a file. The file's data do not leave the browser. */
import { nextTask } from '#uploads/next-task.ts'
import { finishInPieces } from '#uploads/pieces.ts'
import { readRows } from '#uploads/read-rows.ts'
import { checkRows, readContent, type ReadTable, type Upload } from '#uploads/read-table.ts'
import { RefusedFile } from '#uploads/refused-file.ts'
import type { Row } from '#uploads/table.ts'
import { noAnswers } from '#uploads/import/read/judge/answers.ts'
import { tableOf } from '#uploads/import/read/judge/bank-table.ts'
import type { BankTable } from '#uploads/import/read/judge/headings.ts'
import { judge } from '#uploads/import/read/judge/judge.ts'
import { foreignCurrencies } from './expenses-from-rows.ts'
import { openFile } from './readers.ts'

export type ReadFile =
  | ReadTable<BankTable>
  | { readonly ok: false; readonly reason: 'currency'; readonly currencies: readonly string[] }

type Circumstances = {
  readonly currency: string
  readonly last: string
  /** The sheet that the user chose from a workbook. */
  readonly sheet?: string | undefined
}

/**
 * Reads a file for a bank whose accounts are in the given currency. Amounts in other currencies are never treated as
 * amounts in the bank's currency.
 */
export function readFile(file: Upload, { currency, last, sheet }: Circumstances): Promise<ReadFile> {
  return readContent<ReadFile>({ file, sheet }, async (content) => {
    const read = await readRows(await openFile(content, last))
    if (typeof read === 'number') throw new RefusedFile({ reason: 'long', rows: read })
    const table = tableOf({ ...read, rows: withOwnLines(read.rows) })
    checkRows(table)
    await nextTask()
    const judgement = await finishInPieces(judge(table, noAnswers, { bankCurrency: currency, last }))
    const currencies = foreignCurrencies(judgement, currency)
    return currencies.length === 0
      ? { ok: true, table, mapping: table }
      : { ok: false, reason: 'currency', currencies }
  })
}

/**
 * Numbers rows that begin on one line, as in XML without line ends. The lines keep the order of the rows, and name the
 * rows that the user must look at.
 */
function withOwnLines(rows: readonly Row[]): readonly Row[] {
  let line = 0
  return rows.map((row) => {
    line = Math.max(line + 1, row.line)
    return line === row.line ? row : { ...row, line }
  })
}
