import { expect, test } from 'vitest'
import { expiryInWords } from './expiry.ts'

const now = new Date('2026-11-20T12:00:00Z')

test.each([
  ['2026-11-20T11:00:00Z', 'plazo vencido'],
  ['2026-11-20T12:00:00Z', 'plazo vencido'],
  ['2026-11-20T12:00:01Z', 'vence en menos de una hora'],
  ['2026-11-20T12:59:59Z', 'vence en menos de una hora'],
  ['2026-11-20T13:00:00Z', 'vence en 1 hora'],
  ['2026-11-22T11:59:59Z', 'vence en 47 horas'],
  ['2026-11-22T12:00:00Z', 'vence en 2 días'],
])('a request that expires at %s shows how long it waits', (expiresAt, words) => {
  expect(expiryInWords(expiresAt, now)).toBe(words)
})
