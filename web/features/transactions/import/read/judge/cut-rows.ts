/** Recognizes rows of a file with commas whose amounts contain commas too. */
import { fold } from '#format/text.ts'
import type { Row } from '#upload/table.ts'
import type { Places } from './columns.ts'
import type { BankTable } from './headings.ts'
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
  // A comma within a value shows that the file has quotes around such values.
  if (table.stated.separator !== ',' || figures.some((text) => /\d,\d/.test(text))) return () => false
  const hasPoint = money.some((place) => textsOf(table, place).some((text) => /\.\d{1,2}\D*$/.test(text)))
  const isOther = (place: number) =>
    numbered.test(fold(table.columns[place] ?? '')) || (place === balance && isProven(table, money, balance))
  const suspected = money.filter((place) => !isOther(place + 1))
  return ({ fields }) =>
    suspected.some((place) => {
      const [whole = ''] = /^\D*(\d+)\D*$/.exec(fields[place] ?? '')?.slice(1) ?? []
      const rest = fields[place + 1] ?? ''
      // A debit of zero beside a credit is a row of two amounts.
      if (whole === '' || (Number(whole) === 0 && place + 1 === credit)) return false
      if (!hasPoint && /^\d{2}$/.test(rest)) return true
      return /^[1-9]\d{0,2}$/.test(whole) && (hasPoint ? /^\d{3}\.\d\d$/ : /^\d{3}(?:\.\d\d)?$/).test(rest)
    })
}
