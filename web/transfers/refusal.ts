import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { logQuietly, refusalMessage, TableRefusal } from '#api/errors.ts'
import { transfersCopy as copy } from './copy.ts'

/** Code for a missing privilege (PostgreSQL). */
const forbiddenCode = '42501'

/**
 * Returns the message for a refused call. `unproven` is the message for a user who must first enter the password or a
 * mailed code.
 */
export function refusalOf(error: unknown, unproven: string): string {
  logQuietly(error, 'transfers')
  // This code means that the user closed the dialog that asks for the password.
  if (errorCode(error) === 'reauthentication_needed') return unproven
  // On a hosted project, the user must sign in again instead, and the table API answers with PostgreSQL's code.
  return errorCode(error) === forbiddenCode ? copy.signInAgain : refusalMessage(error, copy.tryAgain)
}

/** Returns whether the call may have taken effect although it failed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof TableRefusal && error.isOutcomeUnknown
}
