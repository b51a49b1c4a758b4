/** Finds the expenses in a file that are certainly or possibly in the history already. */
import { dayOf } from '#ui/format/dates.ts'
import { fold } from '#ui/format/text.ts'
import type { ImportLine } from '#uploads/import-lines.ts'
import { eachInPieces, type Work } from '#uploads/pieces.ts'
import { entriesOf, placeOf, queueOf, type Entry, type HistoryRow } from './history-entries.ts'
import type { FileTransaction } from '#uploads/import/read/expenses-from-rows.ts'

/**
 * Maximum number of days between a transaction and an expense that may be the same purchase. A bank may book a purchase
 * three days later.
 */
export const likeDays = 3

/** An expense in the file that may be in the history already, so that the user must decide. */
export type Doubt = {
  readonly expense: FileTransaction
  /**
   * The customer's transaction that may be the same purchase. Usually, the amounts are the same. The amounts may differ
   * if the descriptions are the same, and if a recurring expense recorded the transaction or the file was converted.
   * `null` if the customer imported the expense before and then deleted it.
   */
  readonly like: { readonly day: string; readonly description: string; readonly isRecurring: boolean } | null
}

export type Split = {
  readonly fresh: readonly FileTransaction[]
  readonly known: readonly FileTransaction[]
  readonly doubtful: readonly Doubt[]
}

type Circumstances = {
  /** Whether the amounts in the file were converted to another currency. */
  readonly isConverted?: boolean
}

/**
 * Splits the expenses in a file into new, known and doubtful expenses. An expense is known if the history has a
 * transaction with the same amount and day, and also with the same bank reference or the same description. Both the
 * original and the current description are compared. Each transaction matches only one expense: the second of two equal
 * coffees is known only if the history also contains two coffees. An expense that is not known is doubtful if a
 * transaction within `likeDays` has the same amount. If a recurring expense recorded a transaction with the same
 * description, the amounts may differ by 10 %. A converted expense is also doubtful if a transaction has the same day
 * and description, because an earlier exchange rate gave a different amount. Transactions that are missing from the
 * file are ignored, because a file may begin or end in the middle of a day.
 */
export function* splitKnown(
  expenses: readonly FileTransaction[],
  rows: Iterable<HistoryRow>,
  lines: readonly ImportLine[],
  { isConverted = false }: Circumstances = {},
): Work<Split> {
  const { present, removed } = yield* entriesOf(rows, lines)
  const same = yield* matchSame(expenses, present, removed)
  const others = expenses.filter((expense) => !same.has(expense))
  const like = yield* matchLike(others, present, isConverted)
  const split = { fresh: [] as FileTransaction[], known: [] as FileTransaction[], doubtful: [] as Doubt[] }
  for (const expense of expenses) {
    const [certain, possible] = [same.get(expense), like.get(expense)]
    if (certain?.isRemoved === false) split.known.push(expense)
    else if (certain !== undefined) split.doubtful.push({ expense, like: null })
    else if (possible !== undefined) split.doubtful.push({ expense, like: shownOf(possible) })
    else split.fresh.push(expense)
  }
  return split
}

function shownOf({ day, words, isRecurring }: Entry): Doubt['like'] {
  return { day, description: words.at(-1) ?? '', isRecurring }
}

type Matches = ReadonlyMap<FileTransaction, Entry>

/**
 * Matches each expense with the same transaction. The stronger evidence is used for the whole file first: the reference,
 * then the description, and for a deleted transaction, which loses its description after a day, the day and the amount.
 */
function* matchSame(
  expenses: readonly FileTransaction[],
  present: readonly Entry[],
  removed: readonly Entry[],
): Work<Matches> {
  const takeNamed = yield* queueOf([...present, ...removed], (entry) =>
    entry.reference === null ? [] : [`${placeOf(entry)} ${entry.reference}`],
  )
  const takeDescribed = yield* comparableQueueOf(present, (entry) =>
    entry.words.map((words) => `${placeOf(entry)} ${comparable(words)}`),
  )
  const takeRemoved = yield* comparableQueueOf(removed, (entry) => [placeOf(entry)])
  const matches = new Map<FileTransaction, Entry>()
  yield* matchEach(expenses, matches, (expense) =>
    expense.reference === null ? null : takeNamed(`${placeOf(expense)} ${expense.reference}`),
  )
  yield* matchEach(expenses, matches, (expense) =>
    takeDescribed(expense, `${placeOf(expense)} ${comparable(expense.description)}`),
  )
  yield* matchEach(expenses, matches, (expense) => takeRemoved(expense, placeOf(expense)))
  return matches
}

