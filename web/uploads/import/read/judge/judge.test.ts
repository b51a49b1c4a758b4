import { readFile as readBytes } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { days, readLines, summaryOf } from '#uploads/import/testing/read-lines.ts'
import { readFile } from '#uploads/import/read/read-file.ts'

const fixture = async (name: string) =>
  new Uint8Array(await readBytes(`web/uploads/import/fixtures/cases/${name}`))

type Case = {
  readonly rule: string
  readonly file: string
  readonly currency?: string
  readonly expenses: readonly string[]
  readonly incomes?: readonly string[]
  readonly skipped?: readonly string[]
  readonly broken?: readonly string[]
  readonly questions?: readonly string[]
}

const cases: readonly Case[] = [
  {
    rule: 'thousands separators are read in OFX',
    file: 'ofx-grouped-amount.ofx',
    expenses: ['6 2026-11-02 1730.00 ARRIENDO NOVIEMBRE', '7 2026-11-03 12.50 PANADERIA'],
  },
  {
    rule: 'the transaction type decides in an OFX file without signs',
    file: 'ofx-unsigned.ofx',
    expenses: ['12 2026-11-20 45.10 MERCADO', '13 2026-11-20 3.20 BUS'],
    incomes: ['14 2026-11-20 900.00 NOMINA'],
  },
  {
    rule: 'camt entries that are not booked are not offered',
    file: 'camt-not-booked.xml',
    expenses: ['4 2026-11-19 8.00 Bus'],
    skipped: ['3 pending', '5 information'],
  },
  {
    rule: 'a column of words decides about unsigned amounts',
    file: 'direction-words.csv',
    expenses: ['2 2026-11-03 12.50 Supermercado Sol', '4 2026-11-05 80.25 Luz y agua'],
    incomes: ['3 2026-11-04 2500.00 Acme S.A.S.'],
  },
  {
    rule: 'balances in the table are not transactions',
    file: 'direction-letters-and-balances.csv',
    expenses: ['3 2026-11-02 18.50 COMPRA 2026.11.01'],
    incomes: ['4 2026-11-03 2500.00 NOMINA'],
    skipped: ['2 balance', '5 balance'],
  },
  {
    rule: 'a mark beside the amount is an income',
    file: 'marks-beside-amount.csv',
    expenses: ['2 2026-11-13 5.00 CAFE', '3 2026-11-14 1234.56 MERCADO'],
    incomes: ['4 2026-11-15 1000.00 PAGO RECIBIDO GRACIAS', '5 2026-11-16 50.90 DEVOLUCION'],
  },
  {
    rule: 'a negative amount in a debit column is a refund',
    file: 'refund-in-debit-column.csv',
    expenses: ['2 2026-11-03 120.00 Zapatería'],
    incomes: ['3 2026-11-14 120.00 Zapatería devolución', '4 2026-11-15 300.00 Pago'],
  },
  {
    rule: 'a fee that the balance proves is part of the amount',
    file: 'state-and-fee.csv',
    expenses: ['2 2026-11-02 4.50 Café Azul', '5 2026-11-06 21.50 A Juan'],
    skipped: ['3 reversed', '4 pending'],
  },
  {
    rule: 'a row without day and amount continues the description above',
    file: 'continuation-rows.csv',
    expenses: [
      '2 2026-11-18 15.20 COMPRA CON TARJETA RESTAURANTE LA PLAZA BOGOTA',
      '4 2026-11-17 80.00 RETIRO EN CAJERO OFICINA CALLE 72',
    ],
  },
  {
    rule: 'text cells of Excel are read like other cells',
    file: 'excel-text-cells.csv',
    expenses: ['2 2026-11-03 12.50 PANADERIA 0012', '3 2026-11-14 2.00 BUS'],
  },
  {
    rule: 'a compact day is not an amount',
    file: 'compact-value-day.csv',
    currency: 'COP',
    expenses: ['2 2026-11-03 12.50 Panadería'],
    incomes: ['3 2026-11-14 2500.00 Nómina'],
  },
  {
    rule: 'the period above the table gives the year',
    file: 'day-without-year.csv',
    currency: 'COP',
    expenses: ['4 2026-11-03 152340.50 COMPRA EN EXITO'],
    incomes: ['5 2026-11-04 3200000.00 ABONO NOMINA'],
  },
  {
    rule: 'a row that is longer than the heading is unreadable',
    file: 'unquoted-decimal-comma.csv',
    expenses: [],
    broken: ['2 long', '3 long'],
  },
  {
    rule: 'a file with unknown headings and three rows is read',
    file: 'unknown-headings.csv',
    expenses: ['2 2026-11-03 12.50 Pan', '3 2026-11-14 2.00 Pasaje', '4 2026-11-15 9.00 Boleta'],
  },
  {
    rule: 'a time with a zone falls on its day in Bogotá',
    file: 'utc-times.csv',
    expenses: ['2 2026-10-31 10.00 Cena', '3 2026-11-01 5.00 Desayuno', '4 2026-11-02 7.00 Taxi'],
  },
]

