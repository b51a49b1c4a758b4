/** Calls that change categories. Every call throws the table API's error. */
import type { QueryClient } from '@tanstack/react-query'
import { singleRowCode } from '#api/error-codes.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { categorizationQuery } from './rules.ts'
import { dataKeys } from '#data/queries.ts'

export async function addCategory(client: QueryClient, userId: string, name: string): Promise<void> {
  const api = await backend()
  try {
    unwrap(await api.from('categories').insert({ user_id: userId, name }))
  } finally {
    // Read the list again even after a failure: if the name is taken, another page may have created the category.
    await client.invalidateQueries({ queryKey: dataKeys.categorization(userId) })
  }
}

/**
 * Renames the category atomically, together with its transactions and rules. Throws an error with `singleRowCode` if
 * the category no longer exists.
 */
export async function renameCategory(
  client: QueryClient,
  userId: string,
  { name, newName }: { name: string; newName: string },
): Promise<void> {
  const api = await backend()
  const own = api.from('categories').update({ name: newName }).eq('user_id', userId).eq('name', name)
  const renamed = unwrap(await own.select('name'))
  await client.invalidateQueries({ queryKey: dataKeys.all(userId) })
  if (renamed.length > 0) return
  // No row was changed: either another page removed the category, or an earlier attempt renamed it but its answer was
  // lost.
  const { categories } = await client.fetchQuery(categorizationQuery(userId))
  if (!categories.includes(newName))
    throw Object.assign(new Error('The category does not exist.'), { code: singleRowCode })
}

/** Removes the category from the lists. The category's transactions keep its name. */
export async function removeCategory(client: QueryClient, userId: string, name: string): Promise<void> {
  const api = await backend()
  unwrap(await api.from('categories').delete().eq('user_id', userId).eq('name', name))
  await client.invalidateQueries({ queryKey: dataKeys.categorization(userId) })
}

export async function countMovements(userId: string, category: string): Promise<number> {
  const api = await backend()
  const answer = await api
    .from('transactions')
    .select('id', { count: 'exact', head: true })
    .eq('user_id', userId)
    .eq('category', category)
  unwrap(answer)
  return answer.count ?? 0
}
