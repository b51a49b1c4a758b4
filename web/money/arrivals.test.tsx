import { QueryClient } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serve } from '#testing/page.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { applyChange } from '#data/live-channel.ts'
import { TransactionRow } from './transaction-row.tsx'

beforeEach(async () => {
  await serve(() => undefined)
  vi.useFakeTimers()
  render(<Toaster />)
})
afterEach(() => act(() => void vi.advanceTimersByTime(60_000)))

test('a new deposit is highlighted for two seconds, and its amount is announced politely', () => {
  const deposit = transactionRow({ type: 'deposit', amount: 320.75, description: 'Nómina' })
  render(<TransactionRow transaction={deposit} />)
  expect(isLit()).toBe(false)

  announce('INSERT', deposit)

  expect(isLit()).toBe(true)
  expect(screen.getByRole('status').textContent).toBe('Recibiste $320.75')
  act(() => void vi.advanceTimersByTime(2000))
  expect(isLit()).toBe(false)
})

test('an expense, a changed row or a restored deposit is not announced as a new deposit', () => {
  const deposit = transactionRow({ type: 'deposit' })
  announce('INSERT', transactionRow({ type: 'expense' }))
  announce('UPDATE', deposit)
  announce('DELETE', deposit)
  announce('INSERT', deposit)

  expect(screen.getByRole('status').textContent).toBe('')
})

test('a deposit toast does not replace a toast that has an undo button', () => {
  act(() => showToast({ title: 'Transacción Eliminada', action: { label: 'Deshacer', onSelect: vi.fn() } }))

  announce('INSERT', transactionRow({ type: 'deposit' }))

  expect(screen.getByRole('button', { name: 'Deshacer' })).toBeDefined()
})

function announce(eventType: 'INSERT' | 'UPDATE' | 'DELETE', row: ReturnType<typeof transactionRow>) {
  const change = { eventType, new: row, old: row } as unknown as Parameters<typeof applyChange>[2]
  act(() => void applyChange(new QueryClient(), row.user_id, change))
}

function isLit(): boolean {
  return document.querySelector('.row-arrived') !== null
}
