import { expect, test } from 'vitest'
import { isLastOfMonth, latestDay, monthAfter, scheduleInWords } from './rhythm.ts'
import type { Schedule } from './recurring.ts'

test.for<[Schedule, string]>([
  [{ rhythm: 'weekly', due_day: null, next_due_on: '2026-11-23' }, 'Cada semana, el lunes'],
  [{ rhythm: 'biweekly', due_day: null, next_due_on: '2026-11-27' }, 'Cada dos semanas, el viernes'],
  [{ rhythm: 'monthly', due_day: 5, next_due_on: '2026-12-05' }, 'Cada mes, el 5'],
  [{ rhythm: 'monthly', due_day: 31, next_due_on: '2026-11-30' }, 'Cada mes, el último día'],
  [{ rhythm: 'yearly', due_day: 5, next_due_on: '2027-03-05' }, 'Cada año, el 5 de marzo'],
])('the schedule %j has the right words', ([schedule, words]) => {
  expect(scheduleInWords(schedule)).toBe(words)
})

test.for<[string, string, string]>([
  ['2026-11-05', '2026-11-23', '2026-12-05'],
  ['2026-10-31', '2026-11-23', '2026-11-30'],
  ['2025-01-15', '2026-11-23', '2026-12-15'],
  ['2026-10-23', '2026-11-23', '2026-12-23'],
])('an expense of %s, repeated on %s, is next due on %s', ([day, today, next]) => {
  expect(monthAfter(day, today)).toBe(next)
})

test('the last day of a month and the latest allowed start day are calculated correctly', () => {
  expect(['2026-11-30', '2028-02-28', '2028-02-29'].map(isLastOfMonth)).toEqual([true, false, true])
  expect(latestDay('2026-11-23')).toBe('2027-11-24')
})
