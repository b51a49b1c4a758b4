import { expect, test } from 'vitest'
import { addMonths, daysIn, formatMonthAndYear, formatMonthShort, lastDay, monthsBetween } from './months.ts'

test('month arithmetic works across year boundaries', () => {
  expect(addMonths('2026-02', -5)).toBe('2025-09')
  expect(addMonths('2026-11', 2)).toBe('2027-01')
  expect(monthsBetween('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
  expect(monthsBetween('2026-02', '2026-01')).toEqual([])
})

test('a month ends on its last day, even in leap years', () => {
  expect(['2026-11', '2026-02', '2028-02'].map(daysIn)).toEqual([30, 28, 29])
  expect(lastDay('2028-02')).toBe('2028-02-29')
})

test('month names are Spanish', () => {
  expect(formatMonthAndYear('2026-11')).toBe('noviembre de 2026')
  expect(formatMonthShort('2026-09')).toMatch(/^sept?$/)
})
