import { readCertificateCsv } from './certificate.ts'
import { readStatementCsv } from './csv.ts'
import { type Paper, readReceiptCsv } from './receipt.ts'

/** Parses the CSV of a paper. Returns `null` for any other text. */
export function readPaperCsv(text: string): Paper | null {
  return readStatementCsv(text) ?? readReceiptCsv(text) ?? readCertificateCsv(text)
}
