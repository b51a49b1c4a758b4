/** The calls about categories. Each throws the table API's error. */
import type { QueryClient } from '@tanstack/react-query'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { ledgerKeys } from '#ledger/queries.ts'

export async function addCategory(client: QueryClient, userId: string, name: string): Promise<void> {
  const api = await backend()
  unwrap(await api.from('categories').insert({ user_id: userId, name }))
  await client.invalidateQueries({ queryKey: ledgerKeys.filing(userId) })
}

/** Renames it in its movements and rules too, all or nothing. */
export async function renameCategory(
  client: QueryClient,
  userId: string,
  { name, newName }: { name: string; newName: string },
): Promise<void> {
  const api = await backend()
  unwrap(await api.from('categories').update({ name: newName }).eq('user_id', userId).eq('name', name))
  await client.invalidateQueries({ queryKey: ledgerKeys.all(userId) })
}

/** It is offered no more; movements keep the word. */
export async function removeCategory(client: QueryClient, userId: string, name: string): Promise<void> {
  const api = await backend()
  unwrap(await api.from('categories').delete().eq('user_id', userId).eq('name', name))
  await client.invalidateQueries({ queryKey: ledgerKeys.filing(userId) })
}

/** How many movements have the word. */
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
