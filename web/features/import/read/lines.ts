/** From the records of a table to expenses, incomes and lines that are neither. */
import { expenseCategories } from '@finanzas/contract/categories.ts'
import { categoryLengthMax, descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { isTransactionAmount, type MinorUnits } from '@finanzas/contract/money.ts'
import { fold } from '#format/text.ts'
import { readDay } from './days.ts'
import { fieldOf, plainLine, textOfRow } from '#ledger/table-file/fields.ts'
import { readFigure } from '#ledger/table-file/figures.ts'
import type { Layout } from './layout.ts'
import type { Row, Table } from '#ledger/table-file/table.ts'

export type Movement = {
  readonly line: number
  /** `2026-11-20` */
  readonly day: string
  readonly description: string
  /** Positive. */
  readonly amountMinor: MinorUnits
  /** As the file has it. */
  readonly category: string | null
}

export type BrokenLine = { readonly line: number; readonly fault: Fault; readonly text: string }
export type Fault = 'date' | 'future' | 'old' | 'amount' | 'large'

export type ReadLines = {
  readonly expenses: readonly Movement[]
  readonly incomes: readonly Movement[]
  /** Lines that move nothing: neither a day nor an amount, as headings and totals, or an amount of zero. */
  readonly empty: readonly number[]
  readonly broken: readonly BrokenLine[]
}

/** Days that an expense may have (`private.refuse_import`). */
export type DayRange = { readonly first: string; readonly last: string }

export function readLines({ rows }: Table, layout: Layout, range: DayRange): ReadLines {
  const read = {
    expenses: [] as Movement[],
    incomes: [] as Movement[],
    empty: [] as number[],
    broken: [] as BrokenLine[],
  }
  for (const row of rows) {
    const { line } = row
    const day = readDay(fieldOf(row, layout.date), layout.dayOrder)
    const signed = signedAmount(row, layout)
    const broken = (fault: Fault) => read.broken.push({ line, fault, text: textOfRow(row) })
    if (signed === 0 || (day === null && signed === null)) read.empty.push(line)
    else if (day === null) broken('date')
    else if (signed === null) broken('amount')
    else if (signed > 0) read.incomes.push(movementOf(row, layout, day, signed))
    else if (!isTransactionAmount(-signed as MinorUnits)) broken('large')
    else if (day > range.last) broken('future')
    else if (day < range.first) broken('old')
    else read.expenses.push(movementOf(row, layout, day, -signed))
  }
  return read
}

/** Below zero for an expense; `null` where there is no amount. */
function signedAmount(
  row: Row,
  { amount, debit, credit, kind, decimal, expenseSign }: Layout,
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

/** What a column for the type says of money that leaves, and of money that comes. */
const outWords = /^(?:debito?|debe|gasto|cargo|retiro|egreso|salida|expense|withdrawal|compra|pago|d|db|dr)\b/
const inWords = /^(?:credito?|haber|ingreso|abono|deposito?|entrada|income|c|cr)\b/

function movementOf(row: Row, layout: Layout, day: string, amountMinor: number): Movement {
  return {
    line: row.line,
    day,
    description:
      plainLine(fieldOf(row, layout.description), descriptionLengthMax) ?? 'Movimiento sin descripción',
    amountMinor: amountMinor as MinorUnits,
    category: knownCategory(plainLine(fieldOf(row, layout.category), categoryLengthMax)),
  }
}

/** One of the product's categories whichever way it is written; words for a type are no category. */
function knownCategory(category: string | null): string | null {
  if (category === null || ['gasto', 'deposito'].includes(fold(category))) return null
  return expenseCategories.find((known) => fold(known) === fold(category)) ?? category
}
