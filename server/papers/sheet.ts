/**
 * Draws the parts that all papers share on tagged pages: PDF/A-3 (level A) and PDF/UA-1 (docs/decisions/0106). Each text
 * belongs to an element of the structure tree, or is an artifact, which screen readers skip.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Font, create } from 'fontkit'
import Pdf from 'pdfkit'
import { encode } from 'uqr'
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import { particularLabels } from '@finanzas/contract/papers/particulars.ts'
import type { Issued } from '@finanzas/contract/papers/statement.ts'
import { collectFile } from './collect.ts'

/** A4 in points. `top` is the first line of a page, and `bottom` is the edge that no line crosses. */
export const paper = { width: 595.28, height: 841.89, left: 44, right: 551, top: 52, bottom: 784 }

export const colours = {
  night: '#17305f',
  brass: '#e3b662',
  ivory: '#f4f0e6',
  cream: '#f7f3ec',
  ink: '#12192a',
  muted: '#545b6b',
  line: '#d9d0bd',
  good: '#17633f',
  bad: '#9b2c2c',
} as const

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

export type Look = {
  readonly size: number
  readonly isBold?: boolean
  readonly colour?: string
  /** Text that is wider continues on the next line. Without a width, the text is one line. */
  readonly width?: number
}

export type Place = { readonly x: number; readonly y: number }

/** Characters that the fonts contain, and that are drawn one by one. Nearly every text has only these. */
const isSimple = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]*$/

const fontFiles = {
  regular: readFont(import.meta.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
  bold: readFont(import.meta.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf')),
}
const characters = create(fontFiles.regular) as Font

function readFont(address: string): Buffer {
  return readFileSync(fileURLToPath(address))
}

/**
 * Opens a font for one document: the library remembers glyphs with the characters of the document. The font places the
 * characters of a simple text one by one, without the rules of complex scripts, which would take a third of the time of
 * a long statement.
 */
function openFont(file: Buffer): Font {
  const font = create(file) as Font
  const whole = font.layout.bind(font)
  const widths = new Map<number, { id: number; advanceWidth: number; codePoints: number[] }>()
  const glyphOf = (code: number) => {
    const known = widths.get(code)
    if (known !== undefined) return known
    const { id, advanceWidth } = font.glyphForCodePoint(code)
    const glyph = { id, advanceWidth, codePoints: [code] }
    widths.set(code, glyph)
    return glyph
  }
  return Object.assign(font, {
    layout(text: string, ...options: unknown[]) {
      if (!isSimple.test(text)) return whole(text, ...(options as []))
      const glyphs = Array.from(text, (character) => glyphOf(character.codePointAt(0) ?? 0))
      const positions = glyphs.map(({ advanceWidth }) => ({
        xAdvance: advanceWidth,
        yAdvance: 0,
        xOffset: 0,
        yOffset: 0,
      }))
      return {
        glyphs,
        positions,
        // Read by the library after it has converted the positions to another unit.
        get advanceWidth() {
          return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
        },
      }
    },
  })
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
  for (const [name, font] of Object.entries(fontFiles))
    document.registerFont(name, openFont(font) as unknown as Buffer)
  document.font('regular')
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
  write(document, text, { x, y, ...look })
  document.endMarkedContent()
  parent.add(element)
  return look.width === undefined ? y + document.currentLineHeight(true) : document.y
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
  inks.delete(document.page)
  document.endMarkedContent()
}

export function write(
  document: PDFKit.PDFDocument,
  text: string,
  { x, y, width, ...look }: Place & Look,
): void {
  setFont(document, look)
  setColour(document, look.colour ?? colours.ink)
  const words = shown(text)
  if (width === undefined && isSimple.test(words)) writeLine(document, words, { x, y, size: look.size })
  else document.text(words, x, y, width === undefined ? { lineBreak: false } : { width, lineGap: 1.5 })
}

export function widthOf({ document }: Sheet, text: string, look: Look): number {
  setFont(document, look)
  const words = shown(text)
  return isSimple.test(words)
    ? (glyphsOf(document, words).thousandths * look.size) / 1000
    : document.widthOfString(words)
}

/** The parts of pdfkit that its type definitions leave out. */
type WithFont = {
  readonly _font: {
    readonly id: string
    readonly ascender: number
    encode(text: string): readonly [glyphs: readonly string[], positions: object]
    widthOfString(text: string, size: number): number
    ref(): object
  }
  readonly page: { readonly fonts: Record<string, object | undefined> }
}

/** A simple text: its glyphs in hexadecimal digits, and its width in thousandths of the size of the font. */
type Glyphs = { readonly digits: string; readonly thousandths: number }

/** The glyphs of the characters that a document has used, for each of its fonts. */
const knownGlyphs = new WeakMap<object, Map<string, Glyphs>>()

function glyphsOf(document: PDFKit.PDFDocument, text: string): Glyphs {
  const { _font: font } = document as unknown as WithFont
  let known = knownGlyphs.get(font)
  if (known === undefined) knownGlyphs.set(font, (known = new Map()))
  let digits = ''
  let thousandths = 0
  for (const character of text) {
    let glyph = known.get(character)
    if (glyph === undefined) {
      const [[code = '']] = font.encode(character)
      glyph = { digits: code, thousandths: font.widthOfString(character, 1000) }
      known.set(character, glyph)
    }
    digits += glyph.digits
    thousandths += glyph.thousandths
  }
  return { digits, thousandths }
}

/**
 * Writes a simple text of one line. One instruction takes a fraction of the time of the library's calls, which compute
 * breaks and write each part of the instruction on its own. The coordinates of the library begin at the top of the page.
 */
function writeLine(document: PDFKit.PDFDocument, text: string, { x, y, size }: Place & Look): void {
  if (text === '') return
  const { _font: font, page } = document as unknown as WithFont
  page.fonts[font.id] ??= font.ref()
  const base = paper.height - y - (font.ascender / 1000) * size
  const place = `1 0 0 1 ${decimal(x)} ${decimal(base)} Tm /${font.id} ${decimal(size)} Tf`
  const { digits } = glyphsOf(document, text)
  document.addContent(`q 1 0 0 -1 0 ${paper.height} cm BT ${place} <${digits}> Tj ET Q`)
}

function decimal(number: number): number {
  return Math.round(number * 1000) / 1000
}

export function heightOf({ document }: Sheet, text: string, look: Look & { width: number }): number {
  setFont(document, look)
  return document.heightOfString(shown(text), { width: look.width, lineGap: 1.5 })
}

/** The colour of the last text on each page. */
const inks = new WeakMap<object, string>()

function setColour(document: PDFKit.PDFDocument, colour: string): void {
  if (inks.get(document.page) === colour) return
  document.fillColor(colour)
  inks.set(document.page, colour)
}

function setFont(document: PDFKit.PDFDocument, { size, isBold = false }: Look): void {
  document.font(isBold ? 'bold' : 'regular', size)
}

/**
 * The blocks of Unicode with characters that are written from right to left. A word with one of them would stand reversed
 * on the paper, and could then show another name. A paper has no characters that change the direction (plain-line.ts).
 */
const isFromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Returns the text with `?` for each character that the fonts lack, and for each that is written from right to left.
 * Spaces of every width become ordinary spaces.
 */
function shown(text: string): string {
  if (isSimple.test(text) && !text.includes('  ')) return text
  const plain = text.normalize('NFC').replaceAll(/\s+/gu, ' ')
  return Array.from(plain, (character) =>
    characters.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) && !isFromRight.test(character)
      ? character
      : '?',
  ).join('')
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
  inks.delete(document.page)
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
