import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { balanceCopy } from './copy.ts'

/** The description and category of a transaction before and after one edit. */
export type Edit = Database['public']['Tables']['transaction_edits']['Row']

/** Reads the customer's latest edits, up to `editsMax` of them. */
export function editsQuery(userId: string, editsMax: number) {
  return queryOptions({
    queryKey: [...ledgerKeys.edits(userId), editsMax],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Edit[]> => {
      const client = await backend()
      return unwrap(
        await client
          .from('transaction_edits')
          .select('*')
          .eq('user_id', userId)
          .order('seq', { ascending: false })
          .limit(editsMax)
          .abortSignal(signal),
      )
    },
  })
}

/**
 * Describes an edit, for example `Descripción «Cafe» → «Café con Ana»; categoría Otro → Comida`. If only the category
 * changed, the text begins with the description, to identify the transaction.
 */
export function editInWords(edit: Edit): string {
  const { description_before: before, description_after: after } = edit
  const { editedDescription, editedCategory, noCategory } = balanceCopy
  const description = before === after ? `«${after}»` : editedDescription(before, after)
  if (edit.category_before === edit.category_after) return description
  const category = editedCategory(edit.category_before ?? noCategory, edit.category_after ?? noCategory)
  return before === after ? `${description}: ${category}` : `${description}; ${category}`
}
