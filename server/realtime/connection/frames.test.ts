import { jsonDepthMax, realtimeNameLengthMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { decodeBinary, decodeText, encodeFrame } from './frames.ts'

const frame = { joinRef: '6', ref: '7', topic: 'realtime:x', event: 'phx_leave', payload: { a: 1 } }

test('a frame is a JSON array', () => {
  const text = '["6","7","realtime:x","phx_leave",{"a":1}]'

  expect(encodeFrame(frame)).toBe(text)
  expect(decodeText(text)).toEqual(frame)
})

test('a frame without refs or payload is read with null refs and an empty payload', () => {
  expect(decodeText('[null,null,"phoenix","heartbeat"]')).toEqual({
    joinRef: null,
    ref: null,
    topic: 'phoenix',
    event: 'heartbeat',
    payload: {},
  })
})

test.for([
  '{"topic":"phoenix","event":"heartbeat"}',
  '["6","7",1,"phx_leave",{}]',
  '["6","7","x","phx_leave",[]]',
  'null',
  '[',
])('%s is not a frame', (text) => {
  expect(decodeText(text)).toBeNull()
})

test('a topic or a ref that is too long for a binary frame is refused', () => {
  const text = (length: number, place: number) =>
    JSON.stringify(['1', '2', 'x', 'phx_join', {}].with(place, 'x'.repeat(length)))

  for (const place of [0, 1, 2]) {
    expect(decodeText(text(realtimeNameLengthMax, place))).not.toBeNull()
    expect(decodeText(text(realtimeNameLengthMax + 1, place))).toBeNull()
  }
})

test.each([1, 5000])('a frame nested %i levels deeper than the limit for bodies is not read', (more) => {
  // The frame and its payload add two levels of nesting.
  const text = (levels: number) =>
    `["6","7","realtime:x","phx_join",{"a":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}]`

  expect(decodeText(text(jsonDepthMax))).not.toBeNull()
  expect(decodeText(text(jsonDepthMax + more))).toBeNull()
})

test('the header of a binary broadcast is read', () => {
  expect(decodeBinary(binaryFrame(3))).toEqual({
    joinRef: '6',
    ref: '7',
    topic: 'realtime:ñ',
    event: 'broadcast',
    payload: {},
  })
})

test('binary frames that are not broadcasts or have a truncated header are not read', () => {
  const whole = binaryFrame(3)
  const headBytes = 7 + 1 + 1 + Buffer.byteLength('realtime:ñ')

  expect(decodeBinary(binaryFrame(4))).toBeNull()
  for (let length = 0; length < headBytes; length += 1)
    expect(decodeBinary(whole.subarray(0, length))).toBeNull()
})

function binaryFrame(kind: number) {
  const parts = ['6', '7', 'realtime:ñ', 'hola', ''].map((part) => Buffer.from(part))
  const header = Buffer.from([kind, ...parts.map(({ length }) => length), 1])
  return Buffer.concat([header, ...parts, Buffer.from('{}')])
}
