import type { QueryClient } from '@tanstack/react-query'
import { refreshSummary } from './changes.ts'
import { ledgerKeys } from './queries.ts'

export type RefreshSchedule = {
  /** Reads the summary again shortly, and the whole history too when asked. */
  schedule: (what: { withHistory: boolean }) => void
  cancel: () => void
}

/** Changes of one database transaction arrive together; one reading after this delay serves them all. */
const refreshDelayMs = 120

/** A schedule that bundles what is asked of it within `refreshDelayMs` into one reading. */
export function createRefreshSchedule(client: QueryClient, userId: string): RefreshSchedule {
  const historyKey = ledgerKeys.history(userId)
  let timer: number | undefined
  let wantsHistory = false

  const run = () => {
    timer = undefined
    void refreshSummary(client, userId)
    // A reading under way is aborted for the new one.
    if (wantsHistory) void client.invalidateQueries({ queryKey: historyKey })
    wantsHistory = false
  }

  return {
    schedule: ({ withHistory }) => {
      wantsHistory ||= withHistory
      timer ??= window.setTimeout(run, refreshDelayMs)
    },
    cancel: () => window.clearTimeout(timer),
  }
}
