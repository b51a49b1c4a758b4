import { readStatementCsv } from './csv.ts'
import { readStatementPdf } from './pdf.ts'
import { type Receipt, readReceiptCsv } from './receipt.ts'
import { readReceiptPdf } from './receipt-pdf.ts'
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
  if (isPdf) return readStatementPdf(bytes) ?? readReceiptPdf(bytes)
  try {
    // Without `fatal`, all invalid bytes would be decoded to the same replacement character.
    const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes)
    return readStatementCsv(text) ?? readReceiptCsv(text)
  } catch {
    return null
  }
}
