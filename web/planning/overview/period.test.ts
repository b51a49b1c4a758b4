import { expect, test } from 'vitest'
import { daysOf } from '#money/selection/periods.ts'
import { daysWithin, periodBefore, periodOf, presets, readPeriod } from './period.ts'

const today = '2026-03-31'
const read = (address: string) => readPeriod(new URLSearchParams(address), today)

test('each named period begins on the first day of a month, and ends today or on the last day of last month', () => {
  expect(presets.map((preset) => Object.values(periodOf(preset, today)))).toEqual([
    ['2026-03-01', '2026-03-31'],
    ['2026-02-01', '2026-02-28'],
    ['2026-01-01', '2026-03-31'],
    ['2025-10-01', '2026-03-31'],
    ['2025-04-01', '2026-03-31'],
    ['2026-01-01', '2026-03-31'],
  ])
})

test('a named period has the same first day in the overview and in the history', () => {
  const now = new Date(`${today}T12:00:00-05:00`)
  for (const name of ['month', 'lastMonth', 'quarter', 'year'] as const)
    expect(periodOf(name, today).since, name).toBe(daysOf(name, now).from)
})

test('the URL contains the first and last day of the period', () => {
  expect(read('desde=2025-02-10&hasta=2025-03-09')).toEqual({ since: '2025-02-10', until: '2025-03-09' })
})

test('an invalid URL shows the current month', () => {
  for (const address of [
    '',
    'desde=2025-02-10',
    'desde=2025-02-30&hasta=2025-03-09',
    'desde=2025-03-10&hasta=2025-03-09',
    'desde=2025-13-01&hasta=2025-03-09',
    'desde=1900-01-01&hasta=2026-01-01',
    'desde=2026-01-01&hasta=9999-12-31',
    'desde=<script>&hasta=2026-01-01',
  ])
    expect(read(address), address).toEqual(periodOf('month', today))
})

test('a period is compared with the same number of months or days before it', () => {
  const before = (since: string, until: string) => Object.values(periodBefore({ since, until }))

  expect(before('2026-03-01', '2026-03-10')).toEqual(['2026-02-01', '2026-02-10'])
  expect(before('2026-02-01', '2026-02-28')).toEqual(['2026-01-01', '2026-01-31'])
  expect(before('2026-03-01', '2026-03-30')).toEqual(['2026-02-01', '2026-02-28'])
  expect(before('2025-04-01', '2026-03-31')).toEqual(['2024-04-01', '2025-03-31'])
  expect(before('2026-03-10', '2026-03-12')).toEqual(['2026-03-07', '2026-03-09'])
})

test('a month that the period covers only in part shows the covered days', () => {
  const period = { since: '2026-01-15', until: '2026-03-31' }

  expect(daysWithin('2026-01', period)).toEqual({ from: 15, to: 31, isWhole: false })
  expect(daysWithin('2026-02', period)).toEqual({ from: 1, to: 28, isWhole: true })
  expect(daysWithin('2026-03', period)).toEqual({ from: 1, to: 31, isWhole: true })
})
