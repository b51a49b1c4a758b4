/** A generated file together with the transactions that it contains. */
import type { Answers } from '#uploads/import/read/judge/answers.ts'
import type { OpenQuestion } from '#uploads/import/read/judge/judge.ts'
import type { Random } from './random.ts'

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
  readonly content: string | Uint8Array
  readonly currency: 'USD' | 'COP'
  readonly bookings: readonly Booking[]
  /** Questions for which the generator removed the evidence. Any other question is a fault. */
  readonly allowed: ReadonlySet<OpenQuestion>
  /** The right answers to these questions. */
  readonly truth: Omit<Answers, 'places'>
}

/** The part of a file that its format decides. */
export type Written = {
  readonly name: string
  readonly content: string
  /** The transactions in the file's order, if their descriptions differ from the given ones. */
  readonly bookings?: readonly Booking[]
  readonly allowed?: ReadonlySet<OpenQuestion>
  readonly truth?: CorpusFile['truth']
}

export type WriteFile = (random: Random, bookings: readonly Booking[], currency: 'USD' | 'COP') => Written
