/** Recognizes rows of a file with commas whose amounts contain commas too. */
import { fold } from '#ui/format/text.ts'
import { isFigure } from '#uploads/columns.ts'
import type { Row } from '#uploads/table.ts'
import type { Places } from './columns.ts'
import { fitOf, headings, type BankTable } from './headings.ts'
import { isProven } from './proven-columns.ts'
import { textsOf } from './values.ts'

/** Headings of columns whose short numbers are not the rest of an amount. */
const numbered =
  /cuota|cod|\bid\b|\bno\b|num|ref|oficina|sucursal|tarjeta|card|doc|cheque|check|cantidad|qty|hora|time|fee|comisi|iva|tax|points|puntos/

/**
 * Returns whether a comma inside an amount has split a row that is not longer than the heading: `-12,50` leaves `-12` as
 * the amount and `50` in the next column.
 */
export function cutRuleOf(table: BankTable, places: Places): (row: Row) => boolean {
  const { amount, debit, credit, balance } = places
  const money = [amount, debit, credit].filter((place) => place !== null)
  const figures = [...money, ...(balance === null ? [] : [balance])].flatMap((place) => textsOf(table, place))
  const { separator } = table.stated
  // A comma within a value shows that the file has quotes around such values.
  if (separator === undefined || (separator === ',' && figures.some((text) => /\d,\d/.test(text))))
    return () => false
  const isShifted = shiftRuleOf(table, places)
  if (separator !== ',') return isShifted
  const hasPoint = money.some((place) => textsOf(table, place).some((text) => /\.\d{1,2}\D*$/.test(text)))
  const isOther = (place: number) =>
    numbered.test(fold(table.columns[place] ?? '')) || (place === balance && isProven(table, money, balance))
  const suspected = money.filter((place) => !isOther(place + 1))
  return (row) =>
    isShifted(row) ||
    suspected.some((place) => {
      const { fields } = row
      const [whole = ''] = /^\D*(\d+)\D*$/.exec(fields[place] ?? '')?.slice(1) ?? []
      const rest = fields[place + 1] ?? ''
      // A debit of zero beside a credit is a row of two amounts.
      if (whole === '' || (Number(whole) === 0 && place + 1 === credit)) return false
      if (!hasPoint && /^\d{2}$/.test(rest)) return true
      return /^[1-9]\d{0,2}$/.test(whole) && (hasPoint ? /^\d{3}\.\d\d$/ : /^\d{3}(?:\.\d\d)?$/).test(rest)
    })
}

const withSign = /^(?:[-−+(]\s?\p{Sc}?|\p{Sc}\s?[-−+])\s?\d[\d.,]*\)?$/u
const withDecimals = /[.,]\d{2}\)?-?$/

/**
 * Returns whether a separator in the description has moved the amount into the empty column behind it: `C, 12,-11.00`
 * leaves `12` as the amount.
 */
function shiftRuleOf(table: BankTable, { amount, debit, credit, balance }: Places): (row: Row) => boolean {
  const money = [amount, debit, credit].filter((place) => place !== null)
  const last = Math.max(-1, ...money)
  const next = last + 1
  const heading = table.columns[next]
  if (last === -1 || heading === undefined) return () => false
  const texts = textsOf(table, next)
  const own = money.flatMap((place) => textsOf(table, place))
  if (next === balance) {
    // A bank may write only the last balance of each day, which may be negative.
    const isUsed = 2 * texts.filter((text) => text !== '').length > texts.length
    const isSigned = 2 * own.filter((text) => withSign.test(text)).length >= own.length
    if (isUsed || !isSigned) return () => false
  }
  const isNumbered = numbered.test(fold(heading))
  const isAmount = (text: string) =>
    withSign.test(text) || (!isNumbered && withDecimals.test(text) && isFigure(text))
  const amounts = texts.filter(isAmount).length
  // A column in which most rows have an amount, or whose heading names one, has amounts of its own.
  if (
    amounts === 0 ||
    (2 * amounts > texts.length && texts.length > 1) ||
    (next !== balance && isMoneyHeading(heading))
  )
    return () => false
  const isUsuallyExact = 2 * own.filter((text) => withDecimals.test(text)).length > own.filter(Boolean).length
  return ({ fields }) => {
    const written = money.map((place) => fields[place] ?? '').filter((text) => text !== '')
    const right = fields[next] ?? ''
    return (
      isAmount(right) &&
      written.length > 0 &&
      written.every((text) => !withSign.test(text)) &&
      (withSign.test(right) || (isUsuallyExact && written.every((text) => !withDecimals.test(text))))
    )
  }
}

/** Headings of columns that have a second amount in some of the rows. */
const otherMoney =
  /orig|foreign|extranj|iva|tax|impuest|reten|descuent|discount|rebate|cashback|ajuste|adjust|propina|tip|gmf|steuer|zins|interes/

function isMoneyHeading(heading: string): boolean {
  const roles = ['amount', 'debit', 'credit', 'balance', 'fee'] as const
  return roles.some((role) => fitOf(heading, headings[role]) > 0) || otherMoney.test(fold(heading))
}
