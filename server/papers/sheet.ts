/**
 * Draws the parts that all papers share on tagged pages: PDF/A-3 (level A) and PDF/UA-1 (docs/decisions/0106). Each text
 * belongs to an element of the structure tree, or is an artifact, which screen readers skip.
 */
import Pdf from 'pdfkit'
import { encode } from 'uqr'
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import { particularLabels } from '@finanzas/contract/papers/particulars.ts'
import type { Issued } from '@finanzas/contract/papers/statement.ts'
import { collectFile } from './collect.ts'
import { type Look, type Place, colours, paper } from './look.ts'
import { forgetColour, heightOf, registerFonts, widthOf, write } from './text.ts'

export type Element = PDFKit.PDFStructureElement
export type Tag = 'H1' | 'H2' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD' | 'Figure' | 'Form'

/** A paper while it is being drawn. `y` is the vertical position of the next line. */
export type Sheet = {
  readonly document: PDFKit.PDFDocument
  readonly root: Element
  readonly title: string
  /** Returns the bytes of the file after the document has ended. */
  readonly file: () => Uint8Array<ArrayBuffer>
  y: number
}

export function beginSheet(
  title: string,
  { bankName, issuedAt }: Pick<Issued, 'bankName' | 'issuedAt'>,
): Sheet {
  const madeAt = new Date(`${issuedAt.replace(' ', 'T')}:00-05:00`)
  const document = new Pdf({
    size: 'A4',
    margins: { top: paper.top, bottom: paper.height - paper.bottom, left: paper.left, right: paper.left },
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    // The library would keep every word, and every part of a word that it tries to break, until the document ends.
    fontLayoutCache: false,
    lang: 'es-CO',
    displayTitle: true,
    bufferPages: true,
    // Without this, the library opens a font that PDF/A does not permit.
    font: null as unknown as string,
    info: { Title: title, Author: bankName, CreationDate: madeAt, ModDate: madeAt },
  })
  const file = collectFile(document)
  registerFonts(document)
  const root = document.struct('Document')
  document.addStructure(root)
  return { document, root, title, file, y: paper.top }
}

export function elementOf(sheet: Sheet, parent: Element, tag: Tag): Element {
  const element = sheet.document.struct(tag)
  parent.add(element)
  return element
}

/** Draws a text for a new element. Returns the vertical position below the text. */
export function draw(
  { document }: Sheet,
  parent: Element,
  tag: Tag,
  text: string,
  { x, y, scope, ...look }: Place & Look & { scope?: 'Column' | 'Row' },
): number {
  const content = document.markStructureContent(tag)
  // The type definitions lack the scope of a heading cell.
  const attributes: object = scope === undefined ? {} : { scope }
  const element = document.struct(tag, attributes, [content])
  const below = write(document, text, { x, y, ...look })
  document.endMarkedContent()
  parent.add(element)
  return below
}

/** Draws a text that ends at `x`. */
export function drawRight(
  sheet: Sheet,
  parent: Element,
  tag: Tag,
  text: string,
  at: Place & Look & { scope?: 'Column' },
): number {
  return draw(sheet, parent, tag, text, { ...at, x: at.x - widthOf(sheet, text, at) })
}

/** Draws decoration, which screen readers skip. */
export function decorate({ document }: Sheet, drawing: (document: PDFKit.PDFDocument) => void): void {
  document.markContent('Artifact')
  drawing(document)
  forgetColour(document)
  document.endMarkedContent()
}

/** Begins a new page if fewer than `height` points are left on this page. */
export function makeRoom(sheet: Sheet, height: number): boolean {
  if (sheet.y + height <= paper.bottom) return false
  sheet.document.addPage()
  sheet.y = paper.top
  return true
}

export function heading(sheet: Sheet, text: string): void {
  sheet.y = draw(sheet, sheet.root, 'H2', text, { x: paper.left, y: sheet.y, size: 12, isBold: true }) + 5
}

export function paragraph(sheet: Sheet, text: string, look: Partial<Look> = {}): void {
  const at = { x: paper.left, size: 8.5, width: paper.right - paper.left, ...look }
  makeRoom(sheet, heightOf(sheet, text, at))
  sheet.y = draw(sheet, sheet.root, 'P', text, { ...at, y: sheet.y }) + 4
}

