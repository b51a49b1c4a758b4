import { FunctionRefusal, TableRefusal, errorMessage } from '#api/errors.ts'
import { staffCopy } from '#staff/staff-copy.ts'

/** Returns the message that the server sent with an error, or the page's own message if the server did not send any. */
export function sentenceOf(error: unknown): string {
  const hasAnswered = (error instanceof FunctionRefusal || error instanceof TableRefusal) && error.hasAnswered
  return errorMessage(error) || (hasAnswered ? staffCopy.serverFailure : staffCopy.noAnswer)
}
