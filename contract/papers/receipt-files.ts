/** Reads receipt files in tests: their facts, the text of a PDF, and a checksum of its bytes. */
import { readStatementFile } from './file.ts'
import { type Receipt, isReceipt } from './receipt.ts'

declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> }
export const utf8 = (text: string) => new TextEncoder().encode(text)

/** Reads a receipt. Throws if the file is not a receipt. */
export function fileOf(bytes: Uint8Array): Receipt {
  const receipt = readStatementFile(bytes)
  if (receipt === null || !isReceipt(receipt)) throw new Error('This is not a receipt.')
  return receipt
}

/** Returns a text with one character for each byte. */
export function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

/** Returns all text in the PDF as one line, with wrapped lines joined by a space. */
export function textsOf(bytes: Uint8Array): string {
  const texts = Array.from(latin1(bytes).matchAll(/\((.*?[^\\])\) Tj/g), ([, text = '']) => text)
  return texts
    .map((text) => text.trimEnd())
    .join(' ')
    .replaceAll(/\\([()\\])/g, '$1')
}

/** Returns the FNV-1a hash of a file. */
export function checksum(bytes: Uint8Array): string {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16)
}
