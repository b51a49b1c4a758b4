import { expect, test } from 'vitest'
import { expenseDays } from './expense-days.ts'

test.for<[string, string, string]>([
  ['2026-11-23T12:00:00-05:00', '2016-11-24', '2026-11-23'],
  ['2026-11-23T23:59:00-05:00', '2016-11-24', '2026-11-23'],
  // At this time it is already 1 March in UTC, the time zone of the database.
  ['2026-02-28T23:00:00-05:00', '2016-03-01', '2026-02-28'],
  ['2028-02-29T12:00:00-05:00', '2018-03-02', '2028-02-29'],
])('at %s the first possible day of an expense is %s, and the last %s', ([now, first, last]) => {
  expect(expenseDays(new Date(now))).toEqual({ first, last })
})
