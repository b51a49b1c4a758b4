// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expenseCategories } from '@finanzas/contract/categories.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { clearPage, serve } from '#testing/page.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import type { IconSubject } from '#categorization/category-badge.tsx'
import { TransactionRow } from './transaction-row.tsx'

beforeEach(() => serve(() => undefined))
afterEach(clearPage)

test('the dashboard’s icon shows the type for any category', () => {
  const expense = iconOf({ type: 'expense', category: 'Comida' }, 'type')

  expect(iconOf({ type: 'deposit', category: 'Comida' }, 'type')).not.toBe(expense)
  expect(iconOf({ type: 'expense', category: 'Viajes' }, 'type')).toBe(expense)
})

test('the history’s icon shows the category, and the type for a row without one', () => {
  const food = iconOf({ type: 'expense', category: 'Comida' }, 'category')

  expect(iconOf({ type: 'deposit', category: 'Comida' }, 'category')).toBe(food)
  expect(iconOf({ type: 'expense', category: null }, 'category')).toBe(iconOf({ type: 'expense' }, 'type'))
  expect(iconOf({ type: 'deposit', category: '' }, 'category')).toBe(iconOf({ type: 'deposit' }, 'type'))
})

test('a row without a category shows its type', () => {
  show({ type: 'expense', category: null }, 'category')
  show({ type: 'deposit', category: '' }, 'category')
  show({ type: 'deposit', category: 'Deposito' }, 'category')

  for (const word of ['Gasto', 'Depósito', 'Deposito']) expect(screen.getByText(word)).toBeDefined()
})

test('nine categories have their own badge, and all others the default one', () => {
  const colours = new Map(
    [...expenseCategories, 'Mascotas'].map((category) => [category, coloursOf({ category })]),
  )

  expect(new Set(colours.values()).size).toBe(9)
  expect(colours.get('Mascotas')).toBe(colours.get('Otro'))
  const tokens = readFileSync(path.join(import.meta.dirname, '../ui/tokens.css'), 'utf8')
  for (const [, name] of [...colours.values()].join(' ').matchAll(/(?:bg|text)-([a-z-]+)/g)) {
    expect(tokens).toContain(`--color-${name}:`)
  }
})

function coloursOf(part: Partial<Transaction>): string {
  const { container } = show(part, 'category')
  return (
    /(?:bg|text)-\w+-soft text-\w+/.exec(
      container.querySelector('span.truncate.rounded-sm')?.className ?? '',
    )?.[0] ?? ''
  )
}

function iconOf(part: Partial<Transaction>, by: IconSubject): string {
  const { container } = show(part, by)
  return container.querySelector('[aria-hidden="true"]')?.outerHTML ?? ''
}

function show(part: Partial<Transaction>, iconBy: IconSubject) {
  return render(<TransactionRow transaction={transactionRow(part)} iconBy={iconBy} />)
}
