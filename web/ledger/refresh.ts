/** Readings that follow a change. */
import type { QueryClient } from '@tanstack/react-query'
import { ledgerKeys } from './queries.ts'

/** Changes of one database transaction arrive together; one reading after this delay serves them all. */
const refreshDelayMs = 120

type Waiting = { timer: number; withHistory: boolean }
const waiting = new WeakMap<QueryClient, Waiting>()

/** Reads again now what every change makes stale; a waiting reading of the same is not made. */
export async function refreshSummary(client: QueryClient, userId: string): Promise<void> {
  if (waiting.get(client)?.withHistory === false) cancelRefresh(client)
  await client.invalidateQueries({ queryKey: ledgerKeys.refetchedOnChange(userId) })
}

/** Reads the summary again shortly, and everything else of the customer too when asked. */
export function scheduleRefresh(
  client: QueryClient,
  userId: string,
  { withHistory }: Pick<Waiting, 'withHistory'>,
): void {
  const run = () => {
    const isWhole = waiting.get(client)?.withHistory === true
    waiting.delete(client)
    // A reading under way is aborted for the new one.
    void client.invalidateQueries({
      queryKey: isWhole ? ledgerKeys.all(userId) : ledgerKeys.refetchedOnChange(userId),
    })
  }
  const before = waiting.get(client)
  waiting.set(client, {
    timer: before?.timer ?? window.setTimeout(run, refreshDelayMs),
    withHistory: withHistory || before?.withHistory === true,
  })
}

export function cancelRefresh(client: QueryClient): void {
  window.clearTimeout(waiting.get(client)?.timer)
  waiting.delete(client)
}
