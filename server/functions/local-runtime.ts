/** The functions' runtime on this server, with its own database, passwords and rate limits. */
import { SqlError, isOutage, isSessionEnded, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import { isPresentPassword } from '#people/password/password-proof.ts'
import { PoolFull } from '#overload/fair-pool.ts'
import { TooManyRequests } from '#throttle/throttle.ts'
import { ClientLeft, PaperTooLarge, PapersBusy } from '#papers/paper-writer.ts'
import { sessionEnded, tooLongForPdf, tooManyRequests, unavailable } from '#functions/handlers/errors.ts'
import type { FunctionRuntime } from '#functions/handlers/runtime.ts'
import { type CallContext, type RuntimeServices, localCall } from './local-call.ts'
import { localOrders } from './local-orders.ts'
import { localPapers } from './local-papers.ts'

export function localRuntime(services: RuntimeServices, context: CallContext): FunctionRuntime {
  const call = localCall(services, context)
  const { signedIn, write } = call
  const { database, passwords, throttle, keys } = services
  return {
    async admit() {
      const { sub } = signedIn()
      const { session } = asCaller(context.caller, 'write')
      await throttle.consume([{ limit: 'function call', subject: sub }], { session })
    },
    fingerprint: (body) => keys.fingerprints.mac(body),
    ...localOrders(call),
    async isOwnPassword(password) {
      const claims = signedIn()
      await throttle.consume([{ limit: 'password asked once more', subject: claims.session_id }])
      return isPresentPassword(database, passwords, { claims, password })
    },
    async eraseOwnAccount() {
      await write([sql`select private.delete_own_account()`])
    },
    ...localPapers(call),
    databaseErrorOf: (error) => (error instanceof SqlError ? error : null),
    errorOf(error) {
      const isBusy = error instanceof PoolFull || error instanceof PapersBusy
      if (isOutage(error) || isBusy || error instanceof ClientLeft) return unavailable(error)
      if (error instanceof PaperTooLarge) return tooLongForPdf(error)
      if (error instanceof TooManyRequests) return tooManyRequests(error.retryAfterSeconds, error)
      return isSessionEnded(error) ? sessionEnded(error) : null
    },
    logDenied: (denied) => context.logDenied({ actor: signedIn().sub, ...denied }),
  }
}
