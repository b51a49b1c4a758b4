/** The caller's own account in this server's database, for the function `delete-account`. */
import { type Database, sql } from '#database/database.ts'
import { asCaller, auditedAs } from '#database/scope.ts'
import { isPresentPassword } from '#identity/password/password-proof.ts'
import type { Passwords } from '#identity/password/passwords.ts'
import { passwordQuestionsOfSession } from '#throttle/limits.ts'
import type { Throttle } from '#throttle/throttle.ts'
import type { OwnAccount } from './handlers/delete-account.ts'
import { notSignedIn } from './handlers/refusals.ts'
import type { Call } from './registers.ts'

/** Asks for the password as often as signing in may, and erases in the caller's name. */
export function ownAccount(
  services: { readonly database: Database; readonly passwords: Passwords; readonly throttle: Throttle },
  { caller, requestId }: Pick<Call, 'caller' | 'requestId'>,
): OwnAccount {
  const { database, passwords, throttle } = services
  return {
    async hasPassword(password) {
      if (caller.role !== 'authenticated') throw notSignedIn()
      await throttle.take([{ limit: passwordQuestionsOfSession, subject: caller.claims.session_id }])
      return isPresentPassword(database, passwords, { claims: caller.claims, password })
    },
    async erase() {
      await database.transaction(asCaller(caller, 'write'), [
        auditedAs(requestId),
        sql`select private.delete_own_account()`,
      ])
    },
  }
}
