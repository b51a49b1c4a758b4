import { readFile as readBytes } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from '@finanzas/contract/csv.ts'
import { headingLine, transactionLine } from '#ledger/files/transaction-lines.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import { splitKnown } from '#features/import/match.ts'
import { readCsv } from '#ledger/table-file/csv.ts'
import { readLines, type ReadLines } from './lines.ts'
import { type ReadFile, readFile } from './read-file.ts'

const range = { first: '2016-11-24', last: '2026-11-23' }
const fixture = async (name: string) =>
  new Uint8Array(await readBytes(`web/features/import/fixtures/${name}`))

function accepted(read: ReadFile) {
  if (!read.ok) throw new Error(`It was not read: ${read.reason}`)
  return read
}
/** Expenses as `line day amount description`, the others by number. */
function summary({ expenses, incomes, empty, broken }: ReadLines) {
  return {
    expenses: expenses.map(
      ({ line, day, amountMinor, description }) =>
        `${line} ${day} ${(amountMinor / 100).toFixed(2)} ${description}`,
    ),
    incomes: incomes.map(({ line }) => line),
    empty,
    broken: broken.map(({ line, fault }) => `${line} ${fault}`),
  }
}
const linesOf = (bytes: Uint8Array) => {
  const { table, layout } = accepted(readFile(bytes))
  return summary(readLines(table, layout, range))
}
const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const utf16 = (text: string) =>
  new Uint8Array(Uint16Array.from(text, (character) => character.charCodeAt(0)).buffer)

test('Bancolombia: lines before the heading, points of thousands, signs', async () => {
  expect(linesOf(await fixture('bancolombia.csv'))).toEqual({
    expenses: [
      '5 2026-11-03 152340.50 COMPRA EN EXITO COLOMBIA',
      '6 2026-11-03 68900.00 PAGO PSE CLARO',
      '8 2026-11-05 13990.00 CUOTA DE MANEJO "TARJETA"',
    ],
    incomes: [7],
    empty: [9],
    broken: ['10 date'],
  })
})

test('Davivienda: semicolons, one column for what leaves and one for what comes', async () => {
  expect(linesOf(await fixture('davivienda.csv'))).toEqual({
    expenses: ['2 2026-10-15 200000.00 Retiro Cajero Av. 68', '4 2026-10-28 45900.50 Compra; Éxito "La 14"'],
    incomes: [3],
    empty: [],
    broken: [],
  })
})

test('Nequi: names of months, a column for the type, amounts without a sign', async () => {
  expect(linesOf(await fixture('nequi.csv'))).toMatchObject({
    expenses: [
      '2 2026-11-12 50000.00 Envío a CAMILA R',
      '3 2026-11-12 8500.00 Pago en TIENDA DON PEPE',
      '5 2026-11-13 8500.00 Pago en TIENDA DON PEPE',
    ],
    incomes: [4],
  })
})

test('N26: English headings', async () => {
  expect(linesOf(await fixture('n26.csv'))).toMatchObject({
    expenses: [
      '2 2026-11-02 4.80 Café Müller',
      '3 2026-11-02 4.80 Café Müller',
      '4 2026-11-03 950.00 Hausverwaltung',
    ],
    incomes: [5],
  })
})

test('a card of a US bank: the month first, commas of thousands; formulas and scripts are texts', async () => {
  expect(linesOf(await fixture('credit-card.csv'))).toMatchObject({
    expenses: [
      '2 2026-11-14 5.25 SQ *BLUE BOTTLE COFFEE',
      '3 2026-11-15 1200.00 =HYPERLINK("http://evil.example";"clic")',
      '4 2026-11-16 3.00 <script>alert(1)</script>',
    ],
    broken: [],
  })
})

test('OFX 1: values without closing tags', async () => {
  expect(linesOf(await fixture('checking.ofx'))).toMatchObject({
    expenses: ['14 2026-11-12 42.17 WHOLE FOODS #1023 · POS PURCHASE', '23 2026-11-14 100.00 AT&T WIRELESS'],
    incomes: [22],
    broken: [],
  })
})

