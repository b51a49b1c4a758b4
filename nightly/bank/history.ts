/**
 * The history of the bank test, in Jepsen's sense of the word: the writers' requests and the answers to them. The
 * history is checked against the final state of the database. An unanswered operation may or may not have taken effect,
 * but it must not have taken effect twice.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** The outcome of an operation. `info` means that the outcome is unknown. */
export type Outcome = 'ok' | 'fail' | 'info'

/** One operation, which a writer may send several times. */
export type Operation = {
  readonly kind: 'deposit' | 'expense' | 'delete'
  readonly customerId: string
  /** Description of the row that the operation records or deletes. */
  readonly label: string
  /** Id of the row, or `null` while the id is unknown. */
  id: string | null
  outcome: Outcome
}

/** The rows and postings in the database at the end of the run. */
export type FinalState = {
  readonly transactions: readonly { readonly id: string; readonly description: string }[]
  readonly postings: readonly { readonly transaction_id: string; readonly kind: string }[]
}

/** All operations, kept in memory and in a log file that has one line per event. */
export class History {
  readonly operations: Operation[] = []
  readonly #file: number

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  invoke(operation: Operation): void {
    this.operations.push(operation)
    this.#write('invoke', operation)
  }

  complete(operation: Operation, outcome: Outcome): void {
    operation.outcome = outcome
    this.#write(outcome, operation)
  }

  close(): void {
    fsyncSync(this.#file)
    closeSync(this.#file)
  }

  #write(event: string, { kind, customerId, label, id }: Operation): void {
    writeSync(this.#file, `${JSON.stringify({ at: Date.now(), event, kind, customerId, label, id })}\n`)
  }
}

/** Violations, each described by one phrase. */
export type CheckResult = { lost: string[]; duplicates: string[]; unexplained: string[] }

/** Compares the final state with the history. */
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
    if (operation.kind === 'delete') continue
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
    const count = postings.filter((posting) => posting.kind === kind).length
    if (count === 0) found.lost.push(`the posting of ${kind} ${label}`)
    if (count > 1) found.duplicates.push(`${kind} ${label} was posted ${count} times`)
  }
  for (const { id, description } of state.transactions)
    if (!labels.has(description)) found.unexplained.push(`row ${id} «${description}»`)
  for (const id of postingsOf.keys()) if (!ids.has(id)) found.unexplained.push(`posting of ${id}`)
  return found
}
