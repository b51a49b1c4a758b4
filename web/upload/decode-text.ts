/** The text of a file, whichever encoding its bank chose: UTF-8, UTF-16, or the one of Western Windows and Latin-1. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes)
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Bytes that a guess looks at. */
const sampleLength = 1000

/** By its byte order mark, or by the zeros beside Latin letters. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, sampleLength)
  const zerosAt = (parity: number) =>
    sample.filter((byte, index) => byte === 0 && index % 2 === parity).length
  if (zerosAt(1) > sample.length / 4) return 'utf-16le'
  return zerosAt(0) > sample.length / 4 ? 'utf-16be' : null
}

/** Spreadsheets and PDF, which a person may mistake for the bank's CSV file. */
export function isBinary(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes
  const isZip = first === 0x50 && second === 0x4b
  const isOldExcel = first === 0xd0 && second === 0xcf
  const isPdf = first === 0x25 && second === 0x50 && third === 0x44 && fourth === 0x46
  return isZip || isOldExcel || isPdf
}
