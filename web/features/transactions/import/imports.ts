/** Calls that record an import, undo it, and list earlier ones. */
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Json } from '@finanzas/contract/database-types.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { ledgerKeys, keptOffline, untilRead } from '#ledger/queries.ts'
import type { FileTransaction } from '#features/transactions/import/read/expenses-from-rows.ts'

/** One import in the list. */
export type PastImport = {
  id: string
  created_at: string
  entries: number
  amount: number
  undone_at: string | null
}

/** Number of imports that the page lists. */
const listedMax = 20

export function importsQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey: [...ledgerKeys.imports(userId), 'list'],
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
 * Records all expenses or none. The same id with the same expenses is recorded only once. Throws the table API's error.
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

/** Deletes those transactions of the import that still exist. Throws the table API's error. */
export async function undoImport(
  client: QueryClient,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const api = await backend()
  unwrap(await api.rpc('undo_import', { id }))
  await reread(client, userId)
}

async function reread(client: QueryClient, userId: string): Promise<void> {
  await client.invalidateQueries({ queryKey: ledgerKeys.all(userId) })
}
