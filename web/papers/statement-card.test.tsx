import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import type { Statement, StatementRow } from '@finanzas/contract/papers/statement.ts'
import { serve } from '#testing/page.ts'
import { StatementCard } from './statement-card.tsx'

beforeEach(() => serve(() => undefined))
const late = 'Registrados después del cierre'
const cancelled = /se anulan y no cuentan en los totales/

test('rows that were recorded after the month ended are listed under a separate heading', () => {
  show([{ seq: 3 }, { seq: 9, recordedAt: '2026-12-01 00:00' }])

  expect(screen.getByRole('heading', { name: late })).not.toBeNull()
  expect(screen.getAllByRole('table').map(numbersOf)).toEqual([['3'], ['9']])
  expect(screen.getAllByText(/registrado el/).map(({ textContent }) => textContent)).toEqual([
    'Anotación · Gasto · Comida · registrado el 1 dic 2026',
  ])
})

test('a month without late rows shows only one table', () => {
  show([{ seq: 3 }, { seq: 4 }])

  expect(screen.getAllByRole('table').map(numbersOf)).toEqual([['3', '4']])
  expect(screen.queryByRole('heading', { name: late })).toBeNull()
})

test('a corrected transaction and its correction are explained and left out of all totals', () => {
  show([
    { seq: 3, kind: 'corrected', isNote: false, amountMinor: 5000 as MinorUnits },
    { seq: 4, kind: 'correction', isNote: false, amountMinor: -5000 as MinorUnits },
    { seq: 5, amountMinor: -100 as MinorUnits },
  ])

  expect(screen.getByText(cancelled)).not.toBeNull()
  expect(figures()).toEqual(['$0.00', '$0.00', '-$1.00', '-$1.00', '$0.00', '-$1.00'])
})

test('amounts of transactions that are not in the customer’s list have a separate total', () => {
  show([{ seq: 3, kind: 'unlisted', isNote: false, amountMinor: 700 as MinorUnits }])

  expect(screen.getByText('Fuera de tu lista')).not.toBeNull()
  expect(figures()).toEqual(['$0.00', '$0.00', '$0.00', '+$7.00', '$7.00', '$7.00', '$0.00'])
  expect(screen.queryByText(cancelled)).toBeNull()
})

test('a month without rows shows a message instead of a table', () => {
  show([])

  expect(screen.getByText('No tienes movimientos con fecha de este mes.')).not.toBeNull()
  expect(screen.queryByRole('table')).toBeNull()
})

function figures(): (string | null)[] {
  return screen.getAllByRole('definition').map(({ textContent }) => textContent)
}

function numbersOf(table: HTMLElement): (string | null)[] {
  return Array.from(table.querySelectorAll('tbody tr > td:first-child'), ({ textContent }) => textContent)
}

function show(rows: readonly Partial<StatementRow>[]) {
  const closingMinor = rows.reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0) as MinorUnits
  const statement: Statement = {
    bankName: 'Banco',
    customer: '',
    account: 'u',
    currency: 'USD',
    month: '2026-11',
    issuedAt: '',
    openingMinor: 0 as MinorUnits,
    closingMinor,
    notedMinor: rows.reduce(
      (sum, { isNote = true, amountMinor = 0 }) => (isNote ? sum + amountMinor : sum),
      0,
    ) as MinorUnits,
    lastSeq: 9,
    hash: '0'.repeat(64),
    signature: null,
    rows: rows.map((row) => ({
      seq: 1,
      recordedAt: '2026-11-03 14:20',
      day: '2026-11-02',
      description: 'Pan',
      declared: '',
      category: 'Comida',
      kind: 'expense',
      isNote: true,
      amountMinor: 0 as MinorUnits,
      balanceMinor: 0 as MinorUnits,
      ...row,
    })),
  }
  render(<StatementCard statement={statement} isSoFar={false} />)
}
