/**
 * Encodes and decodes Phoenix frames of protocol 2.0.0. A frame is a JSON array (phoenix `serializer.js`, realtime-js
 * `lib/serializer.ts`). The client sends broadcasts as binary frames of kind 3. The server reads only the header of
 * these frames, because it needs the topic and the ref to refuse a broadcast. The server also refuses JSON that exceeds
 * the nesting limit of request bodies, and names that are too long for a binary frame.
 */
import { jsonDepthMax, realtimeNameLengthMax } from '@finanzas/contract/limits.ts'
import { isDeeperThan, isRecord } from '#http/json.ts'

/** A message on a socket. `joinRef` distinguishes repeated joins of the same topic. */
export type Frame = {
  readonly joinRef: string | null
  readonly ref: string | null
  readonly topic: string
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Reads a text frame. Returns `null` if the frame is malformed. */
export function decodeText(text: string): Frame | null {
  const value = parseJson(text)
  if (!Array.isArray(value)) return null
  const [joinRef, ref, topic, event, payload] = value as unknown[]
  return frameOf({ joinRef, ref, topic, event, payload })
}

const broadcastKind = 3
const binaryHeaderBytes = 7

/** Reads the header of a binary broadcast. Returns `null` for any other bytes. */
export function decodeBinary(bytes: Uint8Array): Frame | null {
  const [kind, joinRefBytes = 0, refBytes = 0, topicBytes = 0] = bytes
  const names = [joinRefBytes, refBytes, topicBytes]
  const end = names.reduce((sum, length) => sum + length, binaryHeaderBytes)
  if (kind !== broadcastKind || end > bytes.length) return null
  let offset = binaryHeaderBytes
  const [joinRef = '', ref = null, topic = ''] = names.map((length) => {
    offset += length
    return Buffer.from(bytes.subarray(offset - length, offset)).toString('utf8')
  })
  return { joinRef: joinRef === '' ? null : joinRef, ref, topic, event: 'broadcast', payload: {} }
}

export function encodeFrame({ joinRef, ref, topic, event, payload }: Frame): string {
  return JSON.stringify([joinRef, ref, topic, event, payload])
}

function frameOf(parts: Record<'joinRef' | 'ref' | 'topic' | 'event' | 'payload', unknown>): Frame | null {
  const { topic, event, payload = {} } = parts
  if (typeof topic !== 'string' || typeof event !== 'string' || !isRecord(payload)) return null
  const [joinRef, ref] = [refOf(parts.joinRef), refOf(parts.ref)]
  // Long names would use memory: a channel stores its topic and join_ref until the channel is left, and the ref until
  // the join is answered.
  if ([topic, joinRef, ref].some((name) => (name?.length ?? 0) > realtimeNameLengthMax)) return null
  return { joinRef, ref, topic, event, payload }
}

function refOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/**
 * Returns the parsed value. Returns `undefined`, which is not a JSON value, if the text is invalid or nested too deeply
 * to serialize.
 */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isDeeperThan(value, jsonDepthMax) ? undefined : value
  } catch {
    return undefined
  }
}
