import { expect, test } from 'vitest'
import { sumByCategory } from './month-spending.ts'

test('a month without expenses has spent nothing, in no category', () => {
  expect(sumByCategory([])).toEqual({ spentMinor: 0, categories: [] })
})

test('expenses are added up exactly, by category, the largest first', () => {
  const spending = sumByCategory([
    { amount: 0.1, category: 'Comida' },
    { amount: 0.2, category: 'Comida' },
    { amount: 1000, category: 'Viajes' },
    { amount: 0.3, category: 'Arriendo' },
  ])

  expect(spending).toEqual({
    spentMinor: 100_060,
    categories: [
      { category: 'Viajes', spentMinor: 100_000 },
      { category: 'Arriendo', spentMinor: 30 },
      { category: 'Comida', spentMinor: 30 },
    ],
  })
})

test('expenses without a category are one group of their own', () => {
  const spending = sumByCategory([
    { amount: 5, category: null },
    { amount: 5, category: '' },
  ])

  expect(spending.categories).toEqual([{ category: '', spentMinor: 1000 }])
})
