// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import type { Statement } from '@finanzas/contract/statement/statement.ts'
import { clearPage, serve } from '#testing/page.ts'
import { StatementCard } from './statement-card.tsx'

beforeEach(() => serve(() => undefined))
afterEach(clearPage)

const gaps = 'Los números de registro que faltan son cambios de descripción o de categoría: no mueven dinero.'

test('a statement explains gaps in its entry numbers', () => {
  show([3, 6])

  expect(screen.getByText(gaps)).not.toBeNull()
})

test('a statement without gaps in its entry numbers does not mention gaps', () => {
  show([3, 4])

  expect(screen.getByRole('cell', { name: '4' })).not.toBeNull()
  expect(screen.queryByText(gaps)).toBeNull()
})

test('a statement without entries does not mention gaps', () => {
  show([])

  expect(screen.getByText('El banco no registró movimientos en este mes.')).not.toBeNull()
  expect(screen.queryByText(gaps)).toBeNull()
})

function show(seqs: readonly number[]) {
  const statement: Statement = {
    bankName: 'Banco',
    customer: '',
    account: 'u',
    currency: 'USD',
    month: '2026-11',
    issuedAt: '',
    openingMinor: 0 as MinorUnits,
    closingMinor: 0 as MinorUnits,
    firstSeq: 3,
    lastSeq: seqs.at(-1) ?? 5,
    hash: '0'.repeat(64),
    signature: null,
    rows: seqs.map((seq) => ({
      seq,
      recordedAt: '2026-11-03 14:20',
      day: '2026-11-02',
      description: 'Pan',
      category: 'Comida',
      kind: 'expense',
      amountMinor: 0 as MinorUnits,
      balanceMinor: 0 as MinorUnits,
    })),
  }
  render(<StatementCard statement={statement} isSoFar={false} />)
}
