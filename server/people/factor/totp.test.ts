import { expect, test } from 'vitest'
import { matchingStep, newTotpSecret, totpEnrolment } from './totp.ts'

// RFC 6238, appendix B: the last six digits of the SHA-1 column.
const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
])('at second %d the code is %s, as in the test vectors of RFC 6238', (seconds, code) => {
  expect(matchingStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

test('the codes of the previous and the next step are accepted but older and newer codes are not', () => {
  const at = (step: number) => matchingStep(secret, '050471', (1_111_111_110 + step * 30) * 1000)

  expect([-2, -1, 0, 1, 2].map((step) => at(step) !== null)).toEqual([false, true, true, true, false])
})

test.each(['', '12345', '1234567', 'abcdef', '０５０４７１'])('%j is not a code', (code) => {
  expect(matchingStep(secret, code, 1_111_111_111_000)).toBe(null)
})

test('an app can read the issuer and the account and the secret from the QR code', () => {
  const {
    qr_code,
    secret: base32,
    uri,
  } = totpEnrolment(secret, {
    issuer: 'Banco Ñandú: & Hijos',
    label: 'ana@banco.example',
  })

  expect(new URL(uri).searchParams.get('secret')).toBe(base32)
  expect(new URL(uri).searchParams.get('issuer')).toBe('Banco Ñandú: & Hijos')
  // The client puts the SVG into a URL after `data:image/svg+xml;utf-8,`; a # would end that URL's data.
  expect(qr_code).toMatch(/^<svg [^#]*<\/svg>$/)
})

test('secrets have 160 bits and differ each time', () => {
  expect(newTotpSecret()).toHaveLength(20)
  expect(newTotpSecret()).not.toEqual(newTotpSecret())
})
