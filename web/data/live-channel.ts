import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import type { QueryClient } from '@tanstack/react-query'
import { transactionColumns } from '@finanzas/contract/database-types.ts'
import type { Budget, Transaction } from '@finanzas/contract/wire/rows.ts'
import type { BackendClient } from '#api/client.ts'
import { announceArrival } from './arrivals.ts'
import { applyBudget, applyRemoval, applyRow } from './changes.ts'
import { isEcho } from './own-writes.ts'
import { dataKeys } from './queries.ts'
import { scheduleRefresh } from './refresh.ts'

type Join = {
  api: BackendClient
  client: QueryClient
  userId: string
  /** Whether the bank has enabled transfers. A project that has not been upgraded may lack the tables of transfers. */
  hasTransfers: boolean
  /** Called when the channel has started to announce every change. */
  onListening: () => void
  /** Called with the client's reason when the channel is finally lost. */
  onLost: (reason: unknown) => void
}

/**
 * Joins the customer's channel once. Returns a function that leaves the channel. The client would rejoin after an
 * error, but not after the server closes the channel, for example because the token expired. `joinDataChannel`
 * therefore treats every loss as final, and the caller must join again. Each join uses a new topic, because the client
 * would return the old channel for a topic that it knows. The topic is random because the channel is public, and anyone
 * who knows the topic can send to the page.
 */
export function joinDataChannel({
  api,
  client,
  userId,
  hasTransfers,
  onListening,
  onLost,
}: Join): () => void {
  let isOver = false
  const table = { event: '*', schema: 'public', filter: `user_id=eq.${userId}` } as const

  const readEverything = () => scheduleRefresh(client, userId, { withHistory: true })
  const readSummary = () => scheduleRefresh(client, userId, { withHistory: false })

  const handleTransaction = (change: RealtimePostgresChangesPayload<Transaction>) => {
    const stale = applyChange(client, userId, change)
    if (stale !== 'nothing') scheduleRefresh(client, userId, { withHistory: stale === 'everything' })
  }

  const handleFiling = (isRefiled: boolean) => {
    if (isRefiled) readEverything()
    else void client.invalidateQueries({ queryKey: dataKeys.categorization(userId) })
  }

  const channel = api
    .channel(`ledger:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`)
    .on<Transaction>('postgres_changes', { ...table, table: 'transactions' }, handleTransaction)
    .on<Budget>('postgres_changes', { ...table, table: 'budgets' }, ({ new: budget }) => {
      // No other data is read again. A balance changes only together with transactions, and the events about these
      // transactions decide which data the page reads again.
      if (isBudget(budget)) applyBudget(client, budget)
      else readSummary()
    })
    // If a category or rule changes many transactions, the server sends one event for the category or rule instead of
    // one event per row.
    .on('postgres_changes', { ...table, table: 'categories' }, ({ eventType }) =>
      handleFiling(eventType === 'UPDATE'),
    )
    .on<{ entries: number | null }>('postgres_changes', { ...table, table: 'category_rules' }, (change) =>
      handleFiling('entries' in change.new && change.new.entries !== null),
    )
    // The server also announces a whole import with one event.
    .on('postgres_changes', { ...table, table: 'imports' }, readEverything)
    // A hosted Supabase project answers the join a second or more before it starts to listen for changes. The message
    // `system` says that the project has started to listen.
    .on('system', {}, ({ extension, status, message }) => {
      if (isOver || extension !== 'postgres_changes') return
      if (status === 'ok') onListening()
      else lose(message)
    })
  if (hasTransfers) {
    const payer = `payer=eq.${userId}`
    channel
      .on('postgres_changes', { ...table, table: 'requests', filter: payer }, readSummary)
      .on('postgres_changes', { ...table, table: 'beneficiaries' }, readSummary)
  }
  channel.subscribe((status, error) => {
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

/** Returns whether the event contains the whole row. The event of a deletion does not contain the row. */
function isBudget(announced: Partial<Budget>): announced is Budget {
  return typeof announced.balance === 'number' && typeof announced.noted === 'number'
}

/**
 * Applies an announced change to the list on screen, and returns which data the page must read again. Ignores events
 * that only repeat this page's own writes. An event may lack the row's values, for example because the row was too
 * large for a frame. The page must then read the row.
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
  else void client.invalidateQueries({ queryKey: dataKeys.edits(userId) })
  // A row that the bank records may be the correction of a transaction.
  if (change.new.recorded_by === 'bank')
    void client.invalidateQueries({ queryKey: dataKeys.corrections(userId) })
  return 'summary'
}

function isWhole(announced: Partial<Transaction>): announced is Transaction {
  return transactionColumns.every((column) => announced[column] !== undefined)
}
