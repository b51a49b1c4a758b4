/** Sorts the movements of a judged file into expenses, incomes and faulty lines. */
import { expenseCategories } from '@finanzas/contract/categories.ts'
import {
  categoryLengthMax,
  descriptionLengthMax,
  importReferenceLengthMax,
} from '@finanzas/contract/limits.ts'
import { isTransactionAmount, type MinorUnits } from '@finanzas/contract/money.ts'
import { fold } from '#ui/format/text.ts'
import { eachInPieces, type Work } from '#uploads/pieces.ts'
import { brokenLine, fieldOf, plainLine, type BrokenLine } from '#uploads/table.ts'
import { convert, type Conversion } from './conversion.ts'
import type { Places } from '#uploads/import/read/judge/columns.ts'
import type { Judgement } from '#uploads/import/read/judge/judge.ts'
import type { Movement } from '#uploads/import/read/judge/movements.ts'

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

type Fault =
  | 'unequal'
  | 'long'
  | 'table'
  | 'date'
  | 'future'
  | 'old'
  | 'amount'
  | 'large'
  | 'small'
  | 'currency'

export type ReadExpenses = {
  readonly expenses: readonly FileTransaction[]
  readonly incomes: readonly FileTransaction[]
  readonly broken: readonly BrokenLine<Fault>[]
  /** Whether the file specifies the currency of at least one expense. */
  readonly isCurrencyNamed: boolean
}

/** The first and last day that the database accepts for an expense (`private.refuse_import`), and the bank's currency. */
export type Accepted = {
  readonly first: string
  readonly last: string
  readonly currency: string
  readonly conversion: Conversion | null
}

export function* readExpenses(
  { movements, unequal, places }: Judgement,
  accepted: Accepted,
): Work<ReadExpenses> {
  const expenses: FileTransaction[] = []
  const incomes: FileTransaction[] = []
  const broken: BrokenLine<Fault>[] = unequal.map((row) => brokenLine(row, 'unequal'))
  let isCurrencyNamed = false
  yield* eachInPieces(movements, (movement) => {
    const { row, day, signedMinor, currency } = movement
    const fault = faultOf(movement, accepted)
    if (fault !== null || day === null || signedMinor === null)
      broken.push(brokenLine(row, fault ?? 'amount'))
    else if (signedMinor > 0) incomes.push(transactionOf(movement, { places, day, signedMinor, accepted }))
    else {
      expenses.push(transactionOf(movement, { places, day, signedMinor, accepted }))
      isCurrencyNamed ||= currency !== ''
    }
  })
  return { expenses, incomes, broken, isCurrencyNamed }
}

/** Returns the reason why a movement cannot be read, or `null`. An income is only listed, so that any day is accepted. */
function faultOf(
  { day, signedMinor, currency, misplaced }: Movement,
  { first, last, currency: own, conversion }: Accepted,
): Fault | null {
  if (misplaced !== null) return misplaced
  if (day === null) return 'date'
  if (signedMinor === null) return 'amount'
  if (!isOwn(currency, own)) return 'currency'
  if (signedMinor > 0) return null
  const amountMinor = convert(-signedMinor, conversion) as MinorUnits
  if (amountMinor === 0) return 'small'
  if (!isTransactionAmount(amountMinor)) return 'large'
  if (day > last) return 'future'
  return day < first ? 'old' : null
}

/** Returns the file's currencies if no amount is in the bank's currency, and an empty list otherwise. */
export function foreignCurrencies({ movements }: Judgement, own: string): string[] {
  const currencies = new Set(
    movements.filter(({ signedMinor }) => signedMinor !== null).map(({ currency }) => currency),
  )
  return [...currencies].some((currency) => isOwn(currency, own)) ? [] : [...currencies]
}

/** Returns whether the currency is the bank's. Amounts without a currency are assumed to be in the bank's currency. */
function isOwn(currency: string, own: string): boolean {
  return currency === '' || currency === own
}

function transactionOf(
  { row, description }: Movement,
  {
    places,
    day,
    signedMinor,
    accepted,
  }: { places: Places; day: string; signedMinor: number; accepted: Accepted },
): FileTransaction {
  return {
    line: row.line,
    day,
    description: plainLine(description, descriptionLengthMax) ?? 'Movimiento sin descripción',
    amountMinor: convert(Math.abs(signedMinor), accepted.conversion) as MinorUnits,
    category: knownCategory(plainLine(fieldOf(row, places.category), categoryLengthMax)),
    reference: plainLine(fieldOf(row, places.reference), importReferenceLengthMax),
  }
}

/** Returns the category in the product's spelling, or `null` for a word that only names the transaction type. */
function knownCategory(category: string | null): string | null {
  if (category === null || ['gasto', 'deposito'].includes(fold(category))) return null
  return expenseCategories.find((known) => fold(known) === fold(category)) ?? category
}
