/** Draws the section with which a reader can verify a paper: the hash of its journal entry, and the signature. */
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import type { Issued, Statement } from '@finanzas/contract/papers/statement.ts'
import { paper } from './look.ts'
import { type Sheet, draw, heading, makeRoom, paragraph } from './sheet.ts'

type Words = {
  readonly heading: string
  readonly signed: string
  readonly code: (kid: string) => string
  /** Number of the journal entry that has the hash. */
  readonly seq: number
}

export function drawProof(
  sheet: Sheet,
  { hash, signature, particulars }: Pick<Issued, 'particulars'> & Pick<Statement, 'hash' | 'signature'>,
  words: Words,
): void {
  heading(sheet, words.heading)
  if (signature !== null) {
    paragraph(sheet, words.signed)
    paragraph(sheet, statementCopy.pdfSigned)
    paragraph(sheet, statementCopy.anybody(particulars?.site))
  }
  sheet.y += 6
  paragraph(sheet, statementCopy.head(words.seq))
  drawDigits(sheet, [hash])
  if (signature === null) return
  paragraph(sheet, words.code(signature.kid))
  drawDigits(sheet, signature.value.match(/.{1,64}/g) ?? [])
}

/** Height of a line of digits. A signature by RSA has more lines than the rest of a page may hold. */
const digitsHeight = 13

function drawDigits(sheet: Sheet, lines: readonly string[]): void {
  for (const line of lines) {
    makeRoom(sheet, digitsHeight)
    sheet.y = draw(sheet, sheet.root, 'P', line, { x: paper.left, y: sheet.y, size: 8.5 }) + 3
  }
  sheet.y += 4
}
