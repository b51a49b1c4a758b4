import type { Database } from '@finanzas/contract/database-types.ts'
import { restRowsMax } from '@finanzas/contract/limits.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'

type JournalColumns = Required<Database['public']['Views']['journal_entries']['Row']>

/** One entry of a chain: amounts are in whole units, hashes in hex, and times exact to the microsecond. */
export type JournalEntry = {
  // The catalogue reports every column of a view as nullable, but only the following columns can be null.
  [Column in keyof JournalColumns]: Column extends
    | 'origin'
    | 'origin_id'
    | 'transaction_id'
    | 'actor'
    | 'dated_at'
    ? JournalColumns[Column]
    : NonNullable<JournalColumns[Column]>
}

/**
 * Number of further pages that are requested while a page is being processed. If the chain fits in one page, the page
 * is the only request.
 */
const pagesAhead = 4

/**
 * Reads at most `restRowsMax` entries, starting after the entry with the given number. Throws the table API's error.
 */
type ReadEntries = (after: number, signal: AbortSignal) => Promise<JournalEntry[]>

/**
 * Reads a chain from its first entry, in pages of at most `restRowsMax` entries. Without `readPage`, reads the caller's
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
      // Entries are numbered without gaps. The next page can therefore be requested before this page arrives.
      const next = readPage(asked * restRowsMax, signal)
      asked += 1
      // If the consumer stops early, this promise is never awaited. The empty handler prevents an unhandled rejection.
      next.catch(() => {})
      coming.push(next)
    }
    // If a number is missing nevertheless, a page may repeat entries from the previous page. These entries are skipped.
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
