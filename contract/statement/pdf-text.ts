/**
 * Prepares text for the standard fonts that every PDF reader has. The encoding is Windows-1252, with one character per
 * byte.
 */

const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

/**
 * Encodes a text for the standard fonts, with `?` in place of any character that they lack. The attached CSV contains
 * the original characters.
 */
export function encoded(text: string): string {
  return Array.from(text, (character) => {
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

/**
 * Widths of Helvetica's characters from the space character on, in thousandths of the font size (from Adobe's font
 * metrics).
 */
const widths =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 0 556 0 222 556 333 1000 556 556 333 1000 667 333 1000 0 611 0 0 222 222 333 333 350 556 1000 333 1000 500 333 944 0 500 500 278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 333 400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 667 667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 556 556 556 556 500 556 500'
    .split(' ')
    .map(Number)

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
    if (line !== '') lines.push(line)
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
