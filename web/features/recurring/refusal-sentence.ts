import { errorCode, errorMessage } from '#backend/errors.ts'
import { recurringCopy } from './copy.ts'

/** Why one could not be saved: the database's own sentence where it is one for customers. */
export function refusalSentence(error: unknown): string {
  const isForCustomers = /^(?:PT\d{3}|23514)$/.test(errorCode(error))
  return isForCustomers ? errorMessage(error) : recurringCopy.failedText
}
