/** Verifies whether a file is a statement of the customer. This module is loaded with the first file. */
import { type LedgerVerdict, checkStatement } from '@finanzas/contract/statement/check.ts'
import { readStatementFile } from '@finanzas/contract/statement/file.ts'
import { type SignatureVerdict, checkSignature } from '@finanzas/contract/statement/signature.ts'
import type { Statement } from '@finanzas/contract/statement/statement.ts'
import { bankOfPage, readPublishedKeys, readStatement } from './statements.ts'

export type Verdict = {
  readonly statement: Statement
  readonly signature: SignatureVerdict
  /** `null` if the signature is already wrong. */
  readonly ledger: LedgerVerdict | null
}

/** Returns `null` for a file that is not an unchanged statement of the bank. Throws errors of reading the ledger. */
export async function verifyFile(file: Blob): Promise<Verdict | null> {
  const statement = readStatementFile(new Uint8Array(await file.arrayBuffer()))
  if (statement === null) return null
  const signature = await checkSignature(statement, await readPublishedKeys())
  if (signature === 'false' || signature === 'unknown_key') return { statement, signature, ledger: null }
  const { month, lastSeq } = statement
  const answer = await readStatement({ month, untilSeq: lastSeq })
  return { statement, signature, ledger: checkStatement(statement, answer, bankOfPage()) }
}
