import { isCertificate } from '@finanzas/contract/papers/certificate.ts'
import { readPaperCsv } from '@finanzas/contract/papers/paper.ts'
import { type Paper, isReceipt } from '@finanzas/contract/papers/receipt.ts'
import { certificateSheet } from './balance-certificate.ts'
import { finishSheet } from './finish.ts'
import { receiptSheet } from './receipt.ts'
import type { Sheet } from './sheet.ts'
import { statementSheet } from './statement.ts'

/**
 * Writes the PDF of a paper, with an empty signature. The CSV is attached to the PDF. Throws if the text is not the CSV
 * of a paper.
 */
export function writePdf(csv: string): Uint8Array<ArrayBuffer> {
  const document = readPaperCsv(csv)
  if (document === null) throw new SyntaxError('This is not the CSV of a paper.')
  const [sheet, name] = drawn(document)
  return finishSheet(sheet, document, { name, text: csv })
}

function drawn(document: Paper): readonly [Sheet, name: string] {
  if (isCertificate(document))
    return [certificateSheet(document), `certificado-de-saldo-${document.issuedAt.slice(0, 10)}.csv`]
  return isReceipt(document)
    ? [receiptSheet(document), `comprobante-${document.transaction}.csv`]
    : [statementSheet(document), `extracto-${document.month}.csv`]
}
