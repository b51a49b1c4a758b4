import { readFile as readBytes } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { csvLine } from '@finanzas/contract/format/csv.ts'
import { headingLine, transactionLine } from '#money/files/transaction-lines.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import { splitKnown } from '#uploads/import/match.ts'
import { csvRows } from '#uploads/csv.ts'
import { finish } from '#uploads/pieces.ts'
import { accepted, days, readLines, summaryOf } from '#uploads/import/testing/read-lines.ts'
import { withColumn } from '#uploads/import/read/judge/answers.ts'
import { judge } from '#uploads/import/read/judge/judge.ts'
import { readFile } from './read-file.ts'

const fixture = async (name: string) => new Uint8Array(await readBytes(`web/uploads/import/fixtures/${name}`))
const linesOf = async (file: Uint8Array, currency = 'COP') => {
  const { incomes, skipped, ...rest } = summaryOf(await readLines(file, { currency }))
  const lineOf = (text: string) => Number.parseInt(text, 10)
  return { ...rest, incomes: incomes.map(lineOf), empty: skipped.map(lineOf) }
}
const bank = (currency: string) => ({ currency, last: days.last })
const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const utf16 = (text: string) =>
  new Uint8Array(Uint16Array.from(text, (character) => character.charCodeAt(0)).buffer)

test('a Bancolombia file can contain lines before the heading and thousands separators', async () => {
  expect(await linesOf(await fixture('bancolombia.csv'))).toEqual({
    expenses: [
      '5 2026-11-03 152340.50 COMPRA EN EXITO COLOMBIA',
      '6 2026-11-03 68900.00 PAGO PSE CLARO',
      '8 2026-11-05 13990.00 CUOTA DE MANEJO "TARJETA"',
    ],
    incomes: [7],
    empty: [9],
    broken: ['10 date'],
    questions: [],
  })
})

test('the amount column is found in a Bancolombia file without a heading', async () => {
  const read = await fixture('bancolombia-download.csv')

  expect(await linesOf(read)).toEqual({
    questions: ['amount'],
    expenses: ['1 2026-11-03 184350.55 COMPRA EN EXITO COLOMBIA', '3 2026-11-05 68900.00 PAGO PSE CLARO'],
    incomes: [2],
    empty: [],
    broken: [],
  })
})

test.for([
  ['a column of nine-digit numbers', '01/11/2026,Café,900123456\n02/11/2026,Bus,900123457\n'],
  ['a column with the same number in each row', '01/11/2026,Café,245\n02/11/2026,Bus,245\n'],
] as const)('%s is not mistaken for the column of amounts', async ([, text]) => {
  expect((await readLines(text)).judgement.places.amount).toBeNull()
})

test.for([
  ['both signs', '01/11/2026,Café,17.20,-4.50\n02/11/2026,Nómina,12.10,900.00\n', 3],
  ['negative figures', '01/11/2026,Café,17.20,-4.50\n02/11/2026,Bus,12.10,-2.00\n', 3],
  ['decimals', '01/11/2026,Café,17,4.50\n02/11/2026,Bus,12,2.00\n', 3],
  ['the first position', '01/11/2026,Café,4.50,17.20\n02/11/2026,Bus,2.00,12.10\n', 2],
] as const)(
  'among several columns of numbers, the amounts are in the one with %s',
  async ([, text, place]) => {
    expect((await readLines(text)).judgement.places.amount).toBe(place)
  },
)

test.for([
  ['no heading', '20/11/2026,Café,1234,-4.50\n21/11/2026,Bus,1235,-2.00\n', [3, 2]],
  ['two headings of amounts', 'Fecha,Valor bruto,Valor neto,Saldo\n20/11/2026,-4.50,-4.00,90\n', [1, 2]],
  ['two equal headings', 'Fecha,Valor,Valor\n20/11/2026,-4.50,-4.00\n', [1, 2]],
  ['a heading and a part of it', 'Fecha,Valor comisión,Valor\n20/11/2026,-0.10,-4.00\n', []],
  ['an amount before a conversion', 'Fecha,Amount (USD),Original Amount\n20/11/2026,-4.00,-5.10\n', []],
] as const)(
  'the page asks for the column of amounts in a file with %s if several columns may hold them',
  async ([, text, choices]) => {
    const { judgement } = await readLines(text, { currency: 'USD' })

    expect(judgement.amountChoices).toEqual(choices)
    expect(judgement.questions.includes('amount')).toBe(choices.length > 0)
  },
)

