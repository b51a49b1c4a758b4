/** Reads and sets the customer's alias. Other customers can use the alias to add this customer as a beneficiary. */
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { dataKeys, untilRead } from '#data/queries.ts'
import { refreshSummary } from '#data/refresh.ts'

export type OwnAlias = Pick<Database['public']['Functions']['own_alias']['Returns'], 'alias' | 'changes_left'>

/** Thrown if another customer has chosen the alias or a similar one. */
export class TakenAliasError extends Error {
  override readonly name = 'TakenAliasError'
}

/** Returns whether a text without the @ has the form of an alias. The database checks the same form. */
export function isAlias(text: string): boolean {
  return text.length >= 3 && text.length <= 30 && /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/.test(text)
}

export function aliasQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    queryKey: [...dataKeys.refetchedOnChange(userId), 'alias'],
    queryFn: async ({ signal }): Promise<OwnAlias> => {
      const api = await backend()
      return unwrap(await api.rpc('own_alias', undefined, { get: true }).abortSignal(signal))
    },
  })
}

/**
 * Sets the customer's alias, or removes it if it is `null`. Throws a `TakenAliasError`, or an error with the code
 * `reauthentication_needed` if the user must prove their identity first.
 */
export async function setAlias(client: QueryClient, userId: string, alias: string | null): Promise<void> {
  const api = await backend()
  // The generated type does not allow null, but the SQL function accepts it.
  const { is_taken } = unwrap(await api.rpc('set_alias', { alias: alias as string }))
  if (is_taken) throw new TakenAliasError()
  await refreshSummary(client, userId)
}
