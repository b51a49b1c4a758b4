/** Sorts the rows of a table into expenses, incomes, empty lines and faulty lines. */
import { expenseCategories } from '@finanzas/contract/categories.ts'
import {
  categoryLengthMax,
  descriptionLengthMax,
  importReferenceLengthMax,
} from '@finanzas/contract/limits.ts'
import { isTransactionAmount, type MinorUnits } from '@finanzas/contract/money.ts'
import { fold } from '#format/text.ts'
import { convert } from './conversion.ts'
import { readDay } from './days.ts'
import { readFigure, writtenCurrency } from '#upload/figures.ts'
import type { ColumnMapping } from './column-mapping.ts'
import { brokenLine, fieldOf, plainLine, type BrokenLine, type Row, type Table } from '#upload/table.ts'

export type FileTransaction = {
  readonly line: number
  /** `2026-11-20` */
  readonly day: string
  readonly description: string
  /** Always positive. */
  readonly amountMinor: MinorUnits
  /** The category, as it is written in the file. */
  readonly category: string | null
  /** The bank's transaction reference, or `null` if the format does not contain references. */
  readonly reference: string | null
}

type Fault = 'date' | 'future' | 'old' | 'amount' | 'large' | 'small' | 'currency'

export type ReadExpenses = {
  readonly expenses: readonly FileTransaction[]
  readonly incomes: readonly FileTransaction[]
  /**
   * Lines that are not transactions: lines that lack a day and an amount, such as headings and totals, and lines whose
   * amount is zero.
   */
  readonly empty: readonly number[]
  readonly broken: readonly BrokenLine<Fault>[]
  /** Whether the file specifies the currency of at least one expense. */
  readonly isCurrencyNamed: boolean
}

/** The first and last day that the database accepts for an expense (`private.refuse_import`), and the bank's currency. */
export type Accepted = { readonly first: string; readonly last: string; readonly currency: string }

export function readExpenses({ rows }: Table, mapping: ColumnMapping, accepted: Accepted): ReadExpenses {
  const read = {
    expenses: [] as FileTransaction[],
    incomes: [] as FileTransaction[],
    empty: [] as number[],
    broken: [] as BrokenLine<Fault>[],
    isCurrencyNamed: false,
  }
  for (const row of rows) {
    const day = readDay(fieldOf(row, mapping.date), mapping.dayOrder)
    const signed = signedAmount(row, mapping)
    const currency = currencyOfRow(row, mapping)
    const amountMinor = convert(Math.abs(signed ?? 0), mapping.conversion) as MinorUnits
    const broken = (fault: Fault) => read.broken.push(brokenLine(row, fault))
    if (signed === 0 || (day === null && signed === null)) read.empty.push(row.line)
    else if (day === null) broken('date')
    else if (signed === null) broken('amount')
    else if (!isOwn(currency, accepted.currency)) broken('currency')
    else if (signed > 0) read.incomes.push(transactionOf(row, mapping, day, amountMinor))
    else if (amountMinor === 0) broken('small')
    else if (!isTransactionAmount(amountMinor)) broken('large')
    else if (day > accepted.last) broken('future')
    else if (day < accepted.first) broken('old')
    else {
      read.expenses.push(transactionOf(row, mapping, day, amountMinor))
      read.isCurrencyNamed ||= currency !== ''
    }
  }
  return read
}

/** Returns the file's currencies if no amount is in the bank's currency, and an empty list otherwise. */
export function foreignCurrencies({ rows }: Table, mapping: ColumnMapping, own: string): string[] {
  const currencies = new Set<string>()
  for (const row of rows) {
    if (!signedAmount(row, mapping)) continue
    const currency = currencyOfRow(row, mapping)
    if (isOwn(currency, own)) return []
    currencies.add(currency)
  }
  return [...currencies]
}

/**
 * Returns the currency of a row's amount. The currency may be specified in the amount column's heading, in a separate
 * column or beside the amount. Returns an empty string if the file does not specify a currency.
 */
function currencyOfRow(
  row: Row,
  { amount, debit, credit, currency, headingCurrency }: ColumnMapping,
): string {
  const amounts = [amount, debit, credit].map((place) => fieldOf(row, place)).join(' ')
  return headingCurrency || fieldOf(row, currency).trim().toUpperCase() || writtenCurrency(amounts)
}

/**
 * Returns whether the given currency is the bank's. Amounts without a currency are assumed to be in the bank's
 * currency.
 */
function isOwn(currency: string, own: string): boolean {
  return currency === '' || currency === own
}

/** Returns the amount in minor units, negative for an expense, or `null` if the row does not contain a valid amount. */
function signedAmount(
  row: Row,
  { amount, debit, credit, kind, decimal, expenseSign }: ColumnMapping,
): number | null {
  if (debit !== null) {
    const out = readFigure(fieldOf(row, debit), decimal)
    const into = readFigure(fieldOf(row, credit), decimal)
    if (out === null && into === null) return null
    return Math.abs(into ?? 0) - Math.abs(out ?? 0)
  }
  const minor = readFigure(fieldOf(row, amount), decimal)
  if (minor === null || minor === 0) return minor
  const word = fold(fieldOf(row, kind)).trim()
  if (outWords.test(word)) return -Math.abs(minor)
  if (inWords.test(word) && minor > 0) return minor
  return expenseSign === 'positive' ? -minor : minor
}

/** The words for outgoing and incoming money in a type column. */
const outWords =
  /^(?:debito?|dbit|debe|gasto|cargo|retiro|egreso|salida|expense|withdrawal|compra|pago|d|db|dr)\b/
const inWords = /^(?:credito?|crdt|haber|ingreso|abono|deposito?|entrada|income|c|cr)\b/

function transactionOf(
  row: Row,
  mapping: ColumnMapping,
  day: string,
  amountMinor: MinorUnits,
): FileTransaction {
  return {
    line: row.line,
    day,
    description:
      plainLine(fieldOf(row, mapping.description), descriptionLengthMax) ?? 'Movimiento sin descripción',
    amountMinor,
    category: knownCategory(plainLine(fieldOf(row, mapping.category), categoryLengthMax)),
    reference: plainLine(fieldOf(row, mapping.reference), importReferenceLengthMax),
  }
}

/** Returns the category in the product's spelling, or `null` for a word that only names the transaction type. */
function knownCategory(category: string | null): string | null {
  if (category === null || ['gasto', 'deposito'].includes(fold(category))) return null
  return expenseCategories.find((known) => fold(known) === fold(category)) ?? category
}