test('the amount column that the user chooses is read with its own notation and signs', async () => {
  const text = '20/11/2026,Café,4.50,"-1.234,00"\n21/11/2026,Bus,-2.00,"3,00"\n'
  const answers = withColumn({}, 'amount', 3)

  expect((await readLines(text, { currency: 'USD' })).judgement).toMatchObject({
    places: { amount: 2 },
    decimal: '.',
  })
  expect(summaryOf(await readLines(text, { currency: 'USD', answers }))).toMatchObject({
    expenses: ['1 2026-11-20 1234.00 Café'],
    incomes: ['2 2026-11-21 3.00 Bus'],
    questions: [],
  })
})

test.for([
  ['4.500', 'USD', '4.500'],
  ['4,500', 'COP', '4,500'],
  ['4.500', 'COP', ''],
  ['4,500', 'USD', ''],
  ['4.501', 'USD', ''],
  ['4.500,00', 'USD', ''],
] as const)(
  'the amount %s in a bank using %s raises a question about “%s”',
  async ([amount, currency, open]) => {
    const text = `Fecha;Detalle;Valor\n19/11/2026;Café;-${amount}\n20/11/2026;Bus;-9\n`
    const { judgement } = await readLines(text, { currency })
    const answered = await readLines(text, { currency, answers: { decimal: '.' } })

    expect(judgement.openFigure.replace('-', '')).toBe(open)
    expect(judgement.questions).toEqual(open === '' ? [] : ['decimal'])
    expect(answered.judgement.questions).toEqual([])
  },
)

test('an expense that is less than a hundredth after the conversion is listed as faulty', async () => {
  const text = 'Fecha;Detalle;Valor\n20/11/2026;Café;-18000\n20/11/2026;Ajuste;-19\n'
  const conversion = { operation: 'divide', rateMinor: 400_000 as MinorUnits } as const

  expect(summaryOf(await readLines(text, { currency: 'USD', conversion }))).toMatchObject({
    expenses: ['2 2026-11-20 4.50 Café'],
    broken: ['3 small'],
  })
})

test('a Davivienda file can contain separate columns for outgoing and incoming money', async () => {
  expect(await linesOf(await fixture('davivienda.csv'))).toEqual({
    expenses: ['2 2026-10-15 200000.00 Retiro Cajero Av. 68', '4 2026-10-28 45900.50 Compra; Éxito "La 14"'],
    incomes: [3],
    empty: [],
    broken: [],
    questions: [],
  })
})

test('a Nequi file can contain month names and unsigned amounts with a type column', async () => {
  expect(await linesOf(await fixture('nequi.csv'))).toMatchObject({
    expenses: [
      '2 2026-11-12 50000.00 Envío a CAMILA R',
      '3 2026-11-12 8500.00 Pago en TIENDA DON PEPE',
      '5 2026-11-13 8500.00 Pago en TIENDA DON PEPE',
    ],
    incomes: [4],
  })
})

test('an N26 file can contain English headings', async () => {
  expect(await linesOf(await fixture('n26.csv'), 'EUR')).toMatchObject({
    expenses: [
      '2 2026-11-02 4.80 Café Müller',
      '3 2026-11-02 4.80 Café Müller',
      '4 2026-11-03 950.00 Hausverwaltung',
    ],
    incomes: [5],
  })
})

test('a US card’s file can contain month-first dates, and its formulas and scripts are read as text', async () => {
  expect(await linesOf(await fixture('credit-card.csv'), 'USD')).toMatchObject({
    expenses: [
      '2 2026-11-14 5.25 SQ *BLUE BOTTLE COFFEE',
      '3 2026-11-15 1200.00 =HYPERLINK("http://evil.example";"clic")',
      '4 2026-11-16 3.00 <script>alert(1)</script>',
    ],
    broken: [],
  })
})

