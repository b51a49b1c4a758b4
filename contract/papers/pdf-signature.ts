/**
 * Reads the signature of a PDF paper (PAdES, ETSI EN 319 142-1, level B-B). The reader does not interpret the PDF before
 * the signature is verified: it accepts only a file with one signature that covers every byte except the signature's
 * own hexadecimal digits. Every later revision of a PDF adds bytes that such a signature does not cover.
 */
import { unzlibSync } from 'fflate'
import { ContentInfo, SignedData } from 'pkijs'

declare const TextDecoder: new (
  encoding: 'utf-8',
  options: { readonly ignoreBOM: true; readonly fatal: true },
) => { decode(bytes: Uint8Array): string }

/** A PDF's signature (CMS, RFC 5652) and the bytes that it covers. */
export type SignedPdf = { readonly cms: Uint8Array<ArrayBuffer>; readonly covered: Uint8Array<ArrayBuffer> }

/** Maximum number of bytes of a signature, which is enough for a certificate of 3,072 bits and its issuers. */
export const signatureBytesMax = 8 * 1024

const [lessThan, greaterThan] = [0x3c, 0x3e]

/** Returns `null` for a PDF without exactly one signature, or whose signature does not cover the whole file. */
export function readSignedPdf(bytes: Uint8Array): SignedPdf | null {
  const mark = '/ByteRange ['
  const place = indexOfText(bytes, mark)
  if (place === -1 || indexOfText(bytes, mark, place + 1) !== -1) return null
  const range = /^\/ByteRange \[0 (\d{1,9}) (\d{1,9}) (\d{1,9})\]/.exec(
    latin1(bytes.subarray(place, place + 60)),
  )
  if (range === null) return null
  const [open, close, rest] = range.slice(1).map(Number) as [number, number, number]
  const isWhole = open > place && close + rest === bytes.length && close > open
  if (!isWhole || close - open > 2 * signatureBytesMax + 2) return null
  if (bytes[open] !== lessThan || bytes[close - 1] !== greaterThan) return null
  const digits = latin1(bytes.subarray(open + 1, close - 1))
  if (!/^(?:[\da-f]{2})+$/.test(digits)) return null
  const cms = withoutPadding(bytesOfHex(digits))
  if (cms === null) return null
  const covered = new Uint8Array(open + rest)
  covered.set(bytes.subarray(0, open))
  covered.set(bytes.subarray(close), open)
  return { cms, covered }
}

/** Returns the signature without the zeros after it, or `null` if anything else follows the signature. */
function withoutPadding(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  // A sequence (DER) whose length is written in two bytes.
  const [tag, form, high = 0, low = 0] = bytes
  if (tag !== 0x30 || form !== 0x82) return null
  const end = 4 + high * 256 + low
  return bytes.subarray(end).every((byte) => byte === 0) ? bytes.slice(0, end) : null
}

/**
 * Returns the certificate (DER) whose key signed the covered bytes, or `null` if the signature is not valid. The caller
 * decides whether it trusts the certificate.
 */
export async function signerOf({ cms, covered }: SignedPdf): Promise<Uint8Array | null> {
  try {
    const signed = new SignedData({ schema: ContentInfo.fromBER(cms).content })
    const [signer, ...others] = signed.signerInfos
    // A signature that contains its own content would be verified without the bytes of the file.
    const isDetached = signed.encapContentInfo.eContent === undefined
    if (signer === undefined || others.length > 0 || !isDetached) return null
    if (signer.signedAttrs === undefined || signer.digestAlgorithm.algorithmId !== sha256) return null
    const { signatureVerified, signerCertificate } = await signed.verify({
      signer: 0,
      data: covered.buffer,
      checkChain: false,
      extendedMode: true,
    })
    if (signatureVerified !== true || !signerCertificate) return null
    return new Uint8Array(signerCertificate.toSchema().toBER())
  } catch {
    return null
  }
}

const sha256 = '2.16.840.1.101.3.4.2.1'

/**
 * Returns the text that is attached to a paper of this bank, or `null` for a file without an
 * attachment. The caller must have
 * verified the file, because this function searches for the attachment as the bank writes it.
 */
export function attachedText(bytes: Uint8Array): string | null {
  const place = indexOfText(bytes, '/Type /EmbeddedFile')
  const stream = place === -1 ? -1 : indexOfText(bytes, 'stream\n', place)
  const end = stream === -1 ? -1 : indexOfText(bytes, '\nendstream', stream)
  if (end === -1) return null
  try {
    const text = unzlibSync(bytes.subarray(stream + 'stream\n'.length, end))
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(text)
  } catch {
    return null
  }
}

function indexOfText(bytes: Uint8Array, text: string, from = 0): number {
  const first = text.charCodeAt(0)
  for (let start = bytes.indexOf(first, from); start !== -1; start = bytes.indexOf(first, start + 1)) {
    let length = 1
    while (length < text.length && bytes[start + length] === text.charCodeAt(length)) length += 1
    if (length === text.length) return start
  }
  return -1
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

function bytesOfHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