/** Matches each expense with a transaction that may be the same purchase. */
function* matchLike(
  expenses: readonly FileTransaction[],
  present: readonly Entry[],
  isConverted: boolean,
): Work<Matches> {
  const recurring = recurringOf(present)
  const takeAt = yield* queueOf(present, ({ day, amountMinor }) => [`${dayOf(day)} ${amountMinor}`])
  const takeAtAnyRate = yield* queueOf(isConverted ? present : [], ({ day, words }) =>
    words.map((each) => `${day} ${comparable(each)}`),
  )
  const matches = new Map<FileTransaction, Entry>()
  yield* matchEach(
    expenses,
    matches,
    (expense) =>
      takeRecorded(recurring, expense) ??
      takeNearest(takeAt, expense) ??
      (isConverted ? takeAtAnyRate(`${expense.day} ${comparable(expense.description)}`) : null),
  )
  return matches
}

function* matchEach(
  expenses: readonly FileTransaction[],
  matches: Map<FileTransaction, Entry>,
  take: (expense: FileTransaction) => Entry | null,
): Work<void> {
  yield* eachInPieces(expenses, (expense) => {
    const entry = matches.has(expense) ? null : take(expense)
    if (entry !== null) matches.set(expense, entry)
  })
}

/**
 * Returns a function that takes an entry with the key. An expense with a reference matches only an entry without one,
 * because a different reference means a different transaction.
 */
function* comparableQueueOf(entries: readonly Entry[], keysOf: (entry: Entry) => readonly string[]) {
  const takeUnnamed = yield* queueOf(
    entries.filter(({ reference }) => reference === null),
    keysOf,
  )
  const takeNamed = yield* queueOf(
    entries.filter(({ reference }) => reference !== null),
    keysOf,
  )
  return ({ reference }: FileTransaction, key: string) =>
    takeUnnamed(key) ?? (reference === null ? takeNamed(key) : null)
}

/** Takes the entry with the same amount on the nearest day. If two entries are equally near, takes the earlier entry. */
function takeNearest(
  takeAt: (key: string) => Entry | null,
  { day, amountMinor }: FileTransaction,
): Entry | null {
  const middle = dayOf(day)
  for (let days = 0; days <= likeDays; days += 1) {
    const entry = takeAt(`${middle - days} ${amountMinor}`) ?? takeAt(`${middle + days} ${amountMinor}`)
    if (entry !== null) return entry
  }
  return null
}

/** The recurring expenses by their payee. */
type Recurring = ReadonlyMap<string, readonly Entry[]>

function recurringOf(present: readonly Entry[]): Recurring {
  const byPayee = new Map<string, Entry[]>()
  for (const entry of present) {
    if (!entry.isRecurring) continue
    for (const name of new Set(entry.words.map(payee))) {
      const entries = byPayee.get(name)
      if (entries === undefined) byPayee.set(name, [entry])
      else entries.push(entry)
    }
  }
  return byPayee
}

/** Takes the nearest payment that a recurring expense recorded with the same description and a similar amount. */
function takeRecorded(
  recurring: Recurring,
  { day, amountMinor, description }: FileTransaction,
): Entry | null {
  if (recurring.size === 0) return null
  const distance = (entry: Entry) => Math.abs(dayOf(entry.day) - dayOf(day))
  const [nearest = null] = (recurring.get(payee(description)) ?? [])
    .filter(
      (entry) =>
        !entry.isTaken &&
        distance(entry) <= likeDays &&
        10 * Math.abs(entry.amountMinor - amountMinor) <= entry.amountMinor,
    )
    .sort((one, other) => distance(one) - distance(other))
  if (nearest !== null) nearest.isTaken = true
  return nearest
}

/**
 * Normalizes a description in the same way as `private.normalize_payee`: drops the digits, because they may change
 * every month.
 */
function payee(words: string): string {
  return fold(words).replace(/[^\p{L}]+/gu, '')
}

/** Normalizes a description, because capitals, accents and whitespace may differ between two downloads. */
function comparable(words: string): string {
  return fold(words).replace(/[^\p{L}\p{N}]+/gu, '')
}
