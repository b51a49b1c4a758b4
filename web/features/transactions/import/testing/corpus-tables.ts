/** Generates CSV files of the corpus. */
import { csvLine } from '@finanzas/contract/format/csv.ts'
import type { OpenQuestion } from '#features/transactions/import/read/judge/judge.ts'
import type { Booking, CorpusFile } from './corpus-file.ts'
import {
  dayForms,
  isOrderHidden,
  pickNotation,
  writeAmount,
  type DayForm,
  type Notation,
} from './notations.ts'
import type { Random } from './random.ts'

type Style = {
  readonly name: string
  readonly headings: (language: number) => readonly string[]
  readonly cells: (minor: number, write: (minor: number) => string) => readonly string[]
  /** Whether only a column of balances shows the direction. */
  readonly needsBalance?: boolean
  readonly expenseSign?: 'positive'
  readonly onlyExpenses?: boolean
}

const amountHeadings = ['Valor', 'Amount', 'Betrag', 'Monto', 'Importe']
const signed = (minor: number, sign: string, write: (minor: number) => string) =>
  minor < 0 ? `${sign}${write(minor)}` : write(minor)
const wordsStyle = (heading: string, out: string, into: string): Style => ({
  name: `words ${out}/${into}`,
  headings: (language) => [heading, amountHeadings[language] ?? 'Valor'],
  cells: (minor, write) => [minor < 0 ? out : into, write(minor)],
})
const one = (
  name: string,
  cell: (minor: number, write: (minor: number) => string) => string,
  more: Partial<Style> = {},
): Style => ({
  name,
  headings: (language) => [amountHeadings[language] ?? 'Valor'],
  cells: (minor, write) => [cell(minor, write)],
  ...more,
})

const pairs: readonly [string, string][] = [
  ['Débito', 'Crédito'],
  ['Withdrawals', 'Deposits'],
  ['Soll', 'Haben'],
  ['Retiros', 'Consignaciones'],
  ['Cargos', 'Abonos'],
]
const styles: readonly [Style, ...Style[]] = [
  one('minus', (minor, write) => signed(minor, '-', write)),
  one('typographic minus', (minor, write) => signed(minor, '−', write)),
  one('minus and plus', (minor, write) => `${minor < 0 ? '-' : '+'}${write(minor)}`),
  one('trailing minus', (minor, write) => `${write(minor)}${minor < 0 ? '-' : ''}`),
  one('brackets', (minor, write) => (minor < 0 ? `(${write(minor)})` : write(minor))),
  one('minus and sign of currency', (minor, write) => signed(minor, '-', (each) => `$ ${write(each)}`)),
  one('currency behind', (minor, write) => `${signed(minor, '-', write)} $`),
  one('CR', (minor, write) => `${write(minor)}${minor < 0 ? '' : ' CR'}`),
  one('DR', (minor, write) => `${write(minor)}${minor < 0 ? ' DR' : ''}`),
  one('CR and DR', (minor, write) => `${write(minor)} ${minor < 0 ? 'DR' : 'CR'}`),
  one('only expenses with a minus', (minor, write) => `-${write(minor)}`, { onlyExpenses: true }),
  one('unsigned', (minor, write) => write(minor), { needsBalance: true, expenseSign: 'positive' }),
  one('expenses are positive', (minor, write) => (minor > 0 ? `-${write(minor)}` : write(minor)), {
    needsBalance: true,
    expenseSign: 'positive',
  }),
  {
    name: 'two columns',
    headings: (language) => pairs[language] ?? ['Débito', 'Crédito'],
    cells: (minor, write) => (minor < 0 ? [write(minor), ''] : ['', write(minor)]),
  },
  {
    name: 'two columns with zeros',
    headings: (language) => pairs[language] ?? ['Débito', 'Crédito'],
    cells: (minor, write) => (minor < 0 ? [write(minor), write(0)] : [write(0), write(minor)]),
  },
  {
    name: 'two columns with a minus',
    headings: (language) => pairs[language] ?? ['Débito', 'Crédito'],
    cells: (minor, write) => (minor < 0 ? [`-${write(minor)}`, ''] : ['', write(minor)]),
  },
  wordsStyle('Tipo', 'Débito', 'Crédito'),
  wordsStyle('Debit/credit', 'Debit', 'Credit'),
  wordsStyle('D/C', 'D', 'C'),
  wordsStyle('D/K', 'D', 'K'),
  wordsStyle('D/H', 'D', 'H'),
  wordsStyle('Naturaleza', 'Cargo', 'Abono'),
  wordsStyle('Tipo de movimiento', 'Salida', 'Entrada'),
  wordsStyle('Af Bij', 'Af', 'Bij'),
  wordsStyle('+/-', '-', '+'),
  wordsStyle('Cargo/Abono', 'C', 'A'),
  wordsStyle('Soll/Haben', 'S', 'H'),
]

const dateHeadings = ['Fecha', 'Date', 'Buchungstag', 'Fecha operación', 'Fecha']
const textHeadings = ['Descripción', 'Description', 'Verwendungszweck', 'Concepto', 'Detalle']
const balanceHeadings = ['Saldo', 'Balance', 'Kontostand', 'Saldo', 'Saldo']

