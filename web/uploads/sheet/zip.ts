/** Reads the entries of a ZIP file, such as an `.xlsx` workbook, within named limits. */
import { RefusedFile } from '#uploads/refused-file.ts'

/** Maximum number of bytes that the entries of one file may have when they are decompressed. */
const unzippedBytesMax = 64 * 1024 * 1024
/** Maximum number of entries. A workbook has a few parts for each sheet. */
const entriesMax = 5000
/** Maximum length of the comment at the end of a ZIP file, according to the format. */
const commentLengthMax = 0xffff

type Entry = { readonly method: number; readonly isEncrypted: boolean; readonly compressed: Uint8Array }

export type Zip = {
  readonly names: readonly string[]
  /** Decompresses an entry as text. Returns `null` if the entry does not exist. */
  readonly textOf: (name: string) => Promise<string | null>
}

/** Reads the list of entries. Throws `RefusedFile` if the file is damaged. */
export function openZip(bytes: Uint8Array): Zip {
  const entries = entriesOf(bytes)
  let left = unzippedBytesMax
  return {
    names: [...entries.keys()],
    async textOf(name) {
      const entry = entries.get(name)
      if (entry === undefined) return null
      if (entry.isEncrypted) throw new RefusedFile({ reason: 'format', format: 'encrypted' })
      const decoder = new TextDecoder()
      let text = ''
      for await (const chunk of chunksOf(entry)) {
        left -= chunk.length
        if (left < 0) throw new RefusedFile({ reason: 'unpacked' })
        text += decoder.decode(chunk, { stream: true })
      }
      return text + decoder.decode()
    },
  }
}

function entriesOf(bytes: Uint8Array): Map<string, Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  if (count > entriesMax) throw new RefusedFile({ reason: 'unpacked' })
  const entries = new Map<string, Entry>()
  let position = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index += 1) {
    if (position + 46 > end || view.getUint32(position, true) !== 0x02014b50)
      throw new RefusedFile({ reason: 'damaged' })
    const numberAt = (offset: number) => view.getUint16(position + offset, true)
    const nameEnd = position + 46 + numberAt(28)
    const name = new TextDecoder().decode(bytes.subarray(position + 46, nameEnd))
    const local = view.getUint32(position + 42, true)
    if (local + 30 > end) throw new RefusedFile({ reason: 'damaged' })
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    entries.set(name.replaceAll('\\', '/'), {
      method: numberAt(10),
      isEncrypted: (numberAt(8) & 1) === 1,
      compressed: bytes.subarray(from, from + view.getUint32(position + 20, true)),
    })
    position = nameEnd + numberAt(30) + numberAt(32)
  }
  return entries
}

/** Returns the position of the record that ends a ZIP file. */
function endOf(view: DataView): number {
  const last = view.byteLength - 22
  for (let position = last; position >= Math.max(0, last - commentLengthMax); position -= 1)
    if (view.getUint32(position, true) === 0x06054b50) return position
  throw new RefusedFile({ reason: 'damaged' })
}

/** Yields the decompressed chunks. The caller may stop at any chunk, and the rest is then not decompressed. */
async function* chunksOf({ method, compressed }: Entry): AsyncGenerator<Uint8Array> {
  if (method === 0) {
    yield compressed
    return
  }
  if (method !== 8) throw new RefusedFile({ reason: 'damaged' })
  const reader = new Blob([new Uint8Array(compressed)])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } catch (error) {
    // The browser throws a `TypeError` for data that cannot be decompressed.
    if (error instanceof TypeError) throw new RefusedFile({ reason: 'damaged' }, { cause: error })
    throw error
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
