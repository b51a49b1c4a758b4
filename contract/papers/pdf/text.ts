/** Prepares text for the embedded fonts. The encoding is Windows-1252, with one character per byte. */
import { fontData } from './data.ts'

/** Characters of the codes from 0x80 to 0x9F. The embedded fonts lack two characters of Windows-1252: `‡` and `‰`. */
const windows1252 = '€\u0081‚ƒ„…†\u0087ˆ\u0089Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

/**
 * Encodes a text for the embedded fonts, with `?` in place of any character that they lack. The attached CSV contains
 * the original characters.
 */
export function encoded(text: string): string {
  return Array.from(text, (character) => {
    // In a PDF, the code of the soft hyphen shows a hyphen.
    if (character === '\u00AD') return '-'
    const plain = isEncodable(character) ? character : character.normalize('NFKD').replace(/\p{M}/gu, '')
    return Array.from(plain, (part) => (isEncodable(part) ? byteOf(part) : '?')).join('')
  }).join('')
}

function isEncodable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) || windows1252.includes(character)
}

function byteOf(character: string): string {
  const place = windows1252.indexOf(character)
  return place === -1 ? character : String.fromCharCode(0x80 + place)
}

/** Returns the Unicode character of a code in Windows-1252. */
export function characterOf(code: number): number {
  return (code >= 0x80 && code < 0xa0 ? windows1252.codePointAt(code - 0x80) : code) ?? code
}

const widths = fontData.regular.widths.split(' ').map(Number)

/** Returns an encoded text's width in points. */
export function widthOf(text: string, size: number): number {
  let width = 0
  for (let index = 0; index < text.length; index += 1) width += widths[text.charCodeAt(index) - 32] ?? 0
  return (width * size) / 1000
}

/**
 * Breaks an encoded text into lines that are at most `width` points wide. Lines break between words, or within a word
 * that is wider than a line.
 */
export function wrapped(text: string, size: number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer, size) <= width) {
      line = longer
      continue
    }
    // In a tagged PDF, a blank must separate words (ISO 32000-1, 14.8.2.5), even if a line ends between them.
    if (line !== '') lines.push(`${line} `)
    line = ''
    for (const character of word) {
      if (widthOf(line + character, size) > width) {
        lines.push(line)
        line = ''
      }
      line += character
    }
  }
  return [...lines, line]
}
