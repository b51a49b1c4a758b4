import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { logQuietly, refusalMessage, TableRefusal } from '#backend/errors.ts'
import { transfersCopy as copy } from './copy.ts'

/** Code for a missing privilege (PostgreSQL). */
const forbiddenCode = '42501'

/**
 * Returns the message for a refused call that may require a proof of identity. The message `unproven` asks for the
 * proof.
 */
export function refusalOf(error: unknown, unproven: string): string {
  logQuietly(error, 'transfers')
  // The user closed the dialog that asks for the proof.
  if (errorCode(error) === 'reauthentication_needed') return unproven
  // A hosted project accepts only a new sign-in as a proof, and its table API answers with PostgreSQL's code.
  return errorCode(error) === forbiddenCode ? copy.signInAgain : refusalMessage(error, copy.tryAgain)
}

/** Returns whether the call may have taken effect although it failed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof TableRefusal && error.isOutcomeUnknown
}
