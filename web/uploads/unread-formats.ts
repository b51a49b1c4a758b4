/** Recognizes the formats that are not read, so that the page can name them. */
import type { FileContent } from './content.ts'

export type UnreadFormat =
  | 'pdf'
  | 'oldExcel'
  | 'binaryExcel'
  | 'encrypted'
  | 'openDocument'
  | 'numbers'
  | 'word'
  | 'archive'
  | 'image'
  | 'json'
  | 'mt942'
  | 'bai2'
  | 'mail'
  | 'webArchive'
  | 'xml'
  | 'binary'

/** Number of bytes in which a format is recognized. */
const beginningLength = 4000
/** Number of bytes in which the parts of a container are searched. */
const containerLength = 1024 * 1024

/** Returns the format, or `null` for a workbook, a table, or a text. */
export function unreadFormatOf({ bytes, text }: FileContent): UnreadFormat | null {
  const beginning = westernText(bytes.subarray(0, beginningLength))
  const found = signatures.find(([pattern]) => pattern.test(beginning))
  if (found !== undefined) return found[1]
  if (beginning.startsWith('\xd0\xcf\x11\xe0'))
    return oldContainer(westernText(bytes.subarray(0, containerLength)))
  if (/^PK[\x03\x05]/.test(beginning)) return zipContainer(bytes)
  return isText(text) ? textFormat(text.slice(0, beginningLength).trimStart()) : 'binary'
}

/** Signatures at the beginning of a file, as text in Windows-1252. */
const signatures: readonly (readonly [RegExp, UnreadFormat])[] = [
  [/^[\s\xef\xbb\xbf]{0,8}%PDF-/, 'pdf'],
  [
    /^(?:[^]PNG\r\n|\xff\xd8\xff|GIF8|BM[^]{4}\0\0\0\0|II\*\0|MM\0\*|RIFF[^]{4}WEBP|[^]{4}ftyp(?:hei|avif|mif1))/,
    'image',
  ],
  [/^(?:Rar!|7z\xbc\xaf|\x1f\u2039\x08|BZh\d|\xfd7zXZ)/, 'archive'],
  [/^\{\\rtf/, 'word'],
  // The binary formats of Excel before 1997 have no container.
  [/^\x09[\0\x02\x04\x08][\x04-\x10]\0/, 'oldExcel'],
]

/** Recognizes the parts of a container of Microsoft Office before 2007, which are named in UTF-16. */
function oldContainer(content: string): UnreadFormat {
  const names = content.replaceAll('\0', '')
  if (names.includes('EncryptedPackage')) return 'encrypted'
  if (names.includes('WordDocument')) return 'word'
  return names.includes('__substg1.0') ? 'mail' : 'oldExcel'
}

/** Recognizes a ZIP file by the names of its entries. Returns `null` for a workbook. */
function zipContainer(bytes: Uint8Array): UnreadFormat | null {
  // The list of the entries is at the end of the file.
  const names =
    westernText(bytes.subarray(0, beginningLength)) + westernText(bytes.subarray(-containerLength))
  if (names.includes('xl/workbook.bin')) return 'binaryExcel'
  if (/xl[/\\]work(?:book|sheets)/.test(names)) return null
  if (names.includes('vnd.oasis.opendocument')) return 'openDocument'
  if (/Index\/(?:Document|Tables)|\.iwa/.test(names)) return 'numbers'
  return names.includes('word/document.xml') ? 'word' : 'archive'
}

/** Share of control characters above which the content is not a text. */
const controlShareMax = 0.02

function isText(text: string): boolean {
  const beginning = text.slice(0, beginningLength)
  const controls = beginning.match(/[\x01-\x08\x0e-\x1f\ufffd]/g)?.length ?? 0
  return controls <= beginning.length * controlShareMax
}

function textFormat(beginning: string): UnreadFormat | null {
  if (/^[[{]\s*(?:[[{]|"(?:[^"\\]|\\.){0,200}"\s*[:,])/.test(beginning)) return 'json'
  if (/\{2:[IO]942|^:13D?:|\n:34F:/m.test(beginning) && !/^:60[FM]:/m.test(beginning)) return 'mt942'
  if (/^01,[^\n]{0,200}\/\s*\r?\n02,/.test(beginning)) return 'bai2'
  // Some banks and Excel save a page with its parts under a name that ends with `.xls`.
  if (
    /^MIME-Version:/im.test(beginning) &&
    /^Content-(?:Location|Type: multipart\/related)/im.test(beginning)
  )
    return 'webArchive'
  if (
    /^(?:Return-Path|Received|MIME-Version|From|Delivered-To):\s/im.test(beginning) &&
    /^Content-Type:/im.test(beginning)
  )
    return 'mail'
  return null
}

function westernText(bytes: Uint8Array): string {
  return new TextDecoder('windows-1252').decode(bytes)
}
