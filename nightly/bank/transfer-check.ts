/**
 * Compares the transfers of a run with its history. An acknowledged transfer is stored once, in a state that follows
 * from the acknowledged orders. Either both postings of a transfer exist, or neither posting exists.
 */
import { sql } from '#server/database/database.ts'
import type { OpenDatabase } from '#testing/database.ts'
import type { CheckResult, Operation } from './history.ts'

export type StoredTransfer = {
  readonly id: string
  readonly status: string
  readonly payer: string
  /** Id of the corrections of both postings; `null` unless the transfer was returned. */
  readonly correction: string | null
  /** Changes of balances that have the id of the transfer or of its correction, such as "payer -12.5,payee 12.5". */
  readonly moved: string
  /** Number of rows with the id of the transfer or of its correction, in the lists of all customers. */
  readonly listed: number
}

export function readTransfers(owner: OpenDatabase['owner']): Promise<StoredTransfer[]> {
  return owner.query(sql<StoredTransfer>`
    with corrected as (
      select c.corrected_id, (array_agg(distinct c.id))[1] as id from public.corrections c group by 1
    ),
    ids as (
      select r.id as request, r.id from public.requests r
      union all
      select c.corrected_id, c.id from corrected c
    )
    select r.id, r.status, r.payer, c.id as correction,
      coalesce((
        select string_agg(
          case j.user_id when r.payer then 'payer' when r.payee then 'payee' else 'another customer' end
            || ' ' || trim_scale(j.delta), ',' order by j.user_id = r.payee, j.delta)
        from ids i join ledger.journal j on j.transaction_id = i.id
        where i.request = r.id
      ), '') as moved,
      (select count(*) from ids i join public.transactions t on t.id = i.id where i.request = r.id)::integer as listed
    from public.requests r left join corrected c on c.corrected_id = r.id`)
}

/** The operation that a transfer needs in order to reach a state. */
const orderOf: Readonly<Record<string, Operation['kind']>> = {
  waiting: 'transfer',
  done: 'approve',
  declined: 'decline',
  cancelled: 'cancel',
  returned: 'return',
}

/** Adds the violations to `found`. Returns the ids of the transactions that belong to the transfers. */
export function checkTransfers(
  operations: readonly Operation[],
  stored: readonly StoredTransfer[],
  found: CheckResult,
): string[] {
  const byId = new Map(stored.map((transfer) => [transfer.id, transfer]))
  const sent = Map.groupBy(
    operations.filter(({ kind }) => !['deposit', 'expense', 'delete'].includes(kind)),
    ({ label }) => label,
  )
  for (const { kind, label, outcome, state } of [...sent.values()].flat()) {
    const status = byId.get(label)?.status
    if (outcome === 'ok' && !isAfter(status, state))
      found.lost.push(`${kind} ${label}: ${state} was acknowledged, and it is ${status}`)
  }
  for (const { id, status, payer, moved, listed } of stored) {
    const orders = sent.get(id) ?? []
    const needed = status === 'done' && isAutomatic(id) ? 'transfer' : orderOf[status]
    if (!orders.some(({ kind, customerId }) => kind === needed && customerId === payer))
      found.unexplained.push(`transfer ${id} is ${status}`)
    const expected = movesOf(status, Number(transferAmountOf(id)))
    const moves = moved === '' ? 0 : moved.split(',').length
    if (moves > expected.length) found.duplicates.push(`transfer ${id}, ${status}: ${moved}`)
    else if (moved !== expected.join() || listed !== expected.length)
      found.lost.push(`a side of transfer ${id}, ${status}: ${moved}, ${listed} rows`)
  }
  return stored.flatMap(({ id, correction }) => (correction === null ? [id] : [id, correction]))
}

/** Returns whether a transfer can have the state `status` after it had the acknowledged state. */
function isAfter(status: string | undefined, acknowledged: string | null): boolean {
  if (status === acknowledged) return true
  if (acknowledged === 'waiting') return status !== undefined
  return acknowledged === 'done' && status === 'returned'
}

function movesOf(status: string, amount: number): string[] {
  if (status === 'done') return [`payer -${amount}`, `payee ${amount}`]
  return status === 'returned'
    ? [`payer -${amount}`, `payer ${amount}`, `payee -${amount}`, `payee ${amount}`]
    : []
}

/** Returns an amount that the id determines. Half of all transfers need no decision. */
export function transferAmountOf(id: string): string {
  const number = Number.parseInt(id.slice(0, 6), 16)
  return isAutomatic(id)
    ? ((1 + (number % 100)) / 100).toFixed(2)
    : (1001 + (number % 100_000) / 100).toFixed(2)
}

function isAutomatic(id: string): boolean {
  return Number.parseInt(id.slice(-1), 16) % 2 === 0
}
