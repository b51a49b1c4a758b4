/** Whether a file is a statement of the customer's; fetched with the first file. */
import { type StatementVerdict, checkStatement } from '@finanzas/contract/statement/check.ts'
import { readStatementCsv } from '@finanzas/contract/statement/csv.ts'
import { readStatementPdf } from '@finanzas/contract/statement/pdf.ts'
import { readStatement } from './statements.ts'

/** `null` for a file that is no statement as it was handed out. Throws what the reading throws. */
export async function verifyFile(file: Blob): Promise<StatementVerdict | null> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isPdf = String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-'
  const statement = isPdf
    ? readStatementPdf(bytes)
    : readStatementCsv(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  if (statement === null) return null
  return checkStatement(
    statement,
    await readStatement({ month: statement.month, untilSeq: statement.lastSeq }),
  )
}
