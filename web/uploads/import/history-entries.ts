/** The customer's expenses with which the expenses of a file are compared. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { bogotaDay, isoDay } from '#ui/format/dates.ts'
import type { ImportLine } from '#uploads/import-lines.ts'
import { eachInPieces, type Work } from '#uploads/pieces.ts'

export type HistoryRow = Pick<Transaction, 'id' | 'type' | 'date' | 'amount' | 'description' | 'origin'>

/** An expense in the history, or an expense that the customer imported and then deleted. */
export type Entry = {
  readonly day: string
  readonly amountMinor: number
  /** The original and the current description. */
  readonly words: readonly string[]
  readonly reference: string | null
  readonly isRemoved: boolean
  /** Whether a recurring expense recorded the transaction. */
  readonly isRecurring: boolean
  /** Whether the entry was matched with an expense. An entry matches only one expense. */
  isTaken: boolean
}

/** Returns the expenses of the history, and the imported expenses that the customer has deleted. */
export function* entriesOf(
  rows: Iterable<HistoryRow>,
  lines: readonly ImportLine[],
): Work<{ present: Entry[]; removed: Entry[] }> {
  const imported = new Map(lines.map((line) => [line.transaction_id, line]))
  const present: Entry[] = []
  yield* eachInPieces(rows, ({ id, type, date, amount, description, origin }) => {
    const line = imported.get(id)
    imported.delete(id)
    const amountMinor = minorFromDecimal(amount)
    const day = bogotaDay(date)
    if (type !== 'expense' || amountMinor === null || Number.isNaN(day)) return
    const words = [line?.description ?? description, description]
    const reference = line?.reference ?? null
    present.push({
      day: isoDay(day),
      amountMinor,
      words,
      reference,
      isRemoved: false,
      isRecurring: origin === 'recurring',
      isTaken: false,
    })
  })
  const removed = [...imported.values()].flatMap(({ date, amount, description, reference }) => {
    const amountMinor = minorFromDecimal(amount)
    const words = description === null ? [] : [description]
    return amountMinor === null
      ? []
      : [{ day: date, amountMinor, words, reference, isRemoved: true, isRecurring: false, isTaken: false }]
  })
  return { present, removed }
}

/**
 * Returns a function that takes the next entry with a key. The entry cannot be taken again, also not through another
 * queue.
 */
export function* queueOf(
  entries: readonly Entry[],
  keysOf: (entry: Entry) => readonly string[],
): Work<(key: string) => Entry | null> {
  const queues = new Map<string, Entry[]>()
  // The entries are reversed because they are taken from the end.
  yield* eachInPieces(entries.toReversed(), (entry) => {
    for (const key of new Set(keysOf(entry))) {
      const queue = queues.get(key)
      if (queue === undefined) queues.set(key, [entry])
      else queue.push(entry)
    }
  })
  return (key) => {
    const queue = queues.get(key) ?? []
    let entry = queue.pop()
    while (entry?.isTaken === true) entry = queue.pop()
    if (entry === undefined) return null
    entry.isTaken = true
    return entry
  }
}

/** The day and the amount, as a key. */
export function placeOf({
  day,
  amountMinor,
}: {
  readonly day: string
  readonly amountMinor: number
}): string {
  return `${day} ${amountMinor}`
}
