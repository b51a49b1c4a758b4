import { expect, test } from 'vitest'
import { type Currency, movementsOf } from './transactions.ts'

const movements = (currency: Currency) =>
  movementsOf({ seed: 7, salary: 1450, currency }, new Date('2026-11-24T15:00:00Z'))

test('a demo household receives two salaries in every month', () => {
  const salaries = movements('USD').filter(({ description }) => description === 'Nómina quincenal')
  const days = salaries.map(({ date }) => date.slice(0, 10))

  expect(days).toContain('2025-02-28')
  expect(days).toContain('2026-01-30')
  const whole = Map.groupBy(days, (day) => day.slice(0, 7))
  whole.delete('2024-11')
  whole.delete('2026-11')
  expect([...whole.values()].map(({ length }) => length)).toEqual(Array.from({ length: 23 }, () => 2))
})

test('amounts in pesos are the converted amounts in dollars, rounded to whole coins', () => {
  const [dollars, pesos] = [movements('USD'), movements('COP')]

  expect(pesos.map(({ description, date }) => [description, date])).toEqual(
    dollars.map(({ description, date }) => [description, date]),
  )
  for (const [index, { amount }] of pesos.entries()) {
    expect(Number(amount) % 50).toBe(0)
    expect(Math.abs(Number(amount) / 4000 - Number(dollars[index]?.amount))).toBeLessThan(0.02)
  }
  expect(pesos.find(({ description }) => description === 'Nómina quincenal')?.amount).toBe('5800000.00')
})

test('the transactions of a household are sorted by date', () => {
  const dates = movements('USD').map(({ date }) => date)

  expect(dates).toEqual(dates.toSorted())
  expect(dates.filter((date) => date > '2026-11-24')).toEqual([])
})
