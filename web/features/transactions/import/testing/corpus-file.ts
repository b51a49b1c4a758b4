/** A generated file together with the transactions that it contains. */
import type { OpenQuestion } from '#features/transactions/import/read/judge/judge.ts'

export type Booking = {
  /** `2026-11-20` */
  readonly day: string
  /** Minor units, negative for an expense. */
  readonly minor: number
  readonly description: string
}

export type CorpusFile = {
  /** The choices of the generator, by which a failing file is understood. */
  readonly name: string
  readonly text: string
  readonly currency: 'USD' | 'COP'
  readonly bookings: readonly Booking[]
  /** Questions for which the generator removed the evidence. Any other question is a fault. */
  readonly allowed: ReadonlySet<OpenQuestion>
  readonly truth: {
    readonly expenseSign: 'positive' | 'negative'
    readonly dayOrder: 'day-first' | 'month-first'
    readonly decimal: ',' | '.'
  }
}