test('values without closing tags are read from an OFX 1 file', async () => {
  expect(await linesOf(await fixture('checking.ofx'), 'USD')).toMatchObject({
    expenses: ['14 2026-11-12 42.17 WHOLE FOODS #1023 · POS PURCHASE', '23 2026-11-14 100.00 AT&T WIRELESS'],
    incomes: [22],
    broken: [],
  })
})

test('an OFX 2 file is parsed as XML', async () => {
  expect(await linesOf(await fixture('savings.qfx'), 'USD')).toMatchObject({
    expenses: ['5 2026-11-15 19.99 Librería Lerner · Libros & más'],
  })
})

test('a QIF file can contain transfers and subcategories, and years after an apostrophe', async () => {
  const { expenses, incomes } = await readLines(await fixture('cash.qif'))

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

test('the booking day, the other party and the purpose are read from a camt.053 entry', async () => {
  expect(await linesOf(await fixture('statement.camt053.xml'), 'EUR')).toMatchObject({
    expenses: ['4 2026-11-10 37.40 Mercado Central · Compra 10/11 & propina'],
    incomes: [13],
  })
})

test.for([
  ['UTF-8 with a byte order mark', (text: string) => utf8(`\uFEFF${text}`)],
  ['Latin-1', latin1],
  ['UTF-16 with a byte order mark', (text: string) => utf16(`\uFEFF${text}`)],
  ['UTF-16 without', utf16],
] as const)('a file in %s has the same expenses', async ([, encode]) => {
  const text = 'Fecha;Descripción;Monto\r\n01/11/2026;Peluquería Ñáñez;-1,50\r\n'

  expect((await linesOf(encode(text))).expenses).toEqual(['2 2026-11-01 1.50 Peluquería Ñáñez'])
})

test('the product’s own export is read unchanged and does not contain new expenses', async () => {
  const rows = [
    transactionRow({ description: '=1+1', category: 'Salud', amount: 38.25 }),
    transactionRow({ description: 'Café; "doble"', amount: 4 }),
    transactionRow({ description: 'Café; "doble"', amount: 4 }),
    transactionRow({ type: 'deposit', description: 'Nómina', category: null, amount: 1_250_000.5 }),
  ]
  const file = `\uFEFFTus movimientos.\r\n${headingLine}${rows.map(transactionLine).join('')}`

  const { expenses, incomes } = await readLines(file)

  expect(
    expenses.map(({ description, amountMinor, category }) => ({ description, amountMinor, category })),
  ).toEqual([
    { description: '=1+1', amountMinor: 3825, category: 'Salud' },
    { description: 'Café; "doble"', amountMinor: 400, category: 'Comida' },
    { description: 'Café; "doble"', amountMinor: 400, category: 'Comida' },
  ])
  expect(incomes).toHaveLength(1)
  expect(finish(splitKnown(expenses, rows, [])).fresh).toEqual([])
})

test('the columns of a file without a heading are recognized by their contents', async () => {
  expect(
    (await linesOf(utf8('02/11/2026,Panadería La Espiga,-7.50\n03/11/2026,Bus,-2.10\n'))).expenses,
  ).toEqual(['1 2026-11-02 7.50 Panadería La Espiga', '2 2026-11-03 2.10 Bus'])
})

test('an unclosed quote affects only its own line', async () => {
  expect(
    (await linesOf(utf8('Fecha,Detalle,Valor\n02/11/2026,"Café,-7.50\n03/11/2026,Bus,-2.10\n'))).expenses,
  ).toEqual(['2 2026-11-02 7.50 "Café', '3 2026-11-03 2.10 Bus'])
})

test('faulty lines are listed with their line number and the error', async () => {
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

  expect(await linesOf(utf8(text))).toMatchObject({
    expenses: ['2 2026-11-01 1.00 en dos líneas'],
    broken: ['4 date', '5 amount', '6 amount', '7 future', '8 old', '9 large'],
    empty: [10, 11],
  })
})

test('the page asks whether amounts without a sign are expenses', async () => {
  const text = 'Fecha;Comercio;Valor\n21/11/2026;Cine;25000\n22/11/2026;Bus;3000\n'

  expect(summaryOf(await readLines(text)).questions).toEqual(['direction'])
  expect(summaryOf(await readLines(text, { answers: { expenseSign: 'positive' } }))).toMatchObject({
    expenses: ['2 2026-11-21 25000.00 Cine', '3 2026-11-22 3000.00 Bus'],
    questions: [],
  })
  expect(summaryOf(await readLines(text, { answers: { expenseSign: 'negative' } }))).toMatchObject({
    expenses: [],
    incomes: ['2 2026-11-21 25000.00 Cine', '3 2026-11-22 3000.00 Bus'],
  })
})

test.for([
  ['1.234,56', '1234.56'],
  ['1,234.56', '1234.56'],
  ['$ 25.000', '25000.00'],
  ['25,000', '25000.00'],
  ['1 234,50 €', '1234.50', 'EUR'],
  ['(12.50)', '12.50'],
  ['12.50-', '12.50'],
  ['−12,5', '12.50'],
  ["1'234.50", '1234.50'],
  ['12.50 DB', '12.50'],
  ['1.234.567', '1234567.00'],
  ['COP -1.500,00', '1500.00'],
  ['.50', '0.50'],
  ['12.5000', '12.50'],
] as const)('the amount %s is read as %s', async ([written, amount, currency = 'COP']) => {
  const text = `Fecha\tDetalle\tValor\n01/11/2026\tCafé\t${written}\n`

  expect((await linesOf(utf8(text), currency)).expenses).toEqual([`2 2026-11-01 ${amount} Café`])
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
])('the date %s means 20 November', async (written) => {
  expect((await linesOf(utf8(`Fecha;Detalle;Valor\n"${written}";Café;-1,00\n`))).expenses).toEqual([
    '2 2026-11-20 1.00 Café',
  ])
})

test.for([
  ['camt.053', 'statement.camt053.xml', 'EUR'],
  ['OFX', 'checking.ofx', 'USD'],
  ['CSV', 'n26.csv', 'EUR'],
] as const)(
  'a %s file in another currency than the bank’s cannot be imported',
  async ([, name, currency]) => {
    expect(await readFile(await fixture(name), bank('COP'))).toEqual({
      ok: false,
      reason: 'currency',
      currencies: [currency],
    })
  },
)

test('only lines in the bank’s currency are imported from a file with several currencies', async () => {
  const text = [
    'Fecha;Detalle;Monto;Moneda;Original currency',
    '01/11/2026;Café;-4500;COP;USD',
    '01/11/2026;Hotel;-90;USD;COP',
    '01/11/2026;Taxi;"-7 €";;',
    '',
  ].join('\n')

  expect(await linesOf(utf8(text))).toMatchObject({
    expenses: ['2 2026-11-01 4500.00 Café'],
    broken: ['3 currency', '4 currency'],
  })
})

test('the bank’s reference is read, but “NOTPROVIDED” does not count as a reference', async () => {
  const references = async (bytes: Uint8Array, currency: string) => {
    return (await readLines(bytes, { currency })).expenses.map(({ reference }) => reference)
  }
  const entry = (refs: string) =>
    `<Ntry>${refs}<Amt Ccy="COP">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-11-10</Dt></BookgDt></Ntry>`
  const camt = [
    '<AcctSvcrRef>A-1</AcctSvcrRef>',
    '<NtryDtls><TxDtls><Refs><EndToEndId>E-2</EndToEndId></Refs></TxDtls></NtryDtls>',
    '<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs></TxDtls></NtryDtls>',
  ].map(entry)

  expect(await references(await fixture('checking.ofx'), 'USD')).toEqual(['2026111201', '2026111401'])
  expect(await references(utf8(`<BkToCstmrStmt>${camt.join('')}</BkToCstmrStmt>`), 'COP')).toEqual([
    'A-1',
    'E-2',
    null,
  ])
})

test.for([
  ['an endless name', (size: number) => `<OFX><STMTTRN><${'A'.repeat(size)}`, 1],
  ['endless raw texts', (size: number) => `<OFX><STMTTRN>${'<A><![CDATA['.repeat(size / 8)}`, 1],
  ['an endless word', (size: number) => `${'A'.repeat(size)}\nFecha;Detalle\n01/11/2026;A\n`, 1],
  ['endless nesting', (size: number) => `<BkToCstmrStmt><Ntry>${'<A>'.repeat(size / 4)}`, 0],
  [
    'signs and balances',
    (size: number) =>
      `Fecha;Detalle;Valor;Saldo\n${'20/11/2026;A;-1,00;9,00\n20/11/2026;Abono;1,00;10,00\n'.repeat(size / 112)}`,
    2 * Math.floor(500_000 / 112),
  ],
] as const)('half a megabyte of %s can be read within the time of a test', async ([, build, rows]) => {
  // A parser with quadratic run time would take minutes.
  const read = await readFile(utf8(build(500_000)), bank('COP'))

  expect(read.ok ? read.table.rows.length : 0).toBe(rows)
})

test('elements nested deeper than fifty levels in an entry are skipped', async () => {
  const deep = `${'<A>'.repeat(60)}<NtryRef>no</NtryRef>${'</A>'.repeat(60)}`
  const entry = `<Ntry>${deep}<Amt Ccy="COP">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-11-10</Dt></BookgDt></Ntry>`

  expect((await linesOf(utf8(`<BkToCstmrStmt>${entry}${entry}</BkToCstmrStmt>`))).expenses).toHaveLength(2)
})

test('an unreadable, an empty and an overlong file are each refused with a different reason', async () => {
  const line = '01/11/2026;Café;-1,00\n'

  expect(await readFile(utf8(`Fecha;Detalle;Valor\n${line.repeat(100_000)}`), bank('COP'))).toEqual({
    ok: false,
    reason: 'long',
    rows: expect.closeTo(100_000, -2),
  })
  expect(
    accepted(await readFile(utf8(`Fecha;Detalle;Valor\n${line.repeat(10_000)}`), bank('COP'))).table.rows,
  ).toHaveLength(10_000)
  expect(await readFile(utf8(''), bank('COP'))).toEqual({ ok: false, reason: 'empty' })
  expect(await readFile(utf8('PK\u0003\u0004 hoja'), bank('COP'))).toMatchObject({ format: 'archive' })
  expect(await readFile(utf8('%PDF-1.7'), bank('COP'))).toMatchObject({ format: 'pdf' })
})

test('values are read unchanged', async () => {
  // The generated fields have no whitespace at their ends, because the parser removes this whitespace.
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

        expect([...csvRows(text)].map(({ fields }) => fields)).toEqual(rows)
      },
    ),
  )
})

