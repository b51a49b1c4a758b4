/** Whether a file is a statement of the customer's; fetched with the first file. */
import { type LedgerVerdict, checkStatement } from '@finanzas/contract/statement/check.ts'
import { readStatementFile } from '@finanzas/contract/statement/file.ts'
import { type SignatureVerdict, checkSignature } from '@finanzas/contract/statement/signature.ts'
import type { Statement } from '@finanzas/contract/statement/statement.ts'
import { bankOfPage, readPublishedKeys, readStatement } from './statements.ts'

export type Verdict = {
  readonly statement: Statement
  readonly signature: SignatureVerdict
  /** `null` where the signature is wrong already. */
  readonly ledger: LedgerVerdict | null
}

/** `null` for a file that differs from every statement that was handed out. Throws errors of the reading. */
export async function verifyFile(file: Blob): Promise<Verdict | null> {
  const statement = readStatementFile(new Uint8Array(await file.arrayBuffer()))
  if (statement === null) return null
  const signature = await checkSignature(statement, await readPublishedKeys())
  if (signature === 'false' || signature === 'unknown_key') return { statement, signature, ledger: null }
  const { month, lastSeq } = statement
  const answer = await readStatement({ month, untilSeq: lastSeq })
  return { statement, signature, ledger: checkStatement(statement, answer, bankOfPage()) }
}
