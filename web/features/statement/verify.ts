/** Whether a file is a statement of the customer's; fetched with the first file. */
import { type StatementVerdict, checkStatement } from '@finanzas/contract/statement/check.ts'
import { readStatementFile } from '@finanzas/contract/statement/file.ts'
import { readStatement } from './statements.ts'

/** `null` for a file that is no statement as it was handed out. Throws what the reading throws. */
export async function verifyFile(file: Blob): Promise<StatementVerdict | null> {
  const statement = readStatementFile(new Uint8Array(await file.arrayBuffer()), (utf8) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8),
  )
  if (statement === null) return null
  return checkStatement(
    statement,
    await readStatement({ month: statement.month, untilSeq: statement.lastSeq }),
  )
}
