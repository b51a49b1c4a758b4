import { readPaperCsv } from './paper.ts'
import type { Paper } from './receipt.ts'
import { type StatementKeys, checkSignature } from './signature.ts'

/** The page and the server have different type definitions for `TextDecoder`, so this file declares it. */
declare const TextDecoder: new (
  encoding: 'utf-8',
  options: { readonly ignoreBOM: true; readonly fatal: true },
) => { decode(bytes: Uint8Array): string }
declare const btoa: (bytes: string) => string

/** A file that was verified. A PDF is read only if its signature is valid, and is otherwise without a document. */
export type VerifiedFile =
  | { readonly signature: 'valid' | 'unsigned'; readonly document: Paper }
  | { readonly signature: 'false'; readonly document: Paper | null }
  | { readonly signature: 'unknown_key'; readonly document: Paper | null }

/**
 * Verifies the signatures of a paper in a PDF or CSV file. Returns `null` for any other file, and for a
 * PDF that was changed in a later revision. Reads the keys only if the file has a signature.
 */
export async function verifyFile(
  bytes: Uint8Array,
  readKeys: () => Promise<StatementKeys>,
): Promise<VerifiedFile | null> {
  const isPdf = String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-'
  if (isPdf) return verifyPdf(bytes, readKeys)
  const document = documentIn(bytes)
  if (document === null) return null
  if (document.signature === null) return { signature: 'unsigned', document }
  return { signature: await checkSignature(document, await readKeys()), document }
}

/**
 * Verifies the signature of the PDF, and then the signature of the attached CSV. The code that reads PDF files is
 * loaded only for a PDF.
 */
async function verifyPdf(
  bytes: Uint8Array,
  readKeys: () => Promise<StatementKeys>,
): Promise<VerifiedFile | null> {
  const { attachedText, readSignedPdf, signerOf } = await import('./pdf-signature.ts')
  const pdf = readSignedPdf(bytes)
  if (pdf === null) return null
  const certificate = await signerOf(pdf)
  if (certificate === null) return { signature: 'false', document: null }
  const keys = await readKeys()
  const named = base64Of(certificate)
  if (!keys.keys.some(({ x5c = [] }) => x5c[0] === named)) return { signature: 'unknown_key', document: null }
  const text = attachedText(bytes)
  const document = text === null ? null : readPaperCsv(text)
  if (document === null || document.signature === null) return null
  return { signature: await checkSignature(document, keys), document }
}

function documentIn(bytes: Uint8Array): Paper | null {
  try {
    // Without `fatal`, all invalid bytes would be decoded to the same replacement character.
    const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes)
    return readPaperCsv(text)
  } catch {
    return null
  }
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
