import { expect, test } from 'vitest'
import {
  formatDateInWords,
  bogotaDay,
  formatDateLong,
  formatAgo,
  formatDateShort,
  formatDateTimeShort,
  formatDateWithYear,
  formatDay,
  formatMoment,
  isoDay,
} from './dates.ts'
import { formatCop, formatCopCompact, formatUsd, formatUsdCompact } from './money.ts'
import { fold, initials } from './text.ts'

test('dollars have the en-US format, always with two decimals', () => {
  expect(formatUsd(1250000.5)).toBe('$1,250,000.50')
  expect(formatUsd(-12.3)).toBe('-$12.30')
})

test('a value that is not a number shows as zero dollars', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, undefined, null, '12', {}]) {
    expect(formatUsd(value)).toBe('$0.00')
  }
})

test('minus zero and amounts below half a cent have no sign', () => {
  expect(formatUsd(-0)).toBe('$0.00')
  expect(formatUsd(-0.001)).toBe('$0.00')
})

test('pesos have the es-CO format, with two decimals', () => {
  expect(formatCop(1250000.5).replace(/\s/g, ' ')).toBe('$ 1.250.000,50')
})

test('a rounded peso amount has a Spanish unit and no unnecessary decimals', () => {
  const written = [0, -12.5, 999, 1500, 10_000, 500_000, 999_700, -2_000_000, 1_540_000, 8_641_975_319].map(
    formatCopCompact,
  )

  expect(written).toEqual([
    '0',
    '-12,5',
    '999',
    '1,5 mil',
    '10 mil',
    '500 mil',
    '1 M',
    '-2 M',
    '1,5 M',
    '8.642 M',
  ])
})

test('a rounded amount in dollars has no unnecessary decimals', () => {
  expect([0, 7.5, -12.5, 250, -508.84, 999.6, 2000, -15_400, 1_500_000].map(formatUsdCompact)).toEqual([
    '$0',
    '$7.50',
    '-$12.50',
    '$250',
    '-$509',
    '$1K',
    '$2K',
    '-$15.4K',
    '$1.5M',
  ])
})

test('a day ends at midnight in Bogotá, not in Greenwich', () => {
  const beforeMidnight = '2026-11-21T04:59:00Z'
  const afterMidnight = '2026-11-21T05:01:00Z'

  expect(formatDateLong(new Date(beforeMidnight))).toBe('viernes, 20 de noviembre de 2026')
  expect(formatDateLong(new Date(afterMidnight))).toBe('sábado, 21 de noviembre de 2026')
  expect(isoDay(bogotaDay(beforeMidnight))).toBe('2026-11-20')
  expect(isoDay(bogotaDay(afterMidnight))).toBe('2026-11-21')
})

test('the heading for a day contains the year only if it is not the current year', () => {
  const day = bogotaDay('2025-12-31T12:00:00-05:00')

  expect(formatDay(day, 2025)).toBe('miércoles, 31 de diciembre')
  expect(formatDay(day, 2026)).toBe('miércoles, 31 de diciembre de 2025')
})

test('a time today is shown without a date, and an earlier time with its date', () => {
  const now = new Date('2026-11-21T05:01:00Z')

  expect(formatMoment(new Date('2026-11-21T05:00:00Z'), now).replace(/\s/g, ' ')).toBe('12:00 a. m.')
  expect(formatMoment(new Date('2026-11-21T04:59:00Z'), now)).toMatch(/^20 de noviembre de 2026.*11:59/)
})

test('a date is shown in Spanish, with the year if it is not the current year', () => {
  const now = new Date('2026-11-21T12:00:00Z')

  expect(formatDateShort('2026-11-03T15:00:00Z', now)).toBe('3 nov')
  expect(formatDateShort('2026-01-01T04:59:00Z', now)).toBe('31 dic 2025')
  expect(formatDateWithYear('2026-09-03T15:00:00Z')).toBe('3 sept 2026')
})

test('a recent time is shown as the time that has passed since then', () => {
  const now = new Date('2026-11-21T15:00:00Z')
  const ago = (iso: string) => formatAgo(iso, now)

  expect(ago('2026-11-21T14:59:30Z')).toBe('ahora')
  expect(ago('2026-11-21T14:55:00Z')).toBe('hace 5 minutos')
  expect(ago('2026-11-21T12:00:00Z')).toBe('hace 3 horas')
  expect(ago('2026-11-20T12:00:00Z')).toBe('ayer')
  expect(ago('2026-11-10T12:00:00Z')).toBe('10 nov')
})

test('an invalid date is shown as an empty string', () => {
  for (const format of [formatDateShort, formatDateWithYear, formatAgo, formatDateTimeShort])
    expect(format('ayer')).toBe('')
})

test('initials come from the first and last word, or from the e-mail address', () => {
  expect(initials('Laura Restrepo Gómez')).toBe('LG')
  expect(initials('  álvaro ')).toBe('Á')
  expect(initials('laura@ejemplo.co')).toBe('L')
  expect(initials('')).toBe('')
})

test('folding removes accents and converts to lower case', () => {
  expect(fold('Pensión ÑUÑOA')).toBe('pension nunoa')
})

test('folding replaces typographic quotes, dashes and spaces by the signs of a keyboard', () => {
  expect(fold('McDonald’s')).toBe("mcdonald's")
  expect(fold('Tienda “El Sol” — Bogotá')).toBe('tienda "el sol" - bogota')
})

test('a date in words has the full month name, and the year if it is not the current year', () => {
  const now = new Date('2026-11-20T15:00:00Z')

  expect(formatDateInWords('2026-11-19T15:00:00Z', now)).toBe('19 de noviembre')
  expect(formatDateInWords('2026-01-01T04:59:00Z', now)).toBe('31 de diciembre de 2025')
  expect(formatDateInWords('mañana', now)).toBe('')
})