test('OFX 2 is XML', async () => {
  expect(linesOf(await fixture('savings.qfx'))).toMatchObject({
    expenses: ['5 2026-11-15 19.99 Librería Lerner · Libros & más'],
  })
})

test('QIF: an apostrophe before the year, a category and its part, transfers', async () => {
  const { table, layout } = accepted(readFile(await fixture('cash.qif')))
  const { expenses, incomes } = readLines(table, layout, range)

  expect(expenses).toMatchObject([
    {
      line: 2,
      day: '2026-11-20',
      amountMinor: 2500,
      description: 'Taxi al aeropuerto',
      category: 'Transporte',
    },
    {
      line: 12,
      day: '2026-11-22',
      amountMinor: 125_075,
      description: 'Arriendo · Noviembre',
      category: null,
    },
  ])
  expect(incomes).toMatchObject([{ line: 7, category: null }])
})

test('camt.053: the booking day, the other party and the purpose', async () => {
  expect(linesOf(await fixture('statement.camt053.xml'))).toMatchObject({
    expenses: ['4 2026-11-10 37.40 Mercado Central · Compra 10/11 & propina'],
    incomes: [13],
  })
})

test.for([
  ['UTF-8 with its mark', (text: string) => utf8(`\uFEFF${text}`)],
  ['Latin-1', latin1],
  ['UTF-16 with its mark', (text: string) => utf16(`\uFEFF${text}`)],
  ['UTF-16 without', utf16],
] as const)('a file in %s reads the same', ([, encode]) => {
  const text = 'Fecha;Descripción;Monto\r\n01/11/2026;Peluquería Ñáñez;-1,50\r\n'

  expect(linesOf(encode(text)).expenses).toEqual(['2 2026-11-01 1.50 Peluquería Ñáñez'])
})

test('a file of our own comes back as it went, and brings nothing to whom it was taken from', () => {
  const rows = [
    transactionRow({ description: '=1+1', category: 'Salud', amount: 38.25 }),
    transactionRow({ description: 'Café; "doble"', amount: 4 }),
    transactionRow({ description: 'Café; "doble"', amount: 4 }),
    transactionRow({ type: 'deposit', description: 'Nómina', category: null, amount: 1_250_000.5 }),
  ]
  const file = `\uFEFFTus movimientos.\r\n${headingLine}${rows.map(transactionLine).join('')}`
  const { table, layout } = accepted(readFile(utf8(file)))

  const { expenses, incomes } = readLines(table, layout, range)

  expect(
    expenses.map(({ description, amountMinor, category }) => ({ description, amountMinor, category })),
  ).toEqual([
    { description: '=1+1', amountMinor: 3825, category: 'Salud' },
    { description: 'Café; "doble"', amountMinor: 400, category: 'Comida' },
    { description: 'Café; "doble"', amountMinor: 400, category: 'Comida' },
  ])
  expect(incomes).toHaveLength(1)
  expect(splitKnown(expenses, rows).fresh).toEqual([])
})

test('a file without a heading is recognised by what stands in it', () => {
  expect(linesOf(utf8('02/11/2026,Panadería La Espiga,-7.50\n03/11/2026,Bus,-2.10\n')).expenses).toEqual([
    '1 2026-11-02 7.50 Panadería La Espiga',
    '2 2026-11-03 2.10 Bus',
  ])
})

test('a quote that is never closed damages its own line alone', () => {
  expect(
    linesOf(utf8('Fecha,Detalle,Valor\n02/11/2026,"Café,-7.50\n03/11/2026,Bus,-2.10\n')).expenses,
  ).toEqual(['2 2026-11-02 7.50 "Café', '3 2026-11-03 2.10 Bus'])
})

test('lines that are no expense are named by their number in the file, and why', () => {
  const text = [
    'Fecha;Detalle;Valor',
    '"01/11/2026";"en dos',
    'líneas";-1,00',
    '31/02/2026;Sin día;-1,00',
    '01/11/2026;Sin monto;mucho',
    '01/11/2026;Tres decimales;-1,005',
    '01/01/2027;Por venir;-1,00',
    '01/01/2010;De hace mucho;-1,00',
    '01/11/2026;Demasiado;-1000000000000,00',
    'Total;;-7,00',
    'Fin del extracto;;',
  ].join('\n')

  expect(linesOf(utf8(text))).toMatchObject({
    expenses: ['2 2026-11-01 1.00 en dos líneas'],
    broken: ['4 date', '5 amount', '6 amount', '7 future', '8 old', '9 large', '10 date'],
    empty: [11],
  })
})

