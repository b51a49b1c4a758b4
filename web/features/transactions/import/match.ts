/** Finds the expenses in a file that are certainly or possibly in the history already. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { bogotaDay, dayOf, isoDay } from '#format/dates.ts'
import { fold } from '#format/text.ts'
import type { ImportLine } from '#upload/import-lines.ts'
import type { FileTransaction } from '#features/transactions/import/read/expenses-from-rows.ts'

/**
 * Maximum number of days between a transaction and an expense that may be the same purchase. A bank may book a purchase
 * three days later.
 */
export const likeDays = 3

type Row = Pick<Transaction, 'id' | 'type' | 'date' | 'amount' | 'description'>

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
  /** Ids of the transactions that were recorded by recurring expenses. */
  readonly recorded?: ReadonlySet<string>
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

/** An expense in the history, or an expense that the customer imported and then deleted. */
type Entry = {
  readonly day: string
  readonly amountMinor: number
  /** The original and the current description. */
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
  // The entries are reversed because `take` pops from the end of the queue.
  for (const entry of entries.toReversed())
    for (const key of new Set(keysOf(entry))) {
      const queue = queues.get(key)
      if (queue === undefined) queues.set(key, [entry])
      else queue.push(entry)
    }
  return queues
}

/**
 * The entries with a bank reference, and the entries without one. At this point, an expense with a reference can match
 * only entries without a reference, because a different reference means a different transaction.
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

/**
 * Takes the entry with the same amount on the nearest day. If two entries are equally near, takes the earlier entry.
 */
function takeLike(byDay: Queues, { day, amountMinor }: FileTransaction): Entry | null {
  const middle = dayOf(day)
  for (let days = 0; days <= likeDays; days += 1)
    for (const near of [middle - days, middle + days]) {
      const entry = take(byDay, placeOf({ day: isoDay(near), amountMinor }))
      if (entry !== null) return entry
    }
  return null
}

/**
 * Takes the nearest payment that a recurring expense recorded with the same description and a similar amount.
 */
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

/** Takes the next entry that has not been matched with another expense of the file. */
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
