import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type MinorUnits,
  amountInWords,
  decimalFromMinor,
  isTransactionAmount,
  minorFromDecimal,
  numberFromMinor,
} from './money.ts'

test.each([
  ['0', 0],
  ['0.01', 1],
  ['0.1', 10],
  ['1250000.50', 125000050],
  ['999999999999.99', 99999999999999],
  ['-12.30', -1230],
  ['-0', 0],
  [38.25, 3825],
  [1e3, 100000],
])('%j is %d hundredths', (decimal, minor) => {
  expect(minorFromDecimal(decimal)).toBe(minor)
})

test.each([
  '',
  '.',
  '1.',
  '.5',
  '1,5',
  '1.005',
  '12.345',
  '1e3',
  '0x10',
  '+1',
  '--1',
  'NaN',
  'Infinity',
  '٣',
  '1 000',
  '9'.repeat(16),
  ' 5',
  '5 ',
  '01',
  '-00.5',
  '1_000',
])('%j is not an amount of money', (text) => {
  expect(minorFromDecimal(text)).toBeNull()
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e308, 0.1 + 0.2, 1e-7])(
  'the number %d is not an amount of money',
  (number) => {
    expect(minorFromDecimal(number)).toBeNull()
  },
)

test('a JSON number is exact to the cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 - 1e14, max: 1e14 - 1 }), (hundredths) => {
      const json = JSON.stringify(numberFromMinor(hundredths as MinorUnits))

      expect(json).toBe(String(Number(decimalFromMinor(hundredths as MinorUnits))))
      expect(minorFromDecimal(JSON.parse(json) as number)).toBe(hundredths)
    }),
  )
})

test('the decimal text of an amount parses to the same amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 - 1e14, max: 1e14 - 1 }), (hundredths) => {
      const decimal = decimalFromMinor(hundredths as MinorUnits)

      expect(decimal).toMatch(/^-?\d+\.\d\d$/)
      expect(minorFromDecimal(decimal)).toBe(hundredths)
    }),
  )
})

test.each([
  ['0', false],
  ['-1', false],
  ['0.01', true],
  ['999999999999.99', true],
  ['1000000000000', false],
])('a transaction can have the amount %s: %s', (decimal, may) => {
  expect(isTransactionAmount(minorFromDecimal(decimal))).toBe(may)
})

test.each([
  ['USD', 'en-US'],
  ['COP', 'es-CO'],
] as const)('an amount in %s has the form of the locale %s', (currency, locale) => {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: 2 })

  fc.assert(
    fc.property(fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 }), (minor) => {
      const decimal = decimalFromMinor(minor as MinorUnits)
      expect(amountInWords(decimal, currency)).toBe(format.format(minor / 100).replaceAll('\u00A0', ' '))
    }),
  )
})
