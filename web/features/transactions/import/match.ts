/** Finds the expenses of a file that the history certainly or possibly contains. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { bogotaDay, dayOf, isoDay } from '#format/dates.ts'
import { fold } from '#format/text.ts'
import type { ImportLine } from '#upload/import-lines.ts'
import type { FileTransaction } from '#features/transactions/import/read/expenses-from-rows.ts'

/** Largest difference in days between two records of one purchase: a bank may book it three days later. */
export const likeDays = 3

type Row = Pick<Transaction, 'id' | 'type' | 'date' | 'amount' | 'description'>

/** An expense of the file about which the user must decide. */
export type Doubt = {
  readonly expense: FileTransaction
  /**
   * The customer's transaction that may be the same purchase. It has the same amount, or the same name if a recurring
   * expense recorded it. `null` if the customer imported the expense before and deleted it.
   */
  readonly like: { readonly day: string; readonly description: string; readonly isRecurring: boolean } | null
}

export type Split = {
  readonly fresh: readonly FileTransaction[]
  readonly known: readonly FileTransaction[]
  readonly doubtful: readonly Doubt[]
}

type Circumstances = {
  /** Ids of the transactions that recurring expenses recorded. */
  readonly recorded?: ReadonlySet<string>
  /** Whether the amounts of the file were converted. */
  readonly isConverted?: boolean
}

/**
 * Splits the expenses of a file into new, known and doubtful ones. An expense is known if a transaction has the same
 * bank reference, or else the same day, amount and description. Either the original or the present description counts.
 * Each transaction matches only one expense: of two equal coffees, the second is known only if the history also has
 * two. Otherwise an expense is doubtful if a transaction within `likeDays` has the same amount. A transaction that a
 * recurring expense recorded makes it doubtful even with a different amount, if the name is equal and the amounts
 * differ by 10 % at most. A converted expense is also doubtful if a transaction has the same day and description,
 * because an earlier rate gave another amount. Other transactions of a day do not matter, because a file may begin or
 * end within a day.
 */
export function splitKnown(
  expenses: readonly FileTransaction[],
  rows: Iterable<Row>,
  lines: readonly ImportLine[],
  { recorded = new Set(), isConverted = false }: Circumstances = {},
): Split {
  const { present, removed } = entriesOf(rows, lines, recorded)
  const everywhere = [...present, ...removed]
  const byReference = queuesOf(everywhere, (entry) =>
    entry.reference === null ? [] : [`${placeOf(entry)} ${entry.reference}`],
  )
  const byWords = queuesByReference(present, (entry) =>
    entry.words.map((words) => `${placeOf(entry)} ${comparable(words)}`),
  )
  const byPlace = queuesByReference(removed, (entry) => [placeOf(entry)])
  const byDay = queuesOf(present, (entry) => [placeOf(entry)])
  const atAnyRate = queuesOf(isConverted ? present : [], ({ day, words }) =>
    words.map((each) => `${day} ${comparable(each)}`),
  )

  const found = new Map<FileTransaction, Entry>()
  for (const find of [
    (expense: FileTransaction) =>
      expense.reference && take(byReference, `${placeOf(expense)} ${expense.reference}`),
    (expense: FileTransaction) =>
      takeComparable(byWords, expense, `${placeOf(expense)} ${comparable(expense.description)}`),
    (expense: FileTransaction) => takeComparable(byPlace, expense, placeOf(expense)),
  ])
    for (const expense of expenses) {
      const entry = found.has(expense) ? null : find(expense)
      if (entry) found.set(expense, entry)
    }
  const recurring = present.filter(({ isRecurring }) => isRecurring)
  const likeOf = (expense: FileTransaction) =>
    takeRecorded(recurring, expense) ??
    takeLike(byDay, expense) ??
    take(atAnyRate, `${expense.day} ${comparable(expense.description)}`)
  return sorted(expenses, found, likeOf)
}

/** An expense in the history, or an expense that was imported and then deleted. */
type Entry = {
  readonly day: string
  readonly amountMinor: number
  /** The original and the present description. */
  readonly words: readonly string[]
  readonly reference: string | null
  readonly isRemoved: boolean
  /** Whether a recurring expense recorded the transaction. */
  readonly isRecurring: boolean
  isTaken: boolean
}

type Queues = Map<string, Entry[]>

function sorted(
  expenses: readonly FileTransaction[],
  found: ReadonlyMap<FileTransaction, Entry>,
  likeOf: (expense: FileTransaction) => Entry | null,
): Split {
  const split = { fresh: [] as FileTransaction[], known: [] as FileTransaction[], doubtful: [] as Doubt[] }
  for (const expense of expenses) {
    const same = found.get(expense)
    if (same?.isRemoved === false) split.known.push(expense)
    else if (same !== undefined) split.doubtful.push({ expense, like: null })
    else {
      const like = likeOf(expense)
      if (like === null) split.fresh.push(expense)
      else {
        const { day, words, isRecurring } = like
        split.doubtful.push({ expense, like: { day, description: words.at(-1) ?? '', isRecurring } })
      }
    }
  }
  return split
}

