/**
 * Phoenix frames in both serializers of the client: 1.0.0 are JSON objects, 2.0.0 JSON arrays
 * (phoenix `serializer.js`, realtime-js `lib/serializer.ts`). In 2.0.0 the client
 * sends its broadcasts as binary frames of kind 3. Refused on purpose: JSON that nests deeper than a body may, and
 * names that no binary frame could carry.
 */
import { jsonDepthMax, realtimeNameLengthMax } from '@finanzas/contract/limits.ts'
import { isDeeperThan } from '#http/json-depth.ts'

export type SerializerVersion = '1.0.0' | '2.0.0'

/** A message on a socket; `joinRef` says for which of several joins of one topic it is. */
export type Frame = {
  readonly joinRef: string | null
  readonly ref: string | null
  readonly topic: string
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Reads a text frame; `null` when it is malformed. */
export function decodeText(version: SerializerVersion, text: string): Frame | null {
  const value = parseJson(text)
  if (version === '2.0.0') {
    if (!Array.isArray(value)) return null
    const [joinRef, ref, topic, event, payload] = value as unknown[]
    return frameOf({ joinRef, ref, topic, event, payload })
  }
  if (!isRecord(value)) return null
  const { topic, event, payload, ref } = value as Record<'topic' | 'event' | 'payload' | 'ref', unknown>
  return frameOf({ joinRef: value['join_ref'], ref, topic, event, payload })
}

const userBroadcastPush = 3
const rawEncoding = 0
const jsonEncoding = 1
const binaryHeaderBytes = 7

/** Reads a binary frame: a broadcast, whose payload is JSON, or raw bytes as a `Uint8Array`; `null` for everything else. */
export function decodeBinary(bytes: Uint8Array): Frame | null {
  const [kind, joinRefBytes = 0, refBytes = 0, topicBytes = 0, eventBytes = 0, metadataBytes = 0, encoding] =
    bytes
  if (kind !== userBroadcastPush || (encoding !== jsonEncoding && encoding !== rawEncoding)) return null
  let offset = binaryHeaderBytes
  const take = (length: number) => {
    offset += length
    return Buffer.from(bytes.subarray(offset - length, offset)).toString('utf8')
  }
  const joinRef = take(joinRefBytes)
  const ref = take(refBytes)
  const topic = take(topicBytes)
  const event = take(eventBytes)
  offset += metadataBytes
  if (offset > bytes.length) return null
  const payload = encoding === rawEncoding ? bytes.subarray(offset) : parseJson(take(bytes.length - offset))
  if (payload === undefined) return null
  return {
    joinRef: joinRef === '' ? null : joinRef,
    ref: ref === '' ? null : ref,
    topic,
    event: 'broadcast',
    payload: { type: 'broadcast', event, payload },
  }
}

/** The text frame that says it. */
export function encodeFrame(version: SerializerVersion, frame: Frame): string {
  const { joinRef, ref, topic, event, payload } = frame
  return version === '2.0.0'
    ? JSON.stringify([joinRef, ref, topic, event, payload])
    : JSON.stringify({ topic, event, payload, ref, join_ref: joinRef })
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function frameOf(parts: Record<'joinRef' | 'ref' | 'topic' | 'event' | 'payload', unknown>): Frame | null {
  const { topic, event, payload = {} } = parts
  if (typeof topic !== 'string' || typeof event !== 'string' || !isRecord(payload)) return null
  const [joinRef, ref] = [refOf(parts.joinRef), refOf(parts.ref)]
  // A channel keeps its topic and join_ref for as long as it is joined, and the ref until then.
  if ([topic, joinRef, ref].some((name) => (name?.length ?? 0) > realtimeNameLengthMax)) return null
  return { joinRef, ref, topic, event, payload }
}

function refOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The value, or `undefined` (which JSON cannot express) for invalid text or nesting too deep to be written again. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isDeeperThan(value, jsonDepthMax) ? undefined : value
  } catch {
    return undefined
  }
}
