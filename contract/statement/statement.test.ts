// A statement as a file: what it says, what a screen reader finds in it, and that no change of it goes unseen.
import { expect, test } from 'vitest'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import { checkStatement } from './check.ts'
import { statementCopy } from './copy.ts'
import { readStatementCsv, statementCsv } from './csv.ts'
import { readStatementPdf, statementPdf } from './pdf.ts'
import { type Statement, type StatementAnswer, statementOf } from './statement.ts'

const answer: StatementAnswer = {
  account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
  month: '2026-11',
  opening: 100,
  closing: 1334.55,
  first_seq: 12,
  last_seq: 15,
  hash: 'ab'.repeat(32),
  is_whole: true,
  next_after_seq: null,
  entries: [
    {
      seq: 12,
      kind: 'deposit',
      amount: 1250,
      balance: 1350,
      recorded_at: '2026-11-01T05:00:00.123456+00:00',
      date: '2026-10-31T15:00:00+00:00',
      description: 'Nómina «ACME» 🏦',
      category: 'Deposito',
      earlier: null,
    },
    {
      seq: 13,
      kind: 'expense',
      amount: -15.45,
      balance: 1334.55,
      recorded_at: '2026-11-03T19:20:00+00:00',
      date: '2026-11-02T15:00:00+00:00',
      description: '=Café; "con" Ana',
      category: 'Comida',
      earlier: ['Café'],
    },
    {
      seq: 15,
      kind: 'removal',
      amount: 0,
      balance: 1334.55,
      recorded_at: '2026-12-01T04:59:59+00:00',
      date: null,
      description: null,
      category: null,
      earlier: null,
    },
  ],
}
const issued = {
  bankName: 'Banco Ñandú',
  customer: 'Laura',
  currency: 'USD',
  issuedAt: '2026-12-01 09:30',
} as const
const given = statementOf(answer, issued, statementCopy.unlisted)
const csv = statementCsv(given)

test('the file for a spreadsheet is in the house format, its times those of Bogotá', () => {
  expect(csv).toBe(
    [
      '\uFEFFBanco;Banco Ñandú',
      'Cliente;Laura',
      'Cuenta;3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
      'Periodo;2026-11',
      'Moneda;USD',
      'Emitido;2026-12-01 09:30',
      'Saldo inicial;100,00',
      'Saldo final;1334,55',
      'Registros;12;15',
      `Huella;${'ab'.repeat(32)}`,
      '',
      'Registro;Registrado;Fecha;Descripción;Categoría;Movimiento;Monto;Saldo',
      '12;2026-11-01 00:00;2026-10-31;Nómina «ACME» 🏦;Deposito;Depósito;1250,00;1350,00',
      `13;2026-11-03 14:20;2026-11-02;"'=Café; ""con"" Ana";Comida;Gasto;-15,45;1334,55`,
      '15;2026-11-30 23:59;;Movimiento retirado de la lista;;Quitado de la lista;0,00;1334,55',
      '',
    ].join('\r\n'),
  )
  expect(readStatementCsv(csv)).toEqual(given)
})

