import { expect, test } from 'vitest'
import type { BatchLine } from './batches.ts'
import { readDeposits } from '#staff/deposits/deposits-from-rows.ts'
import { readSheet } from '#staff/deposits/read-sheet.ts'
import { resultCsv } from './result-csv.ts'

const line = (more: Partial<BatchLine> = {}): BatchLine => ({
  line: 2,
  amount: 1234.5,
  description: 'Nómina',
  status: 'posted',
  fault: null,
  profiles: { full_name: 'Ana Pérez', user_safe: { email: 'ana@banco.example' } },
  new_accounts: null,
  ...more,
})

test('the file contains the result of each line, and none of its fields can run as a formula', () => {
  const failed = line({
    line: 3,
    description: '=1+1',
    status: 'failed',
    fault: 'El saldo; no.',
    profiles: null,
  })

  expect(resultCsv([line(), failed])).toBe(
    '\uFEFFLínea;Email;Nombre;Monto;Descripción;Estado;Motivo\r\n' +
      '2;ana@banco.example;Ana Pérez;1234,50;Nómina;Abonado;\r\n' +
      '3;;;1234,50;\'=1+1;No abonado;"El saldo; no."\r\n',
  )
})

test('the result file can be uploaded again as a new batch', async () => {
  const read = await readSheet(resultCsv([line(), line({ line: 9, amount: 10 })]))
  if (!read.ok) throw new Error(read.reason)

  expect(readDeposits(read.table, read.mapping, '')).toMatchObject([
    { customer: 'ana@banco.example', amountMinor: 123450, description: 'Nómina' },
    { amountMinor: 1000 },
  ])
})
