import { FunctionRefusal, TableRefusal, errorMessage } from '#backend/errors.ts'
import { staffCopy } from './staff-copy.ts'

/** Returns the server's own sentence for an error, or else the page's. */
export function sentenceOf(error: unknown): string {
  const hasAnswered = (error instanceof FunctionRefusal || error instanceof TableRefusal) && error.hasAnswered
  return errorMessage(error) || (hasAnswered ? staffCopy.serverFailure : staffCopy.noAnswer)
}