test('the paper has its text as text, tagged in the order in which it is read, in Spanish, with the bank’s name', () => {
  const file = latin1(statementPdf(csv))

  expect(textsOf(file)).toEqual([
    'Banco Ñandú',
    'Extracto de noviembre de 2026',
    'Cliente: Laura',
    'Cuenta: 3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
    'Moneda: Dólares (USD)',
    'Emitido: 1 dic 2026, 09:30',
    'Saldo inicial',
    '$100.00',
    'Entradas',
    '$1,250.00',
    'Salidas',
    '-$15.45',
    'Saldo final',
    '$1,334.55',
    'Movimientos',
    ...statementCopyLines(),
    'Registro',
    'Registrado',
    'Fecha',
    'Descripción',
    'Monto',
    'Saldo',
    '12',
    '1 nov 00:00',
    '31 oct 2026',
    'Nómina «ACME» ?',
    'Depósito',
    '$1,250.00',
    '$1,350.00',
    '13',
    '3 nov 14:20',
    '2 nov 2026',
    '=Café; "con" Ana',
    'Gasto · Comida',
    '-$15.45',
    '$1,334.55',
    '15',
    '30 nov 23:59',
    '–',
    'Movimiento retirado de la lista',
    'Quitado de la lista',
    '$0.00',
    '$1,334.55',
    'Para verificar este extracto',
    ...verifyLines(),
    'Huella del registro 15:',
    'ab'.repeat(32),
    'Extracto de noviembre de 2026 - Banco Ñandú',
    'Página 1 de 1',
  ])
  expect(file).toContain('/Lang (es-CO) /MarkInfo <</Marked true>>')
  const tags = Array.from(file.matchAll(/\/StructElem \/S \/(\w+)/g), ([, tag]) => tag)
  expect(tags.slice(0, 7)).toEqual(['Document', 'P', 'H1', 'P', 'P', 'P', 'P'])
  expect(tags.filter((tag) => tag === 'TR')).toHaveLength(2 + 1 + 3)
  expect(tags.filter((tag) => tag === 'TH')).toHaveLength(4 + 6)
})

test('every text but the edges of the page belongs to the tree, and the file’s table of objects is right', () => {
  const long = statementPdf(statementCsv({ ...given, rows: Array.from({ length: 90 }, () => firstRow()) }))
  const file = latin1(long)

  const drawn = file.match(/\/MCID \d+>> BDC/g)?.length
  expect(file.match(/\/Type \/MCR /g)).toHaveLength(drawn ?? 0)
  const pages = 5
  expect(file.match(/\/Type \/Page /g)).toHaveLength(pages)
  // The foot of each page and, from the second on, the names of the columns.
  expect(file.match(/\/Artifact BMC BT/g)).toHaveLength(pages * 2 + (pages - 1) * 6)
  const offsets = Array.from(file.matchAll(/^(\d{10}) 00000 n $/gm), ([, offset]) => Number(offset))
  expect(offsets.map((offset) => /^\d+ 0 obj/.exec(file.slice(offset, offset + 12))?.[0])).toEqual(
    offsets.map((_, index) => `${index + 1} 0 obj`),
  )
})

// A statement that was handed out must read as its own for ever: a change of its form needs a reader of the former one.
test('a statement is the same bytes everywhere and for ever', () => {
  expect(checksum(statementPdf(csv))).toMatchInlineSnapshot(`"783037bb"`)
})

test('a statement is read from its paper with every letter, and never from a paper of which one was changed', () => {
  const bytes = statementPdf(csv)
  expect(readStatementPdf(bytes)).toEqual(given)

  const missed: number[] = []
  for (let at = 0; at < bytes.length; at += 41) {
    const changed = bytes.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    // What the paper does not show, such as the year of a minute, makes another statement.
    const read = readStatementPdf(changed)
    if (read !== null && statementCsv(read) === csv) missed.push(at)
  }

  expect(missed).toEqual([])
  expect(readStatementPdf(new Uint8Array([...bytes, 32]))).toBeNull()
  expect(readStatementPdf(bytes.slice(0, 900))).toBeNull()
})

test.for([
  ['with another order of lines', csv.replace('Moneda;USD\r\nEmitido', 'Emitido')],
  ['with an amount that a spreadsheet wrote anew', csv.replace('100,00', '100')],
  ['without its mark', csv.slice(1)],
  ['with a formula that runs', csv.replace("'=Café", '=Café')],
  ['in another currency', csv.replace('USD', 'EUR')],
  ['that is none', 'Fecha;Monto\r\n'],
  ['that is empty', ''],
] as const)('a file %s is no statement', ([, text]) => {
  expect(readStatementCsv(text)).toBeNull()
})

test('what the journal says holds', () => {
  expect(checkStatement(given, answer)).toEqual({ holds: true, isWhole: true, withoutWords: 0 })
})

