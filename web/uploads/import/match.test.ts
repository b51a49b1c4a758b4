import type { MinorUnits } from '@finanzas/contract/money.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transactionRow } from '#testing/transaction-row.ts'
import { rulingOf } from '#categories/rules.ts'
import type { ImportLine } from '#uploads/import-lines.ts'
import { finish } from '#uploads/pieces.ts'
import { chosenExpenses, groupDoubts, groupTransactions } from './groups.ts'
import { splitKnown } from './match.ts'
import type { FileTransaction } from '#uploads/import/read/expenses-from-rows.ts'

const expense = (description: string, more: Partial<FileTransaction> = {}): FileTransaction => ({
  line: 1,
  day: '2026-11-20',
  description,
  amountMinor: 450 as MinorUnits,
  category: null,
  reference: null,
  ...more,
})
const row = (description: string, more = {}) =>
  transactionRow({ description, amount: 4.5, date: '2026-11-20T17:00:00+00:00', ...more })
const split = (...inputs: Parameters<typeof splitKnown>) => finish(splitKnown(...inputs))
const grouped = (...inputs: Parameters<typeof groupTransactions>) => finish(groupTransactions(...inputs))
const doubtsOf = (...inputs: Parameters<typeof groupDoubts>) => finish(groupDoubts(...inputs))
const uncategorized = { ruling: () => '', propose: () => '' }
const words = (transactions: readonly FileTransaction[]) => transactions.map(({ description }) => description)

test('if the history contains one coffee and the file contains two equal coffees on that day, one coffee is a new expense', () => {
  const file = [expense('Café', { line: 2 }), expense('Café', { line: 3 })]

  const { fresh, known } = split(file, [row('CAFÉ ')], [])

  expect(known.map(({ line }) => line)).toEqual([2])
  expect(fresh.map(({ line }) => line)).toEqual([3])
})

test('a transaction does not match if its amount or type differs, or if its date is four days away', () => {
  const rows = [
    row('Café', { date: '2026-11-24T17:00:00+00:00' }),
    row('Café', { date: '2026-11-16T17:00:00+00:00' }),
    row('Café', { amount: 4.51 }),
    row('Café', { type: 'deposit' }),
  ]

  expect(split([expense('Café')], rows, []).fresh).toHaveLength(1)
})

test.for([
  ['under another description', 'Tinto con Ana', '2026-11-20'],
  ['three days before', 'Café', '2026-11-17'],
  ['three days after', 'Café', '2026-11-23'],
] as const)('a transaction %s of equal amount makes only one expense doubtful', ([, description, day]) => {
  const file = [expense('CAFÉ 17', { line: 2 }), expense('CAFÉ 17', { line: 3 })]

  const { fresh, doubtful } = split(file, [row(description, { date: `${day}T17:00:00+00:00` })], [])

  expect(doubtful).toEqual([{ expense: file[0], like: { day, description, isRecurring: false } }])
  expect(fresh).toEqual([file[1]])
})

test('a doubtful expense is compared with the transaction on the nearest day', () => {
  const rows = ['2026-11-18', '2026-11-21'].map((day) => row(day, { date: `${day}T17:00:00+00:00` }))

  expect(split([expense('Café')], rows, []).doubtful).toMatchObject([{ like: { day: '2026-11-21' } }])
})

test.for<[string, boolean, Partial<FileTransaction>]>([
  ['with the same amount', true, {}],
  ['10 % dearer and three days later', true, { amountMinor: 495 as MinorUnits, day: '2026-11-23' }],
  ['more than 10 % dearer', false, { amountMinor: 496 as MinorUnits }],
  ['four days later', false, { day: '2026-11-24' }],
  ['of another name', false, { amountMinor: 460 as MinorUnits, description: 'Cine' }],
])('whether a payment %s may be the payment of a recurring expense is %s', ([, isRecurring, more]) => {
  const recorded = row('Netflix', { origin: 'recurring', origin_id: crypto.randomUUID() })
  const file = [
    expense('NETFLIX 0815', more),
    expense('NETFLIX 0816', { amountMinor: 455 as MinorUnits, line: 2 }),
  ]

  const { doubtful, fresh } = split(file.slice(0, 1), [recorded], [])
  expect([doubtful, fresh]).toMatchObject(
    isRecurring ? [[{ like: { description: 'Netflix', isRecurring } }], []] : [[], [file[0]]],
  )

  // One recorded payment can match only one line of the file.
  const both = split(file, [recorded], [])
  expect(both.doubtful).toHaveLength(1)
})

