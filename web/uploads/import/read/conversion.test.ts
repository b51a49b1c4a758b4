import { amountMinorMax, type MinorUnits } from '@finanzas/contract/money.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convert, missingOperation } from './conversion.ts'

const minor = (amount: number) => amount as MinorUnits

test.for([
  ['divide', 1_800_000, 400_000, 450],
  ['divide', 4_532_050, 400_000, 1133],
  ['divide', 2000, 400_000, 1],
  ['divide', 1999, 400_000, 0],
  ['divide', 99_999_999_999_999, 401_237, 24_922_925_852],
  ['multiply', 450, 400_000, 1_800_000],
  ['multiply', 1, 401_250, 4013],
] as const)('to %s %i by a rate of %i hundredths gives %i', ([operation, amount, rate, converted]) => {
  expect(convert(amount, { operation, rateMinor: minor(rate) })).toBe(converted)
})

test('a converted amount differs from the exact result by at most half a hundredth', () => {
  const positive = fc.integer({ min: 1, max: amountMinorMax })
  fc.assert(
    fc.property(positive, positive, (amount, rate) => {
      const quotient = BigInt(convert(amount, { operation: 'divide', rateMinor: minor(rate) }))
      const twiceOff = 2n * (quotient * BigInt(rate) - BigInt(amount) * 100n)

      expect(twiceOff <= BigInt(rate) && twiceOff > -BigInt(rate)).toBe(true)
    }),
  )
})

test.for([
  ['more than fifty times as large in dollars', [5001, 5001, 1], [100, 100], 'USD', 'divide'],
  ['fifty times as large in dollars', [5000], [100], 'USD', null],
  ['much smaller in dollars', [1], [100], 'USD', null],
  ['more than fifty times smaller in pesos', [100], [5001], 'COP', 'multiply'],
  ['much larger in pesos', [5001], [100], 'COP', null],
  ['compared with an empty history', [5001], [], 'USD', null],
] as const)('the right conversion is proposed for amounts %s', ([, file, own, currency, operation]) => {
  expect(missingOperation(file.map(minor), own.map(minor), currency)).toBe(operation)
})