test('a name that a movement had before is right, and what has left the list since cannot be compared', () => {
  const earlier = withRow(1, { description: 'Café' })
  const gone = {
    ...answer,
    entries: answer.entries.map((entry) => ({ ...entry, description: null, date: null })),
  }

  expect(checkStatement(earlier, answer)).toMatchObject({ holds: true, withoutWords: 0 })
  expect(checkStatement(given, { ...gone, is_whole: false })).toEqual({
    holds: true,
    isWhole: false,
    withoutWords: 2,
  })
})

test.for([
  ['of another account', { ...given, account: 'other' }, { fault: 'account' }],
  ['with another amount', withRow(0, { amountMinor: 100 as MinorUnits }), { fault: 'row', seq: 12 }],
  ['with an end that does not follow', { ...given, closingMinor: 1 as MinorUnits }, { fault: 'sum' }],
  ['with another head', { ...given, hash: 'cd'.repeat(32) }, { fault: 'head' }],
  ['with another number of the head', { ...given, lastSeq: 14 }, { fault: 'head' }],
  ['that begins later', { ...given, firstSeq: 13 }, { fault: 'opening' }],
  ['with another beginning, and rows that follow from it', shifted(), { fault: 'opening' }],
  ['without its last row', { ...given, rows: given.rows.slice(0, 2) }, { fault: 'row', seq: 15 }],
  [
    'with a row more',
    { ...given, rows: [...given.rows, { ...lastRow(), seq: 16 }] },
    { fault: 'row', seq: 16 },
  ],
  [
    'with a row booked at another time',
    withRow(1, { recordedAt: '2026-11-04 14:20' }),
    { fault: 'row', seq: 13 },
  ],
  ['with a row of another kind', withRow(2, { kind: 'deposit' }), { fault: 'row', seq: 15 }],
  ['with a day that it never had', withRow(0, { day: '2026-11-01' }), { fault: 'row', seq: 12 }],
  ['with a name that it never had', withRow(0, { description: 'Premio' }), { fault: 'row', seq: 12 }],
  ['with a name for what is not listed', withRow(2, { description: 'Premio' }), { fault: 'row', seq: 15 }],
] as const)('a statement %s is refuted', ([, statement, verdict]) => {
  expect(checkStatement(statement, answer)).toEqual({ holds: false, ...verdict })
})

function withRow(index: number, part: Partial<Statement['rows'][number]>): Statement {
  return { ...given, rows: given.rows.map((row, at) => (at === index ? { ...row, ...part } : row)) }
}

function shifted(): Statement {
  const more = (minor: MinorUnits) => (minor + 1) as MinorUnits
  return {
    ...given,
    openingMinor: more(given.openingMinor),
    closingMinor: more(given.closingMinor),
    rows: given.rows.map((row) => ({ ...row, balanceMinor: more(row.balanceMinor) })),
  }
}

function firstRow() {
  const [row] = given.rows
  if (row === undefined) throw new Error('No row.')
  return { ...row, amountMinor: minorFromDecimal('1') as MinorUnits }
}

function lastRow() {
  return { ...firstRow(), amountMinor: 0 as MinorUnits, balanceMinor: given.closingMinor }
}

/** What a reader of the file finds, in its order. */
function textsOf(file: string): string[] {
  const windows1252: Readonly<Record<string, string>> = { '\u0096': '–' }
  return Array.from(file.matchAll(/Tm \(((?:[^\\)]|\\.)*)\) Tj/g), ([, text = '']) =>
    text.replaceAll(/\\(.)/g, '$1').replaceAll(/[\u0080-\u009F]/g, (byte) => windows1252[byte] ?? byte),
  )
}

/** As the lines break. */
function statementCopyLines(): string[] {
  return [
    'Los movimientos van en el orden en que el banco los registró, en hora de Bogotá. «Fecha» es el día que dice cada movimiento, que',
    'puede ser de otro mes.',
  ]
}

function verifyLines(): string[] {
  return [
    'Entra a Extractos, en la página del banco, y suelta allí este archivo: se compara con tu libro, registro por registro. El banco puede',
    'verificarlo también.',
  ]
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

/** FNV-1a. */
function checksum(bytes: Uint8Array): string {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16)
}