test('parsing a damaged file never throws', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom('', 'OFXHEADER:100\n<OFX><STMTTRN>', '!Type:Bank\n', '<BkToCstmrStmt><Ntry>'),
      async (bytes, begin) => {
        const read = await readFile(new Uint8Array([...utf8(begin), ...bytes]), bank('COP'))
        if (read.ok) finish(judge(read.mapping, {}, { bankCurrency: 'COP', last: days.last }))
      },
    ),
  )
})

// These files would take minutes if a reader compared each field with each other one, or each digit.
test('a damaged file with thousands of headings in one line is read', async () => {
  const heading = 'Fecha,,Detalle,Valor,'.repeat(4000)

  expect(await linesOf(utf8(`${heading}\n2026-11-03,,Pan,-12.50\n2026-11-04,,Bus,-2.00\n`))).toMatchObject({
    expenses: ['2 2026-11-03 12.50 Pan', '3 2026-11-04 2.00 Bus'],
  })
})

test('a damaged file with hundreds of thousands of digits in one field is read', async () => {
  const rows = '2026-11-03,Pan,-12.50,87.50\n2026-11-04,Bus,-2.00,85.50\n'

  expect(
    await linesOf(utf8(`Saldo inicial: ${'9'.repeat(400_000)}x\nFecha,Detalle,Valor,Saldo\n${rows}`)),
  ).toMatchObject({ expenses: ['3 2026-11-03 12.50 Pan', '4 2026-11-04 2.00 Bus'] })
})
