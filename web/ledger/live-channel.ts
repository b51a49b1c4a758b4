import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import type { QueryClient } from '@tanstack/react-query'
import type { Budget, Transaction } from '@finanzas/contract/rows.ts'
import type { BackendClient } from '#backend/client.ts'
import { announceArrival } from './arrivals.ts'
import { applyBudget, applyRemoval, applyRow } from './changes.ts'
import { ledgerKeys } from './queries.ts'

type Join = {
  api: BackendClient
  client: QueryClient
  userId: string
  /** The summary has to be read again, and the whole history where the change could not be put into it. */
  onChange: (what: { withHistory: boolean }) => void
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
export function joinLedgerChannel({ api, client, userId, onChange, onListening, onLost }: Join): () => void {
  let isOver = false
  const table = { event: '*', schema: 'public', filter: `user_id=eq.${userId}` } as const

  const handleTransaction = (change: RealtimePostgresChangesPayload<Transaction>) => {
    onChange({ withHistory: !applyChange(client, userId, change) })
  }

  const handleFiling = (isRefiled: boolean) => {
    void client.invalidateQueries({ queryKey: ledgerKeys.categorization(userId) })
    if (isRefiled) onChange({ withHistory: true })
  }

  const channel = api
    .channel(`ledger:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`)
    .on<Transaction>('postgres_changes', { ...table, table: 'transactions' }, handleTransaction)
    .on<Budget>('postgres_changes', { ...table, table: 'budgets' }, ({ new: budget }) => {
      if (isBudget(budget)) applyBudget(client, budget)
      onChange({ withHistory: false })
    })
    // A change of many transactions sends one event, not one for each row.
    .on('postgres_changes', { ...table, table: 'categories' }, ({ eventType }) =>
      handleFiling(eventType === 'UPDATE'),
    )
    .on<{ entries: number | null }>('postgres_changes', { ...table, table: 'category_rules' }, (change) =>
      handleFiling('entries' in change.new && change.new.entries !== null),
    )
    // So is an import.
    .on('postgres_changes', { ...table, table: 'imports' }, () => onChange({ withHistory: true }))
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
 * Puts the change into the list on screen where that gives the list that a reading would; answers whether it did.
 * A row that came without its values, as one too large for a frame does, has to be read.
 */
export function applyChange(
  client: QueryClient,
  userId: string,
  change: RealtimePostgresChangesPayload<Transaction>,
): boolean {
  if (change.eventType === 'DELETE') {
    if (change.old.id === undefined) return false
    applyRemoval(client, userId, change.old.id)
    return true
  }
  if (!isWhole(change.new)) return false
  applyRow(client, change.new)
  if (change.eventType === 'INSERT') announceArrival(change.new)
  return true
}

function isWhole(announced: Partial<Transaction>): announced is Transaction {
  const { id, user_id, type, description, amount, date, category, recorded_by } = announced
  return ![id, user_id, type, description, amount, date, category, recorded_by].includes(undefined)
}
