import { forbiddenCode } from '#api/error-codes.ts'
import type { Refusals } from '#api/refusals.ts'
import { transfersCopy as copy } from './copy.ts'

/** Texts of the transfers' page. */
export const transferRefusals: Refusals = {
  // On a hosted project, the user must sign in again, and the table API answers with PostgreSQL's code.
  [forbiddenCode]: copy.signInAgain,
  otherwise: copy.tryAgain,
}

/** Texts for calls that require the password. `unproven` is for a user who closed the dialog that asks for it. */
export function provenRefusals(unproven: string): Refusals {
  return { ...transferRefusals, reauthentication_needed: unproven }
}
