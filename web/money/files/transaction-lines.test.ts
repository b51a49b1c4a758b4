import { expect, test } from 'vitest'
import { transactionRow } from '#testing/transaction-row.ts'
import { headingLine, transactionLine } from './transaction-lines.ts'

test('a line contains the day in Bogotá and the signed amount, besides the description and the category', () => {
  const row = transactionRow({ date: '2026-11-21T04:59:00+00:00', description: 'Almuerzo', amount: 38.25 })

  expect([headingLine, transactionLine(row)]).toEqual([
    'Fecha;Descripción;Categoría;Tipo;Monto;Registrado por\r\n',
    '2026-11-20;Almuerzo;Comida;Gasto;-38,25;Cliente\r\n',
  ])
})

test('a deposit is positive, and its type replaces a missing category', () => {
  expect(
    transactionLine(
      transactionRow({ type: 'deposit', amount: 1250000.5, category: null, recorded_by: 'bank' }),
    ),
  ).toContain(';Depósito;Depósito;1250000,50;Banco')
})

test('texts cannot run as formulas in a spreadsheet program', () => {
  for (const begin of ['=', '+', '-', '@', '\t', '\0', ' =', '\t@', '＝', ' ＋', '－', '＠']) {
    expect(descriptionOf(transactionLine(transactionRow({ description: `${begin}1+1` })))).toBe(
      `'${begin}1+1`,
    )
  }
  expect(transactionLine(transactionRow({ category: '=HYPERLINK(1)' }))).toContain(`;'=HYPERLINK(1);`)
  expect(descriptionOf(transactionLine(transactionRow({ description: 'a=b' })))).toBe('a=b')
})

test('quotes, separators and line breaks stay inside their field', () => {
  expect(transactionLine(transactionRow({ description: 'Tienda "La 14"; Cali' }))).toContain(
    ';"Tienda ""La 14""; Cali";',
  )
  expect(transactionLine(transactionRow({ description: 'dos\r\nlíneas' }))).toContain(';"dos\r\nlíneas";')
})

test('the largest possible amount keeps every digit', () => {
  expect(transactionLine(transactionRow({ amount: 999999999999.99 }))).toContain(';-999999999999,99;')
})

function descriptionOf(line: string): string | undefined {
  return line.split(';')[1]
}
