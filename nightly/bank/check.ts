/** Compares the rows and postings at the end of a run with the history. */
import type { CheckResult, Operation } from './history.ts'
import { type StoredTransfer, checkTransfers } from './transfer-check.ts'

/** The rows and postings in the database at the end of the run. */
export type FinalState = {
  readonly transactions: readonly { readonly id: string; readonly description: string }[]
  readonly postings: readonly { readonly transaction_id: string; readonly kind: string }[]
  readonly transfers: readonly StoredTransfer[]
}

/** Returns the violations. */
export function check(operations: readonly Operation[], state: FinalState): CheckResult {
  const found: CheckResult = { lost: [], duplicates: [], unexplained: [] }
  const rowsOf = Map.groupBy(state.transactions, ({ description }) => description)
  const postingsOf = Map.groupBy(state.postings, ({ transaction_id }) => transaction_id)
  const deletions = new Map(
    operations.filter(({ kind }) => kind === 'delete').map((deletion) => [deletion.label, deletion]),
  )
  const labels = new Set<string>()
  const ids = new Set<string>()

  for (const operation of operations) {
    if (operation.kind !== 'deposit' && operation.kind !== 'expense') continue
    const { kind, label, outcome } = operation
    labels.add(label)
    const rows = rowsOf.get(label) ?? []
    for (const { id } of rows) ids.add(id)
    if (operation.id !== null) ids.add(operation.id)
    const deletion = deletions.get(label)?.outcome ?? 'never'
    if (rows.length > 1) found.duplicates.push(`${kind} ${label} is there ${rows.length} times`)
    if (rows.length > 0 && deletion === 'ok') found.lost.push(`the deletion of ${label}`)
    if (outcome !== 'ok') continue
    if (rows.length === 0 && (deletion === 'never' || deletion === 'fail'))
      found.lost.push(`${kind} ${label}`)
    const postings = postingsOf.get(operation.id ?? '') ?? []
    const postedAs = kind === 'expense' ? 'note' : kind
    const count = postings.filter((posting) => posting.kind === postedAs).length
    if (count === 0) found.lost.push(`the posting of ${kind} ${label}`)
    if (count > 1) found.duplicates.push(`${kind} ${label} was posted ${count} times`)
  }
  for (const id of checkTransfers(operations, state.transfers, found)) ids.add(id)
  for (const { id, description } of state.transactions)
    if (!labels.has(description) && !ids.has(id)) found.unexplained.push(`row ${id} «${description}»`)
  for (const id of postingsOf.keys()) if (!ids.has(id)) found.unexplained.push(`posting of ${id}`)
  return found
}
