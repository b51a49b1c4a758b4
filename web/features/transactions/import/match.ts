/** Finds the expenses of a file that the history already has, and those that it may have. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { bogotaDay, dayOf, isoDay } from '#format/dates.ts'
import { fold } from '#format/text.ts'
import type { ImportLine } from '#upload/import-lines.ts'
import type { FileTransaction } from '#features/transactions/import/read/expenses-from-rows.ts'

/** A bank books a purchase up to three days after it was made. */
export const likeDays = 3

type Row = Pick<Transaction, 'id' | 'type' | 'date' | 'amount' | 'description'>

/** An expense of the file that a person has to decide about. */
export type Doubt = {
  readonly expense: FileTransaction
  /** The customer's own of the same amount that it may be; `null` for one that they imported before and deleted. */
  readonly like: { readonly day: string; readonly description: string } | null
}

export type Split = {
  readonly fresh: readonly FileTransaction[]
  readonly known: readonly FileTransaction[]
  readonly doubtful: readonly Doubt[]
}

/**
 * By the bank's own name of a transaction, then by day, amount, words and occurrence: of two equal coffees on a day the
 * second is there already only if two are. The words are those that a transaction came with, and those that it has.
 * Among the others, one with the same amount within some days is doubtful. Other transactions of a day do not matter: a
 * file may begin or end within it.
 */
export function splitKnown(
  expenses: readonly FileTransaction[],
  rows: Iterable<Row>,
  lines: readonly ImportLine[],
): Split {
  const { present, removed } = entriesOf(rows, lines)
  const everywhere = [...present, ...removed]
  const byReference = queuesOf(everywhere, (entry) =>
    entry.reference === null ? [] : [`${placeOf(entry)} ${entry.reference}`],
  )
  const byWords = queuesByReference(present, (entry) =>
    entry.words.map((words) => `${placeOf(entry)} ${comparable(words)}`),
  )
  const byPlace = queuesByReference(removed, (entry) => [placeOf(entry)])
  const byDay = queuesOf(present, (entry) => [placeOf(entry)])

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
  return sorted(expenses, found, byDay)
}

/** An expense that the customer has, or imported once. */
type Entry = {
  readonly day: string
  readonly amountMinor: number
  /** The original and the present description. */
  readonly words: readonly string[]
  readonly reference: string | null
  readonly isRemoved: boolean
  isTaken: boolean
}

type Queues = Map<string, Entry[]>

function sorted(
  expenses: readonly FileTransaction[],
  found: ReadonlyMap<FileTransaction, Entry>,
  byDay: Queues,
): Split {
  const split = { fresh: [] as FileTransaction[], known: [] as FileTransaction[], doubtful: [] as Doubt[] }
  for (const expense of expenses) {
    const same = found.get(expense)
    if (same?.isRemoved === false) split.known.push(expense)
    else if (same !== undefined) split.doubtful.push({ expense, like: null })
    else {
      const like = takeLike(byDay, expense)
      if (like === null) split.fresh.push(expense)
      else split.doubtful.push({ expense, like: { day: like.day, description: like.words.at(-1) ?? '' } })
    }
  }
  return split
}

function entriesOf(
  rows: Iterable<Row>,
  lines: readonly ImportLine[],
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
    present.push({ day: isoDay(day), amountMinor, words, reference, isRemoved: false, isTaken: false })
  }
  const removed = [...origins.values()].flatMap(({ date, amount, description, reference }) => {
    const amountMinor = minorFromDecimal(amount)
    const words = description === null ? [] : [description]
    return amountMinor === null
      ? []
      : [{ day: date, amountMinor, words, reference, isRemoved: true, isTaken: false }]
  })
  return { present, removed }
}

function queuesOf(entries: readonly Entry[], keysOf: (entry: Entry) => readonly string[]): Queues {
  const queues: Queues = new Map()
  // The last one is taken first: they come in their order.
  for (const entry of entries.toReversed())
    for (const key of new Set(keysOf(entry))) {
      const queue = queues.get(key)
      if (queue === undefined) queues.set(key, [entry])
      else queue.push(entry)
    }
  return queues
}

/**
 * Entries with and without a reference. An expense with one matches only entries without: a different reference means
 * another transaction.
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

/** The nearest of the same amount; of two that are as near, the one before. */
function takeLike(byDay: Queues, { day, amountMinor }: FileTransaction): Entry | null {
  const middle = dayOf(day)
  for (let days = 0; days <= likeDays; days += 1)
    for (const near of [middle - days, middle + days]) {
      const entry = take(byDay, placeOf({ day: isoDay(near), amountMinor }))
      if (entry !== null) return entry
    }
  return null
}

/** The next one that stands for no other expense of the file yet. */
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

/** Capitals, accents and blanks are written otherwise from one download to the next. */
function comparable(words: string): string {
  return fold(words).replace(/[^\p{L}\p{N}]+/gu, '')
}
