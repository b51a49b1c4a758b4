/** Generates tables of the corpus, as CSV, HTML and Excel. */
import type { OpenQuestion } from '#uploads/import/read/judge/judge.ts'
import type { Booking, CorpusFile } from './corpus-file.ts'
import { pickSheet } from './corpus-sheets.ts'
import { styles, type Style } from './corpus-styles.ts'
import {
  dayForms,
  isOrderHidden,
  pickNotation,
  writeAmount,
  yearlessForm,
  type DayForm,
  type Notation,
} from './notations.ts'
import type { Random } from './random.ts'

const dateHeadings = ['Fecha', 'Date', 'Buchungstag', 'Fecha operación', 'Fecha']
const textHeadings = ['Descripción', 'Description', 'Verwendungszweck', 'Concepto', 'Detalle']
const balanceHeadings = ['Saldo', 'Balance', 'Kontostand', 'Saldo', 'Saldo']
const feeHeadings = ['Comisión', 'Fee', 'Gebühr', 'Comisión', 'Comisión']
const stateHeadings = ['Estado', 'Status', 'Status', 'Estado', 'Estado']
/** A booked state, and the states of rows that are not booked. */
const states = [
  ['Completada', ['Pendiente', 'Rechazada', 'Anulada']],
  ['Completed', ['Pending', 'Declined', 'Reverted']],
  ['Gebucht', ['Vorgemerkt', 'Abgelehnt', 'Storniert']],
] as const

type Layout = {
  readonly style: Style
  readonly language: number
  readonly notation: Notation
  readonly dayForm: DayForm
  readonly hasBalance: boolean
  readonly isOpeningStated: boolean
  /** Whether a column of fees is paid in addition to the amounts. `null` without a column of fees. */
  readonly isFeeExtra: boolean | null
  readonly hasStates: boolean
  readonly hasBalanceRows: boolean
  readonly isContinued: boolean
  readonly isPeriodStated: boolean
}

function layoutOf(random: Random, all: readonly Booking[], style: Style, isTyped: boolean): Layout {
  const isPlain = style.needsBalance !== true
  const years = new Set(all.map(({ day }) => day.slice(0, 4)))
  const isYearless = years.size === 1 && years.has('2026') && !isTyped && random.chance(0.15)
  return {
    style,
    language: random.between(0, 4),
    notation: isTyped ? { name: 'number', group: '', decimal: '.' } : pickNotation(random),
    dayForm: isTyped ? typedDay : isYearless ? yearlessForm : random.pick(dayForms),
    hasBalance: random.chance(0.4),
    isOpeningStated: random.chance(0.6),
    isFeeExtra: isPlain && random.chance(0.15) ? random.chance(0.6) : null,
    hasStates: isPlain && random.chance(0.2),
    hasBalanceRows: random.chance(0.15),
    isContinued: random.chance(0.1),
    isPeriodStated: isYearless && random.chance(0.7),
  }
}

/** A day number with the format of a day, as a workbook stores it. */
const typedDay: DayForm = {
  name: 'day cell',
  order: null,
  write: (day) => `${Date.parse(day) / 86_400_000 + 25_569}:1`,
}

export function tableFile(random: Random, all: readonly Booking[], currency: 'USD' | 'COP'): CorpusFile {
  const sheet = pickSheet(random)
  const style = random.pick(styles)
  const layout = layoutOf(random, all, style, sheet.isTyped)
  const { notation, dayForm, hasBalance } = layout
  const bookings = bookingsIn(style, all, hasBalance)
  const isReversed = random.chance(0.5)
  const opening = random.between(5_000_000, 90_000_000)
  const fees = bookings.map(({ minor }) =>
    layout.isFeeExtra !== null && minor < -200 && random.chance(0.6) ? 150 : 0,
  )
  const rows = rowsOf(random, bookings, { ...layout, opening, fees })
  const heading = headingOf(random, layout)
  const isAbove = layout.isOpeningStated && hasBalance && !layout.hasBalanceRows
  const above = isAbove
    ? [['Saldo inicial', writeAmount(opening, notation)]]
    : random.chance(0.3)
      ? [
          ['Cuenta de ahorros', '***1234'],
          ['Titular', 'Ana'],
        ]
      : []
  const period = layout.isPeriodStated ? [['Periodo', '01/01/2026', '27/11/2026']] : []
  const sum = bookings.reduce((total, { minor }) => total + Math.abs(minor), 0)
  const below = random.chance(0.3) ? [totalOf(heading.length, writeAmount(sum, notation))] : []
  const ordered = isReversed ? rows.toReversed() : rows
  const lines = [
    ...above,
    ...period,
    heading.map(({ name }) => name),
    ...ordered.flatMap((row) => linesOf(row, { heading, isContinued: layout.isContinued })),
    ...below,
  ]
  return {
    name: nameOf(layout, [sheet.name, isReversed ? 'newest first' : '']),
    content: sheet.write(lines),
    currency,
    bookings: isReversed ? bookings.toReversed() : bookings,
    allowed: allowedOf(layout, bookings, fees),
    truth: {
      expenseSign: style.expenseSign ?? 'negative',
      dayOrder: dayForm.order ?? 'day-first',
      decimal: notation.decimal || '.',
      year: '2026',
      isFeeExtra: layout.isFeeExtra ?? false,
    },
  }
}

