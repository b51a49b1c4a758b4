import { readStatementCsv } from './csv.ts'
import { readStatementPdf } from './pdf.ts'
import type { Statement } from './statement.ts'

/**
 * The statement of a file, PDF or CSV; `null` for a file that is none as it was handed out. `decode` reads UTF-8 and keeps
 * its mark: page and server have a decoder each, under types that are not here.
 */
export function readStatementFile<Bytes extends Uint8Array>(
  bytes: Bytes,
  decode: (utf8: Bytes) => string,
): Statement | null {
  const isPdf = String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-'
  return isPdf ? readStatementPdf(bytes) : readStatementCsv(decode(bytes))
}
