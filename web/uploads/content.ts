/** Decodes a file in one of the encodings that banks use, and recognizes files that are not read. */

/** A file as bytes, and as decoded text. The text of a binary file is empty. */
export type FileContent = {
  readonly bytes: Uint8Array
  readonly text: string
  /** The name of the sheet that the user chose from a workbook. */
  readonly sheet?: string | undefined
}

/** Returns the content of a file, or of rows that were copied from a spreadsheet. */
export function contentOf(file: Uint8Array | string): FileContent {
  if (typeof file === 'string') return { bytes: new TextEncoder().encode(file), text: file }
  return { bytes: file, text: isZip(file) ? '' : decodeText(file) }
}

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)
}

/** Decodes UTF-8, UTF-16, Windows-1252, or the encoding that the file names. */
function decodeText(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes)
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes)
  const lenient = new TextDecoder('utf-8').decode(bytes)
  const text = isUtf8(lenient) ? lenient : new TextDecoder(namedEncoding(lenient)).decode(bytes)
  // Some programs fill the last block of a file with zeros.
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/**
 * Returns whether a text that was decoded as UTF-8 is UTF-8. A file that was cut within a letter, or that contains a
 * damaged letter, still has more valid letters outside ASCII than invalid ones.
 */
function isUtf8(text: string): boolean {
  if (!text.includes('\ufffd')) return true
  let [valid, invalid] = [0, 0]
  for (const [letter] of text.replace(/\ufffd$/, '').matchAll(/[^\0-\x7f]/gu))
    if (letter === '\ufffd') invalid += 1
    else valid += 1
  return invalid === 0 ? valid > 0 : valid > 2 * invalid
}

/** Number of characters in which XML, HTML and OFX name their encoding. */
const namedWithin = 1000

function namedEncoding(text: string): string {
  const [, name = ''] =
    /(?:encoding|charset)\s*[=:]\s*["']?(iso-8859-\d{1,2}|windows-125\d|macintosh|ibm866)/i.exec(
      text.slice(0, namedWithin),
    ) ?? []
  return name === '' ? 'windows-1252' : name.toLowerCase()
}

/** Number of bytes that are examined to guess the encoding. */
const sampleLength = 1000

/**
 * Recognizes UTF-16 by the byte order mark, or by zero bytes: UTF-16 encodes a Latin letter as two bytes of which one is
 * zero. In a block of zeros, both are zero.
 */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  let [even, odd] = [0, 0]
  const length = Math.min(bytes.length, sampleLength) & ~1
  for (let index = 0; index < length; index += 2) {
    const [isEven, isOdd] = [bytes[index] === 0, bytes[index + 1] === 0]
    if (isEven === isOdd) continue
    if (isEven) even += 1
    else odd += 1
  }
  if (odd > length / 4 && odd > 8 * even) return 'utf-16le'
  return even > length / 4 && even > 8 * odd ? 'utf-16be' : null
}