function nameOf({ style, notation, dayForm, ...layout }: Layout, more: readonly string[]): string {
  const flags = Object.entries(layout).map(([name, value]) => (value === true ? name : ''))
  const fee = layout.isFeeExtra === false ? 'fee included' : ''
  return [style.name, notation.name, dayForm.name, ...more, ...flags, fee].filter(Boolean).join(' | ')
}

/** Splits some descriptions into two rows, of which the second has nothing else. */
function linesOf(
  row: Readonly<Record<string, string>>,
  { heading, isContinued }: { heading: readonly { key: string }[]; isContinued: boolean },
): string[][] {
  const write = (values: Readonly<Record<string, string>>) => heading.map(({ key }) => values[key] ?? '')
  const { description = '' } = row
  const place = description.indexOf(' ')
  if (!isContinued || place === -1 || row['isMovement'] === undefined) return [write(row)]
  return [
    write({ ...row, description: description.slice(0, place) }),
    write({ description: description.slice(place + 1) }),
  ]
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

/** The opening balance and the fee of each transaction, in minor units. */
type Money = { readonly opening: number; readonly fees: readonly number[] }

function rowsOf(random: Random, bookings: readonly Booking[], layout: Layout & Money) {
  const { style, notation, dayForm, hasBalance, opening, fees, isFeeExtra, hasStates, language } = layout
  const write = (minor: number) => writeAmount(minor, notation)
  const [booked, unbooked] = states[language] ?? states[0]
  const balanceText = (minor: number) => `${minor < 0 ? '-' : ''}${write(minor)}`
  const moneyOf = (minor: number) =>
    Object.fromEntries(style.cells(minor, write).map((cell, index) => [`money${index}`, cell]))
  let balance = opening
  const rows = bookings.flatMap(({ day, minor, description }, place): Record<string, string>[] => {
    balance += minor
    const fee = fees[place] ?? 0
    const row = {
      day: dayForm.write(day),
      description,
      ...(hasBalance && { balance: balanceText(balance) }),
      ...moneyOf(minor + (isFeeExtra === true ? fee : 0)),
      ...(isFeeExtra !== null && { fee: write(fee) }),
      ...(hasStates && { state: booked }),
      valueDay: dayForm.write(day),
      reference: String(900_100_000 + place * 7919),
      branch: random.pick(['Bogotá', 'Medellín', 'Cali']),
      isMovement: 'yes',
    }
    const state = random.pick(unbooked)
    const { balance: _, ...other } = row as Record<string, string>
    return hasStates && random.chance(0.3)
      ? [row, { ...other, ...moneyOf(-77_700), state, description: `No contabilizado ${place}` }]
      : [row]
  })
  if (!layout.hasBalanceRows || !hasBalance) return rows
  const balanceRow = (name: string, day: string, minor: number) => ({
    day: dayForm.write(day),
    description: name,
    balance: balanceText(minor),
  })
  return [
    balanceRow('Saldo inicial', bookings[0]?.day ?? '', opening),
    ...rows,
    balanceRow('Saldo final', bookings.at(-1)?.day ?? '', balance),
  ]
}

function headingOf(random: Random, { style, language, hasBalance, isFeeExtra, hasStates }: Layout) {
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
    ...(hasStates ? [{ key: 'state', name: stateHeadings[language] ?? '' }] : []),
  ]
  return [
    { key: 'day', name: dateHeadings[language] ?? '' },
    { key: 'description', name: textHeadings[language] ?? '' },
    ...extras,
    ...style.headings(language).map((name, index) => ({ key: `money${index}`, name })),
    ...(isFeeExtra === null ? [] : [{ key: 'fee', name: feeHeadings[language] ?? '' }]),
    ...(hasBalance ? [{ key: 'balance', name: balanceHeadings[language] ?? '' }] : []),
  ]
}

function totalOf(width: number, amount: string): string[] {
  return Array.from({ length: width }, (_, place) => (place === 1 ? 'Total' : place === 2 ? amount : ''))
}

function allowedOf(layout: Layout, bookings: readonly Booking[], fees: readonly number[]): Set<OpenQuestion> {
  const { style, dayForm, hasBalance, isOpeningStated, hasBalanceRows, isFeeExtra } = layout
  const allowed = new Set<OpenQuestion>()
  const isOpeningKnown = isOpeningStated || hasBalanceRows
  // Balances do not prove the oldest unsigned row unless the file states the opening balance.
  if (style.needsBalance === true && (!hasBalance || (style.name === 'unsigned' && !isOpeningKnown)))
    allowed.add('direction')
  const debits = bookings.filter(({ minor }) => minor < 0).length
  if (style.isOnlyDebitOpen === true && debits === 1 && !(hasBalance && isOpeningKnown))
    allowed.add('direction')
  const days = bookings.map(({ day }) => day)
  if (isOrderHidden(days, dayForm)) allowed.add('dayOrder')
  // The balance before the oldest row may be missing, so that it proves the fees of the other rows only.
  const isOnlyOldestPaid = fees.slice(1).every((fee) => fee === 0)
  if (
    isFeeExtra !== null &&
    (!hasBalance || (isOnlyOldestPaid && (!isOpeningKnown || bookings.length === 1)))
  )
    allowed.add('fee')
  if (dayForm === yearlessForm && !layout.isPeriodStated) allowed.add('year')
  return allowed
}
