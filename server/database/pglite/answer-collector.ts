/** Collects the bytes of one answer from the embedded engine. If the answer is too long, drops its rows. */
import { MessageReader, letters } from '#database/server-messages.ts'

/** Protocol bytes. `isCut` is true if the answer was too long and its rows were dropped. */
export type EngineAnswer = { readonly bytes: Uint8Array<ArrayBuffer>; readonly isCut: boolean }

/** A long row is skipped in chunks of this size, without being copied. */
const pieceBytes = 64 * 1024

export class AnswerCollector {
  readonly #bytesMax: number
  #chunks: Uint8Array[] = []
  #length = 0
  /** The filter that drops the rows of an answer that is too long; `null` while the answer is short enough. */
  #sieve: MessageReader | null = null

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Takes the next chunk of the answer, and copies those bytes of the chunk that the collector keeps. */
  add(chunk: Uint8Array): void {
    if (this.#sieve === null && this.#length + chunk.length <= this.#bytesMax)
      return this.#keep(chunk.slice())
    this.#sieve ??= this.#makeSieve()
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      const piece = chunk.subarray(start, start + pieceBytes)
      const kept = this.#sieve.drops(piece.length) ? piece : piece.slice()
      this.#sieve.read(Buffer.from(kept.buffer, kept.byteOffset, kept.length))
    }
  }

  /**
   * Creates a filter that drops rows and keeps all other messages, and passes the chunks that have already arrived to
   * this filter.
   */
  #makeSieve(): MessageReader {
    const chunks = this.#chunks
    this.#chunks = []
    this.#length = 0
    const sieve = new MessageReader(
      (letter, payload) => {
        if (letter !== letters.dataRow) this.#keep(messageOf(letter, payload))
      },
      { payloadBytesMax: this.#bytesMax },
    )
    for (const chunk of chunks) sieve.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
    return sieve
  }

  answer(): EngineAnswer {
    const bytes = new Uint8Array(this.#length)
    let offset = 0
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset)
      offset += chunk.length
    }
    return { bytes, isCut: this.#sieve !== null }
  }

  #keep(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }
}

function messageOf(letter: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head[0] = letter
  head.writeUInt32BE(payload.length + 4, 1)
  return Buffer.concat([head, payload])
}
