import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { headingLine, transactionLine } from '#money/files/transaction-lines.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import { privacyCopy } from './copy.ts'
import { jsonOf, sheetOf } from './sheets.ts'
import { zipOf } from './zip.ts'

const textOf = ({ pieces }: { pieces: Iterable<string> }) => [...pieces].join('')

test('a file starts with a description and contains rows in Colombian notation', () => {
  const sheet = sheetOf({
    name: 'public.budgets',
    rows: [
      { balance: -10.5, note: null, is_open: true, at: '2026-11-21T04:59:00.123456+00:00' },
      { balance: 3, extra: { a: 1 }, note: 'Ana; "la" Pérez' },
    ],
  })

  expect(sheet.name).toBe('saldo-y-presupuesto.csv')
  expect(textOf(sheet)).toBe(
    [
      '\uFEFFTu saldo y tu presupuesto mensual.',
      'balance;note;is_open;at;extra_a',
      '-10,5;;Sí;2026-11-20 23:59:00;',
      '3;"Ana; ""la"" Pérez";;;1',
      '',
    ].join('\r\n'),
  )
})

test('no cell of a file runs as a formula', () => {
  const rows = [{ full_name: '=HYPERLINK(1)', raw: '@a' }]

  expect(textOf(sheetOf({ name: 'public.profiles', rows }))).toContain(`'=HYPERLINK(1);'@a`)
})

test('transactions have the same format as in the history’s own export', () => {
  const row = transactionRow()

  expect(textOf(sheetOf({ name: 'public.transactions', rows: [row] }))).toBe(
    `\uFEFFTus movimientos, del más reciente al más antiguo.\r\n${headingLine}${transactionLine(row)}`,
  )
})

test('every exported table has a name and a description in Spanish', () => {
  const file = new URL('../../../supabase/schemas/operations/functions.sql', import.meta.url)
  const [exported] =
    readFileSync(file, 'utf8').match(/create function public\.export_my_data[\s\S]*?\$\$;/) ?? []
  const tables = [...(exported ?? '').matchAll(/^ +\(?'(\w+\.\w+)',/gm)].map(([, name]) => name ?? '')

  expect(tables).toContain('auth.users')
  expect(Object.keys(privacyCopy.sheets)).toEqual(expect.arrayContaining(tables))
})

test('the archive contains every file, and its JSON file contains every table with all digits of the numbers', async () => {
  const rows = Array.from({ length: 4001 }, (_, index) => ({ seq: index, delta: -999_999_999_999.99 }))
  const tables = [
    { name: 'export', rows: [{ exported_at: 'now' }] },
    { name: 'auth.mfa_factors', rows: [] },
    { name: 'public.journal_entries', rows },
  ]

  const zip = await zipOf([sheetOf({ name: 'public.journal_entries', rows }), jsonOf(tables)])
  const files = unzipSync(new Uint8Array(await zip.arrayBuffer()))

  expect(Object.keys(files)).toEqual(['registro.csv', 'mis-datos.json'])
  expect(strFromU8(files['registro.csv'] ?? new Uint8Array()).split('\r\n')).toHaveLength(4004)
  expect(JSON.parse(strFromU8(files['mis-datos.json'] ?? new Uint8Array()))).toEqual(
    Object.fromEntries(tables.map((table) => [table.name, table.rows])),
  )
})
