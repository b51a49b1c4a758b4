import { errorMessage } from '#backend/errors.ts'
import { FunctionRefusal } from '#backend/functions.ts'
import { staffCopy } from './copy.ts'

/** The server's own sentence, or ours when there was none. */
export function sentenceOf(error: unknown): string {
  const hasAnswered = error instanceof FunctionRefusal && error.hasAnswered
  return errorMessage(error) || (hasAnswered ? staffCopy.serverFailure : staffCopy.noAnswer)
}
