/** Calls that record an import, undo an import, and list earlier imports. */
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Database, Json } from '@finanzas/contract/database-types.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { dataKeys, keptOffline, untilRead } from '#data/queries.ts'
import type { FileTransaction } from '#uploads/import/read/expenses-from-rows.ts'

/** An earlier import, as it is listed on the page. */
export type PastImport = Pick<
  Database['public']['Tables']['imports']['Row'],
  'id' | 'created_at' | 'entries' | 'amount' | 'undone_at'
>

/** Maximum number of imports that the page lists. */
const listedMax = 20

export function importsQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey: [...dataKeys.imports(userId), 'list'],
    queryFn: async ({ signal }): Promise<PastImport[]> => {
      const client = await backend()
      const latest = client
        .from('imports')
        .select('id,created_at,entries,amount,undone_at')
        .eq('user_id', userId)
        .order('created_at', { ascending: false })
        .limit(listedMax)
      return unwrap(await latest.abortSignal(signal))
    },
  })
}

/**
 * Records all expenses or none of them. A repeated call with the same id and expenses does not record them again.
 * Throws the table API's error.
 */
export async function sendImport(
  client: QueryClient,
  { userId, id, expenses }: { userId: string; id: string; expenses: readonly FileTransaction[] },
): Promise<PastImport> {
  const api = await backend()
  const rows = expenses.map(({ day, description, amountMinor, category, reference }) => ({
    date: day,
    description,
    amount: numberFromMinor(amountMinor),
    category,
    reference,
  }))
  const imported = unwrap(await api.rpc('import_transactions', { id, rows: rows as Json }))
  await reread(client, userId)
  return imported
}

/** Deletes the import's transactions, unless they have been deleted before. Throws the table API's error. */
export async function undoImport(
  client: QueryClient,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const api = await backend()
  unwrap(await api.rpc('undo_import', { id }))
  await reread(client, userId)
}

async function reread(client: QueryClient, userId: string): Promise<void> {
  await client.invalidateQueries({ queryKey: dataKeys.all(userId) })
}
