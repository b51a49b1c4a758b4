// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { loadConfiguration } from '#backend/configuration.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import type { IconSubject } from './category-badge.tsx'
import { TransactionRow } from './transaction-row.tsx'

beforeEach(async () => {
  vi.stubGlobal('fetch', async () => Response.json({ displayCurrency: 'USD' }))
  await loadConfiguration()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the dashboard’s icon shows the type, whatever the category', () => {
  const expense = iconOf({ type: 'expense', category: 'Comida' }, 'type')

  expect(iconOf({ type: 'deposit', category: 'Comida' }, 'type')).not.toBe(expense)
  expect(iconOf({ type: 'expense', category: 'Viajes' }, 'type')).toBe(expense)
})

test('the history’s icon shows the category, and the type of a row without one', () => {
  const food = iconOf({ type: 'expense', category: 'Comida' }, 'category')

  expect(iconOf({ type: 'deposit', category: 'Comida' }, 'category')).toBe(food)
  expect(iconOf({ type: 'expense', category: null }, 'category')).toBe(iconOf({ type: 'expense' }, 'type'))
  expect(iconOf({ type: 'deposit', category: '' }, 'category')).toBe(iconOf({ type: 'deposit' }, 'type'))
})

test('a row without a category is called what it is', () => {
  show({ type: 'expense', category: null }, 'category')
  show({ type: 'deposit', category: '' }, 'category')
  show({ type: 'deposit', category: 'Deposito' }, 'category')

  for (const word of ['Gasto', 'Depósito', 'Deposito']) expect(screen.getByText(word)).toBeDefined()
})

function iconOf(part: Partial<Transaction>, by: IconSubject): string {
  const { container } = show(part, by)
  return container.querySelector('[aria-hidden="true"]')?.outerHTML ?? ''
}

function show(part: Partial<Transaction>, iconBy: IconSubject) {
  return render(<TransactionRow transaction={transactionRow(part)} iconBy={iconBy} />)
}
