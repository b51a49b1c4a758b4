/**
 * Draws the parts that printed statements and receipts share: lines, headings, the verification code and the footer.
 */
import { type MinorUnits, decimalFromMinor } from '@finanzas/contract/money.ts'
import { statementCopy as copy } from './copy.ts'
import {
  type Drawn,
  type Element,
  type Page,
  draw,
  elementOf,
  pdfBytes,
} from '@finanzas/contract/papers/pdf/file.ts'
import { encoded, widthOf, wrapped } from '@finanzas/contract/papers/pdf/text.ts'
import { ofBank, particularLabels } from './particulars.ts'
import type { Issued, Statement } from './statement.ts'

/** A4 in points. */
export const paper = { width: 595, height: 842, left: 44, right: 551, top: 790, bottom: 62 }
export const textSize = 8.5

/** A document while it is being drawn. `y` is the vertical position of the next line. */
export type Sheet = {
  title: string
  root: Element
  pages: Page[]
  page: Page
  y: number
}

export function beginSheet(title: string): Sheet {
  const page = newPage(0)
  return { title, root: elementOf(null, 'Document'), pages: [page], page, y: paper.top }
}

function newPage(number: number): Page {
  return { number, operators: [], owners: [] }
}

export function turnPage(sheet: Sheet): void {
  sheet.page = newPage(sheet.pages.length)
  sheet.pages.push(sheet.page)
  sheet.y = paper.top
}

/** Finishes the document and returns the PDF file's bytes. The CSV text is attached. */
export function finishSheet(
  sheet: Sheet,
  { bankName, issuedAt, hash, signature }: Pick<Statement, 'bankName' | 'issuedAt' | 'hash' | 'signature'>,
  attachment: { name: string; text: string },
): Uint8Array<ArrayBuffer> {
  drawEdges(sheet)
  return pdfBytes({
    title: sheet.title,
    author: bankName,
    // Identifies the document by its signature, or by the hash of its journal entry if the document is unsigned.
    id: (signature?.value ?? hash).slice(0, 32),
    madeAt: `${issuedAt.replaceAll(/\D/g, '')}00`,
    size: paper,
    pages: sheet.pages,
    root: sheet.root,
    attachment,
  })
}

/** Draws the bank's name and its particulars. */
export function drawBank(
  sheet: Sheet,
  { bankName, particulars }: Pick<Issued, 'bankName' | 'particulars'>,
): void {
  const facts = ofBank
    .filter((fact) => fact !== 'site')
    .flatMap((fact) => {
      const value = particulars?.[fact]
      return value === undefined ? [] : [`${particularLabels[fact]}: ${value}`]
    })
    .join(' · ')
  line(sheet, elementOf(sheet.root, 'P'), {
    text: bankName,
    size: 11,
    font: 'bold',
    height: facts === '' ? 26 : 14,
  })
  if (facts === '') return
  line(sheet, elementOf(sheet.root, 'P'), { text: facts, size: textSize, height: 12 })
  sheet.y -= 14
}

/**
 * Returns the facts about the account and its holder. If the account number is known, the PDF shows the number in place
 * of the account's id.
 */
export function holderFacts({
  customer,
  account,
  particulars,
}: Issued & Pick<Statement, 'account'>): (readonly [string, string])[] {
  const { document, accountNumber } = particulars ?? {}
  return [
    [copy.customer, customer] as const,
    ...(document === undefined ? [] : [[particularLabels.document, document] as const]),
    accountNumber === undefined
      ? ([copy.account, account] as const)
      : ([particularLabels.accountNumber, accountNumber] as const),
  ]
}

/** Draws the journal entry's hash and the signature, with which a reader can verify the file. */
export function drawProof(
  sheet: Sheet,
  { seq, hash, signature }: Pick<Statement, 'hash' | 'signature'> & { seq: number },
  signedBy: (kid: string) => string,
): void {
  sheet.y -= 6
  drawDigits(sheet, { label: copy.head(seq), digits: [hash] })
  if (signature === null) return
  const { kid, value } = signature
  drawDigits(sheet, { label: signedBy(kid), digits: [value.slice(0, 64), value.slice(64)] })
}

export function heading(sheet: Sheet, text: string): void {
  line(sheet, elementOf(sheet.root, 'H2'), { text, size: 12, font: 'bold', height: 16 })
}

function drawDigits(sheet: Sheet, { label, digits }: { label: string; digits: readonly string[] }): void {
  line(sheet, elementOf(sheet.root, 'P'), { text: label, size: textSize, height: 13 })
  const element = elementOf(sheet.root, 'P')
  for (const text of digits) line(sheet, element, { text, size: 8, font: 'mono', height: 13 })
}

/** Draws every page's footer as decoration, which screen readers skip. */
function drawEdges({ pages, title }: Sheet): void {
  for (const page of pages) {
    const [y, size] = [paper.bottom - 24, 7.5]
    draw(page, null, { x: paper.left, y, text: encoded(title), size, isMuted: true })
    const text = encoded(copy.page(page.number + 1, pages.length))
    drawRight(page, null, { x: paper.right, y, text, size, isMuted: true })
  }
}

type Line = {
  text: string
  size: number
  font?: Drawn['font']
  height: number
  /** Indentation of every line after the first one, in points. */
  hang?: number
}

/** Draws a text below the last line, and continues on a new page if this page is full. */
export function line(sheet: Sheet, element: Element, { text, height, hang = 0, ...look }: Line): void {
  const width = paper.right - paper.left - hang
  const lines = look.font === undefined ? wrapped(encoded(text), look.size, width) : [encoded(text)]
  for (const [index, part] of lines.entries()) {
    if (sheet.y < paper.bottom) turnPage(sheet)
    draw(sheet.page, element, { x: paper.left + (index === 0 ? 0 : hang), y: sheet.y, text: part, ...look })
    sheet.y -= height
  }
}

export function paragraph(sheet: Sheet, text: string): void {
  line(sheet, elementOf(sheet.root, 'P'), { text, size: textSize, height: 12 })
}

export function drawRight(page: Page, element: Element | null, { x, ...drawn }: Drawn): void {
  draw(page, element, { ...drawn, x: x - widthOf(drawn.text, drawn.size) })
}

/**
 * Formats an amount as the web page does, but without depending on the machine's locale data: `-$1,229.56`, `-$
 * 1.229,56`.
 */
export function money(minor: MinorUnits, { currency }: Pick<Statement, 'currency'>): string {
  const [units = '', hundredths] = decimalFromMinor(Math.abs(minor) as MinorUnits).split('.')
  const group = currency === 'USD' ? ',' : '.'
  const grouped = units.replaceAll(/\B(?=(?:\d{3})+$)/g, group)
  const mark = currency === 'USD' ? '$' : '$ '
  return `${minor < 0 ? '-' : ''}${mark}${grouped}${currency === 'USD' ? '.' : ','}${hundredths}`
}

/** `2 nov 2026`, `2 nov` */
export function dayInWords(day: string, hasYear = true): string {
  const month = copy.monthsShort[Number(day.slice(5, 7)) - 1]
  return `${Number(day.slice(8, 10))} ${month}${hasYear ? ` ${day.slice(0, 4)}` : ''}`
}
