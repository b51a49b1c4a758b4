/** The ways in which the corpus writes amounts and days. */
import type { Random } from './random.ts'

export type Notation = { readonly name: string; readonly group: string; readonly decimal: ',' | '.' | '' }

const notations: readonly [Notation, ...Notation[]] = [
  { name: '1,234.56', group: ',', decimal: '.' },
  { name: '1.234,56', group: '.', decimal: ',' },
  { name: '1234.56', group: '', decimal: '.' },
  { name: '1234,56', group: '', decimal: ',' },
  { name: '1’234.56', group: '’', decimal: '.' },
  { name: '1 234,56', group: '\u202f', decimal: ',' },
]

export function writeAmount(minor: number, { group, decimal }: Notation): string {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group)
  return `${whole}${decimal}${digits.slice(-2)}`
}

export type DayForm = {
  readonly name: string
  readonly write: (day: string) => string
  /** The order of day and month, or `null` if the form shows which one is which. */
  readonly order: 'day-first' | 'month-first' | null
}

const parts = (day: string) => day.split('-') as [string, string, string]
const spanish = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']
const english = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const form = (
  name: string,
  order: DayForm['order'],
  join: (year: string, month: string, day: string) => string,
): DayForm => ({ name, order, write: (day) => join(...parts(day)) })

export const dayForms: readonly [DayForm, ...DayForm[]] = [
  form('2026-11-20', null, (year, month, day) => `${year}-${month}-${day}`),
  form('20/11/2026', 'day-first', (year, month, day) => `${day}/${month}/${year}`),
  form('11/20/2026', 'month-first', (year, month, day) => `${month}/${day}/${year}`),
  form('20.11.2026', 'day-first', (year, month, day) => `${day}.${month}.${year}`),
  form('20-11-26', 'day-first', (year, month, day) => `${day}-${month}-${year.slice(2)}`),
  form('1/5/2026', 'month-first', (year, month, day) => `${Number(month)}/${Number(day)}/${year}`),
  form('20261120', null, (year, month, day) => `${year}${month}${day}`),
  form('20 nov 2026', null, (year, month, day) => `${Number(day)} ${spanish[Number(month) - 1]} ${year}`),
  form('Nov 20, 2026', null, (year, month, day) => `${english[Number(month) - 1]} ${Number(day)}, ${year}`),
  form('2026/11/20 10:15', null, (year, month, day) => `${year}/${month}/${day} 10:15`),
  form('2026-11-20T15:00:00Z', null, (year, month, day) => `${year}-${month}-${day}T15:00:00Z`),
  form(
    '20 de noviembre de 2026',
    null,
    (year, month, day) => `${day} de ${spanish[Number(month) - 1]} de ${year}`,
  ),
  {
    name: 'next day 03:00Z',
    order: null,
    write: (day) => nightOf(day).toISOString(),
  },
  { name: 'day number of Excel', order: null, write: (day) => String(Date.parse(day) / 86_400_000 + 25_569) },
]

/** A day without a year, which stands above the table or is asked about. */
export const yearlessForm: DayForm = form('20/11', 'day-first', (_, month, day) => `${day}/${month}`)

/** Returns whether the days do not show their order: each of them also exists with day and month exchanged. */
export function isOrderHidden(days: readonly string[], { order }: DayForm): boolean {
  return (
    order !== null &&
    days.every((day) => Number(parts(day)[2]) <= 12) &&
    days.some((day) => parts(day)[1] !== parts(day)[2])
  )
}

/** Returns three in the morning of the next day in UTC, which belongs to this day in Bogotá. */
export function nightOf(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 27 * 3_600_000)
}

export function pickNotation(random: Random): Notation {
  return random.pick(notations)
}
