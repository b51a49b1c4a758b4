import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { expenseCategories } from '@finanzas/contract/categories.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { serve } from '#testing/page.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import { HistoryRow } from '#money/list/history-row.tsx'
import { TransactionRow } from './transaction-row.tsx'

beforeEach(() => serve(() => undefined))
test('the icon on the dashboard depends on the type of the transaction and not on the category', () => {
  const expense = iconOf({ type: 'expense', category: 'Comida' }, 'dashboard')

  expect(iconOf({ type: 'deposit', category: 'Comida' }, 'dashboard')).not.toBe(expense)
  expect(iconOf({ type: 'expense', category: 'Viajes' }, 'dashboard')).toBe(expense)
})

test('the history’s icon shows the category, or the type if the row does not have a category', () => {
  const food = iconOf({ type: 'expense', category: 'Comida' }, 'history')
  const type = (part: Partial<Transaction>) => iconOf(part, 'dashboard').match(/<svg.*<\/svg>/)?.[0]

  expect(iconOf({ type: 'deposit', category: 'Comida' }, 'history')).toBe(food)
  expect(iconOf({ type: 'expense', category: null }, 'history')).toContain(type({ type: 'expense' }))
  expect(iconOf({ type: 'deposit', category: '' }, 'history')).toContain(type({ type: 'deposit' }))
})

test('a row without a category shows its type', () => {
  show({ type: 'expense', category: null }, 'history')
  show({ type: 'deposit', category: '' }, 'history')
  show({ type: 'deposit', category: 'Deposito' }, 'history')

  for (const word of ['Gasto', 'Depósito', 'Deposito']) expect(screen.getByText(word)).toBeDefined()
})

test('nine categories have their own badge, and all others have the default badge', () => {
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

test('a row of the bank in the history says its origin, or else that the bank recorded it', () => {
  const bank = { recorded_by: 'bank', origin_id: crypto.randomUUID() } as const
  const words = {
    clerk: 'Registrado por el banco',
    batch: 'Lote del banco',
    transfer: 'Transferencia',
    return: 'Devolución',
    correction: 'Corrección del banco',
  } as const
  for (const [origin, said] of Object.entries(words)) {
    const { container, unmount } = show({ ...bank, origin: origin as keyof typeof words }, 'history')

    expect(container.querySelector('[title] > svg')?.parentElement?.title).toBe(said)
    unmount()
  }
})

test('a double click on a bin button deletes only one transaction', () => {
  const onRemove = vi.fn()
  const transaction = transactionRow({ description: 'Taxi' })
  render(<HistoryRow transaction={transaction} isDayRepeated={false} onOpen={vi.fn()} onRemove={onRemove} />)
  const bin = screen.getByRole('button', { name: /^Eliminar Taxi/ })

  fireEvent.click(bin, { detail: 1 })
  fireEvent.click(bin, { detail: 2 })

  expect(onRemove).toHaveBeenCalledTimes(1)
})

function coloursOf(part: Partial<Transaction>): string {
  const { container } = show(part, 'history')
  return (
    /(?:bg|text)-\w+-soft text-\w+/.exec(
      container.querySelector('span.truncate.rounded-sm')?.className ?? '',
    )?.[0] ?? ''
  )
}

function iconOf(part: Partial<Transaction>, list: 'dashboard' | 'history'): string {
  const { container } = show(part, list)
  return container.querySelector('[aria-hidden="true"]')?.outerHTML ?? ''
}

function show(part: Partial<Transaction>, list: 'dashboard' | 'history') {
  const transaction = transactionRow(part)
  if (list === 'dashboard') return render(<TransactionRow transaction={transaction} />)
  return render(<HistoryRow transaction={transaction} isDayRepeated={false} onOpen={vi.fn()} />)
}
