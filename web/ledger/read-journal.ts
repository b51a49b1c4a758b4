import type { Database } from '@finanzas/contract/database-types.ts'
import { restRowsMax } from '@finanzas/contract/limits.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'

type JournalColumns = Required<Database['public']['Views']['journal_entries']['Row']>

/** One entry of the reader's own chain: amounts in whole units, hashes in hex, the time to the microsecond. */
export type JournalEntry = {
  // A view's columns are all nullable to the catalogue; these two are so in the journal too.
  [Column in keyof JournalColumns]: Column extends 'transaction_id' | 'actor'
    ? JournalColumns[Column]
    : NonNullable<JournalColumns[Column]>
}

/** Pages that are on their way while another one is looked at, once there is more than one. */
const pagesAhead = 4

/** At most `restRowsMax` entries after the number. Throws the table API's error. */
type ReadEntries = (after: number, signal: AbortSignal) => Promise<JournalEntry[]>

/**
 * A chain from its beginning, the reader's own unless said otherwise, at most `restRowsMax` entries at a time. Throws the
 * table API's error.
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
      // Entries are numbered without gaps: the next page can be requested before this one has arrived.
      const next = readPage(asked * restRowsMax, signal)
      asked += 1
      // A consumer that stops leaves its rejection unhandled.
      next.catch(() => {})
      coming.push(next)
    }
    // Where one is missing after all, the page began later and goes further.
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