/** Draws a thin line as decoration. One instruction takes less time than seven calls of the library. */
export function rule({ document }: Sheet, y: number): void {
  const height = y.toFixed(2)
  document.addContent(
    `/Artifact BMC .85 .82 .74 RG .5 w ${paper.left} ${height} m ${paper.right} ${height} l S EMC`,
  )
}

const plateHeight = 64

/** Draws the plate with the bank's mark, name and particulars at the top of the first page. */
export function drawPlate(
  sheet: Sheet,
  { bankName, particulars }: Pick<Issued, 'bankName' | 'particulars'>,
): void {
  decorate(sheet, (document) => {
    document.rect(0, 0, paper.width, plateHeight).fill(colours.night)
    drawMark(document, { x: paper.left + 16, y: plateHeight / 2, radius: 16 })
  })
  const facts = [
    particulars?.taxNumber === undefined ? '' : `${particularLabels.taxNumber} ${particulars.taxNumber}`,
    particulars?.phone === undefined ? '' : `${particularLabels.phone} ${particulars.phone}`,
  ].filter(Boolean)
  const side = { size: 8.5, colour: colours.ivory }
  const texts = [facts.join(' · '), particulars?.address ?? ''].filter(Boolean)
  const sideWidth = Math.max(0, ...texts.map((text) => widthOf(sheet, text, side)))
  const isBeside = sideWidth < 260
  const x = paper.left + 44
  const name = {
    x,
    size: 15,
    isBold: true,
    colour: colours.ivory,
    width: paper.right - x - (isBeside ? sideWidth + 16 : 0),
  }
  const nameY = isBeside || texts.length === 0 ? (plateHeight - 15) / 2 : 12
  draw(sheet, sheet.root, 'P', bankName, { ...name, y: nameY })
  for (const [index, text] of texts.entries()) {
    const y = isBeside ? plateHeight / 2 - texts.length * 6 + index * 12 : 32 + index * 12
    if (isBeside) drawRight(sheet, sheet.root, 'P', text, { ...side, x: paper.right, y })
    else draw(sheet, sheet.root, 'P', text, { ...side, x, y, width: paper.right - x })
  }
  sheet.y = plateHeight + 22
}

/** Draws the bank's mark (web/public/favicon.svg). */
function drawMark(document: PDFKit.PDFDocument, { x, y, radius }: Place & { radius: number }): void {
  const unit = radius / 16
  for (let petal = 0; petal < 8; petal += 1) {
    const angle = (petal * Math.PI) / 4
    document.circle(x + Math.sin(angle) * 5.4 * unit, y - Math.cos(angle) * 5.4 * unit, 5.2 * unit)
  }
  document.lineWidth(unit).strokeColor(colours.ivory).stroke()
  document.circle(x, y, 2.4 * unit).fill(colours.brass)
}

/** Draws a QR code with a text for screen readers. Returns the width of the code. */
export function drawCode({ document }: Sheet, parent: Element, address: string, { x, y }: Place): number {
  const { data, size } = encode(address, { ecc: 'M', border: 2 })
  const width = 76
  const unit = width / size
  const content = document.markStructureContent('Figure')
  const alt = statementCopy.code(address)
  const element = document.struct('Figure', { alt, bbox: [x, y, x + width, y + width] } as object, [content])
  document.rect(x, y, width, width).fill('#ffffff')
  for (const [row, cells] of data.entries())
    for (const [column, isDark] of cells.entries())
      if (isDark) document.rect(x + column * unit, y + row * unit, unit, unit)
  document.fill(colours.ink)
  forgetColour(document)
  document.endMarkedContent()
  parent.add(element)
  return width
}

/** Draws the footer of every page. */
export function drawFooters(sheet: Sheet): void {
  const { document, title } = sheet
  const { count } = document.bufferedPageRange()
  const look = { size: 7.5, colour: colours.muted }
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page)
    decorate(sheet, () => {
      const y = paper.height - 34
      const number = statementCopy.page(page + 1, count)
      write(document, title, { ...look, x: paper.left, y })
      write(document, number, { ...look, x: paper.right - widthOf(sheet, number, look), y })
    })
  }
}
