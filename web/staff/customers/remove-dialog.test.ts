import { expect, test } from 'vitest'
import { readConfirmation } from './remove-dialog.tsx'

const isConfirmed = (typed: string, balanceMinor: number) => readConfirmation(typed, balanceMinor, 'USD').ok

test.each(['1500000.50', '1.500.000,50', '$1,500,000.50', ' 1 500 000,5 '])(
  'a clerk can type the balance as %s',
  (typed) => {
    expect(isConfirmed(typed, 150_000_050)).toBe(true)
  },
)

test.each(['', '1500000', '150000050', '-1500000.50', 'todo'])('%j does not confirm the balance', (typed) => {
  expect(isConfirmed(typed, 150_000_050)).toBe(false)
})

test('a negative balance is typed with a minus sign, and a balance of zero is typed as 0', () => {
  expect([isConfirmed('-12,50', -1250), isConfirmed('-$12.50', -1250)]).toEqual([true, true])
  expect(isConfirmed('12.50', -1250)).toBe(false)
  expect([isConfirmed('0', 0), isConfirmed('$0.00', 0)]).toEqual([true, true])
  expect([isConfirmed('', 0), isConfirmed('1', 0)]).toEqual([false, false])
})