test('an expense whose amount differs by an exchange rate is doubtful only in a converted file', () => {
  const file = [expense('CAFÉ'), expense('Té', { line: 2 })]
  const rows = [row('Café', { amount: 4.63 }), row('Té', { amount: 9, date: '2026-11-19T17:00:00+00:00' })]

  expect(split(file, rows, [], { isConverted: true })).toMatchObject({
    doubtful: [{ expense: file[0], like: { description: 'Café' } }],
    fresh: [file[1]],
  })
  expect(split(file, rows, []).fresh).toEqual(file)
})

const origin = (of: { id: string }, more: Partial<ImportLine> = {}): ImportLine => ({
  transaction_id: of.id,
  date: '2026-11-20',
  amount: 4.5,
  description: 'RETIRO CAJERO',
  reference: null,
  ...more,
})

test('an imported transaction that was renamed matches by its original and its current description', () => {
  const renamed = row('Efectivo para la finca')
  const lines = [origin(renamed)]

  expect(split([expense('Retiro cajero')], [renamed], lines).known).toHaveLength(1)
  expect(split([expense('Efectivo para la finca')], [renamed], lines).known).toHaveLength(1)
})

test('a transaction with the same bank reference matches even if its description differs', () => {
  const renamed = row('Efectivo')
  const lines = [origin(renamed, { reference: 'A-1', description: 'RETIRO' })]
  const file = [expense('Cash', { reference: 'A-1' }), expense('RETIRO', { reference: 'A-2' })]

  const { known, fresh } = split(file, [renamed], lines)

  expect(known).toEqual([file[0]])
  expect(fresh).toEqual([file[1]])
})

test('an expense with the same description but another bank reference is doubtful', () => {
  const there = row('RETIRO CAJERO')

  const { doubtful } = split(
    [expense('RETIRO CAJERO', { reference: 'A-2' })],
    [there],
    [origin(there, { reference: 'A-1' })],
  )

  expect(doubtful).toMatchObject([{ like: { description: 'RETIRO CAJERO' } }])
})

test.for([
  ['by day and amount', null, null, null],
  ['by its description', 'RETIRO CAJERO', null, null],
  ['by the bank’s reference', null, 'A-1', 'A-1'],
  ['by description and reference', 'RETIRO CAJERO', 'A-1', 'A-1'],
] as const)(
  'an expense that matches a deleted transaction %s is doubtful',
  ([, description, reference, own]) => {
    const gone = origin({ id: 'gone' }, { description, reference })

    expect(split([expense('RETIRO CAJERO', { reference: own })], [], [gone]).doubtful).toMatchObject([
      { like: null },
    ])
  },
)

test('days are compared in Bogotá’s time zone', () => {
  expect(
    split([expense('Café')], [row('Café', { date: '2026-11-21T04:59:00+00:00' })], []).known,
  ).toHaveLength(1)
})

test('every line of a recorded file matches its transaction, even if two lines are identical', () => {
  const content = fc.record({
    description: fc.constantFrom('Café', 'Bus', 'Té 1', 'Té 2'),
    day: fc.constantFrom('2026-11-19', '2026-11-20'),
    amountMinor: fc.constantFrom(100, 200).map((minor) => minor as MinorUnits),
  })
  const file = fc.array(content, { maxLength: 30 })
  const asRows = (contents: readonly Pick<FileTransaction, 'description' | 'day' | 'amountMinor'>[]) =>
    contents.map(({ description, day, amountMinor }) =>
      row(description, { date: `${day}T17:00:00+00:00`, amount: amountMinor / 100 }),
    )
  fc.assert(
    fc.property(file, file, (first, second) => {
      const transactions = second.map((each, line) => expense(each.description, { ...each, line }))
      const { fresh, known, doubtful } = split(transactions, asRows(first), [])
      const chosen = [...fresh, ...doubtful.map((doubt) => doubt.expense)]
      const after = asRows([...first, ...chosen])

      expect(chosen.length + known.length).toBe(second.length)
      // After all new expenses have been recorded, importing the file again does not add any expense. If the file and
      // the earlier history contain the same expense, the larger of the two counts is the expense's count in the new
      // history.
      expect(split(transactions, after, [])).toMatchObject({ fresh: [], doubtful: [] })
      const count = (rows: ReturnType<typeof asRows>) => {
        const counts = new Map<string, number>()
        for (const { description, date, amount } of rows) {
          const content = `${description} ${date} ${amount}`
          counts.set(content, (counts.get(content) ?? 0) + 1)
        }
        return counts
      }
      const [before, brought] = [count(asRows(first)), count(asRows(second))]
      for (const [content, size] of count(after))
        expect(size).toBe(Math.max(before.get(content) ?? 0, brought.get(content) ?? 0))
    }),
  )
})

