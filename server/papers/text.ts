/**
 * Writes text with the fonts of papers, and breaks it into lines. The library would search for each break with new
 * measurements of whole words, which took most of the time of a statement with long descriptions.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Font, create } from 'fontkit'
import LineBreaker from 'linebreak'
import { type Look, type Place, colours, paper } from './look.ts'

type Drawing = { readonly document: PDFKit.PDFDocument }

type Position = { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number }

/** The parts of pdfkit that its type definitions leave out. */
type WithFont = {
  readonly _font: {
    readonly id: string
    readonly ascender: number
    /** The glyphs in hexadecimal digits, and their positions in thousandths of the size of the font. */
    encode(text: string): readonly [glyphs: readonly string[], positions: readonly Position[]]
    widthOfString(text: string, size: number): number
    ref(): object
  }
  readonly page: { readonly fonts: Record<string, object | undefined> }
}

const fontFiles = {
  regular: readFont(import.meta.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
  bold: readFont(import.meta.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf')),
}
const characters = create(fontFiles.regular) as Font

function readFont(address: string): Buffer {
  return readFileSync(fileURLToPath(address))
}

export function registerFonts(document: PDFKit.PDFDocument): void {
  for (const [name, file] of Object.entries(fontFiles)) document.registerFont(name, file)
  document.font('regular')
}

/** Space between two lines of a text, in addition to the height of the font. */
const lineGap = 1.5

/** Writes a text. Returns the vertical position below the text. */
export function write(document: PDFKit.PDFDocument, text: string, { x, y, ...look }: Place & Look): number {
  setFont(document, look)
  setColour(document, look.colour ?? colours.ink)
  const words = shown(text)
  const height = document.currentLineHeight(true)
  if (look.width === undefined) {
    writeLine(document, words, { x, y, size: look.size })
    return y + height
  }
  let below = y
  for (const line of linesOf(document, words, { size: look.size, width: look.width })) {
    writeLine(document, line, { x, y: below, size: look.size })
    below += height + lineGap
  }
  return below
}

export function widthOf({ document }: Drawing, text: string, look: Look): number {
  setFont(document, look)
  return (thousandthsOf(document, shown(text)) * look.size) / 1000
}

export function heightOf({ document }: Drawing, text: string, look: Look & { width: number }): number {
  setFont(document, look)
  return linesOf(document, shown(text), look).length * (document.currentLineHeight(true) + lineGap)
}

/**
 * Returns the lines of a text. A line ends where Unicode permits a break (UAX #14); a word that is wider than a line
 * ends at any character.
 */
function linesOf(
  document: PDFKit.PDFDocument,
  text: string,
  { size, width }: { readonly size: number; readonly width: number },
): string[] {
  const whole = (width * 1000) / size
  const breaks = new LineBreaker(text)
  const lines: string[] = []
  let line = ''
  let left = whole
  let start = 0
  for (let next = breaks.nextBreak(); next !== null; next = breaks.nextBreak()) {
    const word = text.slice(start, next.position)
    start = next.position
    const isLong = thousandthsOf(document, word) > whole
    for (const part of isLong ? word : [word]) {
      const needed = thousandthsOf(document, part)
      if (needed > left && line !== '' && part !== ' ') {
        lines.push(line)
        line = ''
        left = whole
      }
      line += part
      left -= needed
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** A character: its glyph in hexadecimal digits, and its width in thousandths of the size of the font. */
type Glyph = { readonly digits: string; readonly thousandths: number }

/** The glyphs of the characters that a document has used, for each of its fonts. */
const knownGlyphs = new WeakMap<object, Map<string, Glyph>>()

function glyphsOf(document: PDFKit.PDFDocument): (character: string) => Glyph {
  const { _font: font } = document as unknown as WithFont
  const known = knownGlyphs.get(font) ?? new Map<string, Glyph>()
  knownGlyphs.set(font, known)
  return (character) => {
    const before = known.get(character)
    if (before !== undefined) return before
    const [[digits = '']] = font.encode(character)
    const thousandths = isCombined.test(character) ? 0 : font.widthOfString(character, 1000)
    const glyph = { digits, thousandths }
    known.set(character, glyph)
    return glyph
  }
}

function thousandthsOf(document: PDFKit.PDFDocument, text: string): number {
  const glyphOf = glyphsOf(document)
  let thousandths = 0
  for (const character of text) thousandths += glyphOf(character).thousandths
  return thousandths
}

/** Characters that change or join their neighbours. Only a text with one of them needs the rules of complex scripts. */
const isCombined = /[\p{M}\p{Cf}]/u

/**
 * Writes one line. One instruction takes a fraction of the time and memory of the library's calls, which write each part
 * of the instruction on its own. The coordinates of the library begin at the top of the page.
 */
function writeLine(
  document: PDFKit.PDFDocument,
  text: string,
  { x, y, size }: Place & { readonly size: number },
): void {
  if (text === '') return
  const { _font: font, page } = document as unknown as WithFont
  page.fonts[font.id] ??= font.ref()
  const at = { x, y: paper.height - y - (font.ascender / 1000) * size }
  const shownText = isCombined.test(text)
    ? placedGlyphs(font, text, { ...at, size })
    : plainGlyphs(document, text, at)
  document.addContent(`q 1 0 0 -1 0 ${paper.height} cm BT /${font.id} ${decimal(size)} Tf ${shownText} ET Q`)
}

function plainGlyphs(document: PDFKit.PDFDocument, text: string, at: Place): string {
  const glyphOf = glyphsOf(document)
  let digits = ''
  for (const character of text) digits += glyphOf(character).digits
  return `${placeOf(at)} <${digits}> Tj`
}

/** Places each glyph where the font's rules want it, for example a mark above its letter. */
function placedGlyphs(
  font: WithFont['_font'],
  text: string,
  { x, y, size }: Place & { readonly size: number },
): string {
  const [glyphs, positions] = font.encode(text)
  const unit = size / 1000
  let begins = x
  const placed = positions.map(({ xAdvance, xOffset, yOffset }, index) => {
    const at = placeOf({ x: begins + xOffset * unit, y: y + yOffset * unit })
    begins += xAdvance * unit
    return `${at} <${glyphs[index]}> Tj`
  })
  return placed.join(' ')
}

function placeOf({ x, y }: Place): string {
  return `1 0 0 1 ${decimal(x)} ${decimal(y)} Tm`
}

function decimal(number: number): number {
  return Math.round(number * 1000) / 1000
}

/** The colour of the last text on each page. */
const inks = new WeakMap<object, string>()

function setColour(document: PDFKit.PDFDocument, colour: string): void {
  if (inks.get(document.page) === colour) return
  document.fillColor(colour)
  inks.set(document.page, colour)
}

/** Must be called after a drawing that used another colour. */
export function forgetColour({ page }: PDFKit.PDFDocument): void {
  inks.delete(page)
}

function setFont(document: PDFKit.PDFDocument, { size, isBold = false }: Look): void {
  document.font(isBold ? 'bold' : 'regular', size)
}

/** Nearly every text has only these characters, which the fonts contain. */
const isLatin = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]*$/

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
  if (isLatin.test(text) && !text.includes('  ')) return text
  const plain = text.normalize('NFC').replaceAll(/\s+/gu, ' ')
  return Array.from(plain, (character) =>
    characters.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) && !isFromRight.test(character)
      ? character
      : '?',
  ).join('')
}
