/** Groups similar transactions, so that the user can categorize a hundred of them with one choice. */
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { fold } from '#ui/format/text.ts'
import { sumOf } from '#amounts/amounts.ts'
import { eachInPieces, mapInPieces, type Work } from '#uploads/pieces.ts'
import type { Doubt } from './match.ts'
import type { FileTransaction } from '#uploads/import/read/expenses-from-rows.ts'

export type Group = {
  readonly key: string
  /** The description of the group's first expense. */
  readonly label: string
  readonly expenses: readonly FileTransaction[]
  readonly amountMinor: MinorUnits
  /** The days of the earliest and the latest transaction in the group. */
  readonly first: string
  readonly last: string
  /**
   * Whether the group consists of incoming amounts. These amounts are listed by date but never recorded, because only
   * the bank records deposits.
   */
  readonly isIncome: boolean
  /** The category that a rule, the file or a proposal determines, or an empty string. */
  readonly category: string
  /** Whether the category is a proposal that neither the user nor the file has confirmed. */
  readonly isProposed: boolean
  /** Whether one of the customer's rules chose the category. */
  readonly isRuled: boolean
  /** The doubtful expense that the user must accept before the group is recorded, or `null`. */
  readonly doubt: Doubt | null
}

/** The user's choices for a group. */
export type Choice = { readonly category?: string; readonly isLeftOut?: boolean }

/**
 * Returns whether the group will be recorded. If the user has not decided about a group, the group is recorded unless
 * it is doubtful.
 */
export function isIncluded({ key, doubt, isIncome }: Group, choices: ReadonlyMap<string, Choice>): boolean {
  return !isIncome && !(choices.get(key)?.isLeftOut ?? doubt !== null)
}

export type Categorizer = {
  /**
   * Returns the category of the first matching rule, or an empty string. The rule's category takes precedence over the
   * file's category.
   */
  ruling: (description: string) => string
  /** Returns the proposed category, or an empty string. */
  propose: (description: string) => string
}

/** Groups expenses and incomes by the words in their descriptions, ignoring digits. The newest group comes first. */
export function* groupTransactions(
  { expenses, incomes }: Record<'expenses' | 'incomes', readonly FileTransaction[]>,
  categorizer: Categorizer,
): Work<Group[]> {
  const received = (yield* groupsOf(incomes, noCategories)).map((group) => ({
    ...group,
    key: `income ${group.key}`,
    isIncome: true,
  }))
  return [...(yield* groupsOf(expenses, categorizer)), ...received].sort(compareNewestFirst)
}

const noCategories: Categorizer = { ruling: () => '', propose: () => '' }

function compareNewestFirst(one: Group, other: Group): number {
  if (one.last !== other.last) return one.last < other.last ? 1 : -1
  return (one.expenses[0]?.line ?? 0) - (other.expenses[0]?.line ?? 0)
}

function* groupsOf(transactions: readonly FileTransaction[], categorizer: Categorizer): Work<Group[]> {
  const byKey = new Map<string, FileTransaction[]>()
  yield* eachInPieces(transactions, (expense) => {
    const words =
      fold(expense.description)
        .match(/\p{L}+/gu)
        ?.join(' ') ?? ''
    const key = `${words} ${categorizer.ruling(expense.description) || (expense.category ?? '')}`
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [expense])
    else known.push(expense)
  })
  return yield* mapInPieces([...byKey], ([key, each]) => groupOf(key, each, categorizer))
}

/**
 * Puts each doubtful expense into its own group, because the user must decide about each expense separately. The newest
 * expense comes first.
 */
export function* groupDoubts(doubtful: readonly Doubt[], categorizer: Categorizer): Work<Group[]> {
  const groups = yield* mapInPieces(doubtful, (doubt) => ({
    ...groupOf(`line ${doubt.expense.line}`, [doubt.expense], categorizer),
    doubt,
  }))
  return groups.sort(compareNewestFirst)
}

function groupOf(key: string, expenses: readonly FileTransaction[], { ruling, propose }: Categorizer): Group {
  const [first] = expenses
  const description = first?.description ?? ''
  const ruled = ruling(description)
  const category = ruled || (first?.category ?? null)
  const proposed = category === null ? propose(description) : ''
  const days = expenses.map(({ day }) => day).sort()
  return {
    key,
    label: description,
    expenses,
    amountMinor: sumOf(expenses),
    first: days[0] ?? '',
    last: days.at(-1) ?? '',
    isIncome: false,
    category: category ?? proposed,
    isProposed: proposed !== '',
    isRuled: ruled !== '',
    doubt: null,
  }
}

/**
 * Returns the expenses that will be recorded, beginning with the oldest. Expenses of one day keep the file's order, or
 * its reverse if the file begins with the newest day.
 */
export function chosenExpenses(
  groups: readonly Group[],
  choices: ReadonlyMap<string, Choice>,
): FileTransaction[] {
  const chosen = groups
    .filter((group) => isIncluded(group, choices))
    .flatMap(({ key, category, expenses }) => {
      const word = choices.get(key)?.category ?? category
      return expenses.map((expense) => ({ ...expense, category: word === '' ? null : word }))
    })
    .sort((one, other) => one.line - other.line)
  return isNewestFirst(chosen) ? chosen.toReversed() : chosen
}

function isNewestFirst(expenses: readonly FileTransaction[]): boolean {
  let rises = 0
  for (const [place, { day }] of expenses.entries()) {
    const before = expenses[place - 1]?.day ?? day
    rises += Number(day > before) - Number(day < before)
  }
  return rises < 0
}
