import type { QueryClient } from '@tanstack/react-query'
import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import type { Budget, Transaction } from '@finanzas/contract/rows.ts'
import type { BackendClient } from '#backend/client.ts'
import { logQuietly } from '#backend/log-quietly.ts'
import { applyRemoval, applyRow } from './changes.ts'
import { ledgerKeys } from './queries.ts'
import type { RefreshSchedule } from './refresh-schedule.ts'

type Join = {
  api: BackendClient
  client: QueryClient
  userId: string
  refresh: RefreshSchedule
  onJoined: () => void
  /** The channel is gone and will not come back by itself. */
  onLost: () => void
}

let joins = 0

/**
 * Joins the customer's channel once; answers the function that leaves it. The client would join again
 * after an error, but not after a close (an expired token), so every loss is treated as final and the
 * caller joins anew, under a new topic: the client hands out an old channel under an old one.
 */
export function joinLedgerChannel({ api, client, userId, refresh, onJoined, onLost }: Join): () => void {
  let isOver = false
  joins += 1
  const table = { event: '*', schema: 'public', filter: `user_id=eq.${userId}` } as const

  const handleTransaction = (change: RealtimePostgresChangesPayload<Transaction>) => {
    applyChange(client, userId, change)
    const isReading = client.isFetching({ queryKey: ledgerKeys.history(userId) }) > 0
    // A reading under way may have passed the row's place already.
    refresh.schedule({ withHistory: isReading })
  }

  const channel = api
    .channel(`ledger:${userId}:${joins}`)
    .on<Transaction>('postgres_changes', { ...table, table: 'transactions' }, handleTransaction)
    .on<Budget>('postgres_changes', { ...table, table: 'budgets' }, () => {
      refresh.schedule({ withHistory: false })
    })
    .subscribe((status, error) => {
      if (isOver) return
      if (status.toString() === 'SUBSCRIBED') {
        onJoined()
        return
      }
      logQuietly(error ?? status, 'live updates')
      leave()
      onLost()
    })

  const leave = () => {
    isOver = true
    void api.removeChannel(channel)
  }
  return leave
}

function applyChange(
  client: QueryClient,
  userId: string,
  change: RealtimePostgresChangesPayload<Transaction>,
): void {
  if (change.eventType === 'DELETE') {
    if (change.old.id !== undefined) applyRemoval(client, userId, change.old.id)
    return
  }
  applyRow(client, change.new)
}
