/** Judges the currency of each row. */
import { isCurrencyCode } from '#uploads/currencies.ts'
import { writtenCurrency } from '#uploads/figures.ts'
import { fieldOf, type Row } from '#uploads/table.ts'
import type { Places } from './columns.ts'
import type { BankTable } from './headings.ts'
import { namedCurrency } from './words.ts'

/**
 * Returns a function that returns the ISO 4217 code of a row's amount, or an empty string. The code stands in the heading
 * of the amounts, in a column of its own, beside the amount, above the table, or the format states it.
 */
export function currencyRuleOf(table: BankTable, places: Places): (row: Row) => string {
  const { amount, debit, credit, currency } = places
  const money = [amount, debit, credit]
  const ofHeading = money.map((place) => namedCurrency(table.columns[place ?? -1] ?? '')).find(Boolean) ?? ''
  const ofFile = table.stated.currency ?? currencyAbove(table)
  return (row) => {
    if (ofHeading !== '') return ofHeading
    const texts = money.map((place) => fieldOf(row, place)).join(' ')
    const written = fieldOf(row, currency).trim().toUpperCase()
    const own = namedCurrency(written) || written
    return own || (/[^\d.,\s'()+-]/.test(texts) ? writtenCurrency(texts) : '') || ofFile
  }
}

/** Returns the code beside a word for currency, or in a cell of its own, in the rows above the heading. */
function currencyAbove({ above }: BankTable): string {
  for (const { fields } of above) {
    const own = fields.find((field) => isCurrencyCode(field.trim()))
    if (own !== undefined) return own.trim()
    const text = fields.join(' ')
    if (/moneda|currency|divisa|währung|waehrung|moeda/i.test(text)) {
      const code = namedCurrency(text)
      if (code !== '') return code
    }
  }
  return ''
}
