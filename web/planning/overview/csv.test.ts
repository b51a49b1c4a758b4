import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { csvText } from './csv.ts'

const minor = (amount: number) => amount as MinorUnits

test('a month has a line with a signed amount for each category, and a line for its balance', () => {
  const text = csvText({
    period: { since: '2026-11-01', until: '2026-11-30' },
    balanceMinor: minor(96_175),
    spentMinorByDay: new Map(),
    coming: { payments: 0, amount: 0, recurs: false },
    bookedMinor: minor(96_175),
    notedMinor: minor(0),
    monthlyLimit: null,
    months: [
      {
        month: '2026-11',
        balanceMinor: minor(96_175),
        parts: [
          {
            type: 'deposit',
            category: null,
            recordedBy: 'bank',
            amountMinor: minor(100_000),
            transactions: 1,
          },
          {
            type: 'expense',
            category: '=1+1',
            recordedBy: 'customer',
            amountMinor: minor(3825),
            transactions: 2,
          },
        ],
      },
    ],
  })

  expect(text.split('\r\n')).toEqual([
    '\uFEFFMes;Tipo;Categoría;Registrado por;Movimientos;Monto',
    '2026-11;Depósito;Depósito;Banco;1;1000,00',
    "2026-11;Gasto;'=1+1;Cliente;2;-38,25",
    '2026-11;Saldo final;;;;961,75',
    '',
  ])
})
