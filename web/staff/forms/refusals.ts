import { forbiddenCode } from '#api/error-codes.ts'
import { errorMessage } from '#api/errors.ts'
import type { Refusals } from '#api/refusals.ts'
import { staffCopy } from '#staff/staff-copy.ts'

/** Texts of the pages for staff. */
export const staffRefusals: Refusals = {
  // The bank writes its own sentence for an administrator who may not do this.
  [forbiddenCode]: errorMessage,
  offline: staffCopy.noAnswer,
  noAnswer: staffCopy.noAnswer,
  otherwise: staffCopy.serverFailure,
}