function entriesOf(
  rows: Iterable<Row>,
  lines: readonly ImportLine[],
  recorded: ReadonlySet<string>,
): { present: Entry[]; removed: Entry[] } {
  const origins = new Map(lines.map((line) => [line.transaction_id, line]))
  const present: Entry[] = []
  for (const { id, type, date, amount, description } of rows) {
    const origin = origins.get(id)
    origins.delete(id)
    const amountMinor = minorFromDecimal(amount)
    const day = bogotaDay(date)
    if (type !== 'expense' || amountMinor === null || Number.isNaN(day)) continue
    const words = [origin?.description ?? description, description]
    const reference = origin?.reference ?? null
    present.push({
      day: isoDay(day),
      amountMinor,
      words,
      reference,
      isRemoved: false,
      isRecurring: recorded.has(id),
      isTaken: false,
    })
  }
  const removed = [...origins.values()].flatMap(({ date, amount, description, reference }) => {
    const amountMinor = minorFromDecimal(amount)
    const words = description === null ? [] : [description]
    return amountMinor === null
      ? []
      : [{ day: date, amountMinor, words, reference, isRemoved: true, isRecurring: false, isTaken: false }]
  })
  return { present, removed }
}

function queuesOf(entries: readonly Entry[], keysOf: (entry: Entry) => readonly string[]): Queues {
  const queues: Queues = new Map()
  // `take` pops from the end, so the reversed order keeps the order of the entries.
  for (const entry of entries.toReversed())
    for (const key of new Set(keysOf(entry))) {
      const queue = queues.get(key)
      if (queue === undefined) queues.set(key, [entry])
      else queue.push(entry)
    }
  return queues
}

/**
 * Entries with a bank reference, and entries without one. An expense with a reference can only match an entry without a
 * reference, because a different reference means another transaction.
 */
type ComparableQueues = { readonly named: Queues; readonly unnamed: Queues }

function queuesByReference(
  entries: readonly Entry[],
  keysOf: (entry: Entry) => readonly string[],
): ComparableQueues {
  return {
    named: queuesOf(
      entries.filter(({ reference }) => reference !== null),
      keysOf,
    ),
    unnamed: queuesOf(
      entries.filter(({ reference }) => reference === null),
      keysOf,
    ),
  }
}

function takeComparable({ named, unnamed }: ComparableQueues, { reference }: FileTransaction, key: string) {
  return take(unnamed, key) ?? (reference === null ? take(named, key) : null)
}

/** Takes the entry with the same amount on the nearest day. If two are equally near, the earlier one wins. */
function takeLike(byDay: Queues, { day, amountMinor }: FileTransaction): Entry | null {
  const middle = dayOf(day)
  for (let days = 0; days <= likeDays; days += 1)
    for (const near of [middle - days, middle + days]) {
      const entry = take(byDay, placeOf({ day: isoDay(near), amountMinor }))
      if (entry !== null) return entry
    }
  return null
}

/** Takes a payment that a recurring expense recorded, with the same name and a similar amount. The nearest day wins. */
function takeRecorded(recurring: readonly Entry[], { day, amountMinor, description }: FileTransaction) {
  const distance = (entry: Entry) => Math.abs(dayOf(entry.day) - dayOf(day))
  const [nearest = null] = recurring
    .filter(
      (entry) =>
        !entry.isTaken &&
        distance(entry) <= likeDays &&
        10 * Math.abs(entry.amountMinor - amountMinor) <= entry.amountMinor &&
        entry.words.some((words) => payee(words) === payee(description)),
    )
    .sort((one, other) => distance(one) - distance(other))
  if (nearest !== null) nearest.isTaken = true
  return nearest
}

/** Takes the next entry that no other expense of the file has taken. */
function take(queues: Queues, key: string): Entry | null {
  const queue = queues.get(key)
  for (;;) {
    const entry = queue?.pop()
    if (entry === undefined) return null
    if (entry.isTaken) continue
    entry.isTaken = true
    return entry
  }
}

function placeOf({ day, amountMinor }: Pick<FileTransaction, 'day'> & { amountMinor: number }): string {
  return `${day} ${amountMinor}`
}

/** Normalizes a description as `private.normalize_payee` does, without the figures that change from month to month. */
function payee(words: string): string {
  return fold(words).replace(/[^\p{L}]+/gu, '')
}

/** Normalizes a description: capitals, accents and blanks may differ between two downloads. */
function comparable(words: string): string {
  return fold(words).replace(/[^\p{L}\p{N}]+/gu, '')
}
