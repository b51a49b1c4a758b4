/** Sends the administrators' decisions about requested transfers. */
import type { QueryClient } from '@tanstack/react-query'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { queueKey, waitingQuery, type Request, type Transfer } from './requests.ts'

type Waiting = { transfers: Transfer[]; total: number }

/** A request after a decision. */
export type Outcome = Pick<Request, 'id' | 'status' | 'decided_by' | 'decided_by_name' | 'reason'>

/** The administrator's decision about several waiting transfers. `reason` is for the customers. */
export type Decision = { ids: readonly string[]; approves: boolean; reason?: string }

/**
 * Decides waiting transfers and removes them from the list. Returns all rows as they are now: rows that another
 * administrator decided before are unchanged. A repeated call has no further effect. Throws the table API's error.
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
    const decided = unwrap(answer) as unknown as Outcome[]
    const gone = new Set(decided.filter(({ status }) => status !== 'waiting').map(({ id }) => id))
    client.setQueryData(waitingQuery.queryKey, (list) => list && without(list, gone))
    return decided
  } finally {
    // After a lost answer, too, the list shows which transfers still wait.
    void client.invalidateQueries({ queryKey: queueKey })
  }
}

/** Removes rows. A row that the list no longer contains has already left the total. */
function without({ transfers, total }: Waiting, gone: ReadonlySet<string>): Waiting {
  const left = transfers.filter(({ id }) => !gone.has(id))
  return { transfers: left, total: total - (transfers.length - left.length) }
}

/** Returns the money of a carried-out transfer to the payer, once. Throws the table API's error. */
export async function returnTransfer(client: QueryClient, id: string, reason: string): Promise<void> {
  const api = await backend()
  unwrap(await api.rpc('return_transfer', { id, reason }))
  void client.invalidateQueries({ queryKey: queueKey })
}

/** Returns whether the database refuses the person's decision, because the transfer concerns that person. */
export function isOwn({ payer, payee, asked_by: askedBy }: Transfer, userId: string): boolean {
  return [payer.id, payee.id, askedBy].includes(userId)
}
