import type { Database } from '@finanzas/contract/database-types.ts'
import { restRowsMax } from '@finanzas/contract/limits.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'

type JournalColumns = Required<Database['public']['Views']['journal_entries']['Row']>

/** One entry of a chain: amounts in whole units, hashes in hex, times to the microsecond. */
export type JournalEntry = {
  // The catalogue reports every column of a view as nullable. Only these three can really be null.
  [Column in keyof JournalColumns]: Column extends 'transaction_id' | 'actor' | 'dated_at'
    ? JournalColumns[Column]
    : NonNullable<JournalColumns[Column]>
}

/** Number of pages that are requested ahead while one is processed, if there is more than one page. */
const pagesAhead = 4

/** Reads at most `restRowsMax` entries that follow a number. Throws the table API's error. */
type ReadEntries = (after: number, signal: AbortSignal) => Promise<JournalEntry[]>

/**
 * Reads a chain from its beginning, at most `restRowsMax` entries at a time. Without `readPage` it reads the caller's
 * own chain. Throws the table API's error.
 */
export async function* readJournal(
  signal: AbortSignal,
  readPage: ReadEntries = readOwnEntries,
): AsyncGenerator<JournalEntry[]> {
  const coming = [readPage(0, signal)]
  let asked = 1
  let lastSeq = 0
  for (let page = await coming.shift(); page !== undefined; page = await coming.shift()) {
    const isLast = page.length < restRowsMax
    while (coming.length < (isLast ? 0 : pagesAhead)) {
      // Entries are numbered without gaps, so the next page can be requested before this one arrives.
      const next = readPage(asked * restRowsMax, signal)
      asked += 1
      // If the consumer stops early, this promise is never awaited. The handler keeps its rejection from counting as
      // unhandled.
      next.catch(() => {})
      coming.push(next)
    }
    // If a number is missing nevertheless, a page repeats entries of the previous page. These are skipped.
    const begun = lastSeq
    lastSeq = page.at(-1)?.seq ?? lastSeq
    yield page.filter(({ seq }) => seq > begun)
    if (isLast) return
  }
}

async function readOwnEntries(after: number, signal: AbortSignal): Promise<JournalEntry[]> {
  const client = await backend()
  return unwrap(
    await client
      .from('journal_entries')
      .select('*')
      .gt('seq', after)
      .order('seq')
      .limit(restRowsMax)
      .abortSignal(signal)
      .overrideTypes<JournalEntry[], { merge: false }>(),
  )
}
