import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import type { QueryClient } from '@tanstack/react-query'
import type { Budget, Transaction } from '@finanzas/contract/rows.ts'
import type { BackendClient } from '#backend/client.ts'
import { announceArrival } from './arrivals.ts'
import { applyBudget, applyRemoval, applyRow } from './changes.ts'
import { isEcho } from './own-writes.ts'
import { ledgerKeys } from './queries.ts'
import { scheduleRefresh } from './refresh.ts'

type Join = {
  api: BackendClient
  client: QueryClient
  userId: string
  /** Every change from now on is announced. */
  onListening: () => void
  /** The channel is gone and will not come back by itself; with what the client says about it. */
  onLost: (reason: unknown) => void
}

/**
 * Joins the customer's channel once; answers the function that leaves it. The client rejoins after an error, but not
 * after a close (an expired token). Every loss therefore counts as final, and the caller joins anew under a new topic:
 * under an old one the client returns the old channel. The topic is random, because the channel is public: with a
 * guessed topic anyone could send to the page.
 */
export function joinLedgerChannel({ api, client, userId, onListening, onLost }: Join): () => void {
  let isOver = false
  const table = { event: '*', schema: 'public', filter: `user_id=eq.${userId}` } as const

  const readEverything = () => scheduleRefresh(client, userId, { withHistory: true })

  const handleTransaction = (change: RealtimePostgresChangesPayload<Transaction>) => {
    const stale = applyChange(client, userId, change)
    if (stale !== 'nothing') scheduleRefresh(client, userId, { withHistory: stale === 'everything' })
  }

  const handleFiling = (isRefiled: boolean) => {
    if (isRefiled) readEverything()
    else void client.invalidateQueries({ queryKey: ledgerKeys.categorization(userId) })
  }

  const channel = api
    .channel(`ledger:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`)
    .on<Transaction>('postgres_changes', { ...table, table: 'transactions' }, handleTransaction)
    .on<Budget>('postgres_changes', { ...table, table: 'budgets' }, ({ new: budget }) => {
      // A changed balance comes with its transactions, which decide what is read.
      if (isBudget(budget)) applyBudget(client, budget)
      else scheduleRefresh(client, userId, { withHistory: false })
    })
    // A change of many transactions sends one event, not one for each row.
    .on('postgres_changes', { ...table, table: 'categories' }, ({ eventType }) =>
      handleFiling(eventType === 'UPDATE'),
    )
    .on<{ entries: number | null }>('postgres_changes', { ...table, table: 'category_rules' }, (change) =>
      handleFiling('entries' in change.new && change.new.entries !== null),
    )
    // So is an import.
    .on('postgres_changes', { ...table, table: 'imports' }, readEverything)
    // A hosted project answers the join a second or more before it listens; this it says when it does.
    .on('system', {}, ({ extension, status, message }) => {
      if (isOver || extension !== 'postgres_changes') return
      if (status === 'ok') onListening()
      else lose(message)
    })
    .subscribe((status, error) => {
      if (!isOver && status.toString() !== 'SUBSCRIBED') lose(error ?? status)
    })

  const leave = () => {
    isOver = true
    void api.removeChannel(channel)
  }
  const lose = (reason: unknown) => {
    leave()
    onLost(reason)
  }
  return leave
}

/** The row as it is now; a removed one is announced without. */
function isBudget(announced: Partial<Budget>): announced is Budget {
  return announced.user_id !== undefined && typeof announced.balance === 'number'
}

/**
 * Puts the change into the list on screen where that gives the list that a reading would; answers what else it makes
 * stale. The echo of a write of this page changes nothing. A row that came without its values, as one too large for a
 * frame does, has to be read.
 */
export function applyChange(
  client: QueryClient,
  userId: string,
  change: RealtimePostgresChangesPayload<Transaction>,
): 'nothing' | 'summary' | 'everything' {
  if (change.eventType === 'DELETE') {
    const { id } = change.old
    if (id === undefined) return 'everything'
    if (isEcho(id, null)) return 'nothing'
    applyRemoval(client, userId, id)
    return 'summary'
  }
  if (!isWhole(change.new)) return 'everything'
  if (isEcho(change.new.id, change.new)) return 'nothing'
  applyRow(client, change.new)
  if (change.eventType === 'INSERT') announceArrival(change.new)
  else void client.invalidateQueries({ queryKey: ledgerKeys.edits(userId) })
  // A correction is a row of the bank's.
  if (change.new.recorded_by === 'bank')
    void client.invalidateQueries({ queryKey: ledgerKeys.corrections(userId) })
  return 'summary'
}

function isWhole(announced: Partial<Transaction>): announced is Transaction {
  const { id, user_id, type, description, amount, date, category, recorded_by } = announced
  return ![id, user_id, type, description, amount, date, category, recorded_by].includes(undefined)
}
