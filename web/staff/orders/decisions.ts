/** Sends the administrators' decisions about requests. */
import type { QueryClient } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { queueKey, sumOfRequests, waitingQuery, type Queue } from './requests.ts'

type Row = Database['public']['Tables']['requests']['Row']

/** A request after a decision. */
export type Outcome = Pick<Row, 'id' | 'kind' | 'status' | 'decided_by' | 'decided_by_name' | 'reason'>

/**
 * The administrator's decision about several waiting requests. `reason` is shown to the people who made the requests.
 */
export type Decision = { ids: readonly string[]; approves: boolean; reason?: string }

/**
 * Decides waiting requests and removes them from the list. Returns the current state of all rows. Rows that another
 * administrator has already decided are unchanged. A repeated call has no further effect. Throws the table API's error.
 */
export async function decideRequests(
  client: QueryClient,
  { ids, approves, reason }: Decision,
): Promise<Outcome[]> {
  const api = await backend()
  const answer = await api.rpc('decide_requests', {
    ids: [...ids],
    approve: approves,
    ...(reason !== undefined && { reason }),
  })
  try {
    const decided = unwrap(answer)
    const gone = new Set(decided.filter(({ status }) => status !== 'waiting').map(({ id }) => id))
    client.setQueryData(waitingQuery.queryKey, (list) => list && without(list, gone))
    return decided
  } finally {
    // Even if the response was lost, the list then shows which requests still wait.
    void client.invalidateQueries({ queryKey: queueKey })
  }
}

/** Removes rows. A row that the list no longer contains has already been subtracted from the total. */
function without({ requests, total, sumMinor, firstExpiresAt }: Queue, gone: ReadonlySet<string>): Queue {
  const left = requests.filter(({ id }) => !gone.has(id))
  const removed = requests.filter(({ id }) => gone.has(id))
  return {
    requests: left,
    total: total - removed.length,
    sumMinor: (sumMinor - sumOfRequests(removed)) as MinorUnits,
    firstExpiresAt: left.length === 0 ? null : firstExpiresAt,
  }
}

/** Cancels an act that the administrator requested. A repeated call has no further effect. Throws the table API's error. */
export async function cancelRequest(client: QueryClient, id: string): Promise<void> {
  const api = await backend()
  unwrap(await api.rpc('cancel_request', { id }))
  void client.invalidateQueries({ queryKey: queueKey })
}

/**
 * Returns the money of a completed transfer to the payer, at most once. The answer says whether the return waits for
 * another administrator. Throws the table API's error.
 */
export async function returnTransfer(
  client: QueryClient,
  id: string,
  reason: string,
): Promise<{ isWaiting: boolean }> {
  const api = await backend()
  const { status } = unwrap(await api.rpc('return_transfer', { id, reason }))
  void client.invalidateQueries({ queryKey: queueKey })
  return { isWaiting: status === 'done' }
}