test('expenses whose descriptions differ only in digits form one group', () => {
  const groups = grouped(
    {
      expenses: [
        expense('COMPRA EXITO 123'),
        expense('Cine', { line: 2, amountMinor: 800 as MinorUnits }),
        expense('Compra Éxito 456', { line: 3 }),
      ],
      incomes: [],
    },
    { ruling: () => '', propose: (description) => (description.includes('EXITO') ? 'Comida' : '') },
  )

  expect(groups).toMatchObject([
    { label: 'COMPRA EXITO 123', amountMinor: 900, category: 'Comida', isProposed: true },
    { label: 'Cine', category: '', isProposed: false },
  ])
})

test('expenses and incomes are listed by day with the newest first', () => {
  const groups = grouped(
    {
      expenses: [
        expense('Arriendo', { line: 2, day: '2026-11-01', amountMinor: 90_000 as MinorUnits }),
        expense('Bus 1', { line: 3, day: '2026-11-02' }),
        expense('Bus 2', { line: 5, day: '2026-11-20' }),
      ],
      incomes: [expense('Nómina', { line: 4, day: '2026-11-15' })],
    },
    uncategorized,
  )

  expect(groups).toMatchObject([
    { label: 'Bus 1', first: '2026-11-02', last: '2026-11-20' },
    { label: 'Nómina', isIncome: true },
    { label: 'Arriendo' },
  ])
})

test('an incoming amount is not recorded, even if its description equals the description of a chosen expense', () => {
  const groups = grouped(
    { expenses: [expense('Bizum')], incomes: [expense('Bizum', { line: 2 })] },
    uncategorized,
  )
  const everything = new Map(groups.map(({ key }) => [key, { isLeftOut: false }]))

  expect(chosenExpenses(groups, everything)).toEqual([expense('Bizum')])
})

test.for([
  ['newest', ['2026-11-21', '2026-11-20', '2026-11-20'], [3, 2, 1]],
  ['oldest', ['2026-11-19', '2026-11-20', '2026-11-20'], [1, 2, 3]],
  ['same', ['2026-11-20', '2026-11-20', '2026-11-20'], [1, 2, 3]],
] as const)(
  'a file that begins with the %s day is recorded from the oldest to the newest row',
  ([, dates, order]) => {
    const file = dates.map((day, place) => expense(`Compra ${'abc'.charAt(place)}`, { day, line: place + 1 }))
    const groups = grouped({ expenses: file, incomes: [] }, uncategorized)

    expect(chosenExpenses(groups, new Map()).map(({ line }) => line)).toEqual(order)
  },
)

test('a rule takes precedence over the file’s category and can split a group', () => {
  const rules = [
    { contains: 'cuota 1', category: 'Servicios' },
    { contains: 'cine', category: 'Viajes' },
  ]
  const groups = grouped(
    {
      expenses: [expense('Cuota 1'), expense('Cuota 2'), expense('Cine', { category: 'Entretenimiento' })],
      incomes: [],
    },
    { ruling: rulingOf(rules), propose: () => 'Otro' },
  )

  expect(groups).toMatchObject([
    { label: 'Cuota 1', category: 'Servicios', isRuled: true, isProposed: false },
    { label: 'Cuota 2', category: 'Otro', isRuled: false, isProposed: true },
    { label: 'Cine', category: 'Viajes', isRuled: true, isProposed: false },
  ])
})

test('a doubtful expense is recorded only if the user selects it', () => {
  const [doubt] = doubtsOf([{ expense: expense('Café'), like: null }], uncategorized)
  if (doubt === undefined) throw new Error('The group is missing.')

  expect(chosenExpenses([doubt], new Map())).toEqual([])
  expect(words(chosenExpenses([doubt], new Map([[doubt.key, { isLeftOut: false }]])))).toEqual(['Café'])
})

test('a proposed category does not replace the file’s category, but the user’s choice does', () => {
  const expenses = [expense('Cine', { category: 'Entretenimiento' }), expense('Bus')]
  const groups = grouped({ expenses, incomes: [] }, { ruling: () => '', propose: () => 'Comida' })
  const [cinema, bus] = groups

  expect(groups.map(({ category }) => category)).toEqual(['Entretenimiento', 'Comida'])
  const chosen = chosenExpenses(
    groups,
    new Map([
      [cinema?.key ?? '', { category: '' }],
      [bus?.key ?? '', { isLeftOut: true }],
    ]),
  )
  expect(chosen).toEqual([expense('Cine')])
  expect(words(chosenExpenses(groups, new Map()))).toEqual(['Cine', 'Bus'])
})
