import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Database, Json } from '@finanzas/contract/database-types.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'

type AuditColumns = Database['public']['Views']['audit_entries']['Row']

/** One entry: ids, and names of accounts that still exist. */
export type AuditEntry = Pick<AuditColumns, 'actor' | 'actor_name' | 'target' | 'target_name'> & {
  id: number
  recorded_at: string
  origin: string
  action: string
  before: Json | null
  after: Json | null
}

const columns = 'id, recorded_at, origin, actor, actor_name, action, target, target_name, before, after'

/** Entries read at a time. */
const rowsStep = 50

/** The audit, newest first, page by page along the id: what is written meanwhile moves nothing. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  initialPageParam: Number.MAX_SAFE_INTEGER,
  queryFn: async ({ pageParam: below, signal }): Promise<AuditEntry[]> => {
    const client = await backend()
    return unwrap(
      await client
        .from('audit_entries')
        .select(columns)
        .lt('id', below)
        .order('id', { ascending: false })
        .limit(rowsStep)
        .abortSignal(signal)
        .overrideTypes<AuditEntry[], { merge: false }>(),
    )
  },
  getNextPageParam: (page) => (page.length < rowsStep ? undefined : page.at(-1)?.id),
})
