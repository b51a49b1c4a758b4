import { expect, test } from 'vitest'
import { readLines } from '#uploads/import/testing/read-lines.ts'

/** The days of the rows below the heading `Fecha`, or the questions. The rows may have further cells. */
type Case = readonly [
  rule: string,
  days: readonly string[],
  expected: readonly string[],
  file?: { readonly above?: readonly string[]; readonly heading?: string },
]

const netflix = ['03/05/2026', '04/05/2026', '05/05/2026', '06/05/2026', '07/05/2026']

const orders: readonly Case[] = [
  ['days of one month or of five months', netflix, ['dayOrder']],
  ['three days with one inversion in one order', ['03/10/2026', '04/09/2026', '05/11/2026'], ['dayOrder']],
  [
    'a month-first statement with a payment in the future',
    ['11/02/2026', '11/05/2026', '12/01/2026'],
    ['dayOrder'],
  ],
  [
    'rows that only one order sorts',
    ['05/01/2026', '09/01/2026', '02/02/2026', '04/02/2026', '01/03/2026', '03/03/2026'],
    ['2026-01-05', '2026-01-09', '2026-02-02', '2026-02-04', '2026-03-01', '2026-03-03'],
  ],
  [
    'a second column with the same order',
    ['05/03/2026;15/03/2026', '06/04/2026;16/04/2026'],
    ['2026-03-05', '2026-04-06'],
    { heading: 'Fecha;Fecha valor' },
  ],
  [
    'a second column in ISO notation',
    ['03/05/2026;2026-03-06', '04/06/2026;2026-04-06'],
    ['2026-03-05', '2026-04-06'],
    { heading: 'Fecha;Fecha valor' },
  ],
  [
    'two ambiguous columns that are near in one order',
    ['05/03/2026;06/03/2026', '06/04/2026;08/04/2026'],
    ['2026-03-05', '2026-04-06'],
    { heading: 'Fecha;Fecha valor' },
  ],
  [
    'two columns with the same ambiguous days',
    ['05/03/2026;05/03/2026', '06/04/2026;06/04/2026'],
    ['dayOrder'],
    { heading: 'Fecha;Fecha valor' },
  ],
  [
    'a period that contains the days in one order',
    ['11/02/2026', '11/05/2026'],
    ['2026-11-02', '2026-11-05'],
    { above: ['Periodo: 2026-11-01 - 2026-11-20'] },
  ],
  ['the year first in two digits', ['26/11/03', '26/11/14'], ['2026-11-03', '2026-11-14']],
  [
    'the year first in two digits where the other order takes several years',
    ['24/11/23', '24/11/24', '24/11/25'],
    ['2024-11-23', '2024-11-24', '2024-11-25'],
  ],
  [
    'the year first where the other order takes a year from row to row',
    ['24/11/25', '24/11/26'],
    ['2024-11-25', '2024-11-26'],
  ],
  ['the day first and a year in two digits', ['24/11/25', '26/11/25'], ['2025-11-24', '2025-11-26']],
]

const yearless: readonly Case[] = [
  ['only a print date', ['20/03', '25/03'], ['year'], { above: ['Generado el 28/11/2026'] }],
  ['only a bare date', ['20/03', '25/03'], ['year'], { above: ['28/11/2026'] }],
  [
    'a period and a print date',
    ['20/03', '02/04'],
    ['2025-03-20', '2025-04-02'],
    { above: ['Generado el 28/11/2026', 'Periodo: marzo 2025'] },
  ],
  [
    'a period over the new year',
    ['20/12', '05/01'],
    ['2025-12-20', '2026-01-05'],
    { above: ['Fecha de impresión: 10/02/2026', 'Extracto diciembre de 2025 - enero de 2026'] },
  ],
  [
    'a period in cells of its own',
    ['20/12', '05/01'],
    ['2024-12-20', '2025-01-05'],
    { above: ['Cuenta abierta;05/06/2019', 'Desde;15/12/2024;Hasta;14/01/2025'] },
  ],
  ['a year without a period', ['20/03', '25/03'], ['2025-03-20', '2025-03-25'], { above: ['Extracto 2025'] }],
  ['a year whose rows cross the new year', ['20/12', '05/01'], ['year'], { above: ['Extracto 2025'] }],
  [
    'a value day in the same row',
    ['31/12;02/01/2025', '05/01;06/01/2025', '04/01;05/01/2026'],
    ['2024-12-31', '2025-01-05', '2026-01-04'],
    { heading: 'Fecha;Fecha valor' },
  ],
]