export function tableFile(random: Random, all: readonly Booking[], currency: 'USD' | 'COP'): CorpusFile {
  const style = random.pick(styles)
  const language = random.between(0, 4)
  const notation = pickNotation(random)
  const dayForm = random.pick(dayForms)
  const hasBalance = random.chance(0.4)
  const bookings = bookingsIn(style, all, hasBalance)
  const layout = { style, language, notation, dayForm, hasBalance }
  const isReversed = random.chance(0.5)
  const opening = random.between(5_000_000, 90_000_000)
  const rows = rowsOf(random, bookings, { ...layout, opening })
  const heading = headingOf(random, layout)
  const separator = random.pick([';', ','] as const)
  const isOpeningStated = random.chance(0.6)
  const above =
    isOpeningStated && hasBalance
      ? [['Saldo inicial', writeAmount(opening, notation)]]
      : random.chance(0.3)
        ? [
            ['Cuenta de ahorros', '***1234'],
            ['Titular', 'Ana'],
          ]
        : []
  const below = random.chance(0.3)
    ? [
        totalOf(
          heading.length,
          writeAmount(
            bookings.reduce((sum, { minor }) => sum + Math.abs(minor), 0),
            notation,
          ),
        ),
      ]
    : []
  const lines = [
    ...above,
    heading.map(({ name }) => name),
    ...(isReversed ? rows.toReversed() : rows).map((row) => heading.map(({ key }) => row[key] ?? '')),
    ...below,
  ]
  return {
    name: [
      style.name,
      notation.name,
      dayForm.name,
      hasBalance ? 'balance' : '',
      isReversed ? 'newest first' : '',
      separator,
    ].join(' | '),
    text: lines.map((fields) => csvLine(fields, separator)).join(''),
    currency,
    bookings: isReversed ? bookings.toReversed() : bookings,
    allowed: allowedOf({ ...layout, isOpeningStated }, bookings),
    truth: {
      expenseSign: style.expenseSign ?? 'negative',
      dayOrder: dayForm.order ?? 'day-first',
      decimal: notation.decimal || '.',
    },
  }
}

/** Returns the transactions of a file in this style. Without balances, the signs of a card need the words of a card. */
function bookingsIn(style: Style, all: readonly Booking[], hasBalance: boolean): readonly Booking[] {
  if (style.onlyExpenses === true || (style.name === 'unsigned' && !hasBalance))
    return all.filter(({ minor }) => minor < 0)
  if (style.needsBalance !== true || hasBalance) return all
  const expenses = all.filter(({ minor }) => minor < 0)
  const incomes = all.filter(({ minor }) => minor > 0).slice(0, expenses.length)
  return all.flatMap((each) =>
    each.minor < 0
      ? each
      : incomes.includes(each)
        ? { ...each, description: `Pago recibido, gracias ${each.day}` }
        : [],
  )
}

type Layout = {
  readonly style: Style
  readonly language: number
  readonly notation: Notation
  readonly dayForm: DayForm
  readonly hasBalance: boolean
}

function rowsOf(
  random: Random,
  bookings: readonly Booking[],
  { style, notation, dayForm, hasBalance, opening }: Layout & { readonly opening: number },
) {
  const write = (minor: number) => writeAmount(minor, notation)
  let balance = opening
  return bookings.map(({ day, minor, description }, place): Record<string, string> => {
    balance += minor
    const cells = style.cells(minor, write)
    return {
      day: dayForm.write(day),
      description,
      ...(hasBalance && { balance: `${balance < 0 ? '-' : ''}${write(balance)}` }),
      ...Object.fromEntries(cells.map((cell, index) => [`money${index}`, cell])),
      valueDay: dayForm.write(day),
      reference: String(900_100_000 + place * 7919),
      branch: random.pick(['Bogotá', 'Medellín', 'Cali']),
    }
  })
}

function headingOf(random: Random, { style, language, hasBalance }: Layout) {
  const extras = [
    ...(random.chance(0.3)
      ? [
          {
            key: 'valueDay',
            name: ['Fecha valor', 'Value date', 'Valutadatum', 'Fecha valor', 'Fecha valor'][language] ?? '',
          },
        ]
      : []),
    ...(random.chance(0.3) ? [{ key: 'reference', name: 'Número de documento' }] : []),
    ...(random.chance(0.3) ? [{ key: 'branch', name: 'Oficina' }] : []),
  ]
  return [
    { key: 'day', name: dateHeadings[language] ?? '' },
    { key: 'description', name: textHeadings[language] ?? '' },
    ...extras,
    ...style.headings(language).map((name, index) => ({ key: `money${index}`, name })),
    ...(hasBalance ? [{ key: 'balance', name: balanceHeadings[language] ?? '' }] : []),
  ]
}

function totalOf(width: number, amount: string): string[] {
  return Array.from({ length: width }, (_, place) => (place === 1 ? 'Total' : place === 2 ? amount : ''))
}

function allowedOf(
  { style, dayForm, hasBalance, isOpeningStated }: Layout & { isOpeningStated: boolean },
  bookings: readonly Booking[],
): Set<OpenQuestion> {
  const allowed = new Set<OpenQuestion>()
  // Balances do not prove the oldest unsigned row unless the file states the opening balance.
  if (style.needsBalance === true && (!hasBalance || (style.name === 'unsigned' && !isOpeningStated)))
    allowed.add('direction')
  if (
    isOrderHidden(
      bookings.map(({ day }) => day),
      dayForm,
    )
  )
    allowed.add('dayOrder')
  return allowed
}
