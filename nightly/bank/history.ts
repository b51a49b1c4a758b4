/**
 * The history of the bank test, in Jepsen's sense of the word: the writers' requests and the answers to them. The
 * history is checked against the final state of the database. An unanswered operation may or may not have taken effect,
 * but it must not have taken effect twice.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** The outcome of an operation. `info` means that the outcome is unknown. */
export type Outcome = 'ok' | 'fail' | 'info'

/** An order of an administrator or of the payer. The order changes the state of a requested transfer. */
export type TransferAct = 'approve' | 'decline' | 'cancel' | 'return'

/** One operation, which a writer may send several times. */
export type Operation = {
  readonly kind: 'deposit' | 'expense' | 'delete' | 'transfer' | TransferAct
  readonly customerId: string
  /** Description of the row that the operation records or deletes, or the id of the transfer. */
  readonly label: string
  /** Id of the row, or `null` while the id is unknown. */
  id: string | null
  /** State of the transfer in the answer; `null` without an answer, and for other operations. */
  state: string | null
  outcome: Outcome
}

/** Violations, each described by one phrase. */
export type CheckResult = { lost: string[]; duplicates: string[]; unexplained: string[] }

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

  #write(event: string, { kind, customerId, label, id, state }: Operation): void {
    const line = { at: Date.now(), event, kind, customerId, label, id, state }
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}
