import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { periodNameOf, daysOf, sumsInWords } from './periods.ts'
import { everything } from './selection.ts'

const now = new Date('2026-11-22T15:00:00Z')

beforeEach(() => {
  vi.useFakeTimers()
  vi.setSystemTime(now)
})

afterEach(() => vi.useRealTimers())

test('a named period begins on the first day of a month in Bogotá', () => {
  expect(daysOf('month', new Date('2026-12-01T04:59:00Z'))).toEqual({ from: '2026-11-01', to: '' })
})

test('the heading of the sums describes which rows they include', () => {
  const thisMonth = { ...everything, ...daysOf('month') }

  expect(sumsInWords(everything)).toBe('Todo el historial')
  expect(sumsInWords(thisMonth)).toBe('Este mes')
  expect(sumsInWords({ ...thisMonth, to: '2026-11-15' })).toBe('del 1 nov 2026 al 15 nov 2026')
  expect(sumsInWords({ ...thisMonth, search: 'renta' })).toBe('De lo que ves')
  expect(sumsInWords({ ...everything, categories: ['Salud'] })).toBe('De lo que ves')
  expect(periodNameOf({ ...thisMonth, to: '2026-11-15' })).toBeNull()
})
