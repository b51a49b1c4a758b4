import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCop, formatUsd } from '#ui/format/money.ts'
import { descriptionErrors, readAmount, typedAmount, spokenAmount } from './amounts.ts'

const currencies = ['USD', 'COP'] as const

test.each(currencies)('an amount can have a point or a comma before its decimals (%s)', (currency) => {
  expect(readAmount('12500', currency)).toEqual({ ok: true, amountMinor: 1_250_000 })
  expect(readAmount(' 12500.5 ', currency)).toEqual({ ok: true, amountMinor: 1_250_050 })
  expect(readAmount('12500,05', currency)).toEqual({ ok: true, amountMinor: 1_250_005 })
  expect(readAmount('999999999999.99', currency)).toEqual({ ok: true, amountMinor: 99_999_999_999_999 })
})

test.each(currencies)('points or commas can separate thousands if unambiguous (%s)', (currency) => {
  for (const typed of ['$ 1.500.000,50', '1.500.000,50', '1,500,000.50', '$1,500,000.50', '1 500 000,50']) {
    expect(readAmount(typed, currency)).toEqual({ ok: true, amountMinor: 150_000_050 })
  }
  for (const typed of [
    '1.500.000',
    '1,500,000',
    '$1500000',
    'COP 1.500.000',
    '1.500.000 COP',
    '+$1,500,000.00',
  ]) {
    expect(readAmount(typed, currency)).toEqual({ ok: true, amountMinor: 150_000_000 })
  }
  expect(readAmount('1,900.00', currency)).toEqual({ ok: true, amountMinor: 190_000 })
})

test.each([
  ['1.900', '1,900'],
  ['$1.900', '1,900'],
  ['25.000', '25,000'],
])('three digits after a separator are thousands in either currency (%s and %s)', (dotted, commaed) => {
  const units = Number(dotted.replace('$', '').replace('.', ''))
  const read = { ok: true, amountMinor: units * 100 }

  expect(readAmount(dotted, 'COP')).toEqual(read)
  expect(readAmount(commaed, 'USD')).toEqual(read)
  // If the currency uses this separator as the decimal separator, the result also contains the separator.
  expect(readAmount(dotted, 'USD')).toEqual({ ...read, thousands: '.' })
  expect(readAmount(commaed, 'COP')).toEqual({ ...read, thousands: ',' })
})

test.each(currencies)('one or two digits after either separator are decimals (%s)', (currency) => {
  for (const typed of ['12,5', '12.5', '12,50', '12.50']) {
    expect(readAmount(typed, currency)).toEqual({ ok: true, amountMinor: 1250 })
  }
})

test.each(currencies)('a pasted amount can have its currency behind it (%s)', (currency) => {
  for (const typed of [
    '12.50$',
    '12,50 $',
    '12.50 US$',
    '12.50 USD',
    '12,50 dólares',
    '12,50 pesos',
    '12.50 COP $',
  ])
    expect(readAmount(typed, currency), typed).toEqual({ ok: true, amountMinor: 1250 })
  expect(readAmount('25.000 pesos', currency)).toMatchObject({ ok: true, amountMinor: 2_500_000 })
})

test.each(currencies)('a pasted amount can have apostrophes between its thousands (%s)', (currency) => {
  for (const typed of ["1'234.50", '1’234.50', "$1'234,50"])
    expect(readAmount(typed, currency), typed).toEqual({ ok: true, amountMinor: 123_450 })
  expect(readAmount("1'234'567", currency)).toEqual({ ok: true, amountMinor: 123_456_700 })
  expect(readAmount("1'23", currency)).toMatchObject({ ok: false })
})

test.each(currencies)(
  'full-width digits count as digits, and a typographic minus counts as a minus (%s)',
  (currency) => {
    expect(readAmount('１２．５０', currency)).toEqual({ ok: true, amountMinor: 1250 })
    for (const typed of ['−12.50', '–12.50', '-12.50'])
      expect(readAmount(typed, currency), typed).toEqual({
        ok: false,
        error: 'El monto debe ser mayor que cero.',
      })
  },
)

test.each([
  ['12,50 €', 'euros'],
  ['€12.50', 'euros'],
  ['EUR 12.50', 'euros'],
  ['12.50 euros', 'euros'],
  ['£12.50', 'libras'],
  ['R$ 12,50', 'reales'],
  ['12.50 PEN', 'PEN'],
])('the amount %s is refused because the bank has no %s', (typed, name) => {
  for (const currency of currencies)
    expect(readAmount(typed, currency)).toEqual({
      ok: false,
      error: `Este monto está en ${name}, y el banco no usa esa moneda.`,
    })
})

