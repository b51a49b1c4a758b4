import { expect, test } from 'vitest'
import { judgeDirections, type Entry } from './direction.ts'
import { readLines } from '#uploads/import/testing/read-lines.ts'

/** The rows follow the heading; each begins with a day of its own, the first with the newest if `newest` is set. */
function file(heading: string, rows: readonly string[], { isNewestFirst = false, separator = ';' } = {}) {
  const first = isNewestFirst ? 20 + rows.length : 14
  const day = (place: number) => `2026-11-${isNewestFirst ? first - place : first + place}`
  const lines = rows.map((row, place) => `${day(place)}${separator}${row}`)
  return `${[heading, ...lines].join('\n')}\n`
}

const ofx = (rows: readonly (readonly [string, string])[]) =>
  `OFXHEADER:100\n\n<OFX><CURDEF>USD<BANKTRANLIST>${rows.map(([type, amount], place) => `<STMTTRN><TRNTYPE>${type}<DTPOSTED>2026111${place}<TRNAMT>${amount}<FITID>${place}<NAME>Fila ${place}</STMTTRN>`).join('\n')}</BANKTRANLIST></OFX>`

const camt = (rows: readonly (readonly [string, string])[]) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${rows.map(([indicator, amount], place) => `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-1${place}</Dt></BookgDt><AddtlNtryInf>Fila ${place}</AddtlNtryInf></Ntry>`).join('\n')}</Stmt></BkToCstmrStmt></Document>`

const balances = 'Fecha;Concepto;Importe;Saldo'
const types = 'Date,Description,Type,Amount'
const comma = { separator: ',' }

/** A rule, a file, and its expenses and incomes in minor units. `null` if the customer is asked. */
type Case = readonly [
  rule: string,
  text: string,
  expenses: readonly number[] | null,
  incomes?: readonly number[],
]

const cases: readonly Case[] = [
  [
    'the oldest of two equal salaries is an income',
    file(`Saldo inicial: 1000,00\n${balances}`, [
      'NOMINA;500,00;1500,00',
      'NOMINA;500,00;2000,00',
      'CINE;20,00;1980,00',
    ]),
    [2000],
    [50000, 50000],
  ],
  [
    'the oldest of equal expenses is an expense',
    file(`Saldo inicial: 100,00\n${balances}`, ['BUS;2,50;97,50', 'BUS;2,50;95,00', 'CINE;20,00;75,00']),
    [250, 250, 2000],
  ],
  [
    'the days say in which order equal expenses changed the balance',
    file(`Saldo inicial: 97,50\n${balances}`, ['BUS;2,50;90,00', 'BUS;2,50;92,50', 'BUS;2,50;95,00'], {
      isNewestFirst: true,
    }),
    [250, 250, 250],
  ],
  ...['Forma de pago', 'Payment method', 'Medio', 'Tipo de cuenta', 'Tipo de tarjeta'].map(
    (heading): Case => [
      `a column ${heading} does not count against a written minus`,
      file(`Fecha;Comercio;${heading};Importe`, [
        'A;Débito;-10,00',
        'B;Crédito;-11,00',
        'C;Débito;500,00',
        'D;Crédito;-12,00',
      ]),
      [1000, 1100, 1200],
      [50000],
    ],
  ),
  [
    'the payment of a card beside its sales is an income',
    file(types, ['A,Sale,14.30', 'B,Sale,9.00', 'C,Payment,-23.30'], comma),
    [1430, 900],
    [2330],
  ],
  [
    'the payment of a card beside its purchases is an income',
    file('Fecha;Comercio;Tipo;Importe', ['A;Compra;14,30', 'B;Compra;9,00', 'C;Pago;-23,30']),
    [1430, 900],
    [2330],
  ],
  [
    'a card with negative sales is read without a question',
    file(types, ['A,Sale,-14.30', 'B,Sale,-9.00', 'C,Payment,23.30', 'D,Return,4.30'], comma),
    [1430, 900],
    [2330, 430],
  ],
  [
    'a balance that may be the debt of a card proves nothing',
    file(
      'Date,Description,Amount,Balance',
      ['AMZN,10.00,110.00', 'UBER,20.00,130.00', 'PAYMENT THANK YOU,-130.00,0.00'],
      comma,
    ),
    null,
  ],
  [
    'one minus in an OFX file leaves the types of the other rows in force',
    ofx([
      ['DEBIT', '10.00'],
      ['DEBIT', '20.00'],
      ['CREDIT', '100.00'],
      ['DEBIT', '-5.00'],
    ]),
    [1000, 2000],
    [10000, 500],
  ],
  [
    'one negative entry leaves the indicators of camt in force',
    camt([
      ['DBIT', '-1.00'],
      ['DBIT', '2.00'],
    ]),
    [200],
    [100],
  ],
  [
    'a card is recognized by words that continue in the next row',
    'Fecha;Concepto;Importe\n2026-11-14;AMZN;14,30\n2026-11-15;UBER;9,00\n2026-11-16;Pago;-23,30\n;recibido gracias;\n',
    null,
  ],
  [
    'a total without the minus of its column leaves the debits of the column expenses',
    file('Fecha;Concepto;Débito;Crédito', ['A;-10,00;', 'C;-5,00;', 'B;;20,00']).concat(';Total;30,00;\n'),
    [1000, 500],
    [2000],
  ],
  ...[
    'ELECTRONIC PYMT',
    'PAGO',
    'Pago tarjeta Visa',
    'ONLINE PMT THANK YOU',
    'Zahlung erhalten',
    'Gutschrift',
  ].map((words): Case => [
    `the words ${words} beside a minus ask whether the file is a card’s`,
    file('Fecha;Comercio;Importe', ['AMZN;14,30', 'UBER;9,00', `${words};-23,30`]),
    null,
  ]),
  [
    'a category of payments beside a minus asks whether the file is a card’s',
    file(
      'Date,Description,Category,Amount',
      ['ZARA,Shopping,20.00', 'UBER,Travel,10.00', 'XYZ8,Payment/Credit,-30.00'],
      comma,
    ),
    null,
  ],
  ...['Tarjeta de crédito 1234', 'Pago mínimo: 20,00', 'Kreditkarte 1234'].map((title): Case => [
    `the title ${title} asks about mixed signs`,
    `${title}\n${file('Fecha;Comercio;Importe', ['AMZN;14,30', 'UBER;9,00', 'XJ 219;-23,30'])}`,
    null,
  ]),
  [
    'the title of a card asks about mixed signs even if the rows with a minus are more',
    `Tarjeta de crédito\n${file('Fecha;Comercio;Importe', ['AMZN;14,30', 'PAGO;-9,00', 'PAGO;-5,30'])}`,
    null,
  ],
  [
    'purchases with a minus below the title of a card are expenses',
    `Tarjeta de crédito\n${file('Fecha;Comercio;Importe', ['COMPRA A;-14,30', 'COMPRA B;-9,00', 'X;23,30'])}`,
    [1430, 900],
    [2330],
  ],
  [
    'payments without a minus below the title of a card are incomes',
    `Credit card\n${file('Fecha;Comercio;Importe', ['A;-14,30', 'B;-9,00', 'PAYMENT THANK YOU;23,30'])}`,
    [1430, 900],
    [2330],
  ],
  [
    'purchases without a minus ask whether the file is a card’s',
    file('Fecha;Comercio;Importe', ['COMPRA A;14,30', 'COMPRA B;9,00', 'XJ 219;-23,30']),
    null,
  ],
  [
    'a payment to somebody beside a salary is an expense',
    file('Fecha;Concepto;Importe', ['NOMINA;1400,00', 'NOMINA;1400,00', 'PAGO;-23,30']),
    [2330],
    [140000, 140000],
  ],
  [
    'a payment that names its payee is an expense',
    file('Fecha;Concepto;Importe', ['DE ANA;14,00', 'DE PEDRO;14,00', 'PAGO LUZ;-23,30']),
    [2330],
    [1400, 1400],
  ],
  [
    'a balance that the payment of a card reduces proves nothing',
    file(
      'Date,Description,Amount,Balance',
      ['AMZN,10.00,110.00', 'UBER,20.00,130.00', 'ELECTRONIC PYMT,-130.00,0.00'],
      comma,
    ),
    null,
  ],
  [
    'a balance below the title of a card that its rows raise proves nothing',
    `Credit card\n${file('Date,Description,Amount,Balance', ['AMZN,10.00,110.00', 'UBER,20.00,130.00'], comma)}`,
    null,
  ],
  [
    'the only debit of a file asks about its minus',
    file('Fecha;Concepto;Débito;Crédito', ['A;-10,00;', 'B;;20,00']),
    null,
  ],
  [
    'the only debit of a file is a refund if its words say so',
    file('Fecha;Concepto;Débito;Crédito', ['Devolución A;-10,00;', 'B;;20,00']),
    [],
    [1000, 2000],
  ],
  [
    'the only debit of a file is an expense if its balance says so',
    file('Fecha;Concepto;Débito;Crédito;Saldo', ['B;;20,00;120,00', 'A;-10,00;;110,00', 'C;;5,00;115,00']),
    [1000],
    [2000, 500],
  ],
  [
    'a refund among debits with a minus is an income if its words say so',
    file('Fecha;Concepto;Débito;Crédito', ['A;-10,00;', 'B;-11,00;', 'Devolución A;-10,00;']),
    [1000, 1100],
    [1000],
  ],
  [
    'two debits with a minus beside one without are refunds',
    file('Fecha;Concepto;Débito;Crédito', ['A;10,00;', 'X;-4,00;', 'Y;-5,00;']),
    [1000],
    [400, 500],
  ],
  [
    'the only credit of a file asks about its minus',
    file('Fecha;Concepto;Débito;Crédito', ['A;10,00;', 'B;;-20,00']),
    null,
  ],
  ...['Recarga celular', 'Crédito hipotecario', 'Interes cobrado', 'Abono a tarjeta'].map((type): Case => [
    `the words ${type} do not prove an income`,
    file('Fecha;Concepto;Tipo;Importe', [`A;${type};10,00`, `B;${type};12,00`]),
    null,
  ]),
  ...['C', 'E'].map((letter): Case => [
    `the letter ${letter} alone does not prove a direction`,
    file('Fecha;Concepto;Tipo;Importe', [`A;${letter};10,00`, `B;${letter};12,00`]),
    null,
  ]),
]

test.for(cases)('%s', async ([, text, expected, received = []]) => {
  const { expenses, incomes, judgement } = await readLines(text, { currency: 'USD' })

  expect(judgement.questions).toEqual(expected === null ? ['direction'] : [])
  if (expected === null) return
  expect([expenses, incomes].map((rows) => rows.map(({ amountMinor }) => Number(amountMinor)))).toEqual([
    expected,
    received,
  ])
})

test('a file of many rows is judged by a few readings of each row', () => {
  let readings = 0
  const rows = Array.from({ length: 1000 }, (): Entry => ({
    figure: { minor: 100, sign: '-', mark: '' },
    word: 'out',
    words: 'Bus',
    get balance() {
      readings += 1
      return null
    },
  }))
  judgeDirections(rows, { answer: undefined, isMinusDefined: true })

  expect(readings).toBeLessThan(20 * rows.length)
})

test('an answer about a card counts more than its balance', async () => {
  const text = file(
    'Date,Description,Amount,Balance',
    ['AMZN,10.00,110.00', 'UBER,20.00,130.00', 'PAYMENT THANK YOU,-130.00,0.00'],
    comma,
  )
  const read = async (expenseSign: 'positive' | 'negative') => {
    const { expenses, incomes, judgement } = await readLines(text, {
      currency: 'USD',
      answers: { expenseSign },
    })
    return [judgement.questions, expenses.map(({ line }) => line), incomes.map(({ line }) => line)]
  }

  expect(await read('positive')).toEqual([[], [2, 3], [4]])
  expect(await read('negative')).toEqual([[], [4], [2, 3]])
})

test('an answer about purchases that raise a debt gives payments the other direction', async () => {
  const text = file('Fecha;Concepto;Importe;Saldo', [
    'COMPRA A;10,00;110,00',
    'COMPRA B;20,00;130,00',
    'PAGO;130,00;0,00',
  ])
  const asked = await readLines(text, { currency: 'USD' })
  const { expenses, incomes } = await readLines(text, {
    currency: 'USD',
    answers: { expenseSign: 'positive' },
  })

  expect(asked.judgement.questions).toEqual(['direction'])
  expect(asked.judgement.openDirections.map(({ line }) => line)).toEqual([2, 3])
  expect([expenses.map(({ line }) => line), incomes.map(({ line }) => line)]).toEqual([[2, 3], [4]])
})

test('the answer about the only debit decides whether its minus is a refund', async () => {
  const text = file('Fecha;Concepto;Débito;Crédito', ['A;-10,00;', 'B;;20,00'])
  const read = async (expenseSign: 'positive' | 'negative') => {
    const { expenses, incomes, judgement } = await readLines(text, {
      currency: 'USD',
      answers: { expenseSign },
    })
    return [judgement.questions, expenses.map(({ line }) => line), incomes.map(({ line }) => line)]
  }

  expect(await read('positive')).toEqual([[], [2], [3]])
  expect(await read('negative')).toEqual([[], [], [2, 3]])
})
