import { readStatementCsv } from '@finanzas/contract/papers/csv.ts'
import { readReceiptCsv } from '@finanzas/contract/papers/receipt.ts'
import { finishSheet } from './finish.ts'
import { receiptSheet } from './receipt.ts'
import { statementSheet } from './statement.ts'

/**
 * Writes the PDF of a statement or receipt, with an empty signature. The CSV is attached to the PDF. Throws if the text
 * is neither a statement nor a receipt.
 */
export function writePdf(csv: string): Uint8Array<ArrayBuffer> {
  const statement = readStatementCsv(csv)
  if (statement !== null)
    return finishSheet(statementSheet(statement), statement, {
      name: `extracto-${statement.month}.csv`,
      text: csv,
    })
  const receipt = readReceiptCsv(csv)
  if (receipt === null) throw new SyntaxError('This is neither a statement nor a receipt.')
  const name = `comprobante-${receipt.transaction}.csv`
  return finishSheet(receiptSheet(receipt), receipt, { name, text: csv })
}
