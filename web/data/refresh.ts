/** Repeats queries after a change. */
import type { QueryClient } from '@tanstack/react-query'
import { dataKeys } from './queries.ts'

/**
 * Delay before data is read again. The changes of one database transaction arrive together, and the page therefore
 * reads the data only once.
 */
const refreshDelayMs = 120

type Waiting = { timer: number; withHistory: boolean }
const waiting = new WeakMap<QueryClient, Waiting>()

/** Immediately reads the data that every change makes stale. Cancels a scheduled read of the same data. */
export async function refreshSummary(client: QueryClient, userId: string): Promise<void> {
  if (waiting.get(client)?.withHistory === false) cancelRefresh(client)
  await client.invalidateQueries({ queryKey: dataKeys.refetchedOnChange(userId) })
}

/** Schedules a read of the summary, and optionally of all other data about the customer. */
export function scheduleRefresh(
  client: QueryClient,
  userId: string,
  { withHistory }: Pick<Waiting, 'withHistory'>,
): void {
  const run = () => {
    const isWhole = waiting.get(client)?.withHistory === true
    waiting.delete(client)
    // Also aborts a read that is already running.
    void client.invalidateQueries({
      queryKey: isWhole ? dataKeys.all(userId) : dataKeys.refetchedOnChange(userId),
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
