import { expect, test } from 'vitest'
import { readAmount } from './read-amount.ts'

test('an amount is read with a point or a comma before its decimals', () => {
  expect(readAmount('12500')).toEqual({ ok: true, amountMinor: 1_250_000 })
  expect(readAmount(' 12500.5 ')).toEqual({ ok: true, amountMinor: 1_250_050 })
  expect(readAmount('12500,05')).toEqual({ ok: true, amountMinor: 1_250_005 })
  expect(readAmount('999999999999.99')).toEqual({ ok: true, amountMinor: 99_999_999_999_999 })
})

test('an empty field is asked for an amount', () => {
  expect(readAmount('  ')).toEqual({ ok: false, error: 'Escribe un monto.' })
})

test('zero and less are refused', () => {
  for (const typed of ['0', '0.00', '-1', '-0,5']) {
    expect(readAmount(typed)).toEqual({ ok: false, error: 'El monto debe ser mayor que cero.' })
  }
})

test('three decimals are refused, not rounded', () => {
  for (const typed of ['1.001', '1,999', '0.001']) {
    expect(readAmount(typed)).toEqual({ ok: false, error: 'Usa dos decimales como máximo.' })
  }
})

test('an amount beyond the largest is refused', () => {
  for (const typed of ['1000000000000', '1000000000000.00', '9'.repeat(24)]) {
    expect(readAmount(typed)).toEqual({
      ok: false,
      error: 'El monto no puede pasar de 999.999.999.999,99.',
    })
  }
})

test('what is not a plain number is refused', () => {
  for (const typed of ['NaN', 'Infinity', '1e3', '0x10', '1.000,50', '1 000', '$5', '.', '1.']) {
    expect(readAmount(typed).ok).toBe(false)
  }
})
