import { Zip, ZipDeflate, strToU8 } from 'fflate'
import type { PiecewiseFile } from './sheets.ts'

/** Returns a zip archive of the files, compressed chunk by chunk. */
export async function zipOf(files: readonly PiecewiseFile[]): Promise<Blob> {
  const parts: BlobPart[] = []
  const zip = new Zip((error, part) => {
    if (error !== null) throw error
    parts.push(part)
  })
  for (const { name, pieces } of files) {
    const entry = new ZipDeflate(name)
    zip.add(entry)
    for (const piece of pieces) {
      entry.push(strToU8(piece))
      await new Promise((resolve) => setTimeout(resolve))
    }
    entry.push(new Uint8Array(), true)
  }
  zip.end()
  return new Blob(parts, { type: 'application/zip' })
}
