import { jsonDepthMax, realtimeNameLengthMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { decodeBinary, decodeText, encodeFrame } from './frames.ts'

const frame = { joinRef: '6', ref: '7', topic: 'realtime:x', event: 'phx_leave', payload: { a: 1 } }

test('version 2.0.0 frames are arrays', () => {
  const text = '["6","7","realtime:x","phx_leave",{"a":1}]'

  expect(encodeFrame('2.0.0', frame)).toBe(text)
  expect(decodeText('2.0.0', text)).toEqual(frame)
})

test('version 1.0.0 frames are objects', () => {
  const text = '{"topic":"realtime:x","event":"phx_leave","payload":{"a":1},"ref":"7","join_ref":"6"}'

  expect(encodeFrame('1.0.0', frame)).toBe(text)
  expect(decodeText('1.0.0', text)).toEqual(frame)
})

test('a frame without refs or payload is read with nulls and an empty payload', () => {
  expect(decodeText('1.0.0', '{"topic":"phoenix","event":"heartbeat"}')).toEqual({
    joinRef: null,
    ref: null,
    topic: 'phoenix',
    event: 'heartbeat',
    payload: {},
  })
})

test.for([
  ['2.0.0', '{"topic":"phoenix","event":"heartbeat"}'],
  ['2.0.0', '["6","7",1,"phx_leave",{}]'],
  ['2.0.0', '["6","7","x","phx_leave",[]]'],
  ['2.0.0', 'null'],
  ['2.0.0', '['],
  ['1.0.0', '["6","7","x","phx_leave",{}]'],
  ['1.0.0', '{"topic":"x"}'],
  ['1.0.0', ''],
] as const)('version %s does not read %s', ([version, text]) => {
  expect(decodeText(version, text)).toBeNull()
})

test('a topic and its refs are as long as a binary frame has room for', () => {
  const text = (length: number, place: 'topic' | 'join_ref' | 'ref') =>
    JSON.stringify({ topic: 'x', event: 'phx_join', payload: {}, [place]: 'x'.repeat(length) })

  for (const place of ['topic', 'join_ref', 'ref'] as const) {
    expect(decodeText('1.0.0', text(realtimeNameLengthMax, place))).not.toBeNull()
    expect(decodeText('1.0.0', text(realtimeNameLengthMax + 1, place))).toBeNull()
  }
})

test.each([1, 5000])('a frame that nests %i levels deeper than a body may is not read', (more) => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  // A frame and its payload are two levels, the payload of a binary one none.
  const text = (levels: number) => `["6","7","realtime:x","broadcast",{"a":${nested(levels)}}]`
  const binary = (levels: number) => binaryBroadcast({ kind: 3, encoding: 1, payload: nested(levels) })

  expect(decodeText('2.0.0', text(jsonDepthMax - 2))).not.toBeNull()
  expect(decodeText('2.0.0', text(jsonDepthMax - 2 + more))).toBeNull()
  expect(decodeBinary(binary(jsonDepthMax))).not.toBeNull()
  expect(decodeBinary(binary(jsonDepthMax + more))).toBeNull()
})

test('a binary broadcast with a JSON payload is read', () => {
  expect(decodeBinary(binaryBroadcast({ kind: 3, encoding: 1, payload: '{"text":"sí"}' }))).toEqual({
    joinRef: '6',
    ref: '7',
    topic: 'realtime:ñ',
    event: 'broadcast',
    payload: { type: 'broadcast', event: 'hola', payload: { text: 'sí' } },
  })
})

test('a binary broadcast of raw bytes is read as bytes', () => {
  const frame = decodeBinary(binaryBroadcast({ kind: 3, encoding: 0, payload: '{}' }))

  expect(frame?.ref).toBe('7')
  expect(frame?.payload).toEqual({ type: 'broadcast', event: 'hola', payload: Buffer.from('{}') })
})

test('other and truncated binary frames are not read', () => {
  const whole = binaryBroadcast({ kind: 3, encoding: 1, payload: '{}' })

  expect(decodeBinary(binaryBroadcast({ kind: 4, encoding: 1, payload: '{}' }))).toBeNull()
  expect(decodeBinary(binaryBroadcast({ kind: 3, encoding: 2, payload: '{}' }))).toBeNull()
  for (let length = 0; length < whole.length; length += 1) {
    expect(decodeBinary(whole.subarray(0, length))).toBeNull()
  }
})

function binaryBroadcast({ kind, encoding, payload }: { kind: number; encoding: number; payload: string }) {
  const parts = ['6', '7', 'realtime:ñ', 'hola', '{"persist":true}'].map((part) => Buffer.from(part))
  const header = Buffer.from([kind, ...parts.map(({ length }) => length), encoding])
  return Buffer.concat([header, ...parts, Buffer.from(payload)])
}
