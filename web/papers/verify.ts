/**
 * Verifies whether a file is one of the customer's statements or receipts. This module is loaded when the user chooses
 * the first file.
 */
import { type LedgerVerdict, checkStatement } from '@finanzas/contract/papers/check.ts'
import { checkCertificate, isCertificate } from '@finanzas/contract/papers/certificate.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import {
  type Paper,
  type Receipt,
  type ReceiptAnswer,
  checkReceipt,
  isReceipt,
} from '@finanzas/contract/papers/receipt.ts'
import {
  type StatementKeys,
  readStatementKeys,
  statementKeysPath,
} from '@finanzas/contract/papers/signature.ts'
import { missingRowCode } from '#api/error-codes.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { bankOfPage, readStatement } from './statements.ts'

export type Verdict =
  | {
      readonly signature: 'valid' | 'unsigned'
      readonly document: Paper
      readonly ledger: LedgerVerdict
    }
  /** The ledger is compared only if the signature is valid. */
  | { readonly signature: 'false' }
  | { readonly signature: 'unknown_key' }

/**
 * Returns `null` if the file is not a statement or receipt in exactly the format that the bank issues. Throws if the
 * ledger cannot be read.
 */
export async function verdictOf(file: Blob): Promise<Verdict | null> {
  const verified = await verifyFile(new Uint8Array(await file.arrayBuffer()), readPublishedKeys)
  if (verified === null) return null
  if (verified.signature === 'false' || verified.signature === 'unknown_key')
    return { signature: verified.signature }
  const { document, signature } = verified
  return { document, signature, ledger: await compare(document) }
}

/** Fetches the public keys that verify this bank's statements. Throws if the server has not published any keys. */
async function readPublishedKeys(): Promise<StatementKeys> {
  const response = await fetch(statementKeysPath, { cache: 'no-cache' })
  const keys = response.ok ? readStatementKeys(await response.json()) : null
  if (keys === null) throw new Error(`GET ${statementKeysPath} answered ${response.status} and no keys.`)
  return keys
}

async function compare(document: Paper): Promise<LedgerVerdict> {
  if (isCertificate(document)) {
    const client = await backend()
    const answer = unwrap(await client.rpc('balance_certificate', { until_seq: document.lastSeq }))
    return checkCertificate(document, answer, bankOfPage())
  }
  if (isReceipt(document)) return checkReceipt(document, await readReceipt(document), bankOfPage())
  const { month, lastSeq } = document
  return checkStatement(document, await readStatement({ month, untilSeq: lastSeq }), bankOfPage())
}

/**
 * Reads one of the customer's transactions as it was posted by the receipt's journal entry. Returns `null` if the
 * transaction does not belong to the customer.
 */
async function readReceipt({ transaction, seq }: Receipt): Promise<ReceiptAnswer | null> {
  const client = await backend()
  try {
    return unwrap(await client.rpc('receipt', { transaction_id: transaction, posted_seq: seq }))
  } catch (error) {
    if (errorCode(error) === missingRowCode) return null
    throw error
  }
}
