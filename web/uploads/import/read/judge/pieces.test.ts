import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import { days } from '#uploads/import/testing/read-lines.ts'
import { groupTransactions } from '#uploads/import/groups.ts'
import { splitKnown } from '#uploads/import/match.ts'
import { readExpenses, type FileTransaction } from '#uploads/import/read/expenses-from-rows.ts'
import { finish, pieceRows, type Work } from '#uploads/pieces.ts'
import { tableOf } from './bank-table.ts'
import { judge } from './judge.ts'

/** Number of rows of the longest file. */
const rowsMax = 10_000
/** Number of times that one piece may read the texts of each of its rows. */
const readingsPerRow = 12

/** Does the work, and returns its result and the largest number of readings between two pauses. */
function largestPiece<Result>(work: Work<Result>, counter: { readings: number }) {
  let largest = 0
  for (;;) {
    counter.readings = 0
    const { done, value } = work.next()
    largest = Math.max(largest, counter.readings)
    if (done === true) return { result: value, largest }
  }
}

const dayOf = (place: number) =>
  new Date(Date.UTC(2026, 9, 31) - Math.floor(place / 40) * 86_400_000).toISOString().slice(0, 10)

const files: readonly (readonly [
  name: string,
  heading: readonly string[],
  cells: (place: number) => string[],
])[] = [
  [
    'signed amounts',
    ['Fecha', 'Concepto', 'Valor'],
    (place) => [dayOf(place), `Bus ${place}`, `-${place + 1}.50`],
  ],
  [
    'mixed signs and states and currencies',
    ['Fecha', 'Concepto', 'Moneda', 'Estado', 'Valor'],
    (place) => [
      dayOf(place),
      'Bus',
      'COP',
      place % 9 === 0 ? 'Pendiente' : 'Completada',
      `${place % 3 === 0 ? '' : '-'}7.50`,
    ],
  ],
  [
    'two columns and a fee and a balance',
    ['Fecha', 'Concepto', 'Débito', 'Crédito', 'Comisión', 'Saldo'],
    (place) => [dayOf(place), 'Bus', '2.00', '', '0.00', String(50_000 - 2 * place)],
  ],
  [
    'days without an order',
    ['Fecha', 'Concepto', 'Valor'],
    (place) => [`0${1 + (place % 9)}/05/2026`, 'Bus', '9.50'],
  ],
]

test.for(files)('a file with %s is judged in pieces of a few rows', ([, heading, cellsOf]) => {
  const counter = { readings: 0 }
  const rows = Array.from({ length: rowsMax }, (_, place) => {
    const cells = cellsOf(place)
    return {
      line: place + 2,
      get fields() {
        counter.readings += 1
        return cells
      },
    }
  })
  const table = tableOf({ format: 'CSV', fields: null, rows: [{ line: 1, fields: heading }, ...rows] })
  const { result, largest } = largestPiece(
    judge(table, {}, { bankCurrency: 'COP', last: days.last }),
    counter,
  )
  const lines = largestPiece(readExpenses(result, { ...days, currency: 'COP', conversion: null }), counter)

  expect(result.movements.length + result.skipped.length).toBe(rowsMax)
  expect(Math.max(largest, lines.largest)).toBeLessThanOrEqual(readingsPerRow * pieceRows)
})

test('a file is compared with the history and grouped in pieces of a few rows', () => {
  const counter = { readings: 0 }
  const expenses = Array.from({ length: rowsMax }, (_, place): FileTransaction => ({
    line: place,
    day: dayOf(place),
    amountMinor: (100 + place) as MinorUnits,
    category: null,
    reference: null,
    get description() {
      counter.readings += 1
      return `Bus ${place % 300}`
    },
  }))
  const history = Array.from({ length: rowsMax }, (_, place) =>
    Object.defineProperty(
      transactionRow({ amount: place, date: `${dayOf(place)}T17:00:00+00:00` }),
      'description',
      {
        get() {
          counter.readings += 1
          return `Bus ${place % 300}`
        },
      },
    ),
  )
  const { result, largest } = largestPiece(splitKnown(expenses, history, []), counter)
  const groups = largestPiece(
    groupTransactions({ expenses: result.fresh, incomes: [] }, { ruling: () => '', propose: () => '' }),
    counter,
  )

  expect(result.fresh.length + result.known.length + result.doubtful.length).toBe(rowsMax)
  expect(Math.max(largest, groups.largest)).toBeLessThanOrEqual(readingsPerRow * pieceRows)
})

test('a second judgement of the same answers does no work', () => {
  const table = tableOf({
    format: 'CSV',
    fields: null,
    rows: [
      ['Fecha', 'Valor'],
      ['2026-11-03', '-1.00'],
    ].map((fields, place) => ({ line: place + 1, fields })),
  })
  const answers = {}
  const circumstances = { bankCurrency: 'COP', last: days.last }
  const first = finish(judge(table, answers, circumstances))

  expect(judge(table, answers, circumstances).next()).toEqual({ done: true, value: first })
})
