/**
 * Messages from the database server. Each message consists of a letter, a length and a payload (PostgreSQL
 * documentation, "Message Formats"). Rows are kept as bytes until a caller reads them.
 */

/** Letters of the messages that the server sends between two Syncs. */
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

export type MessageReaderOptions = {
  /** Messages with a longer payload are dropped on arrival. */
  readonly payloadBytesMax?: number
  readonly onDropped?: () => void
}

/** Splits a stream of bytes into messages. A payload is a view of the received bytes, not a copy. */
export class MessageReader {
  readonly #onMessage: OnMessage
  readonly #payloadBytesMax: number
  readonly #onDropped: () => void
  /** The start of a message that has not fully arrived. */
  #rest: Buffer[] = []
  #restBytes = 0
  /** The number of bytes that the reader needs before it can continue: a header or a whole message. */
  #neededBytes = headerBytes
  /** The number of bytes of a dropped message that have not arrived yet. */
  #droppedBytes = 0

  constructor(
    onMessage: OnMessage,
    { payloadBytesMax = Infinity, onDropped = () => undefined }: MessageReaderOptions = {},
  ) {
    this.#onMessage = onMessage
    this.#payloadBytesMax = payloadBytesMax
    this.#onDropped = onDropped
  }

  /** Returns true if the reader will drop all of the next `bytes` bytes. */
  drops(bytes: number): boolean {
    return this.#droppedBytes >= bytes
  }

  read(bytes: Buffer): void {
    const dropped = Math.min(this.#droppedBytes, bytes.length)
    this.#droppedBytes -= dropped
    const chunk = bytes.subarray(dropped)
    this.#restBytes += chunk.length
    this.#rest.push(chunk)
    if (this.#restBytes >= this.#neededBytes) this.#cut()
  }

  #cut(): void {
    const [first] = this.#rest
    const bytes =
      first !== undefined && this.#rest.length === 1 ? first : Buffer.concat(this.#rest, this.#restBytes)
    let start = 0
    this.#neededBytes = headerBytes
    while (bytes.length - start >= headerBytes) {
      const end = start + 1 + bytes.readUInt32BE(start + 1)
      if (end - start - headerBytes > this.#payloadBytesMax) {
        this.#onDropped()
        this.#droppedBytes = Math.max(0, end - bytes.length)
        start = Math.min(end, bytes.length)
        continue
      }
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

/**
 * Numbers of bytes to skip in a row description: the table and column numbers before a column's type, and the size,
 * modifier and format after the type.
 */
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

/** Returns the text of each column in a row. */
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

/**
 * Returns the fields of an error message, keyed by their letters (PostgreSQL documentation, "Error and Notice Message
 * Fields").
 */
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
