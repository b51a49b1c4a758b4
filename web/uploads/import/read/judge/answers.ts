/** The user's answers to the questions about a file. */
import type { DecimalMark } from '#uploads/figures.ts'
import type { DayOrder } from '#uploads/import/read/days.ts'
import type { ColumnRole } from '#uploads/import/read/roles.ts'
import type { ExpenseSign } from './direction.ts'

/** The user's answers and corrections. A missing field means that the file decides. */
export type Answers = {
  readonly places?: Readonly<Partial<Record<ColumnRole, number | null>>>
  readonly dayOrder?: DayOrder | undefined
  readonly year?: string | undefined
  readonly decimal?: DecimalMark | undefined
  readonly expenseSign?: ExpenseSign | undefined
  readonly isFeeExtra?: boolean | undefined
  readonly areStatesBooked?: boolean | undefined
}

/** The answers before the user has given any. */
export const noAnswers: Answers = {}

/**
 * Returns the answers after assigning another column to a role. A file has either one column for all amounts, or two
 * columns for debits and credits. Answers about the amounts of the former column no longer apply.
 */
export function withColumn(answers: Answers, role: ColumnRole, place: number | null): Answers {
  const places = { ...answers.places, [role]: place }
  if (role !== 'amount' && role !== 'debit' && role !== 'credit') return { ...answers, places }
  const others = place === null ? {} : role === 'amount' ? { debit: null, credit: null } : { amount: null }
  return {
    ...answers,
    places: { ...places, ...others },
    decimal: undefined,
    expenseSign: undefined,
    isFeeExtra: undefined,
  }
}