const zones: readonly Case[] = [
  [
    'a time of twelve hours',
    ['"Nov 1, 2026 2:30 AM UTC"', '"Nov 1, 2026 11:30 p. m. UTC"', '"Nov 2, 2026 12:10 AM UTC"'],
    ['2026-10-31', '2026-11-01', '2026-11-01'],
  ],
  [
    'a zone in the heading',
    ['2026-11-01 04:30:00', '2026-11-02 14:30:00'],
    ['2026-10-31', '2026-11-02'],
    { heading: 'Date (UTC)' },
  ],
  [
    'columns of times and zones',
    ['11/13/2026;23:30:00;PST', '11/14/2026;10:00:00;PST'],
    ['2026-11-14', '2026-11-14'],
    { heading: 'Date;Time;TimeZone' },
  ],
  [
    'a zone that is named by its city',
    ['2026-11-13;23:30:00;America/Los_Angeles', '2026-06-13;22:30:00;America/Los_Angeles'],
    ['2026-11-14', '2026-06-14'],
    { heading: 'Date;Time;Time zone' },
  ],
  [
    'the zone of Bogotá',
    ['2026-11-13;23:30:00;America/Bogota', '2026-11-14;00:10:00;America/Bogota'],
    ['2026-11-13', '2026-11-14'],
    { heading: 'Date;Time;Time zone' },
  ],
  ['an unknown zone', ['2026-11-13;23:30:00;Moon/Base'], ['2026-11-13'], { heading: 'Date;Time;Time zone' }],
]

async function read([, days, , { above = [], heading = 'Fecha' } = {}]: Case, answers = {}) {
  const lines = days.map((day, place) => `${day};Fila ${place};-${place + 1}0,00`)
  const text = [...above, `${heading};Concepto;Importe`, ...lines].join('\n')
  const { expenses, judgement } = await readLines(text, { currency: 'USD', answers })
  return judgement.questions.length > 0 ? judgement.questions : expenses.map(({ day }) => day)
}

test.for(orders)('the order of days is read or asked with %s', async (each) => {
  expect(await read(each)).toEqual(each[2])
})

test.for(yearless)('the year is read or asked with %s', async (each) => {
  expect(await read(each)).toEqual(each[2])
})

test.for(zones)('a day is converted to Bogotá with %s', async (each) => {
  expect(await read(each)).toEqual(each[2])
})

test('the length of the period only proposes an order', async () => {
  const { judgement } = await readLines(
    `Fecha;Concepto;Importe\n${['05/03/2026', '05/04/2026', '05/05/2026'].map((day) => `${day};Cine;-9,00\n`).join('')}`,
  )

  expect(judgement).toMatchObject({ questions: ['dayOrder'], days: { order: 'month-first' } })
})

test('a long step in the direction of the other rows is a gap within the answered year', async () => {
  const rising = ['05/01', '09/01', '20/08', '25/08']

  expect(await read(['', rising, []], { year: '2026' })).toEqual([
    '2026-01-05',
    '2026-01-09',
    '2026-08-20',
    '2026-08-25',
  ])
  expect(await read(['', rising.toReversed(), []], { year: '2026' })).toEqual([
    '2026-08-25',
    '2026-08-20',
    '2026-01-09',
    '2026-01-05',
  ])
  expect(await read(['', ['20/08', '25/08', '05/01', '09/01'], []], { year: '2026' })).toEqual([
    '2025-08-20',
    '2025-08-25',
    '2026-01-05',
    '2026-01-09',
  ])
})

test('an answered year is the year of the newest row', async () => {
  const each: Case = ['', ['20/12', '05/01'], []]

  expect(await read(each, { year: '2025' })).toEqual(['2024-12-20', '2025-01-05'])
  expect(await read(['', ['05/01', '20/12'], []], { year: '2025' })).toEqual(['2025-01-05', '2024-12-20'])
  expect(await read(each, { year: '2026' })).toEqual(['2025-12-20', '2026-01-05'])
})