test('a statement of a card that has only positive amounts has expenses', () => {
  expect(linesOf(utf8('Fecha;Comercio;Valor\n01/11/2026;Cine;25000\n')).expenses).toEqual([
    '2 2026-11-01 25000.00 Cine',
  ])
})

test.for([
  ['1.234,56', '1234.56'],
  ['1,234.56', '1234.56'],
  ['$ 25.000', '25000.00'],
  ['25,000', '25000.00'],
  ['1 234,50 €', '1234.50'],
  ['(12.50)', '12.50'],
  ['12.50-', '12.50'],
  ['−12,5', '12.50'],
  ["1'234.50", '1234.50'],
  ['12.50 DB', '12.50'],
  ['1.234.567', '1234567.00'],
  ['COP -1.500,00', '1500.00'],
  ['.50', '0.50'],
  ['12.5000', '12.50'],
])('an amount of %s is %s', ([written, amount]) => {
  expect(linesOf(utf8(`Fecha\tDetalle\tValor\n01/11/2026\tCafé\t${written}\n`)).expenses).toEqual([
    `2 2026-11-01 ${amount} Café`,
  ])
})

test.for([
  '20/11/2026',
  '20-11-26',
  '20.11.2026',
  '2026-11-20T23:59:00Z',
  '2026/11/20 10:15',
  '20261120',
  '20 de noviembre de 2026',
  '20-NOV-2026',
  '20 nov. 2026',
  'Nov 20, 2026',
  'viernes 20 nov 2026',
  '20/11/2026 08:00 a. m.',
])('a day of %s is 20 November', (written) => {
  expect(linesOf(utf8(`Fecha;Detalle;Valor\n"${written}";Café;-1,00\n`)).expenses).toEqual([
    '2 2026-11-20 1.00 Café',
  ])
})

test('more than ten thousand movements, an empty file and a spreadsheet are refused by name', () => {
  const line = '01/11/2026;Café;-1,00\n'

  expect(readFile(utf8(`Fecha;Detalle;Valor\n${line.repeat(100_000)}`))).toEqual({
    ok: false,
    reason: 'long',
    rows: expect.closeTo(100_000, -2),
  })
  expect(accepted(readFile(utf8(`Fecha;Detalle;Valor\n${line.repeat(10_000)}`))).table.rows).toHaveLength(
    10_000,
  )
  expect(readFile(utf8(''))).toEqual({ ok: false, reason: 'empty' })
  expect(readFile(utf8('PK\u0003\u0004 hoja'))).toEqual({ ok: false, reason: 'binary' })
  expect(readFile(utf8('%PDF-1.7'))).toEqual({ ok: false, reason: 'binary' })
})

test('whatever was written into fields is read from them', () => {
  // What stands at the edge of a field may be blanks of the format.
  const field = fc.string({ unit: 'grapheme' }).map((text) => text.trim())
  const row = fc
    .array(field, { minLength: 2, maxLength: 5 })
    .filter((fields) => fields.some((each) => each !== ''))
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom<';' | ','>(';', ','),
      (rows, separator) => {
        const text = `sep=${separator}\n${rows.map((fields) => csvLine(fields, separator)).join('')}`

        expect(readCsv(text, 100).map(({ fields }) => fields)).toEqual(rows)
      },
    ),
  )
})

test('no file is too damaged to be answered', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom('', 'OFXHEADER:100\n<OFX><STMTTRN>', '!Type:Bank\n', '<BkToCstmrStmt><Ntry>'),
      (bytes, begin) => {
        const read = readFile(new Uint8Array([...utf8(begin), ...bytes]))
        if (read.ok) readLines(read.table, read.layout, range)
      },
    ),
  )
})
