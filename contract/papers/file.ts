import { attachedText } from '@finanzas/contract/papers/pdf/file.ts'
import { readStatementCsv } from './csv.ts'
import { type Receipt, readReceiptCsv } from './receipt.ts'
import { receiptPdf } from './receipt-pdf.ts'
import { statementPdf } from './statement-pdf.ts'
import type { Statement } from './statement.ts'

/** The page and the server have different type definitions for `TextDecoder`, so this file declares it. */
declare const TextDecoder: new (
  encoding: 'utf-8',
  options: { readonly ignoreBOM: true; readonly fatal: true },
) => { decode(bytes: Uint8Array): string }

/**
 * Returns the statement or receipt in a PDF or CSV file. Returns `null` for any other file, and for a file in which any
 * byte has been changed since it was issued.
 */
export function readStatementFile(bytes: Uint8Array): Statement | Receipt | null {
  const isPdf = String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-'
  if (isPdf) return readPdf(bytes)
  try {
    // Without `fatal`, all invalid bytes would be decoded to the same replacement character.
    const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes)
    return readStatementCsv(text) ?? readReceiptCsv(text)
  } catch {
    return null
  }
}

/** Renders the attached CSV again. If the result and the file differ in any byte, the file has been changed. */
function readPdf(bytes: Uint8Array): Statement | Receipt | null {
  const csv = attachedText(bytes)
  if (csv === null) return null
  const statement = readStatementCsv(csv)
  const document = statement ?? readReceiptCsv(csv)
  if (document === null) return null
  const again = statement === null ? receiptPdf(csv) : statementPdf(csv)
  return again.length === bytes.length && again.every((byte, index) => byte === bytes[index])
    ? document
    : null
}