test('a text with words is still no amount', () => {
  for (const typed of ['doce mil', '25 mil', '12 manzanas', 'abc', '€'])
    expect(readAmount(typed, 'USD')).toEqual({ ok: false, error: 'Escribe el monto solo con números.' })
})

test.each([
  ['.5', '5.'],
  [',5', '5,'],
])('the digits before or after a decimal separator can be left out (%s and %s)', (before, behind) => {
  for (const currency of currencies) {
    expect(readAmount(before, currency)).toEqual({ ok: true, amountMinor: 50 })
    expect(readAmount(behind, currency)).toEqual({ ok: true, amountMinor: 500 })
  }
})

test('every amount can be typed in the form in which the bank displays it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e14 - 1 }), (amountMinor) => {
      const read = { ok: true, amountMinor }

      for (const sign of ['', '+']) {
        expect(readAmount(sign + formatUsd(amountMinor / 100), 'USD')).toEqual(read)
        expect(readAmount(sign + formatCop(amountMinor / 100), 'COP')).toEqual(read)
      }
      for (const currency of currencies) {
        // An amount with decimals is also unambiguous in the other currency's notation.
        expect(readAmount(formatUsd(amountMinor / 100), currency)).toEqual(read)
        expect(readAmount(formatCop(amountMinor / 100), currency)).toEqual(read)
        expect(readAmount(typedAmount(amountMinor, currency), currency)).toEqual(read)
      }
    }),
  )
})

test('an empty field is refused', () => {
  expect(readAmount('  ', 'USD')).toEqual({ ok: false, error: 'Escribe un monto.' })
})

test.each(currencies)('zero and negative amounts are refused (%s)', (currency) => {
  for (const typed of ['0', '0.00', '-1', '-0,5', '-$12.00']) {
    expect(readAmount(typed, currency)).toEqual({ ok: false, error: 'El monto debe ser mayor que cero.' })
  }
})

test.each(currencies)('three decimals are refused, not rounded (%s)', (currency) => {
  for (const typed of ['0.001', '0,500', '1234.567', '1,900.005', '1.900,005', '1.0000']) {
    expect(readAmount(typed, currency)).toEqual({ ok: false, error: 'Usa dos decimales como máximo.' })
  }
})

test.each([
  ['USD', 'El monto no puede pasar de $999,999,999,999.99.'],
  ['COP', 'El monto no puede pasar de $\u00a0999.999.999.999,99.'],
] as const)('an amount above the limit is refused with the formatted limit (%s)', (currency, error) => {
  for (const typed of ['1000000000000', '1000000000000.00', '1.000.000.000.000', '9'.repeat(24)]) {
    expect(readAmount(typed, currency)).toEqual({ ok: false, error })
  }
})

test.each(currencies)('a text that is not exactly one number is refused (%s)', (currency) => {
  const wrong = 'NaN Infinity 1e3 0x10 . $ 1,2,3 12.34.56 1.5000.000 1,90.000 1..000 --5 1,000.00.00 ٣'
  for (const typed of [...wrong.split(' '), '1 90', '12 3456', '5 6']) {
    expect(readAmount(typed, currency), typed).toEqual({
      ok: false,
      error: 'Escribe el monto solo con números.',
    })
  }
})

test('a description is refused if it is empty or too long or contains characters that the bank does not store', () => {
  const unsavable = { description: 'Tiene caracteres que no se pueden guardar.' }

  expect(descriptionErrors('Café 100% «Ñandú» 🥐')).toEqual({})
  expect(descriptionErrors('é'.repeat(200))).toEqual({})
  expect(descriptionErrors('')).toEqual({ description: 'Escribe una descripción.' })
  expect(descriptionErrors('é'.repeat(201))).toEqual({ description: 'Usa 200 caracteres como máximo.' })
  for (const character of ['\u0007', '\u0000', '\u0085', '\u200f', '\u202e', '\ud800']) {
    expect(descriptionErrors(`Taxi${character}a casa`)).toEqual(unsavable)
  }
})

test('a spoken amount has a sign, a unit and hundredths', () => {
  const spoken = (type: string, amount: number, currency = 'USD') => spokenAmount({ type, amount }, currency)

  expect(spoken('expense', 84.76)).toBe('menos 84 dólares 76')
  expect(spoken('expense', 1.05)).toBe('menos 1 dólar 05')
  expect(spoken('deposit', 1_450_000, 'COP')).toBe('más 1450000 pesos')
  expect(spoken('deposit', 1, 'COP')).toBe('más 1 peso')
})
