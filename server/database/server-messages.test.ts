import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessageReader } from './server-messages.ts'

const messages = fc.array(fc.record({ letter: fc.nat(255), payload: fc.uint8Array({ maxLength: 40 }) }), {
  maxLength: 12,
})

function bytesOf(sent: { letter: number; payload: Uint8Array }[]): Buffer {
  return Buffer.concat(
    sent.flatMap(({ letter, payload }) => {
      const head = Buffer.alloc(5)
      head[0] = letter
      head.writeUInt32BE(payload.length + 4, 1)
      return [head, payload]
    }),
  )
}

test('the reader drops only messages that are too long, wherever the bytes are split', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.nat(60)), (sent, lengths) => {
      const read: number[] = []
      let dropped = 0
      const reader = new MessageReader((_letter, payload) => read.push(payload.length), {
        payloadBytesMax: 20,
        onDropped: () => (dropped += 1),
      })
      let bytes = bytesOf(sent)
      for (const length of lengths) {
        reader.read(bytes.subarray(0, length))
        bytes = bytes.subarray(length)
      }
      reader.read(bytes)

      const kept = sent.filter(({ payload }) => payload.length <= 20)
      expect(read).toEqual(kept.map(({ payload }) => payload.length))
      expect(dropped).toBe(sent.length - kept.length)
    }),
  )
})

test('the reader returns the same messages wherever the bytes are split', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.nat(60)), (sent, lengths) => {
      const read: { letter: number; payload: Uint8Array }[] = []
      const reader = new MessageReader((letter, payload) =>
        read.push({ letter, payload: Uint8Array.from(payload) }),
      )
      let bytes = bytesOf(sent)
      for (const length of lengths) {
        reader.read(bytes.subarray(0, length))
        bytes = bytes.subarray(length)
      }
      reader.read(bytes)

      expect(read).toEqual(sent)
    }),
  )
})
