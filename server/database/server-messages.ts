/**
 * What the database's server sends: messages of a letter, a length and a payload (PostgreSQL documentation, "Message
 * Formats"). Rows stay bytes until they are asked for.
 */

/** The letters that matter between two Syncs. */
export const letters = {
  parseComplete: 0x31,
  commandComplete: 0x43,
  dataRow: 0x44,
  error: 0x45,
  emptyQuery: 0x49,
  rowDescription: 0x54,
  readyForQuery: 0x5a,
} as const

export type OnMessage = (letter: number, payload: Buffer) => void

const headerBytes = 5

/** Cuts a stream of bytes into messages. A payload is a window on the bytes that were read. */
export class MessageReader {
  readonly #onMessage: OnMessage
  /** The beginning of a message whose end has not come. */
  #rest: Buffer[] = []
  #restBytes = 0
  /** What the message needs, as far as it is known. */
  #neededBytes = headerBytes

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage
  }

  read(chunk: Buffer): void {
    this.#restBytes += chunk.length
    this.#rest.push(chunk)
    if (this.#restBytes < this.#neededBytes) return
    const bytes = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest, this.#restBytes)
    let start = 0
    this.#neededBytes = headerBytes
    while (bytes.length - start >= headerBytes) {
      const end = start + 1 + bytes.readUInt32BE(start + 1)
      if (end > bytes.length) {
        this.#neededBytes = end - start
        break
      }
      this.#onMessage(bytes[start] ?? 0, bytes.subarray(start + headerBytes, end))
      start = end
    }
    this.#restBytes = bytes.length - start
    this.#rest = this.#restBytes === 0 ? [] : [bytes.subarray(start)]
  }
}

export type Columns = readonly { readonly name: string; readonly type: number }[]

/** Between a column's name and its type: table and number; behind it: size, modifier, format. */
const [bytesBeforeType, bytesAfterType] = [6, 8]

export function columnsOf(payload: Buffer): Columns {
  let at = 2
  return Array.from({ length: payload.readUInt16BE(0) }, () => {
    const end = payload.indexOf(0, at)
    const name = payload.toString('utf8', at, end)
    const type = payload.readUInt32BE(end + 1 + bytesBeforeType)
    at = end + 1 + bytesBeforeType + 4 + bytesAfterType
    return { name, type }
  })
}

/** The text of each column. */
export function fieldsOf(payload: Buffer): (string | null)[] {
  let at = 2
  return Array.from({ length: payload.readUInt16BE(0) }, () => {
    const bytes = payload.readInt32BE(at)
    at += 4
    if (bytes < 0) return null
    at += bytes
    return payload.toString('utf8', at - bytes, at)
  })
}

/** The fields of an error by their letters (PostgreSQL documentation, "Error and Notice Message Fields"). */
export function errorFieldsOf(payload: Buffer): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  let at = 0
  while (at < payload.length && payload[at] !== 0) {
    const end = payload.indexOf(0, at)
    fields.set(payload.toString('utf8', at, at + 1), payload.toString('utf8', at + 1, end))
    at = end + 1
  }
  return fields
}
