import { expect, test } from 'vitest'
import { sumByCategory } from './spending.tsx'

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

test('expenses without a category count as what they are: Gasto', () => {
  const spending = sumByCategory([
    { amount: 5, category: null },
    { amount: 5, category: '' },
    { amount: 5, category: 'Gasto' },
  ])

  expect(spending.categories).toEqual([{ category: 'Gasto', spentMinor: 1500 }])
})
