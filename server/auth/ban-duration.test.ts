import { expect, test } from 'vitest'
import { readBanDuration } from './ban-duration.ts'

test.each([
  ['none', 0],
  ['24h', 86_400],
  ['1h30m', 5400],
  ['0.5h', 1800],
  ['876000h', 3_153_600_000],
])('a ban of %s lasts %d seconds', (text, seconds) => {
  expect(readBanDuration(text)).toBe(seconds)
})

test.each(['', '24', 'h', '-1h', '1d', '0s', '24h ', 'nonee', '99999999999h', '9999999999h'])(
  'the text %j is not accepted as a duration',
  (text) => {
    expect(readBanDuration(text)).toBe(null)
  },
)
