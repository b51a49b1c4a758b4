import type { Database } from '@finanzas/contract/database-types.ts'
import { backend } from '#api/client.ts'
import { readAll } from '#api/read-all.ts'
import { unwrap } from '#api/unwrap.ts'

/**
 * One line of an import. `date` has the form `2026-11-20`. `description` is `null` a day after the
 * transaction was deleted.
 */
export type ImportLine = Readonly<Omit<Database['public']['Tables']['import_lines']['Row'], 'user_id'>>

/** A range from the first to the last day, both included. */
type Days = { readonly first: string; readonly last: string }

/** Reads the customer's own import lines page by page, either for the given days or for all days. */
export async function readImportLines(days?: Days, signal?: AbortSignal): Promise<ImportLine[]> {
  const client = await backend()
  return readAll<ImportLine>(async (last, { rowsMax }) => {
    let page = client.from('import_lines').select('*')
    if (days !== undefined) page = page.gte('date', days.first).lte('date', days.last)
    if (last !== undefined) page = page.gt('transaction_id', last.transaction_id)
    const ordered = page.order('transaction_id').limit(rowsMax)
    return unwrap(await (signal === undefined ? ordered : ordered.abortSignal(signal)))
  })
}
