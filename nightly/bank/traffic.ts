/**
 * State that all writers of the bank test share, and rules that decide the outcome of an attempt and whether a writer
 * repeats it.
 */
import { setTimeout } from 'node:timers/promises'
import type { History, Operation, Outcome } from './history.ts'
import type { Random } from '#nightly/fixtures/random.ts'
import type { Answer, Caller, Wire } from '#nightly/fixtures/wire.ts'

const pauseAfterNoAnswerMs = 100
const attemptsMax = 40

/** A customer who pays, and one of the customer's beneficiaries. */
export type TransferPair = { readonly payer: Caller; readonly beneficiaryId: string }

export type Traffic = {
  readonly wire: Wire
  readonly administrator: Caller
  readonly customers: readonly Caller[]
  /**
   * Customers who only transfer money to each other. The sum of their balances therefore stays the same in every
   * snapshot.
   */
  readonly savers: readonly Caller[]
  /** Pairs of two customers or of two savers. */
  readonly pairs: readonly TransferPair[]
  readonly history: History
  /**
   * Acknowledged rows that have not been deleted. While a deletion or a replay uses a row, the row is not in this list.
   */
  readonly live: Operation[]
  /** Unexpected answers, which a client should not get even while a process is down. */
  readonly surprises: string[]
  readonly end: AbortSignal
  /** Called after each acknowledged write. */
  readonly onAcknowledged: () => void
  /** Number of calls about transfers that have not been answered yet. */
  transfersUnderWay: number
}

/** Repeats the attempt until it is answered. In half of the cases, gives up as soon as the first answer is lost. */
export async function persist(random: Random, attempt: () => Promise<Outcome>): Promise<Outcome> {
  for (let count = 0; count < attemptsMax; count += 1) {
    const outcome = await attempt()
    if (outcome !== 'info') return outcome
    if (count === 0 && random.number() < 0.5) return 'info'
    await setTimeout(pauseAfterNoAnswerMs)
  }
  return 'info'
}

/** Returns an amount that the label determines, because requests with the same key must have the same body. */
export function amountOf(label: string): string {
  const minor = 1 + (Number.parseInt(label.slice(0, 6), 16) % 100_000)
  return (minor / 100).toFixed(2)
}

export function outcomeOf(traffic: Traffic, answer: Answer, isDone: (body: unknown) => boolean): Outcome {
  // A proxy answers 502 or 504 when the server behind it did not answer. The server itself never uses these statuses.
  if (answer === null || [502, 503, 504].includes(answer.status)) return 'info'
  if (answer.status >= 200 && answer.status < 300) return isDone(answer.body) ? 'ok' : 'fail'
  // An earlier attempt, whose connection was cut, is still using the same key.
  if (answer.status === 409) return 'info'
  traffic.surprises.push(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.status >= 500 ? 'info' : 'fail'
}
