import { forbiddenCode } from '#api/error-codes.ts'
import type { Refusals } from '#api/refusals.ts'
import { transfersCopy as copy } from './copy.ts'

/** Texts of the transfers' page. */
export const transferRefusals: Refusals = {
  // On a hosted project, the user must sign in again, and the table API answers with PostgreSQL's code.
  [forbiddenCode]: copy.signInAgain,
  otherwise: copy.tryAgain,
}

/**
 * A call that requires the password, for `showRefusal` and `refusalMessage`. `unproven` is for a user who closed the
 * dialog that asks for the password.
 */
export function provenCall({ failedTitle, unproven }: { failedTitle: string; unproven: string }) {
  return {
    name: 'transfers',
    title: failedTitle,
    refusals: { ...transferRefusals, reauthentication_needed: unproven },
  }
}
