/** Long work that is done in pieces, between which the page may handle input. */
import { nextTask } from './next-task.ts'

/** Work that yields after each piece and returns its result. */
export type Work<Result> = Generator<void, Result>

/** Number of rows in a piece of work that reads their texts. */
export const pieceRows = 500

/** Maximum time for which pieces follow each other before the page may handle input. */
const sliceMs = 24

/** Returns a function that tells whether the page must handle input now. */
export function beginSlice(): () => boolean {
  const end = performance.now() + sliceMs
  return () => performance.now() >= end
}

/** Does all pieces at once. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Does the pieces in slices of time. Throws the reason of `signal` if it is aborted. */
export async function finishInPieces<Result>(
  work: Work<Result>,
  { pause = nextTask, signal }: { pause?: () => Promise<void>; signal?: AbortSignal } = {},
): Promise<Result> {
  let isOver = beginSlice()
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    if (!isOver()) continue
    await pause()
    signal?.throwIfAborted()
    isOver = beginSlice()
  }
}

/** Calls a function for each value. */
export function* eachInPieces<Value>(
  values: Iterable<Value>,
  act: (value: Value, index: number) => void,
): Work<void> {
  let index = 0
  for (const value of values) {
    act(value, index)
    index += 1
    if (index % pieceRows === 0) yield
  }
}

/** Maps the values of a list. */
export function* mapInPieces<Value, Result>(
  values: readonly Value[],
  map: (value: Value, index: number) => Result,
): Work<Result[]> {
  const results: Result[] = []
  yield* eachInPieces(values, (value, index) => results.push(map(value, index)))
  return results
}
