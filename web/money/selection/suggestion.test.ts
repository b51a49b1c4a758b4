// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { suggestionFor } from './suggestion.ts'

beforeAll(() => serve(() => undefined))

const today = '2026-11-22'
const question = (typed: string) => suggestionFor(typed, today)?.question
const filters = (typed: string) => suggestionFor(typed, today)?.filters

test('a month in the search text is offered as a filter, and the other words remain in the search', () => {
  expect(question('carulla marzo')).toBe('¿Buscar «carulla» en marzo de 2026?')
  expect(filters('carulla marzo')).toEqual({ search: 'carulla', from: '2026-03-01', to: '2026-03-31' })
  expect(question('MARZO')).toBe('¿Buscar en marzo de 2026?')
})

test('a month without a year means the latest month of that name that has begun', () => {
  expect(filters('noviembre')).toMatchObject({ from: '2026-11-01' })
  expect(filters('diciembre')).toMatchObject({ from: '2025-12-01', to: '2025-12-31' })
})

test('a year is offered as a filter, either alone or with its month', () => {
  expect(question('2025')).toBe('¿Buscar en 2025?')
  expect(filters('2025')).toEqual({ search: '', from: '2025-01-01', to: '2025-12-31' })
  expect(question('carulla en febrero de 2024')).toBe('¿Buscar «carulla» en febrero de 2024?')
  expect(filters('carulla en febrero de 2024')).toEqual({
    search: 'carulla',
    from: '2024-02-01',
    to: '2024-02-29',
  })
})

test('an amount with either thousands separator is offered as a limit', () => {
  expect(question('>100')).toBe('¿Buscar movimientos de $100.00 o más?')
  expect(filters('> 100')).toEqual({ search: '', minMinor: 10_000, maxMinor: null })
  expect(question('carulla <50,5 marzo')).toBe('¿Buscar «carulla» de $50.50 o menos en marzo de 2026?')
  expect(filters('45,320')).toEqual({ search: '', minMinor: 4_532_000, maxMinor: 4_532_000 })
  expect(filters('éxito $84.76')).toEqual({ search: 'éxito', minMinor: 8476, maxMinor: 8476 })
  expect(question('80')).toBe('¿Buscar movimientos de $80.00?')
})

test('a text without a month, a year or an amount does not offer a filter', () => {
  for (const typed of [
    '',
    '  ',
    'carulla',
    'Éxito Calle 80',
    'Cine Colombia 2x1',
    'marzos',
    '1999 >',
    '...',
    '>0',
  ])
    expect(suggestionFor(typed, today)?.question, typed).toBeUndefined()
})