test.for(cases)('$rule', async ({ file, currency = 'USD', rule, ...expected }) => {
  expect(summaryOf(await readLines(await fixture(file), { currency })), rule).toEqual({
    incomes: [],
    skipped: [],
    broken: [],
    questions: [],
    ...expected,
  })
})

test('the last rows of a file can prove the order of day and month', async () => {
  const { expenses, broken, judgement } = await readLines(await fixture('month-first-late-proof.csv'), {
    currency: 'USD',
  })

  expect(judgement).toMatchObject({ questions: [], days: { order: 'month-first' } })
  expect([expenses.length, broken.length]).toEqual([243, 0])
})

test('the page asks which amounts of a card are expenses', async () => {
  const read = (expenseSign?: 'positive' | 'negative') =>
    fixture('card-positive-charges.csv').then((file) =>
      readLines(file, { currency: 'USD', answers: { expenseSign } }),
    )

  expect((await read()).judgement).toMatchObject({ questions: ['direction'], areSignsMixed: true })
  expect(summaryOf(await read('positive'))).toMatchObject({
    expenses: [
      '2 2026-11-20 14.30 LIBRERIA NORTE',
      '3 2026-11-20 61.75 ASADERO EL LLANO',
      '5 2026-11-19 9.40 DROGUERIA SUR',
    ],
    incomes: ['4 2026-11-20 27.90 DEVOLUCION ALMACEN'],
    questions: [],
  })
})

test('the rows of one day are read in the file’s order', async () => {
  const { expenses } = await readLines(await fixture('same-day.csv'), { currency: 'USD' })

  expect(expenses.map(({ description }) => description)).toEqual([
    'primero',
    'segundo',
    'tercero',
    'cuarto',
    'quinto',
    'sexto',
    'séptimo',
    'octavo',
  ])
})

test('the currency in a heading is the currency of the file', async () => {
  const read = await readFile(await fixture('heading-currency.csv'), { currency: 'USD', last: days.last })

  expect(read).toEqual({ ok: false, reason: 'currency', currencies: ['SGD'] })
})

test('the opening balance proves the fee of the oldest transaction', async () => {
  const { expenses, questions } = summaryOf(
    await readLines(
      'Saldo inicial;100,00\nFecha;Concepto;Importe;Comisión;Saldo\n13/11/2026;Hotel;-10,00;1,00;89,00\n14/11/2026;Bus;-2,00;0,00;87,00\n',
      { currency: 'USD' },
    ),
  )

  expect(questions).toEqual([])
  expect(expenses).toEqual(['3 2026-11-13 11.00 Hotel', '4 2026-11-14 2.00 Bus'])
})

test('the rows of a file without line ends have lines of their own in its order', async () => {
  const entry = (minor: number) =>
    `<Ntry><Amt Ccy="USD">${minor}.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-03</Dt></BookgDt></Ntry>`
  const { expenses } = summaryOf(
    await readLines(`<Document><BkToCstmrStmt>${[3, 1, 2].map(entry).join('')}</BkToCstmrStmt></Document>`, {
      currency: 'USD',
    }),
  )

  expect(
    expenses.map((text) =>
      text
        .split(' ')
        .filter((_, place) => place !== 1)
        .slice(0, 2),
    ),
  ).toEqual([
    ['1', '3.00'],
    ['2', '1.00'],
    ['3', '2.00'],
  ])
})

test('a total below the column of states is not a state', async () => {
  const { expenses, skipped, questions } = summaryOf(
    await readLines(
      'Fecha;Concepto;Estado;Importe\n13/11/2026;Pan;Completada;-10,00\n14/11/2026;Bus;Pendiente;-2,00\n;Total;12,00;\n',
      { currency: 'USD' },
    ),
  )

  expect(questions).toEqual([])
  expect(expenses).toEqual(['2 2026-11-13 10.00 Pan'])
  expect(skipped).toEqual(['3 pending', '4 total'])
})
